// Package equation solves partial differential equations that are given as text, such as
//
//	u_t = nu*u_xx - u*u_x,
//
// for one to four fields on the periodic interval or square: pseudospectral in space, exponential Runge-Kutta of order
// four in time, eight trajectories side by side. The stages are: read the text (this file) as a polynomial of
// derivatives and functions (names.go, poly.go), split it into a linear part with constant coefficients and the rest
// (system.go), discretise both (solver.go), check them (stability.go, probe.go), compile the rest (plan.go) and step
// (step.go, worker.go).
package equation

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"rfm/config"
	"rfm/solver/printable"
)

// Limits on the text, which may be hostile or contain slips of the keyboard.
const (
	maxText    = 2000  // bytes in a line
	maxDepth   = 60    // nested parentheses, signs and powers
	maxTokens  = 1000  // numbers, names and signs in a line
	maxTerms   = 200   // after products are multiplied out
	maxFactors = 24    // of a term
	maxKeys    = 20000 // letters of an expression with all names put in
	maxPower   = 12    // integer exponents that are multiplied out
	maxOrder   = 8     // of a derivative along an axis
	maxLines   = 12
	maxNames   = 32           // parameters
	evolving   = 4            // fields with an equation
	maxField   = evolving + 2 // with a coefficient that is drawn, and time
)

// Error describes a defect of a text and its position.
type Error struct {
	Name     string // of the line, the parameter or the initial value
	Column   int    // from 1, in characters
	Text     string
	What, Do string
}

func (e *Error) Error() string {
	s := fmt.Sprintf("%s, column %d: %s", e.Name, e.Column, e.What)
	if e.Do != "" {
		s += "; " + e.Do
	}
	return s
}

// Caret returns the text with a mark below the position. Both lines begin with two blanks, like continued messages.
func (e *Error) Caret() string {
	return "  " + printable.Line(strings.ToValidUTF8(e.Text, "?")) + "\n  " + strings.Repeat(" ", e.Column-1) + "^"
}

// token is a part of a text.
type token struct {
	kind byte // '0' number, 'n' name, 'e' end, or one of + - * / ^ ( ) = ,
	at   int  // byte in the text
	text string
}

// reader reads one text as polynomials.
type reader struct {
	*scope
	name, text string
	tokens     []token // those that are not read yet; the last one is the end
}

// fail aborts reading with a panic, which catch recovers.
func (r *reader) fail(at int, do, format string, args ...any) {
	panic(r.error(at, do, format, args...))
}

func (r *reader) error(at int, do, format string, args ...any) *Error {
	at = min(at, len(r.text))
	return &Error{Name: r.name, Column: 1 + utf8.RuneCountInString(r.text[:at]), Text: r.text,
		What: fmt.Sprintf(format, args...), Do: do}
}

// catch recovers from the panic of fail and sets err.
func catch(err *error) {
	switch e := recover().(type) {
	case nil:
	case *Error:
		*err = e
	case *config.Error:
		*err = e
	default:
		panic(e)
	}
}

// tokenText matches a token; an exponent needs digits, since 2*exp(u) begins with 2.
var tokenText = regexp.MustCompile(`^[ \t]*([A-Za-z][A-Za-z0-9_]*|[0-9.]+(?:[eE][+-]?[0-9]+)?|\*\*|[-+*/^()=,]|$)`)

// newReader splits a text into tokens.
func newReader(s *scope, name, text string) *reader {
	r := &reader{scope: s, name: name, text: text}
	if len(text) > maxText {
		r.text = strings.ToValidUTF8(text[:40], "") + "..."
		r.fail(0, "", "has %d characters, at most %d are read", len(text), maxText)
	}
	for pos, t := 0, (token{}); t.kind != 'e'; r.tokens = append(r.tokens, t) {
		found := tokenText.FindStringSubmatchIndex(text[pos:])
		if found == nil {
			r.failCharacter(len(text) - len(strings.TrimLeft(text[pos:], " \t")))
		}
		t = token{at: pos + found[2], text: text[pos+found[2] : pos+found[3]]}
		pos += found[1]
		switch c := (t.text + " ")[0]; {
		case c == ' ':
			t.kind, t.text = 'e', "the end"
		case c >= 'A' && c != '^':
			t.kind = 'n'
		case c >= '0' && c <= '9' || c == '.':
			t.kind = '0'
		case t.text == "**":
			t.kind = '^'
		default:
			t.kind = c
		}
		if len(r.tokens) >= maxTokens {
			r.fail(t.at, "", "has more than %d numbers, names and signs", maxTokens)
		}
	}
	return r
}

