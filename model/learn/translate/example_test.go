package translate_test

import (
	"context"
	"fmt"

	"rfm/model/learn/kernel"
	"rfm/model/learn/operator"
	"rfm/model/learn/translate"
	"rfm/solver/base/draw"
	"rfm/solver/dataset"
	"rfm/solver/space/grf"
	"rfm/solver/space/grid"
)

// The square of a periodic function, moved by a quarter of the period, is an operator that commutes with translations.
// A kernel that commutes with them as well learns from every pair as if there were one at each point.
func ExampleMethod() {
	ctx := context.Background()
	const points = 33
	measure := grf.Measure{Tau: 5, Alpha: 3, Space: grid.Torus}
	pairs := dataset.Pairs{
		Inputs:  grid.NewBatch(grid.Torus, points, 40),
		Outputs: grid.NewBatch(grid.Torus, points, 40),
	}
	measure.On(points).Draw(pairs.Inputs, 1, draw.InputTrain, 0)
	for i := range pairs.Count() {
		for x := range points {
			moved := pairs.Inputs.At(i)[(x+8)%32] // the last point repeats the first one
			pairs.Outputs.At(i)[x] = moved * moved
		}
	}
	o := operator.Options{Workers: 1, Seed: 1}
	usual, err := kernel.Method.Train(ctx, pairs, o)
	if err != nil {
		fmt.Println(err)
		return
	}
	equivariant, err := translate.Method.Train(ctx, pairs, o)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("ten times better than the usual kernel:", equivariant.LeaveOneOut() < usual.LeaveOneOut()/10)
	// Output:
	// ten times better than the usual kernel: true
}
