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

	inverse  []complex128        // of the symbol of the mass; nil: 1
	symbol   [maxField][]float64 // by field; nil: 0
	constant []float64           // -i times the spectrum of terms without fields; nil: 0
	quasi    int                 // the column of a term with second derivatives and no symbol above it; 0 if missing
	varies   bool                // whether the rest has a linear term with a coefficient in x
}

// randomInput is the value of the parameter that is the input.
const randomInput = "random"

// read reads one equation for each field, and parameters and lines that define names: numbers, expressions in x (and y),
// or random.
func (s *evolution) read() {
	parameters, lines, whole := config.Lines(s.Parameters), config.Lines(s.Text), &reader{name: "line 1", text: s.Text}
	whole.failIf(len(parameters)+len(lines) > maxLines, 0, "", "more than %d lines and parameters", maxLines)
	names := &scope{dims: s.domain.Dims, definitions: map[string]*reader{}, steady: s.Steady()}
	s.scope = scope{dims: names.dims, fields: []string{"a"}, initial: true, definitions: map[string]*reader{}}
	var equations []*reader
	for i, text := range slices.Concat(parameters, lines) {
		place := "parameter " + strconv.Quote(strings.TrimSpace(strings.Split(text, "=")[0]))
		if i >= len(parameters) {
			place = fmt.Sprintf("line %d", i+1-len(parameters))
		}
		r := newReader(names, place, text)
		if i >= len(parameters) && s.Steady() && !r.definesOther(s.Equation.Fields()) {
			equations = append(equations, r)
			continue
		}
		if field := r.velocities(); field != "" { // u_tt = ... is u_t = udot and udot_t = ...
			velocity := newReader(names, place, field+"_t = "+field+velocitySuffix)
			names.declare(velocity)
			equations = append(equations, velocity)
		}
		switch name, evolves := names.declare(r); {
		case evolves:
			r.failIf(i < len(parameters), 0, "name the field instead", "a parameter has no derivative in t")
			equations = append(equations, r)
		case r.tokens[0].text == randomInput && len(r.tokens) == 2:
			r.failIf(s.Coefficient != "", 0, "", "%s and %s are random: one parameter can be the input", s.Coefficient, name)
			s.Coefficient = name
		case i < len(parameters): // initial values know it, too
			again := *r
			again.scope, s.scope.definitions[name] = &s.scope, &again
		}
	}
	whole.failIf(len(equations) == 0, 0, "write u_t = ..., or 0 = u_xx + a for a steady state", "no line has a derivative in t")
	if s.Steady() {
		equations = s.readSteady(names, equations)
	}
	if s.Fields = slices.Clone(names.fields); len(s.Fields) > evolving {
		equations[evolving].fail(0, "", "field %d, at most %d are solved", evolving+1, evolving)
	}
	if c := s.Coefficient; c != "" {
		delete(names.definitions, c)
		names.fields = append(names.fields, c)
		equations = append(equations, newReader(names, "parameter "+strconv.Quote(c), c+"_t = 0"))
	}
	for i, r := range equations {
		left := r.expression(1, 0)
		r.expect('=', "write u_t = ...", "= is missing")
		s.rows = append(s.rows, newRow(r, names.fields[i], r.last().plus(left.times(-1))))
	}
	for _, name := range slices.Sorted(maps.Keys(names.definitions)) { // unused definitions are checked too
		d := names.definitions[name]
		d.value(d, name, 0)
	}
	s.readConditions(names)
	whole.failIf(names.clock && s.Steady(), 0, "write u_t = ... for what changes, or another name", "t occurs, but nothing depends on time")
	if s.clock = names.clock; s.clock {
		s.rows = append(s.rows, row{reader: equations[0], field: "t", rest: []product{{term: term{c: 1}}}})
	}
}

// velocitySuffix follows the name of a field in the name of its velocity, which equations of second order in t bring.
const velocitySuffix = "dot"

