package rfm

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"rfm/model/feature"
	"rfm/solver/grid"
)

// DetailNames name errors of one prediction e = F(a) - u, each relative to u:
//
//	l2                 |e|/|u|
//	maximum            max|e|/max|u|
//	h1                 as l2, of |f|^2 + |grad f|^2, by differences of neighbouring values
//	boundary           l2 within an eighth of the domain from its edges; 0 of periodic functions
//	low, middle, high  |e_k|/|u|, e_k of wavenumbers (closed domains: half waves) below 4 along each axis, to 15, beyond
//	mean               |mean of e|/|u|: the error of the quantity that equations in divergence form conserve
//	energy             ||F(a)|^2 - |u|^2|/|u|^2
func DetailNames() []string {
	return []string{"l2", "maximum", "h1", "boundary", "low", "middle", "high", "mean", "energy"}
}

// MeasureDetails compares predictions with the truth, none of which is zero, on one grid: errors of each in the order of
// DetailNames. It panics if the grids differ.
func MeasureDetails(predictions, truth grid.Batch) [][]float64 {
	if predictions.Count != truth.Count || !predictions.SameGrid(truth) {
		panic(fmt.Sprintf("rfm: %d predictions for %d true functions, or other grids", predictions.Count, truth.Count))
	}
	unit := truth.Unit()
	predictions, truth = predictions.In(unit), truth.In(unit)
	whole, d := truth.Domain, truth.Domain.One() // of each channel
	spectrum, strip := feature.NewSpectrum(d, truth.Points), boundary(d, truth.Points)
	all, values := make([][]float64, truth.Count), d.Values(truth.Points)
	ones := make([]float64, values)
	for x := range ones {
		ones[x] = 1
	}
	e := make([]float64, truth.Values())
	for i := range all {
		p, u := predictions.At(i), truth.At(i)
		largest, most := 0.0, 0.0
		for x := range e {
			e[x] = p[x] - u[x]
			largest, most = max(largest, math.Abs(u[x])), max(most, math.Abs(e[x]))
		}
		size2, miss2 := whole.Inner(u, u), whole.Inner(e, e)
		var slope2, missed2, strip2, near2, mean2 float64
		parts2 := make([]float64, 3) // low, middle and high
		for c := range whole.Width() {
			u, e := u[c*values:(c+1)*values], e[c*values:(c+1)*values]
			slope2, missed2 = slope2+gradient2(d, truth.Points, u), missed2+gradient2(d, truth.Points, e)
			strip2, near2 = strip2+weighed(strip, u), near2+weighed(strip, e)
			mean2 += math.Pow(d.Inner(e, ones), 2)
			floats.Add(parts2, spectrum.Split(e, middleFrom, highFrom))
		}
		near := 0.0
		if strip2 > 0 {
			near = math.Sqrt(near2 / strip2)
		}
		all[i] = []float64{math.Sqrt(miss2 / size2), most / largest, math.Sqrt((miss2 + missed2) / (size2 + slope2)), near,
			math.Sqrt(parts2[0] / size2), math.Sqrt(parts2[1] / size2), math.Sqrt(parts2[2] / size2),
			math.Sqrt(mean2 / size2), math.Abs(whole.Inner(p, p)-size2) / size2}
	}
	return all
}

// gradient2 returns |grad f|^2 by differences of neighbouring values.
func gradient2(d grid.Domain, points int, f []float64) float64 {
	rows, columns := d.Axes(points)
	sum := 0.0
	along := func(lines, length, stride, step int) {
		n := d.Intervals(length)
		for l := range lines {
			weight := 1.0
			if d.Dims == 2 && !d.Cells && (l == 0 || l == lines-1) {
				weight = 0.5
			}
			if d.Dims == 2 {
				weight /= float64(d.Intervals(lines))
			}
			for i := range length - 1 {
				difference := f[l*stride+(i+1)*step] - f[l*stride+i*step]
				sum += weight * float64(n) * difference * difference
			}
		}
	}
	if along(rows, columns, columns, 1); d.Dims == 2 {
		along(columns, rows, 1, columns)
	}
	return sum
}

// boundary returns the weights of the values near the edges, 0 elsewhere; all 0 if the domain has none.
func boundary(d grid.Domain, points int) []float64 {
	rows, columns := d.Axes(points)
	near := func(i, n int) bool { return i < (n+7)/8 || i >= n-(n+7)/8 }
	weights := d.Weights(points)
	for x := range weights {
		i, j := x/columns, x%columns
		if d.Periodic || !near(j, columns) && (d.Dims == 1 || !near(i, rows)) {
			weights[x] = 0
		}
	}
	return weights
}

func weighed(weights, f []float64) float64 {
	sum := 0.0
	for x, w := range weights {
		sum += w * f[x] * f[x]
	}
	return sum
}

// Wavenumbers that separate low, middle and high ones.
const middleFrom, highFrom = 4, 16
