package random_test

import (
	"context"
	"fmt"

	"rfm/config"
	"rfm/model/learn/feature"
	"rfm/model/learn/operator"
	"rfm/model/learn/random"
	"rfm/model/run/setup"
	"rfm/solver/base/draw"
	"rfm/solver/dataset"
	"rfm/solver/space/grf"
	"rfm/solver/space/grid"
)

// Random features are drawn and stay as they are: training is one linear solve.
func ExampleRandom() {
	ctx := context.Background()
	c, err := config.PresetByName("quick")
	if err != nil {
		fmt.Println(err)
		return
	}
	const points = 33
	c.Train.Grid = points
	c.Train.Lambda = 1e-6
	c.Features.Count = 64
	measure := grf.Measure{Tau: 7, Alpha: 2.5, Space: grid.Torus}
	pairs := dataset.Pairs{Inputs: grid.NewBatch(grid.Torus, points, 32)}
	measure.On(points).Draw(pairs.Inputs, 1, draw.InputTrain, 0)
	pairs.Outputs = pairs.Inputs // the identity

	features, err := feature.New(ctx, setup.Features(c), c.Features.Count, points, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	method := random.Random{Config: c, Drawn: features, Fine: pairs}.Method()
	learned, err := method.Train(ctx, pairs, operator.Options{Workers: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(learned)
	// Output:
	// 64 Fourier features (elu) with lambda=1e-06, rank 64
}
