// This file says which models can be stored and evaluated.

package trained

import (
	"fmt"
	"math"

	"rfm/model/feature"
	"rfm/solver/grid"
)

// check says what keeps the model from being stored or evaluated: a *fault.Data.
func (m Model) check() error {
	s := m.Solution
	switch {
	case len(s.Alpha) < 1:
		return bad("has no coefficients")
	case s.Rank < 0 || s.Rank > len(s.Alpha) || len(s.Eigenvalues) > len(s.Alpha):
		return bad(fmt.Sprintf("has the rank %d and %d eigenvalues for %d coefficients", s.Rank, len(s.Eigenvalues), len(s.Alpha)))
	case !finite(s.Lambda) || s.Lambda < 0:
		return bad(fmt.Sprintf("has lambda = %g", s.Lambda))
	case !finite(s.LeaveOneOut) || s.LeaveOneOut < 0:
		return bad(fmt.Sprintf("has the leave-one-out error %g", s.LeaveOneOut))
	case m.Grid < 3:
		return bad(fmt.Sprintf("was trained on a grid of %d points", m.Grid))
	}
	if err := m.Map.Check(len(s.Alpha)); err != nil {
		return err
	}
	if m.Offset != nil && !onGrid(m.Domain(), m.Offset) {
		return bad(fmt.Sprintf("has an offset of %d values, want a function on a closed grid", len(m.Offset)))
	}
	_, _, arrays := m.encode()
	for _, a := range arrays {
		if !finite(a.Data...) {
			return bad(fmt.Sprintf("has values in %q that are not finite", a.Name))
		}
	}
	return nil
}

func finite(x ...float64) bool {
	for _, v := range x {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return false
		}
	}
	return true
}

// modelWhere is where an error is if no file is known.
const modelWhere = "model"

// bad is the error of a model that no run makes.
func bad(what string) error { return feature.Unusable(what) }

// onGrid reports whether f has the values of a function on a grid of at least 3 points along an axis.
func onGrid(domain grid.Domain, f []float64) bool {
	points, ok := domain.Points(len(f))
	return ok && points >= 3
}
