package modes_test

import (
	"context"
	"fmt"
	"math"

	"rfm/solver/space/grid"
	"rfm/solver/space/modes"
)

// Multiples of one function have one principal component.
func ExampleNewPrincipal() {
	const points = 17
	functions := grid.NewBatch(grid.Torus, points, 3)
	for i, factor := range []float64{-1, 0, 1} {
		for x := range points {
			functions.At(i)[x] = factor * math.Sin(2*math.Pi*float64(x)/(points-1))
		}
	}
	p, err := modes.NewPrincipal(context.Background(), functions, 2, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d component of variance %.4f, of %.4f in all\n", len(p.Variances), p.Variances[0], p.Total)
	// Output:
	// 1 component of variance 0.3333, of 0.3333 in all
}
