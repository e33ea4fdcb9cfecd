// This file is the transforms of spectral features, one for the periodic domains and one for the closed square.

package feature

import (
	"math"
	"slices"

	"rfm/solver/fft"
	"rfm/solver/grid"
	"rfm/solver/trig"
)

// transform is what spectral features need of the functions on one grid. It is immutable and safe for concurrent use.
type transform interface {
	// rows is the number of distinct points, those of a sample in the feature matrix.
	rows() int
	// distinct is the values of a function at them; it may share memory with the function.
	distinct(f []float64) []float64
	// complete makes a function, in place, of its values at the distinct points, which are the first.
	complete(values []float64)
	// weigh multiplies rows, width numbers each, by the factor once for every edge that they are on; weighted says whether it
	// does anything. The trapezoid rule has half the weight on edges.
	weigh(values []float64, width int, factor float64)
	weighted() bool

	// waves are those of the transform, size the numbers that it makes of a function.
	waves() []wave
	size() int
	// analyse writes the coefficients of a function, not normalised.
	analyse(coefficients, f []float64)
	// setConstant replaces the coefficient of the constant by one that setBias counts on.
	setConstant(coefficients []float64)
	// power writes |u_k|^2/count for the waves k.
	power(dst, coefficients []float64, count int)
	// multiplier is what the product of two coefficients has to be multiplied by for a factor c to that of normalised ones.
	multiplier(c float64) float64

	// newGroup allocates for a group of which some features exist, place puts one there, with its coefficients times the
	// multipliers, and setBias gives it a constant.
	newGroup(features int) []float64
	place(group []float64, l int, coefficients, multipliers []float64)
	setBias(group []float64, l int, bias float64)
	// synthesise writes the sums over the product of a group with coefficients of an input to two panels of four features
	// each, at the distinct points. Panels of features of which none exists are left out where that saves something.
	synthesise(panels [2][]float64, group, coefficients, work []float64)
	work() int // numbers of working memory
}

// wave is a wave of a transform.
type wave struct {
	frequency float64 // periods in a unit of length
	count     float64 // waves of the same coefficients
}

// newTransform prepares the grid with so many points along an axis.
func newTransform(domain grid.Domain, points int) transform {
	switch domain {
	case grid.Torus:
		plan := fft.NewPlan(points - 1)
		t := &exponentials{plan: plan, points: points}
		for _, k := range plan.Frequencies() {
			t.list = append(t.list, wave{math.Abs(float64(k)), 1})
		}
		return t.located()
	case grid.Torus2:
		plan := fft.NewPlan2(points-1, points-1)
		t := &exponentials{plan: plan, points: points, planar: true}
		for _, k := range plan.Frequencies() {
			t.list = append(t.list, wave{math.Hypot(float64(k[0]), float64(k[1])), 1})
		}
		return t.located()
	case grid.Square:
		return newCosines(points)
	}
	panic("feature: no transform for " + domain.Name())
}

// exponentials transforms functions on a periodic domain.
type exponentials struct {
	plan interface {
		N() int
		Spectra(dst, u []float64, count int)
		InverseProduct(re, im, v, a, work []float64)
	}
	points   int
	planar   bool
	list     []wave
	constant int // position of frequency 0
}

func (t *exponentials) located() *exponentials {
	t.constant = slices.IndexFunc(t.list, func(w wave) bool { return w.frequency == 0 })
	return t
}

func (t *exponentials) rows() int { return t.plan.N() }

func (t *exponentials) distinct(f []float64) []float64 {
	n := t.points - 1
	if !t.planar {
		return f[:n]
	}
	values := make([]float64, 0, n*n)
	for i := range n {
		values = append(values, f[i*t.points:i*t.points+n]...)
	}
	return values
}

func (t *exponentials) complete(values []float64) {
	n, r := t.points-1, t.points
	if !t.planar {
		values[n] = values[0]
		return
	}
	for i := n - 1; i >= 0; i-- {
		copy(values[i*r:i*r+n], values[i*n:(i+1)*n])
		values[i*r+n] = values[i*r]
	}
	copy(values[n*r:], values[:r])
}

func (t *exponentials) weigh([]float64, int, float64) {}

func (t *exponentials) weighted() bool { return false }

func (t *exponentials) waves() []wave { return t.list }

func (t *exponentials) size() int { return 2 * t.rows() }

func (t *exponentials) analyse(coefficients, f []float64) {
	t.plan.Spectra(coefficients, t.distinct(f), 1) // one at a time: the last bit must not depend on the neighbours
}

