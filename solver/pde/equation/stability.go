// This file rejects equations that no step or no grid can solve: by the orders of their terms, by their symbols, and by
// a probe of the rest near given functions. Its response to a short wave is its diffusion: a negative one makes the
// equation ill-posed, a large one must be moved to the symbol.

package equation

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"rfm/solver/num/phi"
)

// damps reports whether the term damps its own field.
func (t linearTerm) damps() bool { n := t.op.order(); return n%2 == 0 && (t.c < 0) == (n%4 == 0) }

// checkOrders fails for terms beyond the reach of an explicit step: derivatives of order two and more in the rest need
// dissipation of at least that order in the symbol. Probing may supply it for second derivatives. Rates of change grow
// with the mean order around a closed path of fields that depend on each other: order one for waves.
func (s *evolution) checkOrders() {
	var orders [maxField][maxField]int // of field j in row i
	var mass, dissipation [maxField]int
	for i, r := range s.rows {
		for _, t := range r.mass {
			mass[i] = max(mass[i], t.op.order())
		}
		for j := range s.rows {
			orders[i][j] = none
			for _, q := range r.rest {
				orders[i][j] = max(orders[i][j], q.op.order()+q.term.order(j)-mass[i])
			}
		}
		for _, t := range r.linear {
			order := t.op.order() - mass[i]
			orders[i][t.field] = max(orders[i][t.field], order)
			if t.field == i && t.damps() {
				dissipation[i] = max(dissipation[i], order)
			}
		}
	}
	// around returns the largest mean order of the closed paths through row i that go on from field j.
	var around func(i, j, sum, length int, seen [maxField]bool) float64
	around = func(i, j, sum, length int, seen [maxField]bool) float64 {
		if i == j {
			return float64(sum) / float64(length)
		}
		best := float64(none)
		seen[j] = true
		for next := range s.rows {
			if !seen[next] && orders[j][next] > none/2 {
				best = max(best, around(i, next, sum+orders[j][next], length+1, seen))
			}
		}
		return best
	}
	for i := range s.rows {
		r := &s.rows[i]
		for _, q := range r.rest {
			for j := range s.rows {
				n := q.op.order() + q.term.order(j)
				if n-mass[i] < 2 {
					continue
				}
				switch rate := around(i, j, n-mass[i], 1, [maxField]bool{}); {
				case rate == 2 && dissipation[i] <= 2:
					r.quasi = r.column(q.term.at)
				case rate > 2 && rate > float64(dissipation[i]):
					even := n + n%2
					r.fail(q.term.at, fmt.Sprintf("add a linear term of order %d, as in %+d*nu*%s", even, even%4-1,
						r.field+"_"+strings.Repeat("x", even)), "this term has derivatives of order %d, the linear part dissipates with "+
						"order %d: no step is stable", n, dissipation[i]+mass[i])
				}
			}
		}
	}
}

// checkGrowth fails for symbols whose growth rate increases with the wavenumber, and finds the slowest decay.
func (s *evolution) checkGrowth() {
	low, high, slowest := math.Inf(-1), math.Inf(-1), math.Inf(1)
	var m phi.Matrix
	for p, h := range s.highest {
		if h > s.limit || s.mirror[p] < p { // or as its mirror
			continue
		}
		for _, fields := range s.parts {
			s.at(&m, fields, p)
			g := m.Growth(len(fields))
			if g < 0 {
				slowest = min(slowest, -g)
			}
			if 2*h > s.limit {
				high = max(high, g)
			} else {
				low = max(low, g)
			}
		}
	}
	s.lasts = max(low, high) > 0 || math.IsInf(slowest, 1) || len(s.rows) > 1 || s.centred
	for i, r := range s.rows {
		s.lasts = s.lasts || r.constant != nil
		order, at := 0, 0
		for _, t := range r.linear {
			if n := t.op.order(); n > order && (i != t.field || n%2 == 0 && !t.damps()) {
				order, at = n, t.at
			}
		}
		r.failIf(high > 1e-9 && high > 1.2*max(low, 0) && (order > 0 || i == len(s.rows)-1), at,
			"change its sign, or add damping of higher order that the grid reaches",
			"short waves grow without bound (e^%.2gt at the grid's shortest): the equation is ill-posed", high)
	}
	if len(s.rows) == 1 {
		s.ahead = maxDecay / (normShare * slowest)
	}
}

