// This file splits equations into a linear part with constant coefficients and the rest.

package equation

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"rfm/config"
)

// linearTerm is c times an operator on a field.
type linearTerm struct {
	c     float64
	field int
	op    operator
	at    int
}

// product is an operator on a term.
type product struct {
	op   operator
	term term
}

// row is the equation mass of the rate of a field = linear + rest, as text and on the grid.
type row struct {
	*reader
	field  string
	mass   []linearTerm // nil: the rate itself
	linear []linearTerm
	rest   []product

	inverse    []complex128        // of the symbol of the mass; nil: 1
	symbol     [maxField][]float64 // by field; nil: 0
	constant   []float64           // -i times the spectrum of terms without fields; nil: 0
	quasi      int                 // the column of a term with derivatives of second order, or fourth, and no symbol above it; 0 if missing
	quasiOrder int                 // of these
	varies     bool                // whether the rest has a linear term with a coefficient in x
}

// massOf returns the operator on the rate in the equation of a field.
func (s *evolution) massOf(field int) []linearTerm {
	if mass := s.rows[field].mass; mass != nil {
		return mass
	}
	return []linearTerm{{c: 1, field: field}}
}

// randomInput is the value of the parameter that is the input.
const randomInput = "random"

// sourceLine is a line of the text of a system, or a parameter.
type sourceLine struct {
	text        string
	place       string // in messages
	isParameter bool
}

// lines returns the parameters, then the lines of the text.
func (s *evolution) lines() (all []sourceLine) {
	for _, text := range config.Lines(s.Parameters) {
		name, _, _ := strings.Cut(text, "=")
		all = append(all, sourceLine{
			text:        text,
			place:       parameterPlace(strings.TrimSpace(name)),
			isParameter: true,
		})
	}
	for i, text := range config.Lines(s.Text) {
		all = append(all, sourceLine{
			text:  text,
			place: fmt.Sprintf("line %d", i+1),
		})
	}
	return all
}

// parameterPlace names a parameter in messages.
func parameterPlace(name string) string { return "parameter " + strconv.Quote(name) }

// read reads one equation for each field, and parameters and lines that define names: numbers, expressions in x (and y),
// or random.
func (s *evolution) read() {
	lines := s.lines()
	whole := &reader{name: "line 1", text: s.Text}
	whole.failIf(len(lines) > maxLines, 0, "", "more than %d lines and parameters", maxLines)
	names := &scope{
		dims:        s.domain.Dims,
		definitions: map[string]*reader{},
		steady:      s.Steady(),
	}
	s.scope = scope{
		dims:        names.dims,
		fields:      []string{"a"},
		initial:     true,
		definitions: map[string]*reader{},
	}
	for _, line := range lines {
		if field := newReader(names, line.place, line.text).secondRate(); field != "" {
			names.accelerated = append(names.accelerated, field)
		}
	}
	var equations []*reader
	for _, line := range lines {
		equations = append(equations, s.readLine(names, line)...)
	}
	whole.failIf(len(equations) == 0, 0, "write u_t = ..., or 0 = u_xx + a for a steady state", "no line has a derivative in t")
	if s.Steady() {
		equations = s.readSteady(names, equations)
	}
	s.readRows(names, equations)
	s.checkUnused(names)
	s.readConditions(names)
	whole.failIf(names.clock && s.Steady(), 0, "write u_t = ... for what changes, or another name", "t occurs, but nothing depends on time")
	s.clock = names.clock
	if s.clock { // t is a field whose rate is 1
		one := product{term: term{c: 1}}
		s.rows = append(s.rows, row{
			reader: equations[0],
			field:  "t",
			rest:   []product{one},
		})
	}
}

// readRows sets the fields and reads their equations, then that of the coefficient: it is a field that does not change.
func (s *evolution) readRows(names *scope, equations []*reader) {
	s.Fields = slices.Clone(names.fields)
	if len(s.Fields) > evolving {
		equations[evolving].fail(0, "", "field %d, want at most %d", evolving+1, evolving)
	}
	if s.Coefficient != "" {
		delete(names.definitions, s.Coefficient)
		names.fields = append(names.fields, s.Coefficient)
		constant := newReader(names, parameterPlace(s.Coefficient), s.Coefficient+"_t = 0")
		equations = append(slices.Clone(equations), constant)
	}
	for i, r := range equations {
		difference := r.difference("write u_t = ...")
		s.rows = append(s.rows, newRow(r, names.fields[i], difference))
	}
}

