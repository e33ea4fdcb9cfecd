// This file reads the conditions on a side: equations that are linear in the fields and their derivatives across the side. What
// some of them say is put into the others, so that the same conditions mean the same in any order and form.

package equation

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"rfm/config"
)

// readConditions reads the conditions on all sides.
func (s *evolution) readConditions(names *scope) {
	for _, on := range sides {
		isOutside := on.axis >= max(1, s.Dims)
		if isOutside && len(config.Lines(on.text(s.Equation))) > 0 {
			failKey(on.key, "is a side of the square, and the fields are functions of x alone",
				"give equation.left or equation.right, or set equation.dims = 2")
		}
		s.conditions = append(s.conditions, s.readSide(names, on)...)
	}
	for _, c := range slices.Clone(s.conditions) {
		if names.velocityOf(c.field) >= 0 {
			s.conditions = append(s.conditions, c.ofVelocity(names))
		}
	}
}

// sideReader reads the conditions on one side.
type sideReader struct {
	*evolution
	on         side
	conditions []condition // in the order of the text; those that are not read yet have no terms
}

// readSide reads the conditions on a side. Those that are linear as they stand come first, because they say what values and
// slopes other conditions, such as that of u^3, have there.
func (s *evolution) readSide(names *scope, on side) []condition {
	defer blame(on.key)
	texts := config.Lines(on.text(s.Equation))
	reading := sideReader{
		evolution:  s,
		on:         on,
		conditions: make([]condition, len(texts)),
	}
	var readers []*reader
	var differences []poly
	clock := names.clock
	for _, text := range texts {
		r := newReader(names, conditionPlace, text)
		remedy := kindsOfConditions[strings.ToLower(text)]
		r.failIf(remedy != "", 0, remedy, "%s is no equation", text)
		difference := r.difference(exampleConditions).times(-1) // left less right side
		readers = append(readers, r)
		differences = append(differences, difference)
	}
	names.clock = clock // time follows the fields only if equations have it
	isPlain := func(p poly) bool { return !slices.ContainsFunc(p, reading.isNonlinear) }
	for k, p := range differences {
		if isPlain(p) {
			reading.conditions[k] = reading.newCondition(readers[k], p)
		}
	}
	reading.reduce()
	fluxes := make([]poly, len(differences)) // by condition; nil: none
	for k, p := range differences {
		if !isPlain(p) {
			known := reading.simplified(readers[k], p)
			if isPlain(known) {
				reading.conditions[k] = reading.newCondition(readers[k], known)
			} else {
				fluxes[k] = known
			}
		}
	}
	reading.reduce()
	for k, p := range fluxes {
		if p != nil {
			reading.conditions[k] = reading.newFlux(readers[k], p)
		}
	}
	reading.determine()
	for k := range reading.conditions {
		c := &reading.conditions[k]
		c.slope = c.value.by(timeKey(names))
	}
	return reading.conditions
}

// conditionPlace names the text of a condition in messages.
const conditionPlace = "the condition"

// exampleConditions are what conditions look like.
const exampleConditions = "write u = 0, u_x = 0 or u_x + 2*u = 1"

// kindsOfConditions maps words for kinds of conditions to what to write.
var kindsOfConditions = map[string]string{
	"periodic":  "leave out the conditions on both sides: then it is periodic",
	"dirichlet": "write u = 0",
	"neumann":   "write u_x = 0",
	"noflux":    "write u_x = 0",
	"insulated": "write u_x = 0",
	"free":      "write u_x = 0",
	"robin":     "write u_x + 2*u = 0",
}

// isNonlinear reports whether a term has the solution, but is no number times one of its derivatives across the side.
func (s *sideReader) isNonlinear(t term) bool {
	a := t.only()
	isPlain := s.isOfSolution(&a) && a.op.along(1-s.on.axis) == 0
	return !isPlain && t.has(s.isOfSolution)
}

// newCondition returns the condition that an expression vanishes.
func (s *sideReader) newCondition(r *reader, p poly) condition {
	c := condition{side: s.on, text: r.text}
	for _, t := range p {
		a := t.only()
		if !s.isOfSolution(&a) {
			s.checkValue(r, t)
			t.c = -t.c
			c.value = append(c.value, t)
			continue
		}
		isAcross := !a.op.mean && a.op.inv == 0 && a.op.along(1-s.on.axis) == 0
		example := strings.ReplaceAll(exampleConditions, "_x", "_"+s.on.across())
		r.failIf(!isAcross, t.at, example, "a condition on the %s has values and derivatives in %s", s.on.name, s.on.across())
		c.terms = append(c.terms, a.linear(t.c, t.at))
	}
	r.failIf(len(c.terms) == 0, 0, exampleConditions, "no field occurs")
	return c
}

// checkValue fails if a term cannot be a part of the value of a condition.
func (s *sideReader) checkValue(r *reader, t term) {
	s.checkGiven(r, t)
	isFixed := func(a *atom) bool { return a.kind == givenAtom && a.key == s.on.across() }
	r.failIf(t.has(isFixed), t.at, "write the value at that end", "%s is fixed at an end", s.on.across())
}

