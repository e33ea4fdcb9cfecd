package resample

import (
	"rfm/solver/grid"
	"rfm/solver/trig"
)

func interpolateClosed(b grid.Batch, points int, alias bool) grid.Batch {
	d := b.Domain
	result := grid.NewBatch(d, points, b.Count)
	fineRows, fineColumns := d.Axes(b.Points)
	rows, columns := d.Axes(points)
	analysis, synthesis := trig.NewSeries(fineRows, fineColumns, d.Cells), trig.NewSeries(rows, columns, d.Cells)
	shares := func(fine, coarse int) (to []int, weights []float64) {
		switch {
		case fine == 1 && coarse == 1 && d.Dims == 1:
			return []int{0}, []float64{1}
		case d.Cells:
			to, weights = centredShares(fine, coarse)
		default:
			to, weights = cosineShares(fine-1, coarse-1)
		}
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

// cosineShares maps each mode of the grid of N intervals to a mode of the grid of n, cos(pi k i/n) = cos(pi k' i/n),
// with a factor: the synthesis halves the modes 0 and n, the analysis omits 2/N, and 1/N for the modes 0 and N.
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

// centredShares corresponds to cosineShares from N to n cells: cos(pi k (i+1/2)/n) = -cos(pi (2n-k) (i+1/2)/n), and 0
// for k = n. The synthesis halves mode 0, the analysis omits 2/N, and 1/N for mode 0.
func centredShares(N, n int) (to []int, weights []float64) {
	for k := range N {
		alias, weight := k%(4*n), 2/float64(N)
		if k == 0 {
			weight /= 2
		}
		if alias > 2*n { // cos(pi k (i+1/2)/n) has period 4n in k, and is even
			alias = 4*n - alias
		}
		if alias > n {
			alias, weight = 2*n-alias, -weight
		}
		switch alias {
		case 0:
			weight *= 2
		case n:
			alias, weight = 0, 0
		}
		to, weights = append(to, alias), append(weights, weight)
	}
	return to, weights
}
