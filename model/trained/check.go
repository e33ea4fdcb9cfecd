// This file says which models can be stored and evaluated.

package trained

import (
	"fmt"

	"rfm/model/feature"
	"rfm/solver/grid"
)

// check says what keeps the model from being stored or evaluated: a *fault.Data.
func (m Model) check() error {
	if m.Operator == nil {
		return bad("has learned nothing")
	}
	if l := m.Operator.LeaveOneOut(); !grid.Finite(l) || l < 0 {
		return bad(fmt.Sprintf("has the leave-one-out error %g", l))
	}
	if m.Grid < 3 {
		return bad(fmt.Sprintf("was trained on a grid of %d points", m.Grid))
	}
	if m.Coarse != 0 && (m.Coarse < 3 || !m.Domain().Exists(m.Coarse)) {
		return bad(fmt.Sprintf("predicts on a grid of %d points", m.Coarse))
	}
	if err := m.Operator.Check(); err != nil {
		return err
	}
	_, _, arrays := m.Operator.Encode()
	for _, a := range arrays {
		if !grid.Finite(a.Data...) {
			return bad(fmt.Sprintf("has values in %q that are not finite", a.Name))
		}
	}
	return nil
}

// modelWhere is where an error is if no file is known.
const modelWhere = "model"

// bad is the error of a model that no run makes.
func bad(what string) error { return feature.Unusable(what) }
