package fold_test

import (
	"context"
	"fmt"
	"math"

	"rfm/config"
	"rfm/model/learn/fold"
	"rfm/model/learn/kernel"
	"rfm/model/learn/operator"
	"rfm/model/learn/translate"
	"rfm/solver/base/draw"
	"rfm/solver/dataset"
	"rfm/solver/space/grid"
)

// A string that is held at both ends, and the cube of its shape, which vanishes there, too. Its odd continuation repeats
// after twice the length, and there the cube commutes with translations.
func ExampleOf() {
	ctx := context.Background()
	const points = 33
	pairs := dataset.Pairs{
		Inputs:  grid.NewBatch(grid.Interval, points, 40),
		Outputs: grid.NewBatch(grid.Interval, points, 40),
	}
	for i := range pairs.Count() {
		random := draw.Stream(1, "example", i)
		a := pairs.Inputs.At(i)
		for k := 1.0; k <= 4; k++ {
			size := random.NormFloat64() / k
			for x := range a {
				a[x] += size * math.Sin(k*math.Pi*float64(x)/(points-1))
			}
		}
		for x, v := range a {
			pairs.Outputs.At(i)[x] = v * v * v
		}
	}
	fmt.Println("the pairs are", fold.Seen(pairs))
	o := operator.Options{Workers: 1, Seed: 1, Symmetry: config.OddFold}
	usual, err := kernel.Method.Train(ctx, pairs, o)
	if err != nil {
		fmt.Println(err)
		return
	}
	folded, err := fold.Of(translate.Method).Train(ctx, pairs, o)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("better than half the error of the usual kernel:", folded.LeaveOneOut() < usual.LeaveOneOut()/2)
	// Output:
	// the pairs are odd
	// better than half the error of the usual kernel: true
}
