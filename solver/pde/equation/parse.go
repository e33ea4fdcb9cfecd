// Package equation solves partial differential equations that are given as text, such as
//
//	u_t = nu*u_xx - u*u_x,
//
// for one to four fields on the periodic interval or square: pseudospectral in space, exponential Runge-Kutta of order
// four in time, eight trajectories side by side. The stages are: read the text (tokens.go, this file) as a polynomial
// of derivatives and functions (names.go, poly.go), split it into a linear part with constant coefficients and the rest
// (system.go), discretise both (solver.go), check them (orders.go, stability.go, diffusion.go), compile the rest
// (plan.go, program.go) and step (step.go, frames.go, worker.go); ending.go says why a solution ends. Between sides
// with conditions (readsides.go, conditions.go) an equation is a part of a periodic one (fold.go), or its fields are polynomials
// (axis.go, basis.go, between.go, lift.go, shift.go), which march.go and ends.go advance.
package equation

import (
	"math"
	"strconv"
	"strings"

	"rfm/solver/num/phi"
	"rfm/solver/space/grid"
)

// Limits on the text, which may be hostile or contain slips of the keyboard. config bounds its length.
const (
	maxDepth  = 60           // nested parentheses, signs and powers
	maxTokens = 1000         // numbers, names and signs in a line
	maxTerms  = 200          // after products are multiplied out
	maxKeys   = 20000        // letters of an expression with all names put in
	maxPower  = 12           // integer exponents that are multiplied out
	maxOrder  = 8            // of a derivative along an axis
	maxLines  = 44           // with parameters
	maxField  = phi.Size     // fields, with a coefficient that is drawn, and time
	evolving  = maxField - 2 // with an equation
)

// last reads the expression up to the end of the text.
func (r *reader) last() poly {
	p := r.expression(1, 0)
	do := ""
	if r.tokens[0].kind == ',' { // u_t = v, v_t = u or u_t = u_xx, u(0) = 0
		do = "write ; between lines, and conditions at the ends as equation.left and equation.right (u = 0): without " +
			"them the interval is periodic"
	}
	r.expect(endToken, do, "the text should have ended")
	return p
}

// How strongly operators bind. A sign binds like a product: -u^2 is -(u^2).
const (
	bindsSum     = 1
	bindsProduct = 2
	bindsPower   = 4
)

// binding returns how strongly an operator binds; 0 for other tokens.
func binding(op token) int {
	switch op.kind {
	case '+', '-':
		return bindsSum
	case '*', '/':
		return bindsProduct
	case '^':
		return bindsPower
	}
	return 0
}

// expression reads operators that bind at least as strongly as least, by precedence climbing.
func (r *reader) expression(least, depth int) poly {
	at := r.tokens[0].at
	r.failIf(depth > maxDepth, at, "", "is nested more than %d deep", maxDepth)
	p := r.operand(depth)
	for {
		r.limit(at, p)
		op := r.tokens[0]
		strength := binding(op)
		if strength == 0 {
			r.failBeforeOperand(op)
			return p
		}
		if strength < least {
			return p
		}
		r.next()
		at = op.at
		of := strength + 1 // so that u - v - w is (u - v) - w
		if op.kind == '^' {
			of = bindsProduct + 1 // right-associative, and a sign may follow
		}
		p = r.combine(op, p, r.expression(of, depth+1))
	}
}

// failBeforeOperand fails if a token where an operator or an end should be begins another operand.
func (r *reader) failBeforeOperand(t token) {
	switch t.kind {
	case numberToken, nameToken, '(':
	default:
		return
	}
	remedy := spelled[t.text]
	if remedy == "" {
		remedy = "write * for a product"
	}
	r.fail(t.at, remedy, "an operator is missing before %s", t.text)
}

// operand reads a number, a name, a call or a parenthesis, with its signs.
func (r *reader) operand(depth int) poly {
	t := r.next()
	switch t.kind {
	case '+':
		return r.expression(bindsProduct+1, depth+1)
	case '-':
		return r.expression(bindsProduct+1, depth+1).times(-1)
	case '(':
		return r.enclosed(t, t, depth)
	case numberToken:
		return r.number(t)
	case nameToken:
		if r.tokens[0].kind != '(' {
			return r.named(t)
		}
		r.checkFunction(t)
		return r.enclosed(t, r.next(), depth)
	}
	r.fail(t.at, "", "a number, a name or ( is missing before %s", t.text)
	return nil
}

