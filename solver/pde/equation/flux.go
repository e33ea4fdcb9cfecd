// This file has the conditions that give the slope of a field as a function of the fields, such as u_x = -u^4. The second
// derivative in the equation is tested by parts,
//
//	<p, u_xx> = -<p_x, u_x> + p u_x at the right - p u_x at the left,
//
// with modes p that are free at that end. There the slope that the condition gives takes the place of u_x, and is a part of
// the rest, which the steps take explicitly.

package equation

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// hasFlux reports whether a condition gives the slope of its field as a function of fields.
func (c condition) hasFlux() bool { return c.flux != nil }

// withoutFluxes returns the conditions that modes satisfy.
func withoutFluxes(conditions []condition) []condition {
	return slices.DeleteFunc(slices.Clone(conditions), condition.hasFlux)
}

// newFlux returns the condition that an expression vanishes which is not linear in the fields: the slope of one field less a
// function of the values of fields. It fails at other expressions.
func (s *sideReader) newFlux(r *reader, p poly) condition {
	c := condition{side: s.on, text: r.text}
	slopeAt := s.on.derivative(1)
	var slope *linearTerm
	var others poly
	for _, t := range p {
		a := t.only()
		if s.isOfSolution(&a) && a.op == slopeAt && slope == nil {
			linear := a.linear(t.c, t.at)
			slope = &linear
			continue
		}
		others = others.plus(poly{t})
	}
	isSlope := func(a *atom) bool { return s.isOfSolution(a) && a.op != (operator{}) }
	isOperator := func(a *atom) bool { return a.kind == operAtom }
	hasOthers := func(t term) bool { return t.has(isSlope) || t.has(isOperator) }
	at := slices.IndexFunc(others, hasOthers)
	switch {
	case at >= 0 && s.isNonlinear(others[at]) && s.isVarying(others[at]):
		r.fail(others[at].at, "write a number, or a parameter that is one, before u_x", "a coefficient of a slope is a number")
	case slope == nil:
		s.failNonlinear(r, p, others[0].at, "a condition that is not linear gives a slope")
	case at >= 0:
		s.failNonlinear(r, p, others[at].at, "a condition that is not linear has one slope, and that by itself")
	case s.domain.Dims == 2:
		s.failNonlinear(r, p, others[0].at, "on the square a condition is linear in the fields")
	}
	for _, t := range others {
		s.checkGiven(r, t)
	}
	c.tangent = s.tangent(r, p)
	c.terms = []linearTerm{*slope}
	c.flux = s.known(r, others.times(-1/slope.c))
	return c
}

// failNonlinear fails at a condition that is not linear, and says which one is its tangent.
func (s *sideReader) failNonlinear(r *reader, p poly, at int, problem string) {
	remedy := "write it as a sum of numbers times u, u_x, ..."
	if tangent := s.tangent(r, p); tangent != "" {
		remedy = fmt.Sprintf("%s is its tangent where fields are 1 and have no slope", tangent)
		slope := s.slopeIn(p)
		if s.domain.Dims == 1 && slope != "" {
			remedy = fmt.Sprintf("solve it for %s, or linearise it: %s", slope, remedy)
		}
	}
	r.fail(at, remedy, "%s", problem)
}

// slopeIn returns the slope that an expression has, of the first field that has one there; "" if there is none.
func (s *sideReader) slopeIn(p poly) string {
	for f, name := range s.Fields {
		isSlope := func(a *atom) bool { return a.kind == fieldAtom && a.index == f && a.op == s.on.derivative(1) }
		hasSlope := func(t term) bool { return t.has(isSlope) }
		if slices.ContainsFunc(p, hasSlope) {
			return name + "_" + s.on.across()
		}
	}
	return ""
}

// maxOrderOfTangent is above the order of derivatives in tangents.
const maxOrderOfTangent = 4

