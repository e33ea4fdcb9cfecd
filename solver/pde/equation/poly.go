// This file is the algebra of expressions. An expression is an expanded polynomial of atoms. Linear expressions with
// constant coefficients are then sums of single derivatives, and equal expressions have equal keys.

package equation

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// operator is (d/dx)^x (d/dy)^y (inverse Laplacian)^inv, of the mean over the torus if that is set.
type operator struct {
	x, y, inv int
	mean      bool
}

func (o operator) after(p operator) operator {
	return operator{o.x + p.x, o.y + p.y, o.inv + p.inv, o.mean || p.mean}
}
func (o operator) order() int { return o.x + o.y - 2*o.inv }
func (o operator) String() string {
	name := strings.Repeat("x", o.x) + strings.Repeat("y", o.y) + strings.Repeat("ilap", o.inv)
	if o.mean {
		name += "mean"
	}
	return name
}

// symbol returns the symbol of the operator for exp(i k.x). The mean is not in the range of the inverse Laplacian.
func (o operator) symbol(k [2]float64) complex128 {
	v, square := complex(1, 0), k[0]*k[0]+k[1]*k[1]
	if o.inv > 0 && square == 0 || o.mean && square != 0 {
		return 0
	}
	for range o.x {
		v *= complex(0, k[0])
	}
	for range o.y {
		v *= complex(0, k[1])
	}
	for range o.inv {
		v /= complex(-square, 0)
	}
	return v
}

type kind byte

const (
	noAtom    kind = iota // none, or several
	fieldAtom             // a derivative of a field
	givenAtom             // x, y or another function of them, by key
	funcAtom              // a function of a polynomial
	operAtom              // an operator on a polynomial that it cannot be expanded into
	timeAtom              // u_t or a derivative of it
)

type atom struct {
	kind  kind
	index int // of a field
	op    operator
	name  string // of a function
	f     func(float64) float64
	arg   poly
	key   string
	given bool // no field occurs in it
}

type factor struct {
	*atom
	power int
}

type term struct {
	c       float64
	factors []factor // by key
	key     string
	at      int
}

type poly []term // by key, all distinct

func constant(c float64, at int) poly {
	if c == 0 {
		return nil
	}
	return poly{{c: c, at: at}}
}

func (p poly) constant() (float64, bool) {
	if len(p) == 1 && len(p[0].factors) == 0 {
		return p[0].c, true
	}
	return 0, len(p) == 0
}

// only returns the atom of a number times one atom; noAtom for other terms.
func (t term) only() atom {
	if len(t.factors) == 1 && t.factors[0].power == 1 {
		return *t.factors[0].atom
	}
	return atom{}
}

func (p poly) key() string {
	var b strings.Builder
	for _, t := range p {
		fmt.Fprintf(&b, "%+.17g*%s", t.c, t.key)
	}
	return b.String()
}

// Marks of fields and of their rates in keys; names of functions have neither.
const fieldMark, rateMark = "u", "u@"

func single(a *atom, at int) poly {
	switch a.kind {
	case fieldAtom:
		a.key = fmt.Sprintf("%s%d_%s", fieldMark, a.index, a.op)
	case timeAtom:
		a.key = fmt.Sprintf("%s%d_%s", rateMark, a.index, a.op)
	case funcAtom:
		a.key = fmt.Sprintf("%s(%s)", a.name, a.arg.key())
	case operAtom:
		a.key = fmt.Sprintf("d%s(%s)", a.op, a.arg.key())
	}
	a.given = !strings.Contains(a.key, fieldMark)
	return poly{term{1, []factor{{a, 1}}, a.key, at}}
}

// funcOf returns a function with a name applied to a polynomial.
func funcOf(name string, p poly, at int) poly {
	return single(&atom{kind: funcAtom, name: name, f: functions[name], arg: p}, at)
}

// power returns a power that is not multiplied out.
func power(p poly, exponent float64, at int) poly {
	f := func(v float64) float64 { return math.Pow(v, exponent) }
	if exponent == -1 {
		f = func(v float64) float64 { return 1 / v }
	}
	return single(&atom{kind: funcAtom, name: fmt.Sprintf("pow%g", exponent), f: f, arg: p}, at)
}

