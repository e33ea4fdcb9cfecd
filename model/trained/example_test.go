package trained_test

import (
	"bytes"
	"context"
	"fmt"

	"rfm/config"
	"rfm/model/run/engine"
	"rfm/model/trained"
)

// A model is written to a file, read again, and applied to functions on any grid.
func ExampleModel() {
	ctx := context.Background()
	c, err := config.PresetByName("quick")
	if err != nil {
		fmt.Println(err)
		return
	}
	c.Data.Train = 16
	c.Data.Test = 8
	c.Data.Grid = 65
	c.Train.Grid = 33
	c.Features.Count = 16
	c.Evaluation.Baselines = false
	experiment, err := engine.New(ctx, c, engine.Options{Workers: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := experiment.Run(ctx); err != nil {
		fmt.Println(err)
		return
	}

	var file bytes.Buffer
	if err := trained.Write(&file, experiment.Model()); err != nil {
		fmt.Println(err)
		return
	}
	model, err := trained.Read(bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil {
		fmt.Println(err)
		return
	}
	_, test := experiment.Pairs()
	predictions, err := model.Predict(ctx, test.Inputs, 1, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d features, %d predictions on %d points\n", len(model.Solution().Alpha), predictions.Count,
		predictions.Points)
	// Output:
	// 16 features, 8 predictions on 33 points
}
