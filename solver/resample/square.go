// This file is about fields on the unit square.

package resample

import (
	"fmt"

	"rfm/solver/grid"
	"rfm/solver/trig"
)

// Square takes fields on the closed R x R grid, b.K = R^2 values each, to the closed r x r grid, r >= 3: the values of the
// cosine interpolant
//
//	p(x, y) = sum_{k,l = 0 ... R-1} c_kl cos(pi k x) cos(pi l y),
//
// which continues a field evenly across the edges. It panics if b.K is not a square. The error is a *fault.Data if one of the
// grids has fewer than 3 points along an axis. If r-1 divides R-1, the result is b.RestrictSquare(r).
func Square(b grid.Batch, r int) (grid.Batch, error) {
	R := grid.Side(b.K)
	if r < 3 || R < 3 {
		return grid.Batch{}, tooCoarse("fields", fmt.Sprintf("%d x %d points", R, R), fmt.Sprintf("%d x %d", r, r), "choose an r of at least 3")
	}
	if (R-1)%(r-1) == 0 {
		return b.RestrictSquare(r)
	}
	return interpolateSquare(b, r), nil
}

// interpolateSquare takes the way through the modes, whether the grids divide or not.
func interpolateSquare(b grid.Batch, r int) grid.Batch {
	R := grid.Side(b.K)
	analysis, synthesis := trig.NewCosine(R, R), trig.NewCosine(r, r)
	result, spectrum := grid.NewBatch(b.Count, r*r), make([]float64, R*R)
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
