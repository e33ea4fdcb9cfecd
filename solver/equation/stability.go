// This file rejects equations that no step or no grid can solve.

package equation

import (
	"fmt"
	"math"
	"strings"

	"rfm/solver/grid"
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
		for j := range s.fields {
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
		for next := range s.fields {
			if !seen[next] && orders[j][next] > none/2 {
				best = max(best, around(i, next, sum+orders[j][next], length+1, seen))
			}
		}
		return best
	}
	for i := range s.rows {
		r := &s.rows[i]
		for _, q := range r.rest {
			for j := range s.fields {
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
	for p, h := range s.highest {
		if h > s.limit {
			continue
		}
		for _, fields := range s.parts {
			g := s.growth(fields, p)
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
	s.lasts = max(low, high) > 0 || math.IsInf(slowest, 1) || s.fields > 1 || s.centred
	for i, r := range s.rows {
		s.lasts = s.lasts || r.constant != nil
		order, at := 0, 0
		for _, t := range r.linear {
			if n := t.op.order(); n > order && (i != t.field || n%2 == 0 && !t.damps()) {
				order, at = n, t.at
			}
		}
		r.failIf(high > 1e-9 && high > 1.2*max(low, 0) && (order > 0 || i == s.fields-1), at,
			"change its sign, or add damping of higher order that the grid reaches",
			"short waves grow without bound (e^%.2gt at the grid's shortest): the equation is ill-posed", high)
	}
	if s.fields == 1 {
		s.ahead = maxDecay / (normShare * slowest)
	}
}

// growth returns the growth rate of coupled fields at a position, the largest real part of an eigenvalue of their symbol
// M: the logarithm of |e^(M t)|/t for a large t, by squaring.
func (s *evolution) growth(fields []int, p int) float64 {
	var m matrix
	s.at(&m, fields, p)
	size := len(fields)
	norm := m.norm(size)
	switch {
	case size == 1:
		return real(m[0][0])
	case norm == 0 || !grid.Finite(norm):
		return norm
	}
	var e [4]matrix
	phis(&e, complex(1/norm, 0), &m, size)
	log, t := 0.0, 1/norm
	for range 50 {
		e[0] = e[0].times(&e[0], size)
		n := e[0].norm(size)
		for i := range size {
			for j := range size {
				e[0][i][j] /= complex(n, 0)
			}
		}
		log, t = 2*log+math.Log(n), 2*t
	}
	return log/t - 1e-12*norm // rounding errors
}
