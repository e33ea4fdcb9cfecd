// This file converts trees to polynomials: it resolves names, expands products and checks limits.

package equation

import (
	"maps"
	"math"
	"slices"
	"strings"

	"rfm/config"
)

// scope maps names to their meanings.
type scope struct {
	dims       int
	fields     []string
	definition map[string]*definition // of names that are neither fields nor coordinates
	clock      bool                   // whether t occurs: it is a field that follows the others
	initial    bool                   // whether it is an initial value, where the only field is the input
}

// definition is a parameter, or a line without _t.
type definition struct {
	*reader
	busy, done bool
	poly       poly
}

var functions = map[string]func(float64) float64{"sin": math.Sin, "cos": math.Cos, "tan": math.Tan, "exp": math.Exp,
	"log": math.Log, "sqrt": math.Sqrt, "tanh": math.Tanh, "abs": math.Abs}

// operators maps the names of operators to sums of them.
var operators = map[string][]operator{"dx": {{1, 0, 0}}, "dy": {{0, 1, 0}}, "dxx": {{2, 0, 0}}, "dyy": {{0, 2, 0}},
	"lap": {{2, 0, 0}, {0, 2, 0}}, "ilap": {{0, 0, 1}}}

func (s *scope) lower(r *reader, n *node) poly {
	p := s.build(r, n)
	if len(p) > maxTerms {
		r.fail(n.at, "write it with fewer sums in products", "more than %d terms when it is multiplied out", maxTerms)
	}
	size := 0
	for _, t := range p {
		if size += len(t.key); size > maxKeys {
			r.fail(n.at, "", "too large when names are put in and products are multiplied out")
		}
		if math.IsNaN(t.c) || math.IsInf(t.c, 0) {
			r.fail(n.at, "", "a coefficient is not finite")
		}
	}
	return p
}

func (s *scope) build(r *reader, n *node) poly {
	arg := func(i int) poly { return s.lower(r, n.args[i]) }
	switch n.op {
	case '0':
		return constant(n.num, n.at)
	case 'n':
		return s.name(r, n)
	case '~':
		return arg(0).times(-1)
	case '+':
		return arg(0).plus(arg(1))
	case '-':
		return arg(0).plus(arg(1).times(-1))
	case '*':
		return s.product(r, n, arg(0), arg(1))
	case '/':
		q := arg(1)
		if c, ok := q.constant(); ok {
			if c == 0 {
				r.fail(n.at, "", "a division by zero")
			}
			return arg(0).times(1 / c)
		}
		return s.product(r, n, arg(0), single(&atom{kind: funcAtom, function: "pow", exponent: -1, arg: q}, n.at))
	case '^':
		return s.power(r, n, arg(0), arg(1))
	}
	return s.call(r, n)
}

func (s *scope) product(r *reader, n *node, p, q poly) poly {
	if len(p)*len(q) > 4*maxTerms {
		r.fail(n.at, "write it with fewer sums in products", "more than %d terms when it is multiplied out", maxTerms)
	}
	var ts []term
	for _, a := range p {
		for _, b := range q {
			if len(a.factors)+len(b.factors) > 24 {
				r.fail(n.at, "", "a product has more than 24 factors")
			}
			t := a.times(b)
			t.at = max(t.at, n.at)
			ts = append(ts, t)
		}
	}
	return collect(ts)
}

func (s *scope) power(r *reader, n *node, p, q poly) poly {
	e, ok := q.constant()
	if !ok { // p^q = exp(q log p)
		return single(&atom{kind: funcAtom, function: "exp",
			arg: s.product(r, n, q, single(&atom{kind: funcAtom, function: "log", arg: p}, n.at))}, n.at)
	}
	if c, ok := p.constant(); ok {
		return constant(math.Pow(c, e), n.at)
	}
	if e < 0 || e > maxPower || e != math.Trunc(e) {
		return single(&atom{kind: funcAtom, function: "pow", exponent: e, arg: p}, n.at)
	}
	out := constant(1, n.at)
	for range int(e) {
		out = s.product(r, n, out, p)
	}
	return out
}

