// This file rejects equations by the orders of their terms: no step is stable if the rest has derivatives that the linear
// part does not control.

package equation

import (
	"fmt"
	"strings"
)

// damps reports whether the term damps its own field: even derivatives do whose sign alternates with their order, because
// a wave's second derivative is a negative multiple of it, its fourth a positive one.
func (t linearTerm) damps() bool {
	order := t.op.order()
	if order%2 != 0 {
		return false
	}
	isNegative := t.c < 0
	return isNegative == (order%4 == 0)
}

// termOrders are the orders of a system's derivatives, less those of the masses of their rows.
type termOrders struct {
	rows        int
	of          [maxField][maxField]int // of field j in row i; none if the row is without the field
	mass        [maxField]int
	dissipation [maxField]int // the highest of the row's linear terms that damp its own field
}

// orders returns the orders of the system's derivatives.
func (s *evolution) orders() termOrders {
	orders := termOrders{rows: len(s.rows)}
	for i, r := range s.rows {
		for _, t := range r.mass {
			orders.mass[i] = max(orders.mass[i], t.op.order())
		}
		ofRow := &orders.of[i]
		for j := range s.rows {
			ofRow[j] = none
			for _, q := range r.rest {
				order := q.op.order() + q.term.order(j) - orders.mass[i]
				ofRow[j] = max(ofRow[j], order)
			}
		}
		for _, t := range r.linear {
			order := t.op.order() - orders.mass[i]
			ofRow[t.field] = max(ofRow[t.field], order)
			if t.field == i && t.damps() {
				orders.dissipation[i] = max(orders.dissipation[i], order)
			}
		}
	}
	return orders
}

// around returns the largest mean order of the closed paths through row i that go on from field j, after so many steps
// with that sum of orders. Paths do not return to fields that they have seen.
func (o *termOrders) around(i, j, sum, steps int, seen [maxField]bool) float64 {
	if i == j {
		return float64(sum) / float64(steps)
	}
	seen[j] = true
	best := float64(none)
	for next := range o.rows {
		order := o.of[j][next]
		depends := order > none/2 // masses are taken from none too
		if depends && !seen[next] {
			best = max(best, o.around(i, next, sum+order, steps+1, seen))
		}
	}
	return best
}

// checkOrders fails for terms beyond the reach of an explicit step: derivatives of order two and more in the rest need
// dissipation of at least that order in the symbol. Probing may supply it for second derivatives. Rates of change grow
// with the mean order around a closed path of fields that depend on each other: order one for waves.
func (s *evolution) checkOrders() {
	orders := s.orders()
	for i := range s.rows {
		for _, q := range s.rows[i].rest {
			for j := range s.rows {
				s.checkTermOrder(i, j, q, &orders)
			}
		}
	}
}

// checkTermOrder is checkOrders for the derivatives of field j in a term of row i.
func (s *evolution) checkTermOrder(i, j int, q product, orders *termOrders) {
	r := &s.rows[i]
	order := q.op.order() + q.term.order(j)
	rate := orders.rate(i, j, q)
	dissipation := orders.dissipation[i]
	switch {
	case rate == 2 && dissipation <= 2:
		r.quasi = r.column(q.term.at)
	case rate > 2 && rate > float64(dissipation):
		r.failUnstable(q.term.at, order, dissipation+orders.mass[i])
	}
}

// rate returns the mean order with which the derivatives of field j in a term of row i act on that row; 0 if it is below two.
func (o *termOrders) rate(i, j int, q product) float64 {
	excess := q.op.order() + q.term.order(j) - o.mass[i]
	if excess < 2 {
		return 0
	}
	return o.around(i, j, excess, 1, [maxField]bool{})
}

// hasQuasilinearTerms reports whether a term is diffusion that depends on the solution, from the equation as it was read:
// terms may cancel yet.
func (s *evolution) hasQuasilinearTerms() bool {
	orders := s.orders()
	for i, r := range s.rows {
		for _, q := range r.rest {
			for j := range s.rows {
				if orders.rate(i, j, q) == 2 && orders.dissipation[i] <= 2 {
					return true
				}
			}
		}
	}
	return false
}

// failUnstable fails because of a term whose derivatives are of higher order than the linear part dissipates.
func (r *row) failUnstable(at, order, dissipation int) {
	even := order + order%2
	sign := even%4 - 1
	derivative := r.field + "_" + strings.Repeat("x", even)
	remedy := fmt.Sprintf("add a linear term of order %d, as in %+d*nu*%s", even, sign, derivative)
	r.fail(at, remedy, "this term has derivatives of order %d, the linear part dissipates with order %d: no step is stable",
		order, dissipation)
}
