package grf_test

import (
	"fmt"

	"rfm/solver/base/draw"
	"rfm/solver/space/grf"
	"rfm/solver/space/grid"
)

// Draws have numbers: function 7 is the same one, whichever others are drawn, and on any grid.
func ExampleMeasure() {
	measure := grf.Measure{Tau: 7, Alpha: 2.5, Space: grid.Torus}
	some := grid.NewBatch(grid.Torus, 65, 3)
	measure.On(65).Draw(some, 1, draw.InputTrain, 5) // functions 5, 6 and 7
	one := grid.NewBatch(grid.Torus, 65, 1)
	measure.On(65).Draw(one, 1, draw.InputTrain, 7)
	fmt.Println(some.At(2)[10] == one.At(0)[10])
	// Output:
	// true
}
