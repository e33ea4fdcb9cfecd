package correct_test

import (
	"context"
	"fmt"

	"rfm/model/learn/correct"
	"rfm/model/learn/kernel"
	"rfm/model/learn/linear"
	"rfm/model/learn/local"
	"rfm/model/learn/operator"
	"rfm/solver/base/draw"
	"rfm/solver/dataset"
	"rfm/solver/space/grf"
	"rfm/solver/space/grid"
)

// A kernel learns little of the square of a rough function, but random features of the inputs and of the kernel's
// predictions learn its residual.
func ExampleNew() {
	ctx := context.Background()
	const points = 65
	measure := grf.Measure{Tau: 5, Alpha: 1.5, Space: grid.Torus}
	pairs := dataset.Pairs{
		Inputs:  grid.NewBatch(grid.Torus, points, 40),
		Outputs: grid.NewBatch(grid.Torus, points, 40),
	}
	measure.On(points).Draw(pairs.Inputs, 1, draw.InputTrain, 0)
	for x, a := range pairs.Inputs.Data {
		pairs.Outputs.Data[x] = a + a*a
	}
	starts := operator.Starts{kernel.Method}
	layers := local.New(starts, []operator.Method{linear.Method})
	corrections := correct.New(starts, layers)
	learned, err := corrections.Train(ctx, pairs, operator.Options{Workers: 1, Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	start, err := kernel.Method.Train(ctx, pairs, operator.Options{Workers: 1, Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("ten times better than the kernel:", learned.LeaveOneOut() < start.LeaveOneOut()/10)
	// Output:
	// ten times better than the kernel: true
}
