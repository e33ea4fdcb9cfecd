package neural_test

import (
	"fmt"

	"rfm/solver/num/neural"
)

// Products add to their result, so that gradients of several parts sum up.
func ExampleAddProduct() {
	a := neural.NewMatrix[float64](1, 2)
	copy(a.Row(0), []float64{1, 2})
	b := neural.NewMatrix[float64](2, 1)
	copy(b.Row(0), []float64{10})
	copy(b.Row(1), []float64{100})
	c := neural.NewMatrix[float64](1, 1)
	neural.AddProduct(c, a, b)
	neural.AddProduct(c, a, b)
	fmt.Println(c.Row(0))
	// Output:
	// [420]
}
