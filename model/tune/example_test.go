package tune_test

import (
	"context"
	"fmt"

	"rfm/config"
	"rfm/model/tune"
)

// The example is a small search on the paper's Burgers operator. The resulting configuration can be run.
func Example() {
	c, err := config.PresetByName("burgers")
	if err != nil {
		fmt.Println(err)
		return
	}
	c.Data.Grid, c.Data.Train, c.Train.Grid, c.Features.Count, c.Burgers.Tolerance = 129, 48, 33, 32, 1e-4
	ctx, search := context.Background(), tune.Session{Asked: c}
	err = search.Obtain(ctx, nil, 2)
	if err == nil {
		_, err = search.Begin(tune.Options{Evaluations: 100, Seed: 1, Workers: 2})
	}
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
