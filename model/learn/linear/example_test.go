package linear_test

import (
	"context"
	"fmt"

	"rfm/model/learn/linear"
	"rfm/model/learn/operator"
	"rfm/model/learn/score"
	"rfm/solver/base/draw"
	"rfm/solver/dataset"
	"rfm/solver/space/grf"
	"rfm/solver/space/grid"
)

// The translation of a periodic function is a Fourier multiplier, which a few pairs determine.
func ExampleMethod() {
	ctx := context.Background()
	const points = 33
	measure := grf.Measure{Tau: 3, Alpha: 2, Space: grid.Torus}
	inputs := grid.NewBatch(grid.Torus, points, 24)
	measure.On(points).Draw(inputs, 1, draw.InputTrain, 0)
	outputs := inputs.Like(inputs.Count)
	for i := range inputs.Count {
		for x := range points {
			quarter := (x + 8) % 32 // the last point repeats the first one
			outputs.At(i)[x] = inputs.At(i)[quarter]
		}
	}
	pairs := dataset.Pairs{Inputs: inputs, Outputs: outputs}
	train := pairs.Range(0, 16)
	test := pairs.Range(16, 8)

	learned, err := linear.Method.Train(ctx, train, operator.Options{Workers: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	predictions, err := learned.Predict(ctx, test.Inputs, 1, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	errors, err := score.Measure(predictions, test.Outputs)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(learned)
	fmt.Printf("error %.5f on unseen inputs\n", errors.ExpectedRelative)
	// Output:
	// Fourier multiplier of 17 wavenumbers, ridge 1e-12
	// error 0.00000 on unseen inputs
}
