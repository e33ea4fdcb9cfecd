package activation_test

import (
	"fmt"

	"rfm/model/activation"
)

// The training sums of two features, in lanes 0 and 1 of a panel of three rows.
func ExampleFunc_ApplyDot() {
	elu, _ := activation.ByName("elu")
	panel := []float64{
		1, 0, 0, 0,
		2, -1, 0, 0,
		-1, 3, 0, 0,
	}
	y := []float64{1, 1, 1}
	sums := make([]float64, 4)
	elu.ApplyDot(panel, y, sums)
	fmt.Printf("%.4f\n", sums)
	// Output: [2.3679 2.3679 0.0000 0.0000]
}
