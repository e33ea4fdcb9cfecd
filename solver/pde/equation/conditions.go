// This file has the conditions on the sides of the interval or square, and checks that they suit the equation. Their text is
// read in readsides.go.

package equation

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"rfm/config"
	"rfm/solver/base/printable"
	"rfm/solver/space/grf"
	"rfm/solver/space/grid"
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
	text    string
	field   int // which the condition determines, see determine
	terms   []linearTerm
	value   poly   // in t, numbers, the coordinate along the side, and the coefficient that is drawn
	slope   poly   // its derivative in t
	flux    poly   // of fields at the side, to which the derivative in the only term is equal in place of the value; nil: none
	tangent string // of a condition with a flux, see tangent
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

// blame, when deferred, names the setting in errors of the text that it holds, because a place in that text is none in the
// text of the equation.
func blame(key string) {
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
}

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
	if c.hasFlux() { // leaves the velocity free, too
		return derived
	}
	derived.value = c.slope
	derived.slope = c.slope.by(timeKey(names))
	return derived
}

// timeKey returns the key of time, which follows the fields.
func timeKey(names *scope) string {
	return fieldKey(len(names.fields), operator{})
}

// isZero reports whether a condition says that a derivative of a field vanishes on the side.
func (s *evolution) isZero(on side, field int, op operator) bool {
	return slices.ContainsFunc(s.conditions, func(c condition) bool {
		isAlone := len(c.terms) == 1 && c.isHomogeneous() && !c.hasFlux()
		return isAlone && c.side == on && c.terms[0].field == field && c.terms[0].op == op
	})
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
	s.checkFluxes()
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

// checkValues fails at values of conditions that are not finite, or change infinitely fast, at one of a few times.
func (s *evolution) checkValues() {
	const samples = 32
	for _, c := range s.conditions {
		for i := range samples + 1 {
			t := s.Time * float64(i) / samples
			at := func(a *atom) float64 {
				if s.isTime(a) {
					return t
				}
				return s.Length / 3 // the coordinate along the side; an input may be any number
			}
			if value := c.value.evaluate(at); !grid.Finite(value) {
				failKey(c.key, fmt.Sprintf("has the value %g at t=%.3g (%s)", value, t, c.text),
					fmt.Sprintf("write a value that is finite from t=0 to t=%g", s.Time))
			}
			if rate := c.slope.evaluate(at); !grid.Finite(rate) {
				failKey(c.key, fmt.Sprintf("changes infinitely fast at t=%.3g (%s)", t, c.text),
					"write a value that is smooth there, such as sqrt(t + 0.001) for sqrt(t)")
			}
		}
	}
}

// isPeriodic reports whether a direction has no conditions.
func (s *evolution) isPeriodic(axis int) bool {
	return !slices.ContainsFunc(s.conditions, func(c condition) bool { return c.axis == axis })
}

// isVelocity reports whether a field is the velocity of another one.
func (s *evolution) isVelocity(f int) bool {
	_, isVelocity := s.baseName(f)
	return isVelocity
}

// baseName returns the name that somebody wrote: that of a field, or of the field whose velocity it is.
func (s *evolution) baseName(f int) (name string, isVelocity bool) {
	base, ok := strings.CutSuffix(s.Fields[f], velocitySuffix)
	if ok && slices.Contains(s.Fields, base) {
		return base, true
	}
	return s.Fields[f], false
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
			remedy := "conditions have lower derivatives"
			if order == 1 {
				remedy = fmt.Sprintf("write %s = 0 at the end where %s flows in, and nothing at the other", name, name)
			}
			failKey(c.key, problem, remedy)
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
	given := nearCount + farCount
	if given == 0 && order == 1 && s.isEnclosed(f, axis) {
		return
	}
	if given != order {
		problem := fmt.Sprintf("%s, so it needs %s; %s", cause, printable.Several(order, "condition"), got)
		remedy := fmt.Sprintf("write %s = 0, or %s = 0", name, slope)
		if order == 1 {
			remedy = fmt.Sprintf("write %s = 0 at the end where it flows in", name)
		}
		if given > order {
			remedy = "leave out " + printable.Several(given-order, "condition")
			key = near.key
			if farCount > nearCount {
				key = far.key
			}
		}
		if given > order && order == 1 {
			remedy = fmt.Sprintf("leave out the one at the end where %s flows out", name)
		}
		failKey(key, problem, remedy)
	}
	if order%2 == 0 && nearCount != farCount {
		needed := printable.Several(order/2, "condition")
		problem := fmt.Sprintf("%s, so each end needs %s; %s", cause, needed, got)
		failKey(key, problem, "move one to the other end")
	}
}

// isEnclosed reports whether nothing of a field flows through the sides along an axis, because all of its own derivatives have a factor
// that vanishes there, as in h_t = -dx((1 + h)*u) between walls.
func (s *evolution) isEnclosed(field, axis int) bool {
	r := s.rows[field]
	for _, t := range r.linear {
		if t.field == field && t.op.along(axis) > 0 {
			return false
		}
	}
	vanishes := func(f factor) bool {
		isOther := f.kind == fieldAtom && f.index != field && f.op == (operator{})
		return isOther && s.isZero(sides[2*axis], f.index, operator{}) && s.isZero(sides[2*axis+1], f.index, operator{})
	}
	for _, q := range r.rest {
		isCarried := q.op.along(axis)+q.term.along(field, axis) > 0
		if isCarried && !slices.ContainsFunc(q.term.factors, vanishes) {
			return false
		}
	}
	return true
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
	hasCoefficient := func(t term) bool { return t.has(s.isCoefficient) }
	return slices.ContainsFunc(c.value, hasCoefficient) || slices.ContainsFunc(c.flux, hasCoefficient)
}

// isCoefficient reports whether an atom in the value of a condition is the coefficient that is drawn.
func (s *evolution) isCoefficient(a *atom) bool {
	return a.kind == fieldAtom && !s.isTime(a) && !s.isOfSolution(a)
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
