package rfm_test

import (
	"context"
	"fmt"

	"rfm/config"
	"rfm/model/feature"
	"rfm/model/rfm"
	"rfm/model/setup"
	"rfm/solver/dataset"
	"rfm/solver/draw"
	"rfm/solver/grid"
	"rfm/solver/truth"
)

// All steps, from a configuration to an error: pairs, features, sums, coefficients, predictions.
func Example() {
	ctx, workers := context.Background(), 2
	c, err := config.PresetByName("burgers")
	if err != nil {
		fmt.Println(err)
		return
	}
	const K = 65
	c.Data.Grid = 129
	pairs := func(purpose draw.Purpose, count int) dataset.Pairs {
		made, err := dataset.Generate(ctx, setup.Truth(c), truth.Wanted{Purpose: purpose, Count: count, Points: K}, workers,
			nil)
		if err != nil {
			panic(err)
		}
		return made
	}
	train, test := pairs(draw.InputTrain, 64), pairs(draw.InputTest, 64)

	features, err := feature.New(ctx, c, c.Seed, 128, c.Data.Grid, workers)
	if err != nil {
		panic(err)
	}
	onGrid, err := features.On(ctx, K, workers)
	if err != nil {
		panic(err)
	}
	sums := rfm.NewNormal(onGrid.Count())
	if err := sums.Accumulate(ctx, onGrid, train, workers, nil, nil); err != nil {
		panic(err)
	}
	for _, m := range []int{32, 128} { // the first m features, without another pass over the data
		solution, err := sums.Fit(ctx, m, rfm.Regularisation{Lambda: 1e-6}, workers)
		if err != nil {
			panic(err)
		}
		predictions, err := onGrid.Predict(ctx, [][]float64{solution.Alpha}, test.Inputs, workers, nil)
		if err != nil {
			panic(err)
		}
		errors, err := rfm.Measure(predictions[0], test.Outputs)
		fmt.Printf("m = %3d: error %.2f on %s\n", m, errors.ExpectedRelative, grid.Torus.Grid(K))
		if err != nil {
			panic(err)
		}
	}
	// Output:
	// m =  32: error 0.19 on K=65
	// m = 128: error 0.11 on K=65
}
