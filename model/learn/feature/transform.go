// This file contains the transforms of spectral features, one for periodic domains and one for closed ones.

package feature

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"rfm/solver/num/fft"
	"rfm/solver/num/trig"
	"rfm/solver/space/grid"
	"rfm/solver/space/modes"
)

// transform maps functions on one grid to spectral coefficients. It is immutable and safe for concurrent use.
type transform interface {
	// rows returns the number of distinct points, the rows of a sample in the feature matrix.
	rows() int

	// waves returns the waves of the transform, size the count of numbers of a transformed function.
	waves() []wave
	size() int
	// analyse writes the coefficients of a function, not normalised.
	analyse(coefficients, f []float64)
	// setConstant replaces the coefficient of the constant by the one that setBias assumes.
	setConstant(coefficients []float64)
	// power writes |u_k|^2/count for the waves k.
	power(dst, coefficients []float64, count int)
	// multiplier returns the factor of the product of two coefficients that corresponds to a factor c for normalised
	// coefficients.
	multiplier(c float64) float64

	// newGroup allocates for a group with the given number of existing features, place adds a feature, with its
	// coefficients times the multipliers, and setBias gives it a constant.
	newGroup(features int) []float64
	place(group []float64, l int, coefficients, multipliers []float64)
	setBias(group []float64, l int, bias float64)
	// synthesise writes the sums over the product of a group with coefficients of an input to two panels of four features
	// each, at the distinct points. It omits panels without existing features where this saves time.
	synthesise(panels [2][]float64, group, coefficients, work []float64)
	work() int // numbers of working memory
}

// wave is a wave of a transform.
type wave struct {
	frequency float64 // periods in a unit of length
	count     float64 // waves of the same coefficients
}

// newTransform prepares the grid with the given points along the first axis.
func newTransform(domain grid.Domain, points int) transform {
	if !domain.Periodic {
		return newCosines(domain, points)
	}
	rows, columns := domain.Axes(points)
	t := &exponentials{
		plan:   fft.On(rows-1, columns-1),
		domain: domain,
	}
	for p, k := range t.plan.Frequencies() {
		w := wave{frequency: periods(domain, k), count: 1}
		t.list = append(t.list, w)
		if k == [2]int{} {
			t.constant = p
		}
	}
	return t
}

// periods returns the periods in a unit of length of a wave with k periods over both axes.
func periods(domain grid.Domain, k [2]int) float64 {
	return math.Hypot(float64(k[0]), domain.Frequency(k[1]))
}

// exponentials transforms functions on a periodic domain.
type exponentials struct {
	plan     *fft.Plan
	domain   grid.Domain
	list     []wave
	constant int // position of frequency 0
}

func (t *exponentials) rows() int { return t.plan.N() }

func (t *exponentials) waves() []wave { return t.list }

func (t *exponentials) size() int { return 2 * t.rows() }

func (t *exponentials) analyse(coefficients, f []float64) {
	t.plan.Spectrum(coefficients, t.domain.Distinct(f))
}

func (t *exponentials) setConstant(coefficients []float64) {
	coefficients[2*t.constant] = 1
	coefficients[2*t.constant+1] = 0
}

func (t *exponentials) power(dst, coefficients []float64, count int) {
	n := float64(t.rows())
	scale := 1 / (n * n * float64(count))
	for p := range dst {
		re := coefficients[2*p]
		im := coefficients[2*p+1]
		dst[p] = scale * (re*re + im*im)
	}
}

func (t *exponentials) multiplier(c float64) float64 {
	n := float64(t.rows())
	return c / n / n
}

func (t *exponentials) newGroup(int) []float64 { return make([]float64, GroupSize*t.rows()) }

func (t *exponentials) place(group []float64, l int, coefficients, multipliers []float64) {
	for p, c := range multipliers {
		re := c * coefficients[2*p]
		im := c * coefficients[2*p+1]
		modes.Pack(group[GroupSize*p:], l, re, im)
	}
}

func (t *exponentials) setBias(group []float64, l int, bias float64) {
	group[GroupSize*t.constant+l] = bias
}

func (t *exponentials) synthesise(panels [2][]float64, group, coefficients, work []float64) {
	t.plan.InverseProduct(panels[0], panels[1], group, coefficients, work)
}

func (t *exponentials) work() int { return GroupSize * t.rows() }

