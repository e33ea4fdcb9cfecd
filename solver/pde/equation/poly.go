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

// after returns the operator that applies p first, then o.
func (o operator) after(p operator) operator {
	return operator{
		x:    o.x + p.x,
		y:    o.y + p.y,
		inv:  o.inv + p.inv,
		mean: o.mean || p.mean,
	}
}

// order returns the order of the operator; an inverse Laplacian has the order -2.
func (o operator) order() int { return o.x + o.y - 2*o.inv }

// String returns the operator in keys of atoms.
func (o operator) String() string {
	name := strings.Repeat("x", o.x)
	name += strings.Repeat("y", o.y)
	name += strings.Repeat("ilap", o.inv)
	if o.mean {
		name += "mean"
	}
	return name
}

// symbol returns the symbol of the operator, what it multiplies exp(i k.x) by. It is 0 for the inverse Laplacian of a
// constant, because the mean of a Laplacian is 0.
func (o operator) symbol(k [2]float64) complex128 {
	square := k[0]*k[0] + k[1]*k[1]
	isConstant := square == 0
	if o.inv > 0 && isConstant || o.mean && !isConstant {
		return 0
	}
	v := complex(1, 0)
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

// kind says what an atom is.
type kind byte

const (
	noAtom    kind = iota // none, or several
	fieldAtom             // a derivative of a field
	givenAtom             // x, y or another function of them, by key
	funcAtom              // a function of a polynomial
	operAtom              // an operator on a polynomial that it cannot be expanded into
	timeAtom              // u_t or a derivative of it
)

// atom is what products and sums are made of.
type atom struct {
	kind  kind
	index int                   // of a field
	op    operator              // on a field, or on arg
	name  string                // of a function
	f     func(float64) float64 // of that name
	arg   poly                  // of a function or an operator
	key   string                // equal for equal atoms
	given bool                  // no field occurs in it
}

// factor is a power of an atom.
type factor struct {
	*atom
	power int
}

// term is a number times a product.
type term struct {
	c       float64
	factors []factor // in the order of their keys, which differ
	key     string   // of the factors
	at      int      // byte in the text that brought it
}

// poly is a sum of terms in the order of their keys, which differ.
type poly []term

// constant returns a number as a polynomial; 0 has no term.
func constant(c float64, at int) poly {
	if c == 0 {
		return nil
	}
	return poly{{c: c, at: at}}
}

// constant returns the value of a polynomial without atoms; isNumber is false for others.
func (p poly) constant() (value float64, isNumber bool) {
	switch {
	case len(p) == 0:
		return 0, true
	case len(p) == 1 && len(p[0].factors) == 0:
		return p[0].c, true
	}
	return 0, false
}

// only returns the atom of a number times one atom; noAtom for other terms.
func (t term) only() atom {
	if len(t.factors) == 1 && t.factors[0].power == 1 {
		return *t.factors[0].atom
	}
	return atom{}
}

// key returns a text that is equal for equal polynomials.
func (p poly) key() string {
	var b strings.Builder
	for _, t := range p {
		fmt.Fprintf(&b, "%+.17g*%s", t.c, t.key)
	}
	return b.String()
}

// Marks of fields and of their rates in keys; names of functions have neither.
const (
	fieldMark = "u"
	rateMark  = "u@"
)

// single sets the key of an atom and returns the polynomial that is this atom.
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
	return alone(a, at)
}

// alone returns the polynomial that is an atom with a key. It leaves the atom as it is, because workers share atoms.
func alone(a *atom, at int) poly {
	return poly{{
		c:       1,
		factors: []factor{{atom: a, power: 1}},
		key:     a.key,
		at:      at,
	}}
}

// derivativeOf returns an operator on a field.
func derivativeOf(field int, op operator, at int) poly {
	return single(&atom{
		kind:  fieldAtom,
		index: field,
		op:    op,
	}, at)
}

// fieldKey returns the key of an operator on a field.
func fieldKey(field int, op operator) string { return derivativeOf(field, op, 0)[0].key }

// funcOf returns a function with a name applied to a polynomial.
func funcOf(name string, p poly, at int) poly {
	return single(&atom{
		kind: funcAtom,
		name: name,
		f:    functions[name],
		arg:  p,
	}, at)
}