func (s *scope) name(r *reader, n *node) poly {
	base, suffix, derived := strings.Cut(n.name, "_")
	if d, ok := s.definition[n.name]; ok {
		return s.defined(r, n, d)
	}
	if !derived {
		switch {
		case n.name == "pi":
			return constant(math.Pi, n.at)
		case n.name == "x":
			return single(&atom{kind: coordAtom}, n.at)
		case n.name == "y" && s.dims == 2:
			return single(&atom{kind: coordAtom, index: 1}, n.at)
		case n.name == "t" && !s.initial:
			s.clock = true
			return single(&atom{kind: fieldAtom, index: len(s.fields)}, n.at)
		}
	}
	i := slices.Index(s.fields, base)
	d, defined := s.definition[base]
	if i < 0 && !defined {
		s.unknown(r, n, n.name)
	}
	var o operator
	kind := fieldAtom
	for j, c := range suffix {
		switch {
		case c == 'x':
			o.x++
		case c == 'y' && s.dims == 2:
			o.y++
		case c == 'y':
			r.noY(n.at + len(base) + 1 + j)
		case c == 't' && kind == fieldAtom && i >= 0:
			kind = timeAtom
		case c == 't':
			r.fail(n.at+len(base)+1+j, "write a system: u_t = v, v_t = ...",
				"only first derivatives in t of fields are solved")
		default:
			r.fail(n.at+len(base)+1+j, "u_x, u_xx and u_xy are", "%q is no derivative", string(c))
		}
	}
	if derived && suffix == "" {
		r.fail(n.at, "u_x is one", "%s is no derivative", n.name)
	}
	s.limit(r, n, o)
	if i >= 0 {
		return single(&atom{kind: kind, index: i, op: o}, n.at)
	}
	return apply(o, s.defined(r, n, d), n.at)
}

// limit fails if the order of a derivative exceeds the limit.
func (s *scope) limit(r *reader, n *node, o operator) {
	if s.initial && o != (operator{}) {
		r.fail(n.at, "", "initial values are made of values of the input a, not of derivatives")
	}
	if order := max(o.x, o.y, 2*o.inv); order > maxOrder {
		r.fail(n.at, "", "a derivative of order %d is beyond the limit of %d", order, maxOrder)
	}
}

func (s *scope) defined(r *reader, n *node, d *definition) poly {
	if d.busy {
		r.fail(n.at, "", "%s is defined by itself", n.name)
	}
	if !d.done {
		d.busy = true
		d.poly = s.lower(d.reader, d.right)
		d.busy, d.done = false, true
	}
	p := slices.Clone(d.poly)
	for i := range p {
		p[i].at = n.at
	}
	return p
}

func (s *scope) call(r *reader, n *node) poly {
	sum, isOperator := operators[n.name]
	f, isFunction := functions[n.name]
	if !isOperator && !isFunction {
		s.unknown(r, n, n.name)
	}
	if len(n.args) != 1 {
		r.fail(n.at, "", "%s takes one expression, here are %d", n.name, len(n.args))
	}
	p := s.lower(r, n.args[0])
	if isFunction {
		if c, ok := p.constant(); ok {
			return constant(f(c), n.at)
		}
		return single(&atom{kind: funcAtom, function: n.name, arg: p}, n.at)
	}
	if s.dims == 1 && sum[0].y > 0 {
		r.noY(n.at)
	}
	out := poly(nil)
	for _, o := range sum {
		if o.y == 0 || s.dims == 2 {
			out = out.plus(apply(o, p, n.at))
		}
	}
	for _, t := range out {
		for _, f := range t.factors {
			s.limit(r, n, f.op)
		}
	}
	return out
}

func (r *reader) noY(at int) { r.fail(at, "set equation.dims = 2", "there is no y on the interval") }

// unknown fails because of a name, and suggests a similar one.
func (s *scope) unknown(r *reader, n *node, name string) {
	calls := slices.AppendSeq(slices.Collect(maps.Keys(functions)), maps.Keys(operators))
	names := slices.Sorted(maps.Keys(s.definition))
	names = append(names, append(s.fields, "x", "y", "t", "pi")...)
	slices.Sort(calls)
	base, suffix, _ := strings.Cut(name, "_")
	switch called := n.op == 'c'; {
	case called && slices.Contains(names, name):
		r.fail(n.at, "write "+name+"*(", "%s is no function", name)
	case called:
		r.fail(n.at, nearest(name, calls)+"there are "+strings.Join(calls, " "), "%s is no function", name)
	case slices.Contains(calls, base):
		r.fail(n.at, "write "+base+"(u)", "%s is a function", base)
	case base == "y":
		r.noY(n.at)
	case base == "e":
		r.fail(n.at, "write exp(x)", "e is not known")
	case base == "i":
		r.fail(n.at, "write an equation for the real and one for the imaginary part, as in the preset schroedinger",
			"there is no imaginary unit")
	}
	for i := 1; i < len(name) && suffix == ""; i++ { // ux, nuu
		if slices.Contains(s.fields, name[:i]) && strings.Trim(name[i:], "xy") == "" {
			r.fail(n.at, "write "+name[:i]+"_"+name[i:]+" for a derivative", "%s is not known", name)
		}
		if slices.Contains(names, name[:i]) && slices.Contains(names, name[i:]) {
			r.fail(n.at, "write "+name[:i]+"*"+name[i:]+" for a product", "%s is not known", name)
		}
	}
	r.fail(n.at, nearest(base, names)+"give it a value (--set "+base+"=...), or a line of its own", "%s is not known",
		base)
}

// nearest returns a question that suggests one of the known names, or "".
func nearest(name string, known []string) string {
	best := config.Nearest(name, known)
	if config.Distance(name, best) >= min(3, len(name)) {
		return ""
	}
	return "is it " + best + "? Else "
}
