// This file reads boundary conditions: equations on a side of the interval or square, linear in the fields and their
// derivatives across the side.

package equation

import (
	"fmt"
	"slices"
	"strings"

	"rfm/config"
	"rfm/solver/base/printable"
	"rfm/solver/space/grf"
)

// side is a side of the domain.
type side struct {
	key  string // of the setting
	name string
	axis int  // 0 along x, 1 along y
	far  bool // the right or the top one
}

var sides = []side{{"equation.left", "left", 0, false}, {"equation.right", "right", 0, true},
	{"equation.bottom", "bottom", 1, false}, {"equation.top", "top", 1, true}}

// text returns the conditions on a side.
func (s side) text(e config.Equation) string {
	return []string{e.Left, e.Right, e.Bottom, e.Top}[slices.Index(sides, s)]
}

// along returns the order of the operator along an axis.
func (o operator) along(axis int) int {
	if axis == 0 {
		return o.x
	}
	return o.y
}

// condition is sum of c D(field) = value on a side.
type condition struct {
	side
	text  string
	field int // the one with the highest derivative, which the condition determines
	terms []linearTerm
	value poly // in t, numbers, the coordinate along the side, and the coefficient that is drawn
	slope poly // its derivative in t
}

// order returns the highest derivative.
func (c condition) order() int {
	n := 0
	for _, t := range c.terms {
		n = max(n, t.op.order())
	}
	return n
}

// isHomogeneous reports whether the condition is satisfied by zero.
func (c condition) isHomogeneous() bool { return len(c.value) == 0 }

// failKey aborts preparing the problem because of a setting, such as a condition, with a panic that newSolver recovers.
func failKey(key, problem, suggestion string) {
	panic(&config.Error{
		Key:        key,
		Problem:    problem,
		Suggestion: suggestion,
	})
}

// readConditions reads the conditions on all sides.
func (s *evolution) readConditions(names *scope) {
	for _, side := range sides {
		for _, text := range config.Lines(side.text(s.Equation)) {
			s.conditions = append(s.conditions, s.newCondition(names, side, text))
		}
	}
	for _, c := range slices.Clone(s.conditions) {
		velocity := slices.Index(names.fields, names.fields[c.field]+velocitySuffix)
		if velocity < 0 {
			continue
		}
		derived := c // a velocity satisfies what its field does
		derived.field = velocity
		derived.terms = nil
		for _, t := range c.terms {
			if t.field = slices.Index(names.fields, names.fields[t.field]+velocitySuffix); t.field < 0 {
				failKey(c.key, "joins fields of first and second order in t ("+c.text+")", "write one condition for each field")
			}
			derived.terms = append(derived.terms, t)
		}
		derived.value = c.slope
		derived.slope = c.slope.by(timeKey(names))
		s.conditions = append(s.conditions, derived)
	}
}

// timeKey returns the key of time, which follows the fields.
func timeKey(names *scope) string {
	return single(&atom{kind: fieldAtom, index: len(names.fields)}, 0)[0].key
}

// newCondition reads one condition.
func (s *evolution) newCondition(names *scope, on side, text string) condition {
	defer func() { // the place is in a condition
		switch e := recover().(type) {
		case nil:
		case *config.Error:
			if e.Key == "equation.text" {
				e.Key = on.key
			}
			panic(e)
		default:
			panic(e)
		}
	}()
	out := condition{side: on, text: text}
	clock := names.clock
	r := newReader(names, "the condition", text)
	left := r.expression(1, 0)
	r.expect('=', "write u = 0, u_x = 0 or u_x + 2*u = 1", "= is missing")
	highest := none
	across := []string{"x", "y"}[on.axis]
	for _, t := range left.plus(r.last().times(-1)) {
		a := t.only()
		isField := a.kind == fieldAtom && a.index < len(s.Fields)
		switch {
		case isField:
			r.failIf(a.op.inv > 0 || a.op.mean || a.op.along(1-on.axis) > 0, t.at, "",
				"a condition on the %s has values and derivatives in %s", on.name, across)
			out.terms = append(out.terms, linearTerm{t.c, a.index, a.op, t.at})
			isFreer := a.op.order() == highest && s.conditionsAt(on, a.index) < s.conditionsAt(on, out.field)
			if a.op.order() > highest || isFreer {
				highest = a.op.order()
				out.field = a.index
			}
		case t.has(func(a *atom) bool {
			return a.kind == operAtom || a.kind == timeAtom || a.kind == fieldAtom && a.index < len(s.Fields)
		}):
			r.fail(t.at, "write it as a sum of numbers times u, u_x, ...", "a condition is linear in the fields")
		case t.has(func(a *atom) bool { return a.kind == fieldAtom && a.op != (operator{}) }):
			r.fail(t.at, "write its value at that end", "a condition has no derivatives of %s", s.Coefficient)
		case t.has(func(a *atom) bool { return a.kind == givenAtom && a.key == across }):
			r.fail(t.at, "write the value at that end", "%s is fixed at an end", across)
		default:
			t.c = -t.c
			out.value = append(out.value, t)
		}
	}
	r.failIf(len(out.terms) == 0, 0, "write u = 0, u_x = 0 or u_x + 2*u = 1", "no field occurs")
	names.clock = clock // it follows the fields only if equations have it
	out.slope = out.value.by(timeKey(names))
	return out
}

// conditionsAt counts the conditions on a side that determine a field.
func (s *evolution) conditionsAt(on side, field int) int {
	count := 0
	for _, c := range s.conditions {
		if c.side == on && c.field == field {
			count++
		}
	}
	return count
}

