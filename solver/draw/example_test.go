package draw_test

import (
	"fmt"

	"rfm/solver/draw"
)

// Sample 7 is drawn without the six samples before it, and does not depend on them.
func Example() {
	seventh := draw.Stream(1, draw.InputTrain, 7).NormFloat64()
	again := draw.Stream(1, draw.InputTrain, 7).NormFloat64()
	other := draw.Stream(1, draw.InputTest, 7).NormFloat64()
	fmt.Println(seventh == again, seventh == other)
	// Output:
	// true false
}
