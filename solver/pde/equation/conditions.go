// This file reads boundary conditions: equations on a side of the interval or square, linear in the fields and their
// derivatives across the side.

package equation

import (
	"fmt"
	"math"
	"regexp"
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

// sides are the two sides along x, then those along y, the near one first.
var sides = []side{
	{key: "equation.left", name: "left", axis: 0, far: false},
	{key: "equation.right", name: "right", axis: 0, far: true},
	{key: "equation.bottom", name: "bottom", axis: 1, far: false},
	{key: "equation.top", name: "top", axis: 1, far: true},
}

// text returns the conditions on a side.
func (s side) text(e config.Equation) string {
	switch s.name {
	case "left":
		return e.Left
	case "right":
		return e.Right
	case "bottom":
		return e.Bottom
	}
	return e.Top
}

// across names the coordinate that is fixed on a side.
func (s side) across() string { return axisName(s.axis) }

// axisName returns the name of a coordinate.
func axisName(axis int) string {
	if axis == 0 {
		return "x"
	}
	return "y"
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
		texts := config.Lines(side.text(s.Equation))
		slices.SortStableFunc(texts, func(a, b string) int { // names last, because other conditions simplify them
			return names.definitionsIn(a) - names.definitionsIn(b)
		})
		for _, text := range texts {
			s.conditions = append(s.conditions, s.newCondition(names, side, text))
		}
	}
	for _, c := range slices.Clone(s.conditions) {
		if names.velocityOf(c.field) >= 0 {
			s.conditions = append(s.conditions, c.ofVelocity(names))
		}
	}
}

// definitionsIn counts the names with a definition in a text.
func (s *scope) definitionsIn(text string) int {
	count := 0
	for _, name := range word.FindAllString(text, -1) {
		name, _, _ = strings.Cut(name, "_")
		if s.definitions[name] != nil {
			count++
		}
	}
	return count
}

// word matches a name with its derivatives.
var word = regexp.MustCompile(`[A-Za-z][A-Za-z0-9_]*`)

// velocityOf returns the number of the field that is the velocity of a field; negative if there is none.
func (s *scope) velocityOf(field int) int {
	return slices.Index(s.fields, s.fields[field]+velocitySuffix)
}

// ofVelocity returns the condition that the velocity of a field satisfies because the field satisfies one: its derivative
// in t.
func (c condition) ofVelocity(names *scope) condition {
	derived := c
	derived.field = names.velocityOf(c.field)
	derived.terms = nil
	for _, t := range c.terms {
		t.field = names.velocityOf(t.field)
		if t.field < 0 {
			failKey(c.key, "joins fields of first and second order in t ("+c.text+")", "write one condition for each field")
		}
		derived.terms = append(derived.terms, t)
	}
	derived.value = c.slope
	derived.slope = c.slope.by(timeKey(names))
	return derived
}

// timeKey returns the key of time, which follows the fields.
func timeKey(names *scope) string {
	return fieldKey(len(names.fields), operator{})
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
	const example = "write u = 0, u_x = 0 or u_x + 2*u = 1"
	out := condition{side: on, text: text}
	clock := names.clock
	r := newReader(names, "the condition", text)
	left := r.expression(bindsSum, 0)
	r.expect('=', example, "= is missing")
	right := r.last()
	highest := none
	for _, t := range left.plus(right.times(-1)) {
		a := t.only()
		if s.isFlat(on, a) {
			continue
		}
		if !s.isOfSolution(&a) {
			s.checkValue(r, on, t)
			t.c = -t.c
			out.value = append(out.value, t)
			continue
		}
		isAcross := !a.op.mean && a.op.inv == 0 && a.op.along(1-on.axis) == 0
		r.failIf(!isAcross, t.at, "", "a condition on the %s has values and derivatives in %s", on.name, on.across())
		out.terms = append(out.terms, a.linear(t.c, t.at))
		order := a.op.order()
		isFreer := order == highest && s.conditionsAt(on, a.index) < s.conditionsAt(on, out.field)
		if order > highest || isFreer {
			highest = order
			out.field = a.index
		}
	}
	r.failIf(len(out.terms) == 0, 0, example, "no field occurs")
	if len(out.terms) > 1 {
		out.terms = slices.DeleteFunc(out.terms, func(t linearTerm) bool { return s.isZero(on, t.field, t.op) })
	}
	names.clock = clock // it follows the fields only if equations have it
	out.slope = out.value.by(timeKey(names))
	return out
}

// isFlat reports whether an atom is the first derivative of an expression, such as that of u^3, in fields that have no slope
// on the side, by conditions that have been read.
func (s *evolution) isFlat(on side, a atom) bool {
	across := operator{x: 1 - on.axis, y: on.axis}
	if a.kind != operAtom || a.op != across {
		return false
	}
	hasSlope := func(inner *atom) bool {
		switch inner.kind {
		case funcAtom: // of atoms that are judged themselves
			return false
		case fieldAtom:
			return inner.op != (operator{}) || !s.isZero(on, inner.index, across)
		}
		return true
	}
	return !slices.ContainsFunc(a.arg, func(t term) bool { return t.has(hasSlope) })
}