// tangent returns the linear condition that an expression which vanishes has for small changes of fields that are 1 and have no
// slope, at the time 0; "" if there is none.
func (s *sideReader) tangent(r *reader, p poly) string {
	p = s.known(r, p)
	state := func(a *atom) float64 {
		if s.isOfSolution(a) && a.op == (operator{}) {
			return 1
		}
		return 0
	}
	value := -p.evaluate(state)
	var text strings.Builder
	for f, name := range s.Fields {
		for order := range maxOrderOfTangent {
			op := s.on.derivative(order)
			factor := p.by(fieldKey(f, op)).evaluate(state)
			if math.IsNaN(factor) || math.IsInf(factor, 0) {
				return ""
			}
			if factor == 0 {
				continue
			}
			product := signed(factor) + "*" + name
			product = strings.Replace(product, " 1*", " ", 1)
			text.WriteString(product)
			if order == 0 {
				value += factor
			} else {
				text.WriteString("_" + strings.Repeat(s.on.across(), order))
			}
		}
	}
	isFinite := !math.IsNaN(value) && !math.IsInf(value, 0)
	if text.Len() == 0 || !isFinite {
		return ""
	}
	left := strings.TrimPrefix(text.String(), " + ")
	return fmt.Sprintf("%s = %.4g", strings.TrimPrefix(left, " "), value)
}

// checkFluxes fails at conditions that give slopes as functions of fields in equations for which that is not solved.
func (s *evolution) checkFluxes() {
	for _, c := range s.conditions {
		if c.hasFlux() {
			s.checkFlux(c)
		}
	}
}

func (s *evolution) checkFlux(c condition) {
	fail := func(problem string) {
		remedy := "write a condition that is linear"
		if c.tangent != "" {
			remedy += ", such as its tangent where fields are 1 and have no slope: " + c.tangent
		}
		failKey(c.key, fmt.Sprintf("is not linear (%s)%s", c.text, problem), remedy)
	}
	name, isVelocity := s.baseName(c.field)
	highest := 0 // of its derivatives in terms that are not linear with constant coefficients
	isFound := false
	for i := range s.Fields {
		r := &s.rows[i]
		ofRow, isSecond := s.baseName(i)
		for _, t := range r.linear {
			if t.field != c.field {
				continue
			}
			isFound = isFound || t.op.x == 2
			if t.op.x > 2 {
				fail(fmt.Sprintf(", and the equation of %s has a derivative of order %d of %s", ofRow, t.op.x, name))
			}
			if isVelocity && t.op.x == 2 {
				fail(fmt.Sprintf(", and the equation of %s has %s_txx", ofRow, name))
			}
		}
		for _, q := range r.rest {
			highest = max(highest, q.op.x+q.term.along(c.field, 0))
		}
		if r.mass != nil {
			rate := ofRow + "_t"
			if isSecond {
				rate += "t"
			}
			fail(", and there is an operator on " + rate)
		}
	}
	isUnsolved := highest > 1 || !isFound && !isVelocity
	if isUnsolved {
		fail(fmt.Sprintf("; that is solved where %s diffuses with a constant coefficient", name))
	}
}

// endFlux is what a condition with a flux adds to the rest.
type endFlux struct {
	condition
	into []fluxTerm
}

// fluxTerm is what a slope of 1 adds to the coordinates of a row.
type fluxTerm struct {
	row     int
	weights []float64 // by mode
}

// outwards is 1 at the right end and -1 at the left one.
func (s side) outwards() float64 {
	if s.far {
		return 1
	}
	return -1
}

// setFluxes prepares the conditions with fluxes. Modes must be final.
func (p *space) setFluxes() {
	for _, c := range p.conditions {
		if !c.hasFlux() {
			continue
		}
		flux := endFlux{condition: c}
		for i := range p.Fields {
			for _, t := range p.rows[i].linear {
				if t.field == c.field && t.op == alongAxis(0, 2) {
					b := p.basisOf(i)
					weights := b.ofTests(c.side)
					floats.Scale(t.c*c.outwards()/b.length, weights)
					flux.into = append(flux.into, fluxTerm{row: i, weights: weights})
				}
			}
		}
		p.fluxes = append(p.fluxes, flux)
	}
}

// ofTests returns the values at an end of the tests.
func (b *basis) ofTests(on side) []float64 {
	return products(b.atEnd(0, on.far), b.tests)
}

