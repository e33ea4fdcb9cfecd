package score

import (
	"math"
	"slices"
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
	last := len(values) - 1
	position := q * float64(last)
	at := min(int(position), last)
	part := position - float64(at)
	low := values[at]
	high := values[min(at+1, last)]
	step := high - low
	if math.IsInf(step, 0) { // because the values are near the largest numbers, or infinite
		return (1-part)*low + part*high
	}
	return low + part*step
}