// power returns a power that is not multiplied out.
func power(p poly, exponent float64, at int) poly {
	f := func(v float64) float64 { return math.Pow(v, exponent) }
	if exponent == -1 { // a division is faster
		f = func(v float64) float64 { return 1 / v }
	}
	return single(&atom{
		kind: funcAtom,
		name: fmt.Sprintf("pow%g", exponent),
		f:    f,
		arg:  p,
	}, at)
}

// collect sorts terms and adds those with equal keys.
func collect(terms []term) poly {
	slices.SortStableFunc(terms, func(a, b term) int { return strings.Compare(a.key, b.key) })
	var p poly
	for _, t := range terms {
		last := len(p) - 1
		if last >= 0 && p[last].key == t.key {
			p[last].c += t.c
			continue
		}
		p = append(p, t)
	}
	return slices.DeleteFunc(p, func(t term) bool { return t.c == 0 })
}

// plus returns the sum of two polynomials.
func (p poly) plus(q poly) poly { return collect(slices.Concat(p, q)) }

// times returns a multiple of a polynomial.
func (p poly) times(c float64) poly {
	q := slices.Clone(p)
	for i := range q {
		q[i].c *= c
	}
	return q
}

// times returns the product of two terms, which stands where the later of them does.
func (t term) times(s term) term {
	factors := slices.Concat(t.factors, s.factors)
	slices.SortStableFunc(factors, func(a, b factor) int { return strings.Compare(a.key, b.key) })
	r := term{c: t.c * s.c, at: max(t.at, s.at)}
	for _, f := range factors {
		last := len(r.factors) - 1
		if last >= 0 && r.factors[last].key == f.key {
			r.factors[last].power += f.power
			continue
		}
		r.factors = append(r.factors, f)
	}
	return r.keyed()
}

// keyed returns the term with the key of its factors. That of a single atom is the key of the atom.
func (t term) keyed() term {
	if len(t.factors) == 1 && t.factors[0].power == 1 {
		t.key = t.factors[0].key
		return t
	}
	var b strings.Builder
	for _, f := range t.factors {
		fmt.Fprintf(&b, "[%s]^%d", f.key, f.power)
	}
	t.key = b.String()
	return t
}

// split returns the factors with fields, and the number with the others.
func (t term) split() (fields, given term) {
	fields = term{c: 1, at: t.at}
	given = term{c: t.c, at: t.at}
	for _, f := range t.factors {
		if f.given {
			given.factors = append(given.factors, f)
		} else {
			fields.factors = append(fields.factors, f)
		}
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

// order returns the highest order of a derivative of a field in the polynomial; see term.order.
func (p poly) order(field int) int {
	order := none
	for _, t := range p {
		order = max(order, t.order(field))
	}
	return order
}

// absorbs reports whether an operator on the atom is an atom of the same kind.
func (a atom) absorbs() bool { return a.kind == fieldAtom || a.kind == operAtom || a.kind == timeAtom }

// apply applies the operator to the polynomial. Derivatives of fields and operators absorb it, constants vanish; all
// other terms stay together below one operator.
func apply(o operator, p poly, at int) poly {
	var out []term
	var rest poly
	for _, t := range p {
		isConstant := len(t.factors) == 0
		a := t.only()
		switch {
		case isConstant && o == (operator{mean: true}):
			out = append(out, t)
		case isConstant:
		case a.absorbs():
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

// divergence writes c f^n f_x as (c/(n+1) f^(n+1))_x: it returns the operator and its argument. Other terms stand below
// no operator.
func (t term) divergence() (operator, term) {
	if len(t.factors) != 2 {
		return operator{}, t
	}
	for i, slope := range t.factors {
		base := t.factors[1-i]
		o, ok := slope.isDerivativeOf(base)
		if !ok {
			continue
		}
		n := base.power + 1
		inner := term{
			c:       t.c / float64(n),
			factors: []factor{{atom: base.atom, power: n}},
			at:      t.at,
		}
		return o, inner.keyed()
	}
	return operator{}, t
}

// isDerivativeOf reports whether the factor is the first derivative, along an axis, of the atom of another, and returns
// that derivative.
func (f factor) isDerivativeOf(base factor) (o operator, ok bool) {
	areFields := f.kind == fieldAtom && base.kind == fieldAtom
	if !areFields || f.index != base.index || f.power != 1 {
		return operator{}, false
	}
	o = operator{
		x:    f.op.x - base.op.x,
		y:    f.op.y - base.op.y,
		inv:  f.op.inv - base.op.inv,
		mean: f.op.mean != base.op.mean,
	}
	return o, o == operator{x: 1} || o == operator{y: 1}
}
