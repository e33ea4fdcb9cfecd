package advection_test

import (
	"context"
	"fmt"
	"math"

	"rfm/solver/advection"
	"rfm/solver/grid"
)

// At speed 1 a function is back where it was after one unit of time, and on the other side after half of one.
func Example() {
	a := grid.NewBatch(grid.Torus, 65, 1)
	for i := range a.Data {
		a.Data[i] = math.Exp(math.Cos(2 * math.Pi * float64(i) / 64))
	}
	u := []grid.Batch{a.Like(1), a.Like(1)}
	solver := advection.New(advection.Speed{Mean: 1}, 1e-8, a.Points)
	if err := solver.NewWorker().Solve(context.Background(), u, a, []float64{0.5, 1}, "example"); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("at x = 1/2: %.4f, %.4f, %.4f\n", a.Data[32], u[0].Data[32], u[1].Data[32])
	// Output:
	// at x = 1/2: 0.3679, 2.7183, 0.3679
}
