package kernel_test

import (
	"context"
	"fmt"
	"math"

	"rfm/model/learn/kernel"
	"rfm/model/learn/operator"
	"rfm/model/learn/score"
	"rfm/solver/dataset"
	"rfm/solver/space/grid"
)

// Inputs are waves of two parameters on [0, 1], outputs their exponentials. Kernel ridge regression finds the length scale
// and the ridge by leave-one-out errors.
func ExampleMethod() {
	ctx := context.Background()
	const points = 33
	all := dataset.Pairs{
		Inputs:  grid.NewBatch(grid.Interval, points, 60),
		Outputs: grid.NewBatch(grid.Interval, points, 60),
	}
	for i := range all.Count() {
		amplitude := math.Sin(float64(7 * i))
		phase := math.Cos(float64(3 * i))
		for k := range points {
			x := float64(k) / (points - 1)
			a := amplitude * math.Sin(3*x+phase)
			all.Inputs.At(i)[k] = a
			all.Outputs.At(i)[k] = math.Exp(a)
		}
	}
	train := all.Range(0, 40)
	test := all.Range(40, 20)

	learned, err := kernel.Method.Train(ctx, train, operator.Options{Workers: 1, Seed: 1})
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
	fmt.Printf("error %.3f on unseen inputs, %.3f when each pair is left out\n",
		errors.ExpectedRelative, learned.LeaveOneOut())
	// Output:
	// error 0.000 on unseen inputs, 0.000 when each pair is left out
}
