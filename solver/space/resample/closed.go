package resample

import (
	"rfm/solver/num/trig"
	"rfm/solver/space/grid"
)

func interpolateClosed(b grid.Batch, points int, alias bool) grid.Batch {
	d := b.Domain
	result := grid.NewBatch(d, points, b.Count)
	fineRows, fineColumns := d.Axes(b.Points)
	rows, columns := d.Axes(points)
	analysis := trig.NewSeries(fineRows, fineColumns, d.Cells)
	synthesis := trig.NewSeries(rows, columns, d.Cells)
	shares := func(fine, coarse int) (to []int, weights []float64) {
		if fine == 1 && coarse == 1 && d.Dims == 1 {
			return []int{0}, []float64{1}
		}
		to, weights = closedShares(d.Intervals(fine), d.Intervals(coarse), d.Cells)
		if !alias && coarse < fine {
			clear(weights[coarse:])
		}
		return to, weights
	}
	toRow, rowWeights := shares(fineRows, rows)
	toColumn, columnWeights := shares(fineColumns, columns)
	spectrum := make([]float64, b.Values())
	for i := range b.Count {
		analysis.Transform(spectrum, b.At(i))
		field := result.At(i)
		for k := range fineRows {
			row := field[toRow[k]*columns : (toRow[k]+1)*columns]
			for l, c := range spectrum[k*fineColumns : (k+1)*fineColumns] {
				row[toColumn[l]] += rowWeights[k] * columnWeights[l] * c
			}
		}
		synthesis.Sum(field, field)
	}
	return result
}

// closedShares maps each mode k of the grid of N intervals or cells to a mode of the grid of n, with a factor: on points
// cos(pi k i/n) is even and has period 2n in k, on cells cos(pi k (i+1/2)/n) changes its sign from k to 2n-k and
// vanishes for k = n. The synthesis halves the mode 0 and on points n, the analysis omits 2/N, and 1/N for the mode 0
// and on points N.
func closedShares(N, n int, cells bool) (to []int, weights []float64) {
	modes := N + 1
	if cells {
		modes = N
	}
	for k := range modes {
		alias := k % (4 * n)
		weight := 2 / float64(N)
		if k == 0 || k == N {
			weight /= 2
		}
		if alias > 2*n {
			alias = 4*n - alias
		}
		if alias > n {
			alias = 2*n - alias
			if cells {
				weight = -weight
			}
		}
		switch {
		case alias == 0 || alias == n && !cells:
			weight *= 2
		case alias == n:
			alias = 0
			weight = 0
		}
		to = append(to, alias)
		weights = append(weights, weight)
	}
	return to, weights
}