// difference reads an equation and returns its right side less its left one. The remedy is for a text without =.
func (r *reader) difference(remedy string) poly {
	left := r.expression(bindsSum, 0)
	r.expect('=', remedy, "= is missing")
	right := r.last()
	return right.plus(left.times(-1))
}

// checkUnused reads all definitions, because those that no equation uses have to be right too.
func (s *evolution) checkUnused(names *scope) {
	for _, name := range slices.Sorted(maps.Keys(names.definitions)) {
		d := names.definitions[name]
		d.value(d, name, 0)
	}
}

// readLine declares what a line or parameter defines. It returns its equations: none of a definition, two of an equation
// of second order in t.
func (s *evolution) readLine(names *scope, line sourceLine) (equations []*reader) {
	r := newReader(names, line.place, line.text)
	if s.Steady() && !line.isParameter {
		isEquation := !r.defines() || slices.Contains(s.Equation.Fields(), r.tokens[0].text)
		if isEquation {
			return []*reader{r}
		}
	}
	if field := r.velocities(); field != "" { // u_tt = ... is u_t = udot and udot_t = ...
		velocity := newReader(names, line.place, field+"_t = "+field+velocitySuffix)
		names.declare(velocity)
		equations = append(equations, velocity)
	}
	name, evolves := names.declare(r)
	isRandom := r.tokens[0].text == randomInput && r.tokens[1].kind == endToken
	switch {
	case evolves:
		r.failIf(line.isParameter, 0, "name the field instead", "a parameter has no derivative in t")
		equations = append(equations, r)
	case isRandom:
		r.failIf(s.Coefficient != "", 0, "", "%s and %s are random: one parameter can be the input", s.Coefficient, name)
		s.Coefficient = name
	case line.isParameter: // initial values know it, too
		again := *r
		again.scope = &s.scope
		s.scope.definitions[name] = &again
	}
	return equations
}

// velocitySuffix follows the name of a field in the name of its velocity, which equations of second order in t bring.
const velocitySuffix = "dot"

// derivative returns the parts of a name with derivatives, u and xt for u_xt.
func (t token) derivative() (base, suffix string) {
	if t.kind != nameToken {
		return "", ""
	}
	base, suffix, _ = strings.Cut(t.text, "_")
	return base, suffix
}

// secondRate returns the field whose second derivative in t the text has; "" if there is none.
func (r *reader) secondRate() (field string) {
	for _, t := range r.tokens {
		base, suffix := t.derivative()
		onlyDerivatives := strings.Trim(suffix, "xyt") == ""
		isSecond := onlyDerivatives && strings.Count(suffix, "t") == 2
		if !isSecond {
			continue
		}
		isOther := field != "" && field != base
		r.failIf(isOther, t.at, "write a line for each field", "%s_tt and %s_tt are in one line", field, base)
		field = base
	}
	return field
}

// velocities replaces first derivatives in t of fields of second order by their velocities, and second ones by first derivatives
// of these. It returns the field whose second derivative the text has; "" if there is none.
func (r *reader) velocities() (field string) {
	field = r.secondRate()
	for i, t := range r.tokens {
		base, suffix := t.derivative()
		order := strings.Count(suffix, "t")
		if order == 0 || !slices.Contains(r.accelerated, base) {
			continue
		}
		r.failIf(order > 2, t.at, "write a system: u_t = v, v_t = ...", "only derivatives up to the second in t are solved")
		r.tokens[i].text = base + velocitySuffix
		inTime := strings.Repeat("t", order-1)
		inSpace := strings.ReplaceAll(suffix, "t", "")
		if inTime+inSpace != "" {
			r.tokens[i].text += "_" + inTime + inSpace
		}
	}
	return field
}

// rate matches another spelling of u_t.
var rate = regexp.MustCompile(`\bd([A-Za-z][A-Za-z0-9]*)\s*/\s*dt\b`)

// called matches u_t written as an operator on u.
var called = regexp.MustCompile(`\b[dD]t\(([A-Za-z][A-Za-z0-9]*)\)`)

// evolves returns the field with a derivative in t in the text; "" if there is none.
func (r *reader) evolves() (field string) {
	for _, t := range r.tokens {
		base, suffix := t.derivative()
		if !strings.Contains(suffix, "t") {
			continue
		}
		isOther := field != "" && field != base
		r.failIf(isOther, t.at, "write a line for each field", "%s_t and %s_t are in one line", field, base)
		field = base
	}
	return field
}

