package trig_test

import (
	"fmt"
	"math"

	"rfm/solver/num/trig"
)

// A function on five points of an interval and the coefficients of its cosine series, times half the intervals. Sum is
// the inverse of Transform but for a factor.
func ExampleSeries() {
	const points = 5
	series := trig.NewSeries(1, points, false)
	f := make([]float64, points)
	for j := range f {
		f[j] = math.Cos(math.Pi * float64(j) / (points - 1))
	}
	coefficients := make([]float64, points)
	series.Transform(coefficients, f)
	for _, c := range coefficients {
		fmt.Printf("%.2f ", math.Abs(c))
	}
	// Output:
	// 0.00 2.00 0.00 0.00 0.00
}
