package engine_test

import (
	"context"
	"fmt"

	"rfm/config"
	"rfm/model/run/engine"
)

// A small experiment: generate, train, evaluate. The same configuration gives the same errors with any number of
// workers.
func Example() {
	c, err := config.PresetByName("quick")
	if err != nil {
		fmt.Println(err)
		return
	}
	c.Data.Train, c.Data.Test, c.Data.Grid, c.Train.Grid, c.Features.Count = 32, 32, 129, 33, 64
	c.Evaluation.Baselines = false
	e, err := engine.New(context.Background(), c, engine.Options{Workers: 2}) // without a directory nothing is stored
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := e.Run(context.Background()); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("m = %d, test error %.2f\n", c.Features.Count, e.Evaluation().Test.ExpectedRelative)
	// Output:
	// m = 64, test error 0.15
}
