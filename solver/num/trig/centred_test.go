package trig

import (
	"math"
	"testing"

	"rfm/solver/base/parallel/detector"
	"rfm/solver/num/simd"
)

// centredOf returns the factor of f_j in the coefficient k of the cosine transform of n cells.
func centredOf(n int) func(j, k int) float64 {
	return func(j, k int) float64 { return math.Cos(math.Pi * float64((2*j+1)*k%(4*n)) / float64(2*n)) }
}

// seriesOf returns the factor of the coefficient k in the value j.
func seriesOf(n int) func(k, j int) float64 {
	return func(k, j int) float64 {
		if k == 0 {
			return 0.5
		}
		return centredOf(n)(j, k)
	}
}

func TestCentredIsTheSumOfItsDefinition(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	forEachGrid(t, 1, func(t *testing.T, rows, columns int, level simd.Level) {
		f, got := random(rows*columns), make([]float64, rows*columns)
		transform, first, firstSum := newSeries(rows, columns, true, level), centredOf(rows), seriesOf(rows)
		if rows == 1 { // functions of one variable
			first, firstSum = identity, identity
		}
		transform.Transform(got, f)
		expectEqual(t, "transform", got, bothAxes(f, rows, columns, first, centredOf(columns)), rounding)
		transform.Sum(got, f)
		expectEqual(t, "sum", got, bothAxes(f, rows, columns, firstSum, seriesOf(columns)), rounding)
	})
}
