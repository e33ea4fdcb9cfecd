package report

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
)

// Quantile returns the q-quantile of values in any order, 0 <= q <= 1, linear between order statistics, as
// numpy.quantile; NaN if there are none.
func Quantile(values []float64, q float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	if !slices.IsSorted(values) {
		values = slices.Sorted(slices.Values(values))
	}
	position := q * float64(len(values)-1)
	low := min(int(position), len(values)-1)
	high := min(low+1, len(values)-1)
	part := position - float64(low)
	if step := values[high] - values[low]; !math.IsInf(step, 0) {
		return values[low] + part*step
	}
	return (1-part)*values[low] + part*values[high]
}

// Median returns the 0.5-quantile.
func Median(values []float64) float64 { return Quantile(values, 0.5) }

// Mean returns the arithmetic mean; NaN of no values.
func Mean(values []float64) float64 { return stat.Mean(values, nil) }

// Spread returns the standard deviation of the values, with the divisor of an unbiased variance; NaN of fewer than two.
func Spread(values []float64) float64 { return stat.StdDev(values, nil) }