// number returns the constant that a token is.
func (r *reader) number(t token) poly {
	r.failIf(strings.Contains(t.text, ".."), t.at, "give one number, and ranges to --vary", "%s is a range", t.text)
	v, err := strconv.ParseFloat(t.text, 64)
	r.failIf(err != nil, t.at, "", "%s is not a finite number", t.text)
	return constant(v, t.at)
}

// enclosed reads the expression in a parenthesis, applies the function or operator of that name to it, and derivatives
// that follow. Without a name, the name is the parenthesis itself.
func (r *reader) enclosed(name, open token, depth int) poly {
	isCall := name.kind == nameToken
	isExtreme := isCall && (name.text == "max" || name.text == "min")
	p := r.expression(bindsSum, depth+1)
	t := r.next()
	if isExtreme {
		r.failIf(t.kind != ',', name.at, "write max(u, 0)", "%s takes two expressions", name.text)
		q := r.expression(bindsSum, depth+1)
		p = r.extreme(name, p, q)
		t = r.next()
	}
	r.failIf(t.kind == ',' && isCall && !isExtreme, name.at, "", "%s takes one expression", name.text)
	r.failIf(t.kind != ')', t.at, "", ") is missing for the ( in column %d", r.column(open.at))
	if isCall && !isExtreme {
		p = r.call(name, p)
	}
	if d := r.tokens[0]; d.kind == suffixToken {
		r.next()
		p = r.derived(p, false, d.text[1:], d.at+1)
	}
	return p
}

// extreme returns the larger or the smaller of two expressions: half of their sum plus or minus their distance.
func (r *reader) extreme(name token, p, q poly) poly {
	sign := 1.0
	if name.text == "min" {
		sign = -1
	}
	a, isNumber := p.constant()
	b, areNumbers := q.constant()
	if isNumber && areNumbers {
		return constant((a+b+sign*math.Abs(a-b))/2, name.at)
	}
	distance := funcOf("abs", p.plus(q.times(-1)), name.at)
	twice := p.plus(q).plus(distance.times(sign))
	return twice.times(0.5)
}

// combine applies an operator to its operands.
func (r *reader) combine(op token, p, q poly) poly {
	switch op.kind {
	case '+':
		return p.plus(q)
	case '-':
		return p.plus(q.times(-1))
	case '*':
		return r.product(op.at, p, q)
	case '/':
		return r.quotient(op.at, p, q)
	}
	return r.power(op.at, p, q)
}

// quotient returns p/q.
func (r *reader) quotient(at int, p, q poly) poly {
	c, isNumber := q.constant()
	if !isNumber {
		return r.product(at, p, power(q, -1, at))
	}
	r.failIf(c == 0, at, "", "a division by zero")
	return p.times(1 / c)
}

// power returns p^q, multiplied out if q is a small positive integer.
func (r *reader) power(at int, p, q poly) poly {
	exponent, isNumber := q.constant()
	if !isNumber { // p^q = exp(q log p)
		return funcOf("exp", r.product(at, q, funcOf("log", p, at)), at)
	}
	if base, isFixed := p.constant(); isFixed {
		return constant(math.Pow(base, exponent), at)
	}
	isCount := exponent >= 0 && exponent == math.Trunc(exponent)
	if !isCount || exponent > maxPower {
		return power(p, exponent, at)
	}
	out := constant(1, at)
	for range int(exponent) {
		out = r.product(at, out, p)
	}
	return out
}

// product returns p q, multiplied out.
func (r *reader) product(at int, p, q poly) poly { return r.limit(at, multiplied(p, q)) }

// limit returns a polynomial. It fails if that is too large, or has a coefficient that is not finite or derivatives of
// an order that is not allowed.
func (r *reader) limit(at int, p poly) poly {
	r.failIf(len(p) > maxTerms, at, "write it with fewer sums in products", "more than %d terms when it is multiplied out",
		maxTerms)
	size := 0
	for _, t := range p {
		size += len(t.key)
		r.failIf(size > maxKeys, at, "", "too large when names are put in and products are multiplied out")
		r.failIf(!grid.Finite(t.c), at, "", "a coefficient is not finite")
		for _, f := range t.factors {
			isDerivative := f.op != (operator{})
			r.failIf(r.initial && isDerivative, at, "",
				"initial values are made of values of the input a, not of derivatives")
			order := max(f.op.x, f.op.y, 2*f.op.inv)
			r.failIf(order > maxOrder, at, "", "a derivative of order %d is beyond the limit of %d", order, maxOrder)
		}
	}
	return p
}
