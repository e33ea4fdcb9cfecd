package fno_test

import (
	"context"
	"fmt"

	"rfm/config"
	"rfm/model/learn/fno"
	"rfm/model/learn/operator"
	"rfm/solver/base/draw"
	"rfm/solver/dataset"
	"rfm/solver/space/grf"
	"rfm/solver/space/grid"
)

// A small network of two layers, trained for a moment. The same pairs and seed give the same network on any number of
// workers.
func ExampleMethod() {
	ctx := context.Background()
	const points = 33
	measure := grf.Measure{Tau: 5, Alpha: 3, Space: grid.Torus}
	pairs := dataset.Pairs{
		Inputs:  grid.NewBatch(grid.Torus, points, 20),
		Outputs: grid.NewBatch(grid.Torus, points, 20),
	}
	measure.On(points).Draw(pairs.Inputs, 1, draw.InputTrain, 0)
	for x, a := range pairs.Inputs.Data {
		pairs.Outputs.Data[x] = 1 + a*a
	}
	o := operator.Options{Workers: 1, Seed: 1, Symmetry: config.Translations}
	o.Network = operator.Network{Width: 8, Modes: 4, Layers: 2}
	learned, err := fno.Method.Train(ctx, pairs, o)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(learned)
	// Output:
	// Fourier neural operator of 2 layers, width 8, 10 steps
}
