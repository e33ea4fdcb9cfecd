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

// Both methods learn to take the square of a function from 200 examples; only one of them can represent it.
func Example() {
	const K = 33
	pairs := dataset.Pairs{Inputs: grid.NewBatch(grid.Torus, K, 300), Outputs: grid.NewBatch(grid.Torus, K, 300)}
	grf.NewSampler(grf.Periodic{Tau: 3, Alpha: 4}, K).Draw(pairs.Inputs, 1, draw.InputTrain, 0)
	for i, v := range pairs.Inputs.Data {
		pairs.Outputs.Data[i] = v * v
	}
	training, test := pairs.Range(0, 200), pairs.Range(200, 100)

	ctx := context.Background()
	for _, m := range method.All(grid.Torus, grid.Torus, "")[:2] {
		learned, err := m.Train(ctx, training, method.Options{Workers: 2})
		if err != nil {
			fmt.Println(err)
			return
		}
		u, err := learned.Predict(ctx, test.Inputs, 2, nil)
		if err != nil {
			fmt.Println(err)
			return
		}
		e, err := rfm.Measure(u, test.Outputs)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s: error below 10%%: %v\n", m.Title, e.ExpectedRelative < 0.1)
	}
	// Output:
	// linear: error below 10%: false
	// kernel ridge: error below 10%: true
}
