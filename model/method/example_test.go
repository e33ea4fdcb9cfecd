package method_test

import (
	"context"
	"fmt"

	"rfm/model/method"
	"rfm/model/rfm"
	"rfm/solver/dataset"
	"rfm/solver/draw"
	"rfm/solver/grf"
	"rfm/solver/grid"
)

// Both baselines learn to take the square of a function from 200 examples; only one of them can.
func Example() {
	const K = 33
	pairs := dataset.Pairs{Inputs: grid.NewBatch(grid.Torus, K, 300), Outputs: grid.NewBatch(grid.Torus, K, 300)}
	grf.NewSampler(grf.Periodic{Tau: 3, Alpha: 4}, K).Draw(pairs.Inputs, 1, draw.InputTrain, 0)
	for i, v := range pairs.Inputs.Data {
		pairs.Outputs.Data[i] = v * v
	}
	training, test := pairs.Range(0, 200), pairs.Range(200, 100)

	ctx := context.Background()
	linear, err := method.Linear(ctx, training, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	kernel, err := method.Kernel(ctx, training, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, b := range []method.Baseline{linear, kernel} {
		u, err := b.Predict(ctx, test.Inputs, 2, nil)
		if err != nil {
			fmt.Println(err)
			return
		}
		e, err := rfm.Measure(u, test.Outputs)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s: error below 10%%: %v\n", b.Name(), e.ExpectedRelative < 0.1)
	}
	// Output:
	// linear: error below 10%: false
	// kernel ridge: error below 10%: true
}