// cosines transforms functions and fields on a closed domain.
type cosines struct {
	lines     int // 1 for functions of one variable
	columns   int
	series    *trig.Series
	axis      *trig.Axis // of functions of one variable
	list      []wave
	intervals float64 // of both axes, multiplied; a missing one has 1
	constant  float64 // coefficient of the constant for the value 1
}

func newCosines(domain grid.Domain, points int) *cosines {
	rows, columns := domain.Axes(points)
	t := &cosines{
		lines:    rows,
		columns:  columns,
		series:   trig.NewSeries(rows, columns, domain.Cells),
		constant: 4,
	}
	first := float64(domain.Intervals(rows))
	second := float64(domain.Intervals(columns))
	t.intervals = first * second
	if domain.Dims == 1 {
		t.intervals = second
		t.constant = 2
		t.axis = trig.NewCosineAxis(columns)
		if domain.Cells {
			t.axis = trig.NewCentredAxis(columns, true)
		}
	}
	count := func(k, points int) float64 { // of k and -k
		last := !domain.Cells && k == points-1
		if k == 0 || last {
			return 1
		}
		return 2
	}
	for k1 := range rows {
		for k2 := range columns {
			t.list = append(t.list, wave{
				frequency: periods(domain, [2]int{k1, k2}) * 0.5, // halves of a period
				count:     count(k1, rows) * count(k2, columns),
			})
		}
	}
	return t
}

func (t *cosines) rows() int { return t.lines * t.columns }

func (t *cosines) waves() []wave { return t.list }

func (t *cosines) size() int { return t.rows() }

func (t *cosines) analyse(coefficients, f []float64) { t.series.Transform(coefficients, f) }

func (t *cosines) setConstant(coefficients []float64) { coefficients[0] = 1 }

func (t *cosines) power(dst, coefficients []float64, count int) {
	scale := 1 / (t.intervals * t.intervals * float64(count))
	for k, c := range coefficients {
		dst[k] = scale * c * c
	}
}

func (t *cosines) multiplier(c float64) float64 {
	return t.constant * c / (t.intervals * t.intervals)
}

func (t *cosines) newGroup(features int) []float64 {
	return make([]float64, features*t.rows())
}

func (t *cosines) place(group []float64, l int, coefficients, multipliers []float64) {
	rows := t.rows()
	feature := group[l*rows:][:rows]
	floats.MulTo(feature, coefficients, multipliers)
}

func (t *cosines) setBias(group []float64, l int, bias float64) {
	group[l*t.rows()] = t.constant * bias
}

func (t *cosines) synthesise(panels [2][]float64, group, coefficients, work []float64) {
	if t.axis != nil {
		t.sideBySide(panels, group, coefficients, work)
		return
	}
	rows := t.rows()
	field := work[:rows]
	for half, panel := range panels {
		if half*fft.Lanes*rows >= len(group) {
			clear(panel)
			continue
		}
		for l := range fft.Lanes {
			first := (half*fft.Lanes + l) * rows
			if first < len(group) {
				floats.MulTo(field, group[first:first+rows], coefficients)
				t.series.Sum(field, field)
			} else {
				clear(field)
			}
			for x, v := range field {
				panel[fft.Lanes*x+l] = v
			}
		}
	}
}

// sideBySide synthesises functions of one variable, all features of a group in one transform.
func (t *cosines) sideBySide(panels [2][]float64, group, coefficients, work []float64) {
	points := t.columns
	block := work[:GroupSize*points] // points x GroupSize, row-major
	clear(block)
	for l := range len(group) / points {
		feature := group[l*points:][:points]
		for k, c := range feature {
			block[GroupSize*k+l] = c * coefficients[k]
		}
	}
	t.axis.Transform(trig.Block(block), trig.Block(block), work[GroupSize*points:])
	scatter(panels, block)
}

// scatter writes values of the features of a group, a row for each point, to two panels of four features each.
func scatter(panels [2][]float64, values []float64) {
	for x := range len(values) / GroupSize {
		row := values[GroupSize*x:][:GroupSize]
		for half, panel := range panels {
			to := panel[fft.Lanes*x:][:fft.Lanes]
			copy(to, row[half*fft.Lanes:])
		}
	}
}

func (t *cosines) work() int {
	if t.axis != nil {
		return GroupSize*t.columns + t.axis.Work
	}
	return t.rows()
}
