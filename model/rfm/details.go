package rfm

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"rfm/model/feature"
	"rfm/solver/grid"
)

// Details are errors of one prediction e = F(a) - u, each relative to u.
type Details struct {
	L2       float64 // |e|/|u|
	Maximum  float64 // max|e|/max|u|
	H1       float64 // the same as L2 with |f|^2 + |grad f|^2, by differences of neighbouring values
	Boundary float64 // L2 within an eighth of the domain from its edges; 0 of periodic functions
	// |e_low|/|u|, e_low of wavenumbers (closed domains: half waves) below 4 along each axis
	Low    float64
	Middle float64 // from 4 to 15
	High   float64 // from 16 on
	Mean   float64 // |mean of e|/|u|: the error of the quantity that equations in divergence form conserve
	Energy float64 // ||F(a)|^2 - |u|^2|/|u|^2
}

// DetailNames name the errors in the order of Details.Values.
func DetailNames() []string {
	return []string{"l2", "maximum", "h1", "boundary", "low", "middle", "high", "mean", "energy"}
}

// Values returns the errors in the order of DetailNames.
func (d Details) Values() []float64 {
	return []float64{d.L2, d.Maximum, d.H1, d.Boundary, d.Low, d.Middle, d.High, d.Mean, d.Energy}
}

// MeasureDetails compares predictions with the truth, none of which is zero, on one grid. It panics if the grids
// differ.
func MeasureDetails(predictions, truth grid.Batch) []Details {
	if predictions.Count != truth.Count || !predictions.SameGrid(truth) {
		panic(fmt.Sprintf("rfm: %d predictions for %d true functions, or other grids", predictions.Count, truth.Count))
	}
	unit := truth.Unit()
	predictions, truth = predictions.In(unit), truth.In(unit)
	whole, d := truth.Domain, truth.Domain.One() // of each channel
	spectrum, strip := feature.NewSpectrum(d, truth.Points), boundary(d, truth.Points)
	all, values := make([]Details, truth.Count), d.Values(truth.Points)
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
		v := Details{L2: math.Sqrt(miss2 / size2), Maximum: most / largest,
			H1:  math.Sqrt((miss2 + missed2) / (size2 + slope2)),
			Low: math.Sqrt(parts2[0] / size2), Middle: math.Sqrt(parts2[1] / size2), High: math.Sqrt(parts2[2] / size2),
			Mean: math.Sqrt(mean2 / size2), Energy: math.Abs(whole.Inner(p, p)-size2) / size2}
		if strip2 > 0 {
			v.Boundary = math.Sqrt(near2 / strip2)
		}
		all[i] = v
	}
	return all
}

// AverageDetails returns the means over functions, in the order of DetailNames.
func AverageDetails(all []Details) []float64 {
	means := make([]float64, len(DetailNames()))
	for _, d := range all {
		for k, v := range d.Values() {
			means[k] += v / float64(len(all))
		}
	}
	return means
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
	if d.Dims == 1 {
		along(1, columns, 0, 1)
		return sum
	}
	along(rows, columns, columns, 1)
	along(columns, rows, 1, columns)
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
