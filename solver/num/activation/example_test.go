package activation_test

import (
	"fmt"

	"rfm/solver/num/activation"
)

// An activation is applied to all values of a panel in place.
func ExampleFunc_Apply() {
	elu, ok := activation.ByName("elu")
	values := []float64{-1, 0, 1}
	elu.Apply(values)
	fmt.Printf("%v %.4f\n", ok, values)
	// Output:
	// true [-0.6321 0.0000 1.0000]
}
