package price_test

import (
	"fmt"

	"rfm/model/trained/price"
)

// An offer is on the front unless another one is both faster and more accurate.
func ExampleFront() {
	fmt.Println(price.Front([]price.Offer{
		{Name: "model", Error: 0.04, Seconds: 1e-5},
		{Name: "solver", Error: 0.001, Seconds: 1e-3},
		{Name: "slow model", Error: 0.05, Seconds: 1e-4},
	}))
	// Output:
	// [true true false]
}
