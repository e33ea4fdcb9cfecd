// This file splits equations into a linear part with constant coefficients and the rest, and rejects unsolvable
// equations.

package equation

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"rfm/config"
)

// linearTerm is c times an operator on one field.
type linearTerm struct {
	c  float64
	op operator
	at int
}

// product is an operator on a term.
type product struct {
	op   operator
	term term
}

// row is one equation.
type row struct {
	*reader
	field  string
	mass   []linearTerm // operators on the derivative in t; nil: the derivative itself
	linear [maxField][]linearTerm
	rest   []product
}

// System is a set of equations on the interval or the square.
type System struct {
	Dims        int
	Fields      []string // those with an equation, in the order of the text
	Coefficient string   // the parameter that is the input, a field that does not change; empty: none
	rows        []row    // rows of the fields, then the coefficient, then time
	scope       scope    // of initial values
}

// randomInput is the value of the parameter that is the input.
const randomInput = "random"

// parseSystem parses one equation for each field and lines that define names. Parameters are numbers, expressions in x
// (and y), or Random. Errors are *Error.
func parseSystem(lines []string, parameters map[string]string, dims int) (sys *System, err error) {
	defer catch(&err)
	if len(lines) > maxLines || len(parameters) > maxNames {
		return nil, &Error{Name: "line 1", Column: 1,
			What: fmt.Sprintf("%d lines and %d parameters, at most %d and %d are read",
				len(lines), len(parameters), maxLines, maxNames)}
	}
	s := &scope{dims: dims, definition: map[string]*definition{}}
	sys = &System{Dims: dims, scope: scope{dims: dims, fields: []string{"a"}, initial: true,
		definition: map[string]*definition{}}}
	for _, name := range slices.Sorted(maps.Keys(parameters)) {
		r := readExpression("parameter "+strconv.Quote(name), parameters[name])
		if reserved(name) || strings.Contains(name, "_") || nameText.FindString(name) != name || name == "" {
			r.fail(0, "choose another name", "a parameter cannot be called %q", name)
		}
		if r.right.op == 'n' && r.right.name == randomInput {
			if sys.Coefficient != "" {
				r.fail(0, "", "%s and %s are random: one parameter can be the input", sys.Coefficient, name)
			}
			sys.Coefficient = name
			continue
		}
		s.definition[name], sys.scope.definition[name] = &definition{reader: r}, &definition{reader: r}
	}
	var equations []*reader
	for i, text := range lines {
		if strings.TrimSpace(text) != "" {
			equations = s.read(equations, i+1, text)
		}
	}
	if len(equations) == 0 {
		return nil, &Error{Name: "line 1", Column: 1, Text: strings.Join(lines, "; "), What: "no line has a derivative in t",
			Do: "write u_t = ..."}
	}
	sys.Fields = slices.Clone(s.fields)
	if c := sys.Coefficient; c != "" {
		if slices.Contains(s.fields, c) {
			equations[0].fail(0, "", "%s is a field and a parameter", c)
		}
		s.fields = append(s.fields, c)
	}
	for i, r := range equations {
		sys.rows = append(sys.rows, newRow(r, s, i, s.lower(r, r.right).plus(s.lower(r, r.left).times(-1))))
	}
	for _, name := range slices.Sorted(maps.Keys(s.definition)) { // unused definitions are checked too
		d := s.definition[name]
		s.defined(d.reader, d.right, d)
	}
	if sys.Coefficient != "" {
		sys.rows = append(sys.rows, row{reader: equations[0], field: sys.Coefficient})
	}
	if s.clock {
		sys.rows = append(sys.rows, row{reader: equations[0], field: "t", rest: []product{{term: term{c: 1}}}})
	}
	return sys, nil
}

// read adds the equation or the definition of a line.
func (s *scope) read(equations []*reader, number int, text string) []*reader {
	r := readEquation(number, text)
	left := r.left
	evolves := ""
	for _, n := range r.rates {
		base, _, _ := strings.Cut(n.name, "_")
		if evolves != "" && evolves != base {
			r.fail(n.at, "write a line for each field", "%s_t and %s_t are in one equation", evolves, base)
		}
		evolves = base
	}
	switch {
	case evolves != "":
		switch {
		case reserved(evolves):
			r.fail(0, "choose another name", "%s cannot be a field", evolves)
		case slices.Contains(s.fields, evolves):
			r.fail(0, "", "%s has two equations", evolves)
		case s.definition[evolves] != nil:
			r.fail(0, "", "%s is a field and a parameter", evolves)
		case len(s.fields) == evolving:
			r.fail(0, "", "field %d, at most %d are solved", evolving+1, evolving)
		}
		s.fields = append(s.fields, evolves)
		return append(equations, r)
	case left.op == 'n' && !strings.Contains(left.name, "_") && !reserved(left.name):
		if s.definition[left.name] != nil {
			r.fail(0, "", "%s is defined twice", left.name)
		}
		s.definition[left.name] = &definition{reader: r}
	default:
		r.fail(left.at, "write u_t = ... for a field, p = ... for a name; initial values are equation.initial",
			"nothing evolves here")
	}
	return equations
}

func reserved(name string) bool { return slices.Contains(config.Reserved, name) }

func newRow(r *reader, s *scope, field int, p poly) row {
	out := row{reader: r, field: s.fields[field]}
	var mass []linearTerm
	var rest poly
	for _, t := range p {
		switch {
		case len(t.factors) == 1 && t.factors[0].kind == timeAtom && t.factors[0].power == 1:
			mass = append(mass, linearTerm{-t.c, t.factors[0].op, t.at})
		case hasTime(t):
			r.fail(t.at, "divide the equation by its factor", "%s_t has a factor", out.field)
		default:
			rest = append(rest, t)
		}
	}
	if len(mass) == 0 {
		r.fail(0, "", "%s_t cancels", out.field)
	}
	if len(mass) > 1 || mass[0].op != (operator{}) {
		out.mass = mass
	} else {
		rest = rest.times(1 / mass[0].c)
	}
	for _, t := range rest {
		out.add(t)
	}
	return out
}

func hasTime(t term) bool {
	return slices.ContainsFunc(t.factors, func(f factor) bool {
		return f.kind == timeAtom || slices.ContainsFunc(f.arg, hasTime)
	})
}

// add sorts a term into the linear part or the rest.
func (w *row) add(t term) {
	var outer operator
	parts, c := poly{t}, 1.0
	if len(t.factors) == 1 && t.factors[0].power == 1 {
		switch f := t.factors[0]; f.kind {
		case fieldAtom:
			w.linear[f.index] = append(w.linear[f.index], linearTerm{t.c, f.op, t.at})
			return
		case operAtom:
			outer, parts, c = f.op, f.arg, t.c
		}
	}
	for _, part := range parts {
		o, d := part.divergence()
		d.c, d.at = d.c*c, t.at
		w.rest = append(w.rest, product{outer.after(o), d})
	}
}

// inputKey is the key of the input in initial values, whose only field it is.
const inputKey = "u0_"

// initial parses an initial value: an expression in the input a, x (and y) and the parameters. Errors are *Error.
func (s *System) initial(text string) (_ poly, err error) {
	defer catch(&err)
	r := readExpression("initial value", text)
	if d := s.scope.definition["a"]; d != nil {
		d.fail(0, "choose another name", "a is the input where initial values are given")
	}
	return s.scope.lower(r, r.right), nil
}