// collect adds terms with equal keys.
func collect(ts []term) poly {
	slices.SortStableFunc(ts, func(a, b term) int { return strings.Compare(a.key, b.key) })
	var p poly
	for _, t := range ts {
		if n := len(p); n > 0 && p[n-1].key == t.key {
			p[n-1].c += t.c
			continue
		}
		p = append(p, t)
	}
	return slices.DeleteFunc(p, func(t term) bool { return t.c == 0 })
}

func (p poly) plus(q poly) poly { return collect(append(slices.Clone(p), q...)) }

func (p poly) times(c float64) poly {
	q := slices.Clone(p)
	for i := range q {
		q[i].c *= c
	}
	return q
}

func (t term) times(s term) term {
	fs := append(slices.Clone(t.factors), s.factors...)
	slices.SortStableFunc(fs, func(a, b factor) int { return strings.Compare(a.key, b.key) })
	r := term{c: t.c * s.c, at: max(t.at, s.at)}
	for _, f := range fs {
		if n := len(r.factors); n > 0 && r.factors[n-1].key == f.key {
			r.factors[n-1].power += f.power
			continue
		}
		r.factors = append(r.factors, f)
	}
	return r.keyed()
}

func (t term) keyed() term {
	var b strings.Builder
	for _, f := range t.factors {
		fmt.Fprintf(&b, "[%s]^%d", f.key, f.power)
	}
	t.key = b.String()
	if len(t.factors) == 1 && t.factors[0].power == 1 {
		t.key = t.factors[0].key
	}
	return t
}

// split returns the factors with fields, and the number with the others.
func (t term) split() (fields, given term) {
	fields, given = term{c: 1, at: t.at}, term{c: t.c, at: t.at}
	for _, f := range t.factors {
		to := &fields
		if f.given {
			to = &given
		}
		to.factors = append(to.factors, f)
	}
	return fields.keyed(), given.keyed()
}

// degree returns the degree of the term in the fields, or +Inf if the term is not a polynomial.
func (t term) degree() float64 {
	d := 0.0
	for _, f := range t.factors {
		switch {
		case f.given:
		case f.kind == funcAtom:
			return math.Inf(1)
		default: // an argument of an operator is transformed by itself, and its own degree counts
			d += float64(f.power)
			for _, inner := range f.arg {
				d = max(d, inner.degree())
			}
		}
	}
	return d
}

// none is less than the order of any derivative.
const none = -1000

// order returns the highest order of a derivative of a field in the term, negative for an inverse Laplacian, or none if
// the field does not occur.
func (t term) order(field int) int {
	n := none
	for _, f := range t.factors {
		if f.kind == fieldAtom && f.index == field {
			n = max(n, f.op.order())
		}
		for _, inner := range f.arg {
			n = max(n, inner.order(field)+f.op.order())
		}
	}
	return n
}

// apply applies the operator to the polynomial. Derivatives of fields and operators absorb it, constants vanish; all
// other terms stay together below one operator.
func apply(o operator, p poly, at int) poly {
	var out []term
	var rest poly
	for _, t := range p {
		switch a := t.only(); {
		case len(t.factors) == 0:
			if o == (operator{mean: true}) {
				out = append(out, t)
			}
		case slices.Contains([]kind{fieldAtom, operAtom, timeAtom}, a.kind):
			a.op = a.op.after(o)
			out = append(out, single(&a, t.at).times(t.c)...)
		default:
			rest = append(rest, t)
		}
	}
	if len(rest) > 0 {
		out = append(out, single(&atom{kind: operAtom, op: o, arg: rest}, at)...)
	}
	return collect(out)
}

// divergence writes c f^n f_x as (c/(n+1) f^(n+1))_x: it returns the operator and its argument.
func (t term) divergence() (operator, term) {
	for i, d := range t.factors {
		if len(t.factors) != 2 || d.kind != fieldAtom || d.power != 1 {
			continue
		}
		base := t.factors[1-i]
		o := operator{d.op.x - base.op.x, d.op.y - base.op.y, d.op.inv - base.op.inv, d.op.mean != base.op.mean}
		if base.kind == fieldAtom && base.index == d.index && (o == operator{x: 1} || o == operator{y: 1}) {
			n := base.power + 1
			return o, term{c: t.c / float64(n), factors: []factor{{base.atom, n}}, at: t.at}.keyed()
		}
	}
	return operator{}, t
}
