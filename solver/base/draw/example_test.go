package draw_test

import (
	"fmt"

	"rfm/solver/base/draw"
)

// Object i of a purpose has its own stream, which does not depend on others.
func ExampleStream() {
	first := draw.Stream(1, draw.Theta, 0).Float64()
	second := draw.Stream(1, draw.Theta, 1).Float64()
	again := draw.Stream(1, draw.Theta, 0).Float64()
	fmt.Println(first == again, first == second)
	// Output:
	// true false
}
