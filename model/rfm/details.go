package rfm

import (
	"fmt"
	"math"

	"rfm/solver/fft"
	"rfm/solver/grid"
	"rfm/solver/trig"
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
	split, strip := newSplitter(d, truth.Points), boundary(d, truth.Points)
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
		var slope2, missed2, strip2, near2, mean2, low2, middle2, high2 float64
		for c := range whole.Width() {
			u, e := u[c*values:(c+1)*values], e[c*values:(c+1)*values]
			slope2, missed2 = slope2+gradient2(d, truth.Points, u), missed2+gradient2(d, truth.Points, e)
			strip2, near2 = strip2+weighed(strip, u), near2+weighed(strip, e)
			mean2 += math.Pow(d.Inner(e, ones), 2)
			low, middle, high := split.norms(e)
			low2, middle2, high2 = low2+low*low, middle2+middle*middle, high2+high*high
		}
		v := Details{L2: math.Sqrt(miss2 / size2), Maximum: most / largest,
			H1:  math.Sqrt((miss2 + missed2) / (size2 + slope2)),
			Low: math.Sqrt(low2 / size2), Middle: math.Sqrt(middle2 / size2), High: math.Sqrt(high2 / size2),
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

// splitter splits functions by wavenumber.
type splitter struct {
	domain        grid.Domain
	rows, columns int // of distinct values

	// closed domains
	series trig.Series
	unit   float64 // factor that Sum after Transform puts on a function

	// periodic ones
	plan interface {
		Spectra(dst, u []float64, count int)
	}
	wavenumbers []int // the larger of the two along the axes, by positions in a spectrum
}

func newSplitter(d grid.Domain, points int) *splitter {
	s := &splitter{domain: d}
	s.rows, s.columns = d.Axes(points)
	if d.Periodic {
		s.rows, s.columns = max(1, s.rows-1), s.columns-1
		if s.rows == 1 {
			plan := fft.NewPlan(s.columns)
			s.plan = plan
			for _, k := range plan.Frequencies() {
				s.wavenumbers = append(s.wavenumbers, max(k, -k))
			}
			return s
		}
		plan := fft.NewPlan2(s.rows, s.columns)
		s.plan = plan
		for _, k := range plan.Frequencies() {
			s.wavenumbers = append(s.wavenumbers, max(k[0], -k[0], k[1], -k[1]))
		}
		return s
	}
	s.series = trig.NewSeries(s.rows, s.columns, d.Cells)
	ones := make([]float64, s.rows*s.columns)
	for x := range ones {
		ones[x] = 1
	}
	s.series.Transform(ones, ones)
	s.series.Sum(ones, ones)
	s.unit = ones[0]
	return s
}

// norms returns the L2 norms of the parts of a function.
func (s *splitter) norms(f []float64) (low, middle, high float64) {
	if s.domain.Periodic {
		return s.periodic(f)
	}
	spectrum, slow, slower := make([]float64, len(f)), make([]float64, len(f)), make([]float64, len(f))
	s.series.Transform(spectrum, f)
	for x, v := range spectrum {
		k := max(x/s.columns, x%s.columns)
		if k < highFrom {
			slow[x] = v / s.unit
		}
		if k < middleFrom {
			slower[x] = v / s.unit
		}
	}
	s.series.Sum(slow, slow)
	s.series.Sum(slower, slower)
	return math.Sqrt(s.domain.Inner(slower, slower)), math.Sqrt(s.domain.Distance2(slow, slower)),
		math.Sqrt(s.domain.Distance2(f, slow))
}

// periodic sums squares of Fourier coefficients.
func (s *splitter) periodic(f []float64) (low, middle, high float64) {
	values, spectrum := make([]float64, 0, s.rows*s.columns), make([]float64, 2*s.rows*s.columns)
	for i := range s.rows {
		values = append(values, f[i*(s.columns+1):][:s.columns]...)
	}
	s.plan.Spectra(spectrum, values, 1)
	n := float64(len(values))
	for p, k := range s.wavenumbers {
		square := (spectrum[2*p]*spectrum[2*p] + spectrum[2*p+1]*spectrum[2*p+1]) / (n * n)
		switch {
		case k < middleFrom:
			low += square
		case k < highFrom:
			middle += square
		default:
			high += square
		}
	}
	return math.Sqrt(low), math.Sqrt(middle), math.Sqrt(high)
}
