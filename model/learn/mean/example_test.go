package mean_test

import (
	"context"
	"fmt"

	"rfm/model/learn/mean"
	"rfm/solver/dataset"
	"rfm/solver/space/grid"
)

// The mean of the training outputs is the prediction for any input. A method that does not beat it has learned nothing.
func ExampleOf() {
	pairs := dataset.Pairs{
		Inputs:  grid.BatchOf(grid.Interval, 3, []float64{0, 1, 2, 2, 1, 0}),
		Outputs: grid.BatchOf(grid.Interval, 3, []float64{1, 1, 1, 3, 3, 3}),
	}
	learned := mean.Of(pairs, "")
	predictions, err := learned.Predict(context.Background(), pairs.Inputs.First(1), 1, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(predictions.Data)
	// Output:
	// [2 2 2]
}