// isZero reports whether a condition that has been read says that a derivative of a field vanishes on the side.
func (s *evolution) isZero(on side, field int, op operator) bool {
	return slices.ContainsFunc(s.conditions, func(c condition) bool {
		isAlone := len(c.terms) == 1 && c.isHomogeneous()
		return isAlone && c.side == on && c.terms[0].field == field && c.terms[0].op == op
	})
}

// checkValue fails if a term cannot be a part of the value of a condition.
func (s *evolution) checkValue(r *reader, on side, t term) {
	isOfFields := func(a *atom) bool { return a.kind == operAtom || a.kind == timeAtom || s.isOfSolution(a) }
	isDerivative := func(a *atom) bool { return a.kind == fieldAtom && a.op != (operator{}) }
	isFixed := func(a *atom) bool { return a.kind == givenAtom && a.key == on.across() }
	switch {
	case t.has(isOfFields):
		r.fail(t.at, "write it as a sum of numbers times u, u_x, ...", "a condition is linear in the fields")
	case t.has(isDerivative):
		r.fail(t.at, "write its value at that end", "a condition has no derivatives of %s", s.Coefficient)
	case t.has(isFixed):
		r.fail(t.at, "write the value at that end", "%s is fixed at an end", on.across())
	}
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
			order := s.derivatives(f, axis)
			total += order
			highest = max(highest, order)
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
			problem := fmt.Sprintf("has a derivative of order %d (%s), as high as the equation of %s", c.order(), c.text, name)
			failKey(c.key, problem, "conditions have lower derivatives")
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
	slope := name + "_" + axisName(axis)
	cause := fmt.Sprintf("does not fit: the equation of %s has derivatives of order %d", name, order)
	got := fmt.Sprintf("got %d at the %s end and %d at the %s one", nearCount, near.name, farCount, far.name)
	if nearCount+farCount != order {
		problem := fmt.Sprintf("%s, so it needs %d conditions; %s", cause, order, got)
		failKey(key, problem, fmt.Sprintf("write %s = 0, or %s = 0", name, slope))
	}
	if order%2 == 0 && nearCount != farCount {
		needed := printable.Several(order/2, "condition")
		problem := fmt.Sprintf("%s, so each end needs %s; %s", cause, needed, got)
		failKey(key, problem, "move one to the other end")
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
// coefficients or forces have no conditions, except for those that are values of a side; see holdsCoefficient.
func (s *evolution) ends(axis int) (near, far grf.End) {
	if s.isPeriodic(axis) {
		return grf.Joined, grf.Joined
	}
	for _, c := range s.conditions {
		if c.axis != axis {
			continue
		}
		end := s.endOf(c)
		if end == grf.Free {
			continue
		}
		if c.far {
			far = end
		} else {
			near = end
		}
	}
	return near, far
}

// endOf returns what a condition says of inputs: free if it says nothing, as those of other fields than the first. Only
// inputs with which the field begins fall outwards as it does, because other initial values would not satisfy the condition
// by that.
func (s *evolution) endOf(c condition) grf.End {
	if s.Coefficient != "" {
		if s.holdsCoefficient(c) {
			return grf.Held
		}
		return grf.Free
	}
	if c.field != 0 {
		return grf.Free
	}
	if c.order() == 0 {
		return grf.Held
	}
	var value, slope float64 // their factors
	for _, t := range c.terms {
		isOwn := t.field == c.field
		switch {
		case isOwn && t.op.order() == 0:
			value += t.c
		case isOwn && t.op.order() == 1 && t.op.along(c.axis) == 1:
			slope += t.c
		default:
			return grf.Free
		}
	}
	loss := value / slope * s.Length // on the unit interval
	if !c.far {
		loss = -loss
	}
	isLosing := loss > 0 && !math.IsInf(loss, 0)
	if isLosing && s.beginsWithInput(0) {
		return grf.Losing(loss)
	}
	return grf.Free
}

// holdsCoefficient reports whether the coefficient must vanish on the side of a condition, because the coefficient is the
// value, or the slope, of a side that meets this one: without that, solutions would jump at the corner.
func (s *evolution) holdsCoefficient(c condition) bool {
	const rounding = 1e-9 // sin(pi) is not 0
	if c.order() > 0 || s.isRandom(c) {
		return false
	}
	return slices.ContainsFunc(s.conditions, func(other condition) bool {
		meets := other.axis != c.axis && other.field == c.field
		agrees := other.order() == 0 || c.isHomogeneous()
		change := s.atCorner(other, c.far, 0, 1) - s.atCorner(other, c.far, 0, 0)
		return meets && agrees && math.Abs(change) > rounding
	})
}

// isRandom reports whether the value of a condition depends on the coefficient that is drawn.
func (s *evolution) isRandom(c condition) bool {
	return slices.ContainsFunc(c.value, func(t term) bool { return t.has(s.isCoefficient) })
}

// isCoefficient reports whether an atom in the value of a condition is the coefficient that is drawn.
func (s *evolution) isCoefficient(a *atom) bool { return a.kind == fieldAtom && !s.isTime(a) }

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
