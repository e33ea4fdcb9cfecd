package tune_test

import (
	"context"
	"fmt"

	"rfm/config"
	"rfm/model/setup"
	"rfm/model/tune"
	"rfm/solver/dataset"
	"rfm/solver/draw"
	"rfm/solver/truth"
)

// The example is a small search on the paper's Burgers operator. The resulting configuration can be run.
func Example() {
	c, err := config.PresetByName("burgers")
	if err != nil {
		fmt.Println(err)
		return
	}
	c.Data.Grid, c.Data.Train, c.Train.Grid, c.Features.Count, c.Burgers.Tolerance = 129, 48, 33, 32, 1e-4
	ctx := context.Background()
	pairs, err := dataset.Generate(ctx, setup.Truth(c), truth.Wanted{Purpose: draw.InputTrain, Count: c.Data.Train}, 2,
		nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	search, err := tune.New(c, pairs, tune.Options{Evaluations: 100, Seed: 1, Workers: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := search.Run(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	best, start, fresh := search.Snapshot().Gain()
	fmt.Println("better on fresh draws:", fresh && best < start)
	fmt.Println("valid:", result.Config.Validate() == nil)
	// Output:
	// better on fresh draws: true
	// valid: true
}