const (
	splitShare  = 0.7 // of the largest diffusion moves to the symbol: the scheme is stable from one half
	maxContrast = 100 // of the largest to the smallest diffusion; larger contrasts leave errors undetected
	amplitude   = 1e-6
)

// setSplit moves diffusion from the rest to the symbol for the block, in steps of 2^(1/4). The error is a
// *fault.Numerical if diffusion is negative or too uneven.
func (w *worker) setSplit() error {
	for i, r := range w.rows {
		if r.quasi == 0 {
			continue
		}
		before := w.split[i]
		w.split[i], w.plan.split[i] = 0, nil
		low, high, own, at := w.probe(i)
		place := fmt.Sprintf("%s_t: the term in column %d", r.field, r.quasi)
		switch {
		case low < -1e-9*math.Abs(high):
			return w.fail(0, fmt.Sprintf("has backward diffusion, %.3g at x=%.3g (%s): the equation is ill-posed there", low, at,
				place), "change its sign, or the inputs' scale")
		case high > maxContrast*low && high > 0:
			return w.fail(0, fmt.Sprintf("has diffusion from %.3g to %.3g (%s), a ratio above %d, where errors go unnoticed",
				low, high, place, maxContrast), "add linear diffusion, or lower the inputs' scale")
		}
		if extra := splitShare*high - own; extra > 0 {
			w.split[i] = math.Exp2(math.Ceil(4*math.Log2(extra)) / 4)
			w.plan.split[i] = make([]float64, 2*w.n)
			for p := range w.n {
				w.plan.split[i][2*p+1] = -w.split[i] * w.square(p)
			}
		}
		if w.split[i] != before {
			w.cache = nil
		}
	}
	return nil
}

// probe returns the smallest and the largest diffusion of a field, that of the symbol alone, and the position of the
// smallest, over all points and functions. Diffusion is -Re sigma(x, k)/k^2: symbol and rest map a small wave e^(ikx),
// in the middle of the retained ones, to sigma e^(ikx).
func (w *worker) probe(field int) (low, high, own, at float64) {
	k := 2 * math.Pi * float64(w.limit/2) / w.Length
	if v := w.rows[field].symbol[field]; v != nil {
		middle := slices.IndexFunc(w.waves, func(v [2]float64) bool { return math.Abs(v[0]-k) <= 1e-9*k && v[1] == 0 })
		own = -v[2*middle] / k / k
	}
	w.plan.rest(w.image, w.u)
	turn := w.symbol(operator{}, 1i, nil) // images are -i times spectra
	response := func(wave func(float64) float64) []float64 {
		b := make([]float64, block*w.n)
		for i, x := range w.points {
			for l := range block {
				b[block*i+l] = amplitude * wave(k*x[0]) / float64(w.n)
			}
		}
		w.transform.Forward(b)
		for f := range w.stage {
			copy(w.stage[f], w.u[f])
		}
		add(w.stage[field], b)
		w.plan.rest(w.s2, w.stage)
		for j, v := range w.image[field] {
			b[j] = w.s2[field][j] - v
		}
		w.transform.InverseOf(b, b, turn)
		return b
	}
	c, sn := response(math.Cos), response(math.Sin)
	low, high = math.Inf(1), math.Inf(-1)
	for i, x := range w.points {
		sin, cos := math.Sincos(k * x[0])
		for l := range block {
			d := own - (c[block*i+l]*cos+sn[block*i+l]*sin)/amplitude/(k*k)
			if d < low {
				low, at = d, x[0]
			}
			high = math.Max(high, d)
		}
	}
	return low, high, own, at
}