// checkGiven fails if a term of a condition has what is not known on a side.
func (s *sideReader) checkGiven(r *reader, t term) {
	isRate := func(a *atom) bool { return a.kind == timeAtom }
	isDerivative := func(a *atom) bool { return a.kind == fieldAtom && !s.isOfSolution(a) && a.op != (operator{}) }
	switch {
	case t.has(isRate):
		r.fail(t.at, "for waves that leave, write the system u_t = v_x, v_t = u_x with u - v = 0 at the left and u + v = 0 at the right",
			"a condition has no derivatives in t")
	case t.has(isDerivative):
		r.fail(t.at, "write its value at that end", "a condition has no derivatives of %s", s.Coefficient)
	}
}

// isVarying reports whether a term is linear in the solution, with a factor that is no number.
func (s *sideReader) isVarying(t term) bool {
	_, others := s.parted(t)
	return t.has(s.isOfSolution) && !others.has(s.isOfSolution)
}

// parted returns the derivative of the solution in a term, if one occurs as a factor, and the other factors.
func (s *sideReader) parted(t term) (field atom, others term) {
	others = term{c: t.c, at: t.at}
	for _, f := range t.factors {
		isFirst := field.kind == noAtom && f.power == 1 && s.isOfSolution(f.atom)
		if isFirst {
			field = *f.atom
		} else {
			others.factors = append(others.factors, f)
		}
	}
	return field, others.keyed()
}

// simplified puts what other conditions say of the fields on the side into the terms of an expression that are not linear.
func (s *sideReader) simplified(r *reader, p poly) poly {
	var sum poly
	for _, t := range p {
		if s.isNonlinear(t) {
			sum = sum.plus(s.known(r, poly{t}))
		} else {
			sum = sum.plus(poly{t})
		}
	}
	return sum
}

// known returns an expression with the values that the fields, their derivatives and the coordinate across have on the side, as
// far as they are known. Derivatives of expressions across it become sums of products.
func (s *sideReader) known(r *reader, p poly) poly {
	var sum poly
	for _, t := range p {
		product := constant(t.c, t.at)
		for _, f := range t.factors {
			value := s.knownAtom(r, f.atom, t.at)
			for range f.power {
				product = r.product(t.at, product, value)
			}
		}
		sum = sum.plus(product)
	}
	return sum
}

// knownAtom is known for an atom.
func (s *sideReader) knownAtom(r *reader, a *atom, at int) poly {
	switch {
	case a.kind == givenAtom && a.key == s.on.across():
		return constant(s.on.place(s.Length), at)
	case s.isOfSolution(a):
		if value, ok := s.valueOf(a.index, a.op); ok {
			return value
		}
	case a.kind == funcAtom:
		of := *a
		of.arg = s.known(r, a.arg)
		if argument, ok := of.arg.constant(); ok {
			return constant(of.f(argument), at)
		}
		return single(&of, at)
	case a.kind == operAtom && a.op == s.on.derivative(a.op.order()):
		inner := a.arg
		for range a.op.order() {
			inner = r.limit(at, s.across(inner))
		}
		return s.known(r, inner)
	}
	return alone(a, at)
}

// place returns the coordinate across at the side.
func (s side) place(length float64) float64 {
	if s.far {
		return length
	}
	return 0
}

// derivative returns the operator that is the derivative of an order across the side.
func (s side) derivative(order int) operator {
	if s.axis == 0 {
		return operator{x: order}
	}
	return operator{y: order}
}

// across returns the derivative of an expression across the side, by the chain rule.
func (s *sideReader) across(p poly) poly {
	sum := p.by(s.on.across())
	for _, t := range s.linearised(p) {
		moved := constant(t.c, t.at)
		for _, f := range t.factors {
			a := *f.atom
			if a.kind == fieldAtom && a.index >= directionOf {
				a.index -= directionOf
				a.op = a.op.after(s.on.derivative(1))
			}
			factor := single(&a, t.at)
			for range f.power {
				moved = multiplied(moved, factor)
			}
		}
		sum = sum.plus(moved)
	}
	return sum
}

// valueOf returns the value of a derivative of a field, if a condition says it. What vanishes has no derivatives along the side.
func (s *sideReader) valueOf(field int, op operator) (value poly, ok bool) {
	across := s.on.derivative(op.along(s.on.axis))
	isPure := !op.mean && op.inv == 0
	if isPure && op != across {
		value, ok = s.valueOf(field, across)
		return value, ok && len(value) == 0
	}
	for _, c := range s.conditions {
		isAlone := len(c.terms) == 1 && c.terms[0].field == field && c.terms[0].op == op
		if isAlone {
			return c.value.times(1 / c.terms[0].c), true
		}
	}
	return nil, false
}

// reduce puts conditions on a single derivative into the others, and subtracts conditions with the same highest derivatives, until
// neither changes any. It fails at a condition that says what others say, or the contrary.
func (s *sideReader) reduce() {
	for s.reduceSingles() || s.reducePairs() {
	}
}

