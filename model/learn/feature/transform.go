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
	plan := fft.On(rows-1, columns-1)
	t := &exponentials{plan: plan, domain: domain}
	for p, k := range plan.Frequencies() {
		t.list = append(t.list, waveOf(domain, k, 1, 1))
		if k == [2]int{} {
			t.constant = p
		}
	}
	return t
}

// waveOf returns the wave with the given periods, or halves of them, over both axes. unit is the part of a period.
func waveOf(domain grid.Domain, k [2]int, unit, count float64) wave {
	periods := math.Hypot(float64(k[0]), domain.Frequency(k[1]))
	return wave{frequency: periods * unit, count: count}
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
	N := float64(t.rows())
	scale := 1 / (N * N * float64(count))
	for p := range dst {
		re := coefficients[2*p]
		im := coefficients[2*p+1]
		dst[p] = scale * (re*re + im*im)
	}
}

func (t *exponentials) multiplier(c float64) float64 {
	N := float64(t.rows())
	return c / N / N
}

func (t *exponentials) newGroup(int) []float64 { return make([]float64, GroupSize*t.rows()) }

func (t *exponentials) place(group []float64, l int, coefficients, multipliers []float64) {
	for p, c := range multipliers {
		modes.Pack(group[GroupSize*p:], l, c*coefficients[2*p], c*coefficients[2*p+1])
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
	lines    int // 1 for functions of one variable
	columns  int
	series   *trig.Series
	axis     *trig.Axis // of functions of one variable
	list     []wave
	n1, n2   float64 // intervals; 1 for a missing axis
	constant float64 // coefficient of the constant for the value 1
}

func newCosines(domain grid.Domain, points int) *cosines {
	rows, columns := domain.Axes(points)
	t := &cosines{
		lines:    rows,
		columns:  columns,
		series:   trig.NewSeries(rows, columns, domain.Cells),
		n1:       float64(domain.Intervals(rows)),
		n2:       float64(domain.Intervals(columns)),
		constant: 4,
	}
	if domain.Dims == 1 {
		t.n1 = 1
		t.constant = 2
		t.axis = trig.NewCosineAxis(columns)
		if domain.Cells {
			t.axis = trig.NewCentredAxis(columns, true)
		}
	}
	count := func(k, r int) float64 { // of k and -k
		if k == 0 || k == r-1 && !domain.Cells {
			return 1
		}
		return 2
	}
	for k1 := range rows {
		for k2 := range columns {
			alike := count(k1, rows) * count(k2, columns)
			t.list = append(t.list, waveOf(domain, [2]int{k1, k2}, 0.5, alike))
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
	scale := 1 / (t.n1 * t.n2 * t.n1 * t.n2 * float64(count))
	for k, c := range coefficients {
		dst[k] = scale * c * c
	}
}

func (t *cosines) multiplier(c float64) float64 { return t.constant * c / (t.n1 * t.n2 * t.n1 * t.n2) }

func (t *cosines) newGroup(features int) []float64 { return make([]float64, features*t.rows()) }

func (t *cosines) place(group []float64, l int, coefficients, multipliers []float64) {
	floats.MulTo(group[l*t.rows():(l+1)*t.rows()], coefficients, multipliers)
}

func (t *cosines) setBias(group []float64, l int, bias float64) {
	group[l*t.rows()] = t.constant * bias
}

func (t *cosines) synthesise(panels [2][]float64, group, coefficients, work []float64) {
	if t.axis != nil {
		t.sideBySide(panels, group, coefficients, work)
		return
	}
	K := t.rows()
	for half, panel := range panels {
		if half*fft.Lanes*K >= len(group) {
			clear(panel)
			continue
		}
		for l := range fft.Lanes {
			field := work[:K]
			first := (half*fft.Lanes + l) * K
			if first < len(group) {
				floats.MulTo(field, group[first:first+K], coefficients)
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

// sideBySide does the same as synthesise for functions of one variable.
func (t *cosines) sideBySide(panels [2][]float64, group, coefficients, work []float64) {
	K := t.columns
	block := work[:GroupSize*K]
	clear(block)
	for first := 0; first < len(group); first += K {
		for k, c := range group[first : first+K] {
			block[GroupSize*k+first/K] = c * coefficients[k]
		}
	}
	t.axis.Transform(block, GroupSize, block, GroupSize, work[GroupSize*K:])
	for x := range K {
		for half, panel := range panels {
			copy(panel[fft.Lanes*x:fft.Lanes*(x+1)], block[GroupSize*x+half*fft.Lanes:])
		}
	}
}

func (t *cosines) work() int {
	if t.axis != nil {
		return GroupSize*t.columns + t.axis.Work
	}
	return t.rows()
}
