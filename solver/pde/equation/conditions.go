// This file reads boundary conditions: equations at an end of the interval, linear in the fields and their derivatives.

package equation

import (
	"fmt"
	"slices"
	"strings"

	"rfm/config"
	"rfm/solver/space/grf"
)

// condition is sum of c D(field) = value at an end.
type condition struct {
	right bool
	key   string // equation.left or equation.right
	text  string
	field int // the one with the highest derivative, which the condition determines
	terms []linearTerm
	value poly // in t and numbers
	rate  bool // whether the value is the derivative of that in t: a velocity satisfies what its field does
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

// conditionError aborts preparing the problem because of a condition.
func conditionError(key, problem, suggestion string) {
	panic(&config.Error{Key: key, Problem: problem, Suggestion: suggestion})
}

// readConditions reads the conditions at both ends.
func (s *evolution) readConditions(names *scope) {
	for _, end := range []struct {
		key, text string
		right     bool
	}{{"equation.left", s.Left, false}, {"equation.right", s.Right, true}} {
		for _, text := range config.Lines(end.text) {
			s.conditions = append(s.conditions, newCondition(names, end.key, text, end.right))
		}
	}
	for _, c := range slices.Clone(s.conditions) {
		if velocity := slices.Index(names.fields, names.fields[c.field]+velocitySuffix); velocity >= 0 && len(c.terms) > 0 {
			derived := c
			derived.rate = true
			derived.field = velocity
			derived.terms = nil
			for _, t := range c.terms {
				if t.field = slices.Index(names.fields, names.fields[t.field]+velocitySuffix); t.field < 0 {
					conditionError(c.key, "joins fields of first and second order in t ("+c.text+")", "write one condition for each field")
				}
				derived.terms = append(derived.terms, t)
			}
			s.conditions = append(s.conditions, derived)
		}
	}
}

// newCondition reads one condition.
func newCondition(names *scope, key, text string, right bool) condition {
	defer func() { // the place is in a condition
		switch e := recover().(type) {
		case nil:
		case *config.Error:
			if e.Key == "equation.text" {
				e.Key = key
			}
			panic(e)
		default:
			panic(e)
		}
	}()
	out := condition{right: right, key: key, text: text}
	r := newReader(names, "the condition", text)
	left := r.expression(1, 0)
	r.expect('=', "write u = 0, u_x = 0 or u_x + 2*u = 1", "= is missing")
	highest := none
	for _, t := range left.plus(r.last().times(-1)) {
		a := t.only()
		isField := a.kind == fieldAtom && a.index < len(names.fields)
		switch {
		case isField:
			r.failIf(a.op.inv > 0 || a.op.mean || a.op.y > 0, t.at, "", "a condition has values and derivatives in x")
			out.terms = append(out.terms, linearTerm{t.c, a.index, a.op, t.at})
			if a.op.order() > highest {
				highest = a.op.order()
				out.field = a.index
			}
		case t.order(len(names.fields)) == none && anyField(t, len(names.fields)):
			r.fail(t.at, "write it as a sum of numbers times u, u_x, ...", "a condition is linear in the fields")
		case strings.Contains(t.key, "[x]") || t.key == "x":
			r.fail(t.at, "write the value at that end", "x is fixed at an end")
		default:
			t.c = -t.c
			out.value = append(out.value, t)
		}
	}
	r.failIf(len(out.terms) == 0, 0, "write u = 0, u_x = 0 or u_x + 2*u = 1", "no field occurs")
	return out
}

// anyField reports whether a field, other than time, occurs in a term.
func anyField(t term, fields int) bool {
	for _, f := range t.factors {
		if f.kind == fieldAtom && f.index < fields {
			return true
		}
		for _, inner := range f.arg {
			if anyField(inner, fields) {
				return true
			}
		}
	}
	return false
}

// at returns the value of the right-hand side of a condition at a time.
func (c condition) at(t float64) float64 {
	if c.rate {
		const apart = 1e-4 // Richardson's difference of order four has rounding errors of 1e-12
		slope := func(h float64) float64 { return (c.value.at(t+h) - c.value.at(t-h)) / (2 * h) }
		return (4*slope(apart) - slope(2*apart)) / 3
	}
	return c.value.at(t)
}

// at returns the value of an expression without fields and x at a time.
func (p poly) at(t float64) float64 {
	sum := 0.0
	for _, part := range p {
		v := part.c
		for _, f := range part.factors {
			base := t
			if f.kind == funcAtom {
				base = f.f(f.arg.at(t))
			}
			for range f.power {
				v *= base
			}
		}
		sum += v
	}
	return sum
}

// checkConditions fails unless each field has as many conditions as its equation has derivatives.
func (s *evolution) checkConditions() {
	total, highest := 0, 0
	for f := range s.Fields {
		total += s.derivatives(f)
		highest = max(highest, s.derivatives(f))
	}
	if highest == 1 && total == len(s.conditions) { // characteristics may leave one field and enter another
		return
	}
	for f, name := range s.Fields {
		if base, isVelocity := strings.CutSuffix(name, velocitySuffix); isVelocity && slices.Contains(s.Fields, base) {
			continue // as its field
		}
		order := s.derivatives(f)
		var left, right int
		for _, c := range s.conditions {
			if c.field != f {
				continue
			}
			if c.order() >= max(order, 1) {
				conditionError(c.key, fmt.Sprintf("has a derivative of order %d (%s), as high as the equation of %s", c.order(), c.text,
					name), "conditions have lower derivatives")
			}
			if c.right {
				right++
			} else {
				left++
			}
		}
		key := "equation.left"
		if left > right {
			key = "equation.right"
		}
		if left+right != order {
			conditionError(key, fmt.Sprintf("the equation of %s has derivatives of order %d and needs as many conditions; the left end has "+
				"%d, the right one %d", name, order, left, right), fmt.Sprintf("write %s = 0, or %s_x = 0", name, name))
		}
		if order%2 == 0 && left != right {
			conditionError(key, fmt.Sprintf("the equation of %s has derivatives of order %d: %d conditions belong to each end, the left one "+
				"has %d, the right one %d", name, order, order/2, left, right), "move one to the other end")
		}
	}
}

// derivatives returns the order of the highest derivative of a field in its own equation, or in that of its velocity.
func (s *evolution) derivatives(field int) int {
	order := 0
	for i, name := range s.Fields {
		if i != field && name != s.Fields[field]+velocitySuffix {
			continue
		}
		r := s.rows[i]
		for _, t := range r.linear {
			if t.field == field {
				order = max(order, t.op.order())
			}
		}
		for _, q := range r.rest {
			order = max(order, q.op.order()+q.term.order(field))
		}
	}
	return order
}

// ends returns what inputs satisfy at both ends: what the conditions of a field without values do.
func (s *evolution) ends(field int) (left, right grf.End) {
	for _, c := range s.conditions {
		if c.field != field || c.order() > 0 {
			continue
		}
		if c.right {
			right = grf.Held
		} else {
			left = grf.Held
		}
	}
	return left, right
}
