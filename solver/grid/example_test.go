package grid_test

import (
	"fmt"
	"math"

	"rfm/solver/grid"
)

// Two functions on the torus, on K = 9 points. The norm of a function is an integral, so it does not change with the
// grid.
func Example() {
	b := grid.NewBatch(grid.Torus, 9, 2)
	for i := range b.Count {
		for j := range b.At(i) {
			b.At(i)[j] = math.Sin(2 * math.Pi * float64(i+1) * float64(j) / 8)
		}
	}
	fmt.Println(b.Domain.Grid(b.Points), b.Shape())
	fmt.Printf("<f, f> = %.3f, <f, g> = %.3f\n", b.Domain.Inner(b.At(0), b.At(0)),
		math.Abs(b.Domain.Inner(b.At(0), b.At(1))))

	coarse, err := b.Restrict(5) // every second point
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("on %s: <f, f> = %.3f\n", coarse.Domain.Grid(coarse.Points),
		coarse.Domain.Inner(coarse.At(0), coarse.At(0)))
	fmt.Println(grid.Torus.Contains(9, 5), grid.Torus.Contains(9, 4))
	// Output:
	// K=9 [2 9]
	// <f, f> = 0.500, <f, g> = 0.000
	// on K=5: <f, f> = 0.500
	// true false
}