// velocities replaces second derivatives in t of a field by first derivatives of its velocity, and first ones by the
// velocity, if the text has second derivatives. It returns the field; "" if there are none.
func (r *reader) velocities() (field string) {
	for _, t := range r.tokens {
		base, suffix, _ := strings.Cut(t.text, "_")
		if t.kind == 'n' && strings.Count(suffix, "t") == 2 && strings.Trim(suffix, "xyt") == "" {
			r.failIf(field != "" && field != base, t.at, "write a line for each field", "%s_tt and %s_tt are in one line", field,
				base)
			field = base
		}
	}
	if field == "" {
		return ""
	}
	for i, t := range r.tokens {
		base, suffix, _ := strings.Cut(t.text, "_")
		if t.kind != 'n' || base != field || !strings.Contains(suffix, "t") {
			continue
		}
		order := strings.Count(suffix, "t")
		r.failIf(order > 2, t.at, "write a system: u_t = v, v_t = ...", "only derivatives up to the second in t are solved")
		r.tokens[i].text = base + velocitySuffix
		if rest := strings.Repeat("t", order-1) + strings.ReplaceAll(suffix, "t", ""); rest != "" {
			r.tokens[i].text += "_" + rest
		}
	}
	return field
}

// rate matches another spelling of u_t.
var rate = regexp.MustCompile(`\bd([A-Za-z][A-Za-z0-9]*)\s*/\s*dt\b`)

// called matches u_t written as an operator on u.
var called = regexp.MustCompile(`\b[dD]t\(([A-Za-z][A-Za-z0-9]*)\)`)

// declare adds the field that evolves by a line, or else the name that the line defines, and returns it.
func (s *scope) declare(r *reader) (name string, evolves bool) {
	for _, t := range r.tokens {
		if base, suffix, _ := strings.Cut(t.text, "_"); t.kind == 'n' && strings.Contains(suffix, "t") {
			r.failIf(evolves && base != name, t.at, "write a line for each field", "%s_t and %s_t are in one line", name, base)
			name, evolves = base, true
		}
	}
	first, isEqual := r.tokens[0], func(t token) bool { return t.kind == '=' }
	defines := !evolves && first.kind == 'n' && isEqual(r.tokens[1]) && !strings.Contains(first.text, "_")
	switch at := rate.FindStringSubmatchIndex(r.text); {
	case !slices.ContainsFunc(r.tokens, isEqual):
		r.fail(len(r.text), "write u_t = ...", "= is missing before the end")
	case defines:
		name, r.tokens = first.text, r.tokens[2:]
	case !evolves && at != nil:
		r.fail(at[0], "write "+r.text[at[2]:at[3]]+"_t", "%s is no rate of change", r.text[at[0]:at[1]])
	case !evolves && called.MatchString(r.text):
		at := called.FindStringSubmatchIndex(r.text)
		r.fail(at[0], "write "+r.text[at[2]:at[3]]+"_t", "%s is no rate of change", r.text[at[0]:at[1]])
	case !evolves:
		r.fail(0, "write u_t = ... for a field, p = ... for a name; initial values are equation.initial, "+
			"conditions at the ends equation.left and equation.right", "nothing evolves here")
	}
	r.failIf(slices.Contains(config.Reserved, name), 0, "choose another name", "%s is a word of the language", name)
	r.failIf(s.definitions[name] != nil || slices.Contains(s.fields, name), 0,
		"a name is that of one field, one line or one parameter", "%s is defined twice", name)
	if defines {
		s.definitions[name] = r
	} else {
		s.fields = append(s.fields, name)
	}
	return name, evolves
}

// newRow splits the equation p = 0 and divides it by the factor of the rate.
func newRow(r *reader, field string, p poly) row {
	out := row{reader: r, field: field}
	var rest poly
	for _, t := range p {
		switch a := t.only(); {
		case a.kind == timeAtom:
			out.mass = append(out.mass, linearTerm{-t.c, a.index, a.op, t.at})
		case strings.Contains(t.key, rateMark):
			r.fail(t.at, "divide the equation by its factor", "%s_t has a factor", field)
		default:
			rest = append(rest, t)
		}
	}
	r.failIf(len(out.mass) == 0 && !r.steady, 0, "", "%s_t cancels", field)
	if len(out.mass) == 1 && out.mass[0].op == (operator{}) {
		rest, out.mass = rest.times(1/out.mass[0].c), nil
	}
	for _, t := range rest {
		outer, parts, c := operator{}, poly{t}, 1.0
		switch a := t.only(); a.kind {
		case fieldAtom:
			out.linear = append(out.linear, linearTerm{t.c, a.index, a.op, t.at})
			continue
		case operAtom:
			outer, parts, c = a.op, a.arg, t.c
		}
		for _, part := range parts {
			o, d := part.divergence()
			d.c, d.at = d.c*c, t.at
			out.rest = append(out.rest, product{outer.after(o), d})
		}
	}
	return out
}
