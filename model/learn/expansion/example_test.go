package expansion_test

import (
	"context"
	"fmt"
	"math"

	"rfm/model/learn/expansion"
	"rfm/solver/space/grid"
)

// Functions that consist of two waves have two principal components; the coefficients of one are the larger ones.
func ExampleNewPrincipal() {
	const points = 17
	functions := grid.NewBatch(grid.Torus, points, 8)
	for i := range functions.Count {
		large := 3 * math.Cos(float64(i))
		small := math.Sin(float64(2 * i))
		for k := range points {
			x := 2 * math.Pi * float64(k) / (points - 1)
			functions.At(i)[k] = large*math.Sin(x) + small*math.Sin(2*x)
		}
	}
	basis, err := expansion.NewPrincipal(context.Background(), functions, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d components with variances %.2f\n", len(basis.Variances), basis.Variances)
	// Output:
	// 2 components with variances [2.35 0.24]
}