// failCharacter fails because of a character that belongs to no token.
func (r *reader) failCharacter(at int) {
	char, _ := utf8.DecodeRuneInString(r.text[at:])
	do, ok := map[rune]string{'²': "write ^2", '³': "write ^3", '∂': "write u_x or dx(u)", '·': "write *",
		'−': "write -", 'ν': "write nu", '\\': "write nu, u_t, u_x", 'π': "write pi", '×': "write *",
		'\'': "write u_t or u_x", '[': "write (",
		'{': "write u_xx for a derivative, ( for a parenthesis", '|': "write abs(u)", 'Δ': "write lap(u)",
		'∆': "write lap(u)", '∇': "write dx(u) and dy(u), or lap(u)"}[char]
	if !ok {
		do = "letters, digits and + - * / ^ ( ) are"
	}
	r.fail(at, do, "%q is not understood", char)
}

// next takes a token.
func (r *reader) next() token {
	t := r.tokens[0]
	r.tokens = r.tokens[min(1, len(r.tokens)-1):]
	return t
}

// expect takes a token of a kind, if it is the next one.
func (r *reader) expect(kind byte, do, format string, args ...any) {
	if t := r.tokens[0]; t.kind != kind {
		r.fail(t.at, do, format+" before %s", append(args, t.text)...)
	}
	r.next()
}

// last reads the expression up to the end of the text.
func (r *reader) last() poly {
	p := r.expression(1, 0)
	r.expect('e', "", "the text should have ended")
	return p
}

var binding = map[byte]int{'+': 1, '-': 1, '*': 2, '/': 2, '^': 4} // a sign binds like a product: -u^2 is -(u^2)

// expression reads operators that bind at least as strongly as least.
func (r *reader) expression(least, depth int) poly {
	if depth > maxDepth {
		r.fail(r.tokens[0].at, "", "is nested more than %d deep", maxDepth)
	}
	at := r.tokens[0].at
	p := r.operand(depth)
	for {
		r.limit(at, p)
		op := r.tokens[0]
		strength := binding[op.kind]
		if strength == 0 || strength < least {
			if strings.IndexByte("0n(", op.kind) >= 0 {
				r.fail(op.at, "write * for a product", "an operator is missing before %s", op.text)
			}
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
	case '-', '+':
		p = r.expression(3, depth+1)
		if t.kind == '-' {
			p = p.times(-1)
		}
	case '(':
		p = r.expression(1, depth+1)
		r.close(t)
	case '0':
		v, err := strconv.ParseFloat(t.text, 64)
		if strings.Contains(t.text, "..") {
			r.fail(t.at, "give one number, and ranges to --vary", "%s is a range", t.text)
		} else if err != nil {
			r.fail(t.at, "", "%s is not a finite number", t.text)
		}
		p = constant(v, t.at)
	case 'n':
		if r.tokens[0].kind != '(' {
			return r.named(t)
		}
		r.checkFunction(t)
		open := r.next()
		p = r.expression(1, depth+1)
		if r.tokens[0].kind == ',' {
			r.fail(t.at, "", "%s takes one expression", t.text)
		}
		r.close(open)
		p = r.call(t, p)
	default:
		r.fail(t.at, "", "a number, a name or ( is missing before %s", t.text)
	}
	return p
}

func (r *reader) close(open token) {
	if t := r.next(); t.kind != ')' {
		r.fail(t.at, "", ") is missing for the ( in column %d", 1+utf8.RuneCountInString(r.text[:open.at]))
	}
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
		switch {
		case isNumber && c == 0:
			r.fail(op.at, "", "a division by zero")
		case isNumber:
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
	if len(p)*len(q) > 4*maxTerms {
		r.limitTerms(at)
	}
	var terms []term
	for _, a := range p {
		for _, b := range q {
			if len(a.factors)+len(b.factors) > maxFactors {
				r.fail(at, "", "a product has more than %d factors", maxFactors)
			}
			t := a.times(b)
			t.at = max(t.at, at)
			terms = append(terms, t)
		}
	}
	return collect(terms)
}

// limit fails if a polynomial is too large or has a coefficient that is not finite.
func (r *reader) limit(at int, p poly) {
	if len(p) > maxTerms {
		r.limitTerms(at)
	}
	size := 0
	for _, t := range p {
		if size += len(t.key); size > maxKeys {
			r.fail(at, "", "too large when names are put in and products are multiplied out")
		}
		if math.IsNaN(t.c) || math.IsInf(t.c, 0) {
			r.fail(at, "", "a coefficient is not finite")
		}
	}
}

func (r *reader) limitTerms(at int) {
	r.fail(at, "write it with fewer sums in products", "more than %d terms when it is multiplied out", maxTerms)
}