// products returns the products of a row with the columns of a matrix.
func products(row []float64, m *mat.Dense) []float64 {
	var out mat.Dense
	out.Mul(mat.NewDense(1, len(row), row), m)
	return out.RawRowView(0)
}

// withoutSlopes takes from a matrix of the second derivative, tests x modes, what slopes of the modes at the ends where conditions
// give them by fluxes have in it.
func (b *basis) withoutSlopes(m *mat.Dense, tests *basis) *mat.Dense {
	for _, end := range b.fluxAt {
		column := tests.ofTests(end)
		row := products(b.atEnd(1, end.far), b.z)
		m.RankOne(m, -end.outwards()/b.length, mat.NewVecDense(len(column), column), mat.NewVecDense(len(row), row))
	}
	return m
}

// addFluxes adds what conditions with fluxes give in a state at a time to out.
func (p *space) addFluxes(out, state []float64, t float64) {
	for _, flux := range p.fluxes {
		lifted := p.liftedSlope(flux.condition)
		var slopes [block]float64
		for l := range slopes {
			values := func(a *atom) float64 { return p.traceOf(a, flux.side, state, nil, t, l) }
			slopes[l] = flux.flux.evaluate(values) - lifted[l]
		}
		p.addSlopes(out, flux, slopes)
	}
}

// addSlopes adds what slopes at the end of a condition, one for each function, give to out.
func (p *space) addSlopes(out []float64, flux endFlux, slopes [block]float64) {
	for _, term := range flux.into {
		to := p.fields[term.row].of(out)
		for k, weight := range term.weights {
			for l, slope := range slopes {
				to[k*block+l] += weight * slope
			}
		}
	}
}

// liftedSlope returns the slope of the lift of a field on the side of its condition, for each function.
func (p *space) liftedSlope(c condition) (slopes [block]float64) {
	lift := p.lifted[c.field]
	if lift == nil {
		return slopes
	}
	for j, w := range p.axes[0].atEnd(1, c.far) {
		for l := range slopes {
			slopes[l] += w * lift[j*block+l]
		}
	}
	return slopes
}

// traceOf returns the value of an atom at an end for one function of a state, or of a direction in which the fields change.
func (p *space) traceOf(a *atom, on side, state, direction []float64, t float64, lane int) float64 {
	isOfDirection := a.kind == fieldAtom && a.index >= directionOf
	if !isOfDirection && !p.isOfSolution(a) {
		return p.on(sidePoint{side: on, time: t, lane: lane})(a)
	}
	field := a.index % directionOf
	from := state
	if isOfDirection {
		from = direction
	}
	sum := 0.0
	coordinates := p.fields[field].of(from)
	for k, w := range p.basisOf(field).traceAt(on) {
		sum += w * coordinates[k*block+lane]
	}
	lift := p.lifted[field]
	if lift == nil || isOfDirection {
		return sum
	}
	for j, w := range p.axes[0].atEnd(0, on.far) {
		sum += w * lift[j*block+lane]
	}
	return sum
}

// traceAt returns the values of the modes at an end.
func (b *basis) traceAt(on side) []float64 {
	if b.traces == nil {
		b.traces = map[side][]float64{}
	}
	if b.traces[on] == nil {
		b.traces[on] = products(b.atEnd(0, on.far), b.z)
	}
	return b.traces[on]
}

// addFluxChanges adds the derivative of the fluxes at v in a direction to out.
func (n *newton) addFluxChanges(out, v, direction []float64) {
	for k, flux := range n.fluxes {
		var slopes [block]float64
		for l := range slopes {
			values := func(a *atom) float64 { return n.traceOf(a, flux.side, v, direction, 0, l) }
			slopes[l] = n.fluxChanges[k].evaluate(values)
		}
		n.addSlopes(out, flux, slopes)
	}
}

// setFluxAt sets the ends where conditions give the slope by a flux.
func (b *basis) setFluxAt(conditions []condition) {
	for _, c := range conditions {
		if c.hasFlux() {
			b.fluxAt = append(b.fluxAt, c.side)
		}
	}
}
