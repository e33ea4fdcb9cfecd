// Package equation solves partial differential equations that are given as text, such as
//
//	u_t = nu*u_xx - u*u_x,
//
// for one to four fields on the periodic interval or square: pseudospectral in space, exponential Runge-Kutta of order
// four in time, eight trajectories side by side. The stages are: read the text (this file) as a polynomial of
// derivatives and functions (names.go, poly.go), split it into a linear part with constant coefficients and the rest
// (system.go), discretise both (solver.go), check them (stability.go), compile the rest (plan.go, program.go) and step
// (step.go, frames.go, worker.go); ending.go says why a solution ends. Between sides with conditions (conditions.go) an
// equation is a part of a periodic one (fold.go), or its fields are polynomials (axis.go, between.go, lift.go, shift.go),
// which march.go and ends.go advance.
package equation

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"rfm/config"
	"rfm/solver/base/printable"
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

// token is a part of a text.
type token struct {
	kind byte // '0' number, 'n' name, '_' derivative of a parenthesis, 'e' end, or one of + - * / ^ ( ) = ,
	at   int  // byte in the text
	text string
}

// reader reads one text as polynomials.
type reader struct {
	*scope
	name, text string
	tokens     []token // those that are not read yet; the last one is the end
	poly       poly    // of a definition, if done
	busy, done bool
}

// fail aborts preparing the problem with a panic, which newSolver recovers. The message has the place in the text: a
// mark below it, in lines that begin with two blanks, like continued messages.
func (r *reader) fail(at int, do, format string, args ...any) {
	column := r.column(at)
	what := fmt.Sprintf("is wrong: %s, column %d: ", r.name, column) + fmt.Sprintf(format, args...)
	if do != "" {
		what += "; " + do
	}
	panic(&config.Error{Key: "equation.text", Problem: what + "\n  " + printable.Line(strings.ToValidUTF8(r.text, "?")) +
		"\n  " + strings.Repeat(" ", column-1) + "^"})
}

// failIf fails if the text is wrong.
func (r *reader) failIf(wrong bool, at int, do, format string, args ...any) {
	if wrong {
		r.fail(at, do, format, args...)
	}
}

// column returns the column of a byte of the text, from 1, in characters.
func (r *reader) column(at int) int { return 1 + utf8.RuneCountInString(r.text[:min(at, len(r.text))]) }

// tokenText matches a token; an exponent needs digits, since 2*exp(u) begins with 2.
var tokenText = regexp.MustCompile(`^[ \t]*([A-Za-z]\w*|_[xy]+|[0-9.]+(?:[eE][+-]?[0-9]+)?|\*\*|[-+*/^()=,]|$)`)

// newReader splits a text into tokens.
func newReader(s *scope, name, text string) *reader {
	r := &reader{scope: s, name: name, text: text}
	for pos, t := 0, (token{}); t.kind != 'e'; r.tokens = append(r.tokens, t) {
		found := tokenText.FindStringSubmatchIndex(text[pos:])
		if found == nil {
			pos = len(text) - len(strings.TrimLeft(text[pos:], " \t"))
			char, _ := utf8.DecodeRuneInString(text[pos:])
			if char == '>' || char == '<' {
				r.fail(pos, "write H(t - 1.1) for t >= 1.1: H is 0 below and 1 above 0, tanh(z/0.01) a smooth step",
					"there are no comparisons")
			}
			if written := fromLaTeX(text); strings.ContainsAny(text, `\\{`) && written != "" {
				r.fail(pos, "write "+written, "%q is LaTeX", char)
			}
			r.fail(pos, cmp.Or(spelled[strings.ToLower(string(char))], "letters, digits and + - * / ^ ( ) are"),
				"%q is not understood", char)
		}
		t = token{at: pos + found[2], text: text[pos+found[2] : pos+found[3]]}
		pos += found[1]
		switch c := (t.text + " ")[0]; {
		case c == ' ':
			t.kind, t.text = 'e', "the end"
		case c >= 'A' && c != '^' && c != '_':
			t.kind = 'n'
		case c >= '0' && c <= '9' || c == '.':
			t.kind = '0'
		case t.text == "**":
			t.kind = '^'
		default:
			t.kind = c
		}
		if r.multiplies(t) {
			r.tokens = append(r.tokens, token{'*', t.at, "*"})
		}
		r.failIf(len(r.tokens) >= maxTokens, t.at, "", "has more than %d numbers, names and signs", maxTokens)
	}
	return r
}

// multiplies reports whether a product is meant between the last token and the next one: 2 u, 2u, nu u_xx and
// u (1 - u), but neither sin u nor u(x).
func (r *reader) multiplies(next token) bool {
	n := len(r.tokens)
	if n == 0 || next.kind != 'n' && next.kind != '(' {
		return false
	}
	last := r.tokens[n-1]
	isApart := last.at+len(last.text) < next.at
	switch last.kind {
	case '0':
		return true
	case 'n':
		return isApart && !isCall(last.text) && !(next.kind == 'n' && slices.Contains(foreign, next.text))
	case ')':
		return isApart && next.kind == 'n' && !slices.Contains(foreign, next.text)
	}
	return false
}

// foreign are words between names that are no factors.
var foreign = []string{"if", "else", "and", "or", "in", "for", "where"}

// next takes a token.
func (r *reader) next() token {
	t := r.tokens[0]
	r.tokens = r.tokens[min(1, len(r.tokens)-1):]
	return t
}

// expect takes a token of a kind, if it is the next one.
func (r *reader) expect(kind byte, do, format string, args ...any) {
	t := r.next()
	r.failIf(t.kind != kind, t.at, do, format+" before %s", append(args, t.text)...)
}