// failStill fails for a line that neither defines a name nor has a derivative in t, and says how to write one that
// is spelled otherwise.
func (r *reader) failStill() {
	for _, spelling := range []*regexp.Regexp{rate, called} {
		at := spelling.FindStringSubmatchIndex(r.text)
		if at != nil {
			field := r.text[at[2]:at[3]]
			r.fail(at[0], "write "+field+"_t", "%s is not a rate of change", r.text[at[0]:at[1]])
		}
	}
	if field := r.follows(); field != "" {
		_, right, _ := strings.Cut(r.text, "=")
		remedy := fmt.Sprintf("write %s_t = 100*(%s): so it follows within a time of 0.01", field, strings.TrimSpace(right))
		r.fail(0, remedy, "%s has no derivative in t, and other fields have one", field)
	}
	r.fail(0, "write u_t = ... for a field, p = ... for a name; initial values are equation.initial, "+
		"conditions at the ends equation.left and equation.right", "nothing evolves here")
}

// follows returns the field whose derivatives in space a line 0 = ... has, and no other line before; "" if there is none.
func (r *reader) follows() (field string) {
	isZero := r.tokens[0].text == "0" && r.tokens[1].kind == '='
	if !isZero {
		return ""
	}
	for _, t := range r.tokens {
		base, suffix := t.derivative()
		isDerivative := suffix != "" && strings.Trim(suffix, "xy") == ""
		if isDerivative && !slices.Contains(r.fields, base) {
			return base
		}
	}
	return ""
}

// defines reports whether the text begins with a name without derivatives and =.
func (r *reader) defines() bool {
	first := r.tokens[0]
	isName := first.kind == nameToken && !strings.Contains(first.text, "_")
	return isName && r.tokens[1].kind == '='
}

// declare adds the field that evolves by a line, or else the name that the line defines, and returns it.
func (s *scope) declare(r *reader) (name string, evolves bool) {
	name = r.evolves()
	evolves = name != ""
	hasEqual := slices.ContainsFunc(r.tokens, func(t token) bool { return t.kind == '=' })
	r.failIf(!hasEqual, len(r.text), "write u_t = ...", "= is missing before the end")
	if !evolves {
		if !r.defines() {
			r.failStill()
		}
		name = r.tokens[0].text
		r.tokens = r.tokens[2:]
	}
	r.failIf(slices.Contains(config.Reserved, name), 0, "choose another name", "%s is a word of the language", name)
	r.failIf(s.definitions[name] != nil || slices.Contains(s.fields, name), 0,
		"a name is that of one field, one line or one parameter", "%s is defined twice", name)
	if evolves {
		s.fields = append(s.fields, name)
	} else {
		s.definitions[name] = r
	}
	return name, evolves
}

// linear returns c times the atom, a derivative of a field or of its rate, as a linear term.
func (a atom) linear(c float64, at int) linearTerm {
	return linearTerm{
		c:     c,
		field: a.index,
		op:    a.op,
		at:    at,
	}
}

// newRow splits the equation p = 0 and divides it by the factor of the rate.
func newRow(r *reader, field string, p poly) row {
	out := row{reader: r, field: field}
	var others poly
	for _, t := range p {
		a := t.only()
		switch {
		case a.kind == timeAtom:
			out.mass = append(out.mass, a.linear(-t.c, t.at))
		case strings.Contains(t.key, rateMark):
			r.fail(t.at, "divide the equation by its factor", "%s_t has a factor", field)
		default:
			others = append(others, t)
		}
	}
	r.failIf(len(out.mass) == 0 && !r.steady, 0, "", "%s_t cancels", field)
	if len(out.mass) == 1 && out.mass[0].op == (operator{}) {
		others = others.times(1 / out.mass[0].c)
		out.mass = nil
	}
	for _, t := range others {
		a := t.only()
		switch a.kind {
		case fieldAtom:
			out.linear = append(out.linear, a.linear(t.c, t.at))
		case operAtom:
			for _, part := range a.arg {
				out.addRest(a.op, part, t.c, t.at)
			}
		default:
			out.addRest(operator{}, t, 1, t.at)
		}
	}
	return out
}

// addRest adds a number times an operator on a term, which a place in the text has brought, to the rest.
func (r *row) addRest(outer operator, t term, c float64, at int) {
	inner, divergence := t.divergence()
	divergence.c *= c
	divergence.at = at
	r.rest = append(r.rest, product{
		op:   outer.after(inner),
		term: divergence,
	})
}
