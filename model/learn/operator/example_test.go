package operator_test

import (
	"fmt"

	"rfm/model/learn/operator"
	"rfm/solver/dataset"
	"rfm/solver/space/grid"
)

// Outputs of two channels, the second a thousand times as large: in their units both have the same share in an error.
func ExampleScalingOf() {
	pairs := dataset.Pairs{
		Inputs: grid.BatchOf(grid.Interval, 3, []float64{1, 2, 1, 2, 1, 2}),
		Outputs: grid.Stack(
			grid.BatchOf(grid.Interval, 3, []float64{1, 1, 1, -1, -1, -1}),
			grid.BatchOf(grid.Interval, 3, []float64{-1000, -1000, -1000, 1000, 1000, 1000}),
		),
	}
	units := operator.ScalingOf(pairs)
	scaled := units.Apply(pairs)
	fmt.Println("units", units.Output)
	fmt.Println("first output", scaled.Outputs.At(0))
	// Output:
	// units [1 1000]
	// first output [1 1 1 -1 -1 -1]
}
