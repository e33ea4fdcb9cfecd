package feature_test

import (
	"context"
	"fmt"
	"math"

	"rfm/config"
	"rfm/model/learn/feature"
	"rfm/solver/space/grid"
)

// Features of a configuration on a grid: the first one has the same values in a map of eight and in a map of sixteen, and
// a sum of features is linear in its coefficients.
func ExampleNew() {
	ctx := context.Background()
	law := feature.Law{
		Features: config.Reference().Features,
		Domain:   grid.Torus,
		Seed:     1,
	}
	const points = 33
	input := grid.NewBatch(grid.Torus, points, 1)
	for k := range points {
		x := float64(k) / (points - 1)
		input.Data[k] = math.Sin(2 * math.Pi * x)
	}
	var first []float64 // value of feature 0 at the first point
	for _, m := range []int{8, 16} {
		features, err := feature.New(ctx, law, m, points, 1)
		if err != nil {
			fmt.Println(err)
			return
		}
		look, err := features.Look(ctx, 0, input)
		if err != nil {
			fmt.Println(err)
			return
		}
		first = append(first, look.Values[0])
	}
	fmt.Println("the same:", first[0] == first[1])
	// Output:
	// the same: true
}
