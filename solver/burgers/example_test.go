package burgers_test

import (
	"context"
	"fmt"
	"math"

	"rfm/solver/burgers"
	"rfm/solver/grid"
)

// A sine wave steepens, and viscosity takes its energy.
func Example() {
	a := grid.NewBatch(grid.Torus, 129, 1)
	for i := range a.Data {
		a.Data[i] = math.Sin(2 * math.Pi * float64(i) / 128)
	}
	times := []float64{0.5, 1}
	u := []grid.Batch{a.Like(1), a.Like(1)}
	if err := burgers.New(1e-2, 1e-8, a.Points).NewWorker().Solve(context.Background(), u, a, times,
		"example"); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("T = 0    energy %.4f\n", a.Domain.Inner(a.Data, a.Data))
	for j, t := range times {
		fmt.Printf("T = %-4g energy %.4f\n", t, u[j].Domain.Inner(u[j].Data, u[j].Data))
	}
	// Output:
	// T = 0    energy 0.5000
	// T = 0.5  energy 0.1513
	// T = 1    energy 0.0448
}