// has reports whether an atom of a kind occurs in the term, also inside functions.
func (t term) has(wanted func(*atom) bool) bool {
	for _, f := range t.factors {
		if wanted(f.atom) {
			return true
		}
		for _, inner := range f.arg {
			if inner.has(wanted) {
				return true
			}
		}
	}
	return false
}

// evaluate returns the value of an expression from those of its atoms that are no functions.
func (p poly) evaluate(of func(*atom) float64) float64 {
	sum := 0.0
	for _, part := range p {
		v := part.c
		for _, f := range part.factors {
			base := 0.0
			if f.kind == funcAtom {
				base = f.f(f.arg.evaluate(of))
			} else {
				base = of(f.atom)
			}
			for range f.power {
				v *= base
			}
		}
		sum += v
	}
	return sum
}

// checkConditions fails unless each field has as many conditions along each axis as its equation has derivatives.
func (s *evolution) checkConditions() {
	for axis := range s.domain.Dims {
		if s.isPeriodic(axis) {
			continue
		}
		total := 0
		highest := 0
		given := 0
		for f := range s.Fields {
			total += s.derivatives(f, axis)
			highest = max(highest, s.derivatives(f, axis))
		}
		for _, c := range s.conditions {
			if c.axis == axis {
				given++
			}
		}
		if highest == 1 && total == given { // characteristics may leave one field and enter another
			continue
		}
		for f := range s.Fields {
			s.checkField(f, axis)
		}
	}
}

// isPeriodic reports whether a direction has no conditions.
func (s *evolution) isPeriodic(axis int) bool {
	return !slices.ContainsFunc(s.conditions, func(c condition) bool { return c.axis == axis })
}

// isVelocity reports whether a field is the velocity of another one.
func (s *evolution) isVelocity(f int) bool {
	base, ok := strings.CutSuffix(s.Fields[f], velocitySuffix)
	return ok && slices.Contains(s.Fields, base)
}

// checkField checks the conditions of one field along one axis.
func (s *evolution) checkField(f, axis int) {
	if s.isVelocity(f) { // as its field
		return
	}
	name := s.Fields[f]
	order := s.derivatives(f, axis)
	near := sides[2*axis]
	far := sides[2*axis+1]
	var nearCount, farCount int
	for _, c := range s.conditions {
		if c.field != f || c.axis != axis {
			continue
		}
		if c.order() >= max(order, 1) {
			failKey(c.key, fmt.Sprintf("has a derivative of order %d (%s), as high as the equation of %s", c.order(), c.text,
				name), "conditions have lower derivatives")
		}
		if c.far {
			farCount++
		} else {
			nearCount++
		}
	}
	key := near.key
	if nearCount > farCount {
		key = far.key
	}
	slope := name + "_" + []string{"x", "y"}[axis]
	if nearCount+farCount != order {
		failKey(key, fmt.Sprintf("does not fit: the equation of %s has derivatives of order %d, so it needs %d conditions; got %d at the %s end and "+
			"%d at the %s one", name, order, order, nearCount, near.name, farCount, far.name), fmt.Sprintf("write %s = 0, or %s = 0", name, slope))
	}
	if order%2 == 0 && nearCount != farCount {
		failKey(key, fmt.Sprintf("does not fit: the equation of %s has derivatives of order %d, so each end needs %s; got %d at the %s "+
			"end and %d at the %s one", name, order, printable.Several(order/2, "condition"), nearCount, near.name, farCount, far.name), "move one to the other end")
	}
}

// derivatives returns the order of the highest derivative of a field along an axis in its own equation, in that of its
// velocity, or in those of fields whose derivatives are in its own.
func (s *evolution) derivatives(field, axis int) int {
	order := 0
	for i, name := range s.Fields {
		isOwn := i == field || name == s.Fields[field]+velocitySuffix
		if isOwn || s.orderIn(field, i, axis) > 0 {
			order = max(order, s.orderIn(i, field, axis))
		}
	}
	return order
}

// orderIn returns the order of the highest derivative of a field along an axis in the equation i.
func (s *evolution) orderIn(i, field, axis int) int {
	order := 0
	r := s.rows[i]
	for _, t := range slices.Concat(r.linear, r.mass) {
		if t.field == field {
			order = max(order, t.op.along(axis))
		}
	}
	for _, q := range r.rest {
		order = max(order, q.op.along(axis)+q.term.along(field, axis))
	}
	return order
}

// along returns the highest order of a derivative of a field along an axis in the term, or none if the field does not
// occur.
func (t term) along(field, axis int) int {
	n := none
	for _, f := range t.factors {
		if f.kind == fieldAtom && f.index == field {
			n = max(n, f.op.along(axis))
		}
		for _, inner := range f.arg {
			n = max(n, inner.along(field, axis)+f.op.along(axis))
		}
	}
	return n
}

// ends returns what inputs satisfy along an axis: what the conditions of the first field without values do. Inputs that are
// coefficients or forces have no conditions.
func (s *evolution) ends(axis int) (near, far grf.End) {
	if s.isPeriodic(axis) {
		return grf.Joined, grf.Joined
	}
	for _, c := range s.conditions {
		if c.field != 0 || c.axis != axis || c.order() > 0 || s.Coefficient != "" {
			continue
		}
		if c.far {
			far = grf.Held
		} else {
			near = grf.Held
		}
	}
	return near, far
}

// conditionTexts lists the conditions.
func (s *evolution) conditionTexts() string {
	var list []string
	for _, c := range s.conditions {
		if !s.isVelocity(c.field) {
			list = append(list, c.text+" at the "+c.name)
		}
	}
	return strings.Join(list, ", ")
}