// reduceSingles takes the derivatives whose values are known out of all other conditions, and reports whether there were any.
func (s *sideReader) reduceSingles() (changed bool) {
	for k, lone := range s.conditions {
		if len(lone.terms) != 1 {
			continue
		}
		for i := range s.conditions {
			if i != k && s.subtract(i, lone, lone.terms[0]) {
				changed = true
			}
		}
	}
	return changed
}

// reducePairs subtracts one of two conditions with the same highest derivatives from the other, so that it has one less.
func (s *sideReader) reducePairs() (changed bool) {
	for k, first := range s.conditions {
		leading := first.leading()
		for i := k + 1; i < len(s.conditions); i++ {
			isSame := slices.EqualFunc(leading, s.conditions[i].leading(), linearTerm.hasDerivativeOf)
			if isSame && len(leading) > 0 && s.subtract(i, first, leading[0]) {
				changed = true
			}
		}
	}
	return changed
}

// leading returns the terms with the highest derivatives, by field.
func (c condition) leading() (terms []linearTerm) {
	for _, t := range c.terms {
		if t.op.order() == c.order() {
			terms = append(terms, t)
		}
	}
	slices.SortFunc(terms, func(a, b linearTerm) int { return a.field - b.field })
	return terms
}

// subtract subtracts the multiple of a condition with which the derivative of one of its terms cancels from the condition with
// a number. It reports whether that has the derivative.
func (s *sideReader) subtract(from int, c condition, of linearTerm) bool {
	target := &s.conditions[from]
	ratio := -target.factor(of) / of.c
	if ratio == 0 {
		return false
	}
	terms := slices.Clone(target.terms)
	for _, t := range c.terms {
		t.c *= ratio
		terms = added(terms, t)
	}
	target.terms = terms
	target.value = target.value.plus(c.value.times(ratio))
	if len(target.terms) == 0 {
		s.failEmpty(*target)
	}
	return true
}

// added adds a term to the one with its derivative, and takes both out if they cancel.
func added(terms []linearTerm, t linearTerm) []linearTerm {
	const rounding = 1e-12
	at := slices.IndexFunc(terms, t.hasDerivativeOf)
	if at < 0 {
		return append(terms, t)
	}
	terms[at].c += t.c
	if math.Abs(terms[at].c) <= rounding*math.Abs(t.c) {
		return slices.Delete(terms, at, at+1)
	}
	return terms
}

// hasDerivativeOf reports whether two terms have the same derivative.
func (t linearTerm) hasDerivativeOf(other linearTerm) bool {
	return t.field == other.field && t.op == other.op
}

// factor returns the factor of a derivative in a condition; 0 if it does not occur.
func (c condition) factor(of linearTerm) float64 {
	for _, t := range c.terms {
		if t.hasDerivativeOf(of) {
			return t.c
		}
	}
	return 0
}

// failEmpty fails because of a condition of which nothing is left.
func (s *sideReader) failEmpty(c condition) {
	var texts []string
	for _, other := range s.conditions {
		if other.text != "" {
			texts = append(texts, other.text)
		}
	}
	problem := fmt.Sprintf("is wrong: the conditions cannot hold together (%s)", strings.Join(texts, ", "))
	if len(c.value) == 0 {
		problem = fmt.Sprintf("says the same twice: %s follows from the others (%s)", c.text, strings.Join(texts, ", "))
	}
	failKey(s.on.key, problem, "leave out "+c.text)
}

// determine chooses the field that each condition determines: one with the highest derivative in it if that field needs no more
// conditions than it gets, or else another one of its fields.
func (s *sideReader) determine() {
	if s.determined(0, true) {
		return
	}
	s.determined(0, false) // the check of the conditions tells what is wrong
}

// determined chooses the fields of the conditions from a number on. It returns false if some field would get too many and that
// is not allowed.
func (s *sideReader) determined(from int, limited bool) bool {
	if from == len(s.conditions) {
		return true
	}
	c := &s.conditions[from]
	for _, field := range s.candidates(from) {
		isFull := s.count(from, field) >= s.needed(field)
		if limited && isFull {
			continue
		}
		c.field = field
		if s.determined(from+1, limited) {
			return true
		}
	}
	return false
}

// candidates returns the fields of a condition: those with higher derivatives first, and of these the ones with fewer conditions
// before it.
func (s *sideReader) candidates(number int) []int {
	terms := slices.Clone(s.conditions[number].terms)
	slices.SortStableFunc(terms, func(a, b linearTerm) int {
		if a.op.order() != b.op.order() {
			return b.op.order() - a.op.order()
		}
		return s.count(number, a.field) - s.count(number, b.field)
	})
	var fields []int
	for _, t := range terms {
		if !slices.Contains(fields, t.field) {
			fields = append(fields, t.field)
		}
	}
	return fields
}

// count returns how many of the first conditions determine a field.
func (s *sideReader) count(first, field int) int {
	count := 0
	for _, c := range s.conditions[:first] {
		if c.field == field {
			count++
		}
	}
	return count
}

// needed returns the largest number of conditions that a field may have on a side: half as many as derivatives, or for an odd
// order one less than these.
func (s *sideReader) needed(field int) int {
	order := s.derivatives(field, s.on.axis)
	if order%2 == 1 {
		return max(1, order-1)
	}
	return order / 2
}