// last reads the expression up to the end of the text.
func (r *reader) last() poly {
	p := r.expression(1, 0)
	do := ""
	if r.tokens[0].kind == ',' { // u_t = v, v_t = u or u_t = u_xx, u(0) = 0
		do = "write ; between lines, and conditions at the ends as equation.left and equation.right (u = 0): without " +
			"them the interval is periodic"
	}
	r.expect('e', do, "the text should have ended")
	return p
}

var binding = map[byte]int{'+': 1, '-': 1, '*': 2, '/': 2, '^': 4} // a sign binds like a product: -u^2 is -(u^2)

// expression reads operators that bind at least as strongly as least.
func (r *reader) expression(least, depth int) poly {
	at := r.tokens[0].at
	r.failIf(depth > maxDepth, at, "", "is nested more than %d deep", maxDepth)
	for p := r.operand(depth); ; {
		r.limit(at, p)
		op := r.tokens[0]
		strength := binding[op.kind]
		if strength == 0 || strength < least {
			r.failIf(strings.IndexByte("0n(", op.kind) >= 0, op.at, cmp.Or(spelled[op.text], "write * for a product"),
				"an operator is missing before %s", op.text)
			return p
		}
		r.next()
		if op.kind == '^' {
			strength = 2 // right-associative, and a sign may follow
		}
		at = op.at
		p = r.combine(op, p, r.expression(strength+1, depth+1))
	}
}

func (r *reader) operand(depth int) (p poly) {
	switch t := r.next(); t.kind {
	case '+':
		p = r.expression(3, depth+1)
	case '-':
		p = r.expression(3, depth+1).times(-1)
	case '(':
		p = r.enclosed(t, t, depth)
	case '0':
		v, err := strconv.ParseFloat(t.text, 64)
		r.failIf(strings.Contains(t.text, ".."), t.at, "give one number, and ranges to --vary", "%s is a range", t.text)
		r.failIf(err != nil, t.at, "", "%s is not a finite number", t.text)
		p = constant(v, t.at)
	case 'n':
		if r.tokens[0].kind != '(' {
			return r.named(t)
		}
		r.checkFunction(t)
		p = r.enclosed(t, r.next(), depth)
	default:
		r.fail(t.at, "", "a number, a name or ( is missing before %s", t.text)
	}
	return p
}

// enclosed reads the expression in a parenthesis, applies the function of that name to it, and derivatives that follow.
func (r *reader) enclosed(name, open token, depth int) poly {
	p := r.expression(1, depth+1)
	t := r.next()
	if t.kind == ',' && (name.text == "max" || name.text == "min") {
		p = r.extreme(name, p, r.expression(1, depth+1))
		t = r.next()
		name.kind = '('
	}
	r.failIf(name.kind == 'n' && (name.text == "max" || name.text == "min"), name.at, "write max(u, 0)",
		"%s takes two expressions", name.text)
	r.failIf(t.kind == ',' && name.kind == 'n', name.at, "", "%s takes one expression", name.text)
	r.failIf(t.kind != ')', t.at, "", ") is missing for the ( in column %d", r.column(open.at))
	if name.kind == 'n' {
		p = r.call(name, p)
	}
	if d := r.tokens[0]; d.kind == '_' {
		r.next()
		p = r.derived(p, false, d.text[1:], d.at+1)
	}
	return p
}

// extreme returns the larger or the smaller of two expressions: half of their sum plus or minus their distance.
func (r *reader) extreme(name token, p, q poly) poly {
	a, isNumber := p.constant()
	b, areNumbers := q.constant()
	sign := 1.
	if name.text == "min" {
		sign = -1
	}
	if isNumber && areNumbers {
		return constant((a+b+sign*math.Abs(a-b))/2, name.at)
	}
	distance := funcOf("abs", p.plus(q.times(-1)), name.at)
	return p.plus(q).plus(distance.times(sign)).times(0.5)
}

// combine applies an operator to its operands.
func (r *reader) combine(op token, p, q poly) poly {
	c, isNumber := q.constant()
	switch op.kind {
	case '+':
		return p.plus(q)
	case '-':
		return p.plus(q.times(-1))
	case '*':
		return r.product(op.at, p, q)
	case '/':
		r.failIf(isNumber && c == 0, op.at, "", "a division by zero")
		if isNumber {
			return p.times(1 / c)
		}
		return r.product(op.at, p, power(q, -1, op.at))
	}
	base, fixed := p.constant()
	switch {
	case !isNumber: // p^q = exp(q log p)
		return funcOf("exp", r.product(op.at, q, funcOf("log", p, op.at)), op.at)
	case fixed:
		return constant(math.Pow(base, c), op.at)
	case c < 0 || c > maxPower || c != math.Trunc(c):
		return power(p, c, op.at)
	}
	out := constant(1, op.at)
	for range int(c) {
		out = r.product(op.at, out, p)
	}
	return out
}

func (r *reader) product(at int, p, q poly) poly {
	var terms []term
	for _, a := range p {
		for _, b := range q {
			terms = append(terms, a.times(b))
		}
	}
	return r.limit(at, collect(terms))
}

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
			r.failIf(r.initial && f.op != (operator{}), at, "",
				"initial values are made of values of the input a, not of derivatives")
			order := max(f.op.x, f.op.y, 2*f.op.inv)
			r.failIf(order > maxOrder, at, "", "a derivative of order %d is beyond the limit of %d", order, maxOrder)
		}
	}
	return p
}