func (t *exponentials) setConstant(coefficients []float64) {
	coefficients[2*t.constant], coefficients[2*t.constant+1] = 1, 0
}

func (t *exponentials) power(dst, coefficients []float64, count int) {
	N := float64(t.rows())
	scale := 1 / (N * N * float64(count))
	for p := range dst {
		re, im := coefficients[2*p], coefficients[2*p+1]
		dst[p] = scale * (re*re + im*im)
	}
}

func (t *exponentials) multiplier(c float64) float64 {
	N := float64(t.rows())
	return c / N / N
}

func (t *exponentials) newGroup(int) []float64 { return make([]float64, GroupSize*t.rows()) }

// place adds features l and l+4 as u_l + i u_(l+4).
func (t *exponentials) place(group []float64, l int, coefficients, multipliers []float64) {
	lane := l % fft.Lanes
	for p, c := range multipliers {
		re, im := c*coefficients[2*p], c*coefficients[2*p+1]
		z := group[GroupSize*p:]
		if l < fft.Lanes {
			z[lane] += re
			z[lane+fft.Lanes] += im
		} else { // times i
			z[lane] -= im
			z[lane+fft.Lanes] += re
		}
	}
}

func (t *exponentials) setBias(group []float64, l int, bias float64) {
	group[GroupSize*t.constant+l] = bias
}

func (t *exponentials) synthesise(panels [2][]float64, group, coefficients, work []float64) {
	t.plan.InverseProduct(panels[0], panels[1], group, coefficients, work)
}

func (t *exponentials) work() int { return GroupSize * t.rows() }

// cosines transforms fields on the closed square.
type cosines struct {
	r    int
	plan *trig.Cosine
	list []wave
}

func newCosines(r int) *cosines {
	t := &cosines{r: r, plan: trig.NewCosine(r, r)}
	count := func(k int) float64 { // of k and -k
		if k == 0 || k == r-1 {
			return 1
		}
		return 2
	}
	for k1 := range r {
		for k2 := range r {
			t.list = append(t.list, wave{math.Hypot(float64(k1), float64(k2)) / 2, count(k1) * count(k2)})
		}
	}
	return t
}

func (t *cosines) rows() int { return t.r * t.r }

func (t *cosines) distinct(f []float64) []float64 { return f }

func (t *cosines) complete([]float64) {}

func (t *cosines) weigh(values []float64, width int, factor float64) {
	row := width * t.r
	scale := func(x []float64) {
		for i := range x {
			x[i] *= factor
		}
	}
	scale(values[:row])
	scale(values[len(values)-row:])
	for first := 0; first < len(values); first += row {
		scale(values[first : first+width])
		scale(values[first+row-width : first+row])
	}
}

func (t *cosines) weighted() bool { return true }

func (t *cosines) waves() []wave { return t.list }

func (t *cosines) size() int { return t.rows() }

func (t *cosines) analyse(coefficients, f []float64) { t.plan.Transform(coefficients, f) }

func (t *cosines) setConstant(coefficients []float64) { coefficients[0] = 1 }

func (t *cosines) power(dst, coefficients []float64, count int) {
	n := float64(t.r - 1)
	scale := 1 / (n * n * n * n * float64(count))
	for k, c := range coefficients {
		dst[k] = scale * c * c
	}
}

func (t *cosines) multiplier(c float64) float64 {
	n := float64(t.r - 1)
	return 4 * c / (n * n * n * n)
}

func (t *cosines) newGroup(features int) []float64 { return make([]float64, features*t.rows()) }

func (t *cosines) place(group []float64, l int, coefficients, multipliers []float64) {
	field := group[l*t.rows() : (l+1)*t.rows()]
	for k, c := range multipliers {
		field[k] = coefficients[k] * c
	}
}

func (t *cosines) setBias(group []float64, l int, bias float64) { group[l*t.rows()] = 4 * bias }

func (t *cosines) synthesise(panels [2][]float64, group, coefficients, work []float64) {
	K := t.rows()
	for half, panel := range panels {
		if half*fft.Lanes*K >= len(group) {
			clear(panel)
			continue
		}
		for l := range fft.Lanes {
			field := work[:K]
			if first := (half*fft.Lanes + l) * K; first < len(group) {
				for k, c := range group[first : first+K] {
					field[k] = c * coefficients[k]
				}
				t.plan.Transform(field, field)
			} else {
				clear(field)
			}
			for x, v := range field {
				panel[fft.Lanes*x+l] = v
			}
		}
	}
}

func (t *cosines) work() int { return t.rows() }
