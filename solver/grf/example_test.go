package grf_test

import (
	"fmt"
	"math"

	"rfm/solver/draw"
	"rfm/solver/grf"
	"rfm/solver/grid"
)

// The mean square of a draw is the sum of the variances of its coefficients, on average.
func Example() {
	measure := grf.Periodic{Tau: 7, Alpha: 2.5} // the paper's inputs
	const K, count = 129, 2000
	functions := grid.NewBatch(grid.Torus, K, count)
	grf.NewSampler(measure, K).Draw(functions, 1, draw.InputTrain, 0)

	var square, expected float64
	for i := range count {
		square += functions.Domain.Inner(functions.At(i), functions.At(i)) / count
	}
	for j := 1; j < (K-1)/2; j++ {
		expected += 2 * measure.Eigenvalue(0, j) // of the cosine and the sine
	}
	fmt.Println("within 5% of what is expected:", math.Abs(square/expected-1) < 0.05)
	// Output:
	// within 5% of what is expected: true
}
