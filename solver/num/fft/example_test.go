package fft_test

import (
	"fmt"
	"math"

	"rfm/solver/num/fft"
)

// The derivative of sin(2 pi x), by a product with the spectrum of d/dx. A block holds eight real functions; here the
// first one is used.
func Example() {
	const n = 16
	plan := fft.On(0, n)
	block := make([]float64, 2*fft.Lanes*n)
	for j := range n {
		block[2*fft.Lanes*j] = math.Sin(2 * math.Pi * float64(j) / n)
	}
	derivative := make([]float64, 2*n) // complex numbers 2 pi i k/n, because no transform is normalised
	for position, k := range plan.Frequencies() {
		derivative[2*position+1] = 2 * math.Pi * float64(k[0]) / n
	}
	plan.Forward(block)
	plan.Multiply(block, block, derivative)
	plan.Inverse(block)
	fmt.Printf("%.6f at 0, %.6f at 1/2\n", block[0]/(2*math.Pi), block[2*fft.Lanes*n/2]/(2*math.Pi))
	// Output:
	// 1.000000 at 0, -1.000000 at 1/2
}
