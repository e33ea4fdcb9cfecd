// This file is about fields on the unit square.

package resample

import (
	"rfm/solver/grid"
	"rfm/solver/trig"
)

// interpolateSquare takes the way through the modes, whether the grids divide or not.
func interpolateSquare(b grid.Batch, r int) grid.Batch {
	R := b.Points
	analysis, synthesis := trig.NewCosine(R, R), trig.NewCosine(r, r)
	result, spectrum := grid.NewBatch(grid.Square, r, b.Count), make([]float64, R*R)
	to, weights := cosineShares(R-1, r-1)
	for i := range b.Count {
		analysis.Transform(spectrum, b.At(i))
		field := result.At(i)
		for k := range R {
			row := field[to[k]*r : (to[k]+1)*r]
			for l, c := range spectrum[k*R : (k+1)*R] {
				row[to[l]] += weights[k] * weights[l] * c
			}
		}
		synthesis.Transform(field, field)
	}
	return result
}

// cosineShares say to which mode of the grid of n intervals each mode of that of N goes, cos(pi k i/n) = cos(pi k' i/n), and
// with which factor: the synthesis halves the modes 0 and n, the analysis leaves 2/N undone, and 1/N for the modes 0 and N.
func cosineShares(N, n int) (to []int, weights []float64) {
	for k := range N + 1 {
		alias := k % (2 * n)
		alias = min(alias, 2*n-alias)
		weight := 2 / float64(N)
		if k == 0 || k == N {
			weight /= 2
		}
		if alias == 0 || alias == n {
			weight *= 2
		}
		to, weights = append(to, alias), append(weights, weight)
	}
	return to, weights
}
