// Package equation solves partial differential equations that are given as text, such as
//
//	u_t = nu*u_xx - u*u_x,
//
// for one to four fields on the periodic interval or square: pseudospectral in space, exponential Runge-Kutta of order
// four in time, eight trajectories side by side. The stages are: parse the text (this file), convert it to a polynomial
// of derivatives and functions (lower.go, poly.go), split it into a linear part with constant coefficients and the rest
// (system.go), discretise it (solver.go), compile it (plan.go) and step (step.go, worker.go).
package equation

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"rfm/solver/printable"
)

// Limits on the text, which may be hostile or contain slips of the keyboard.
const (
	maxText  = 2000  // bytes in a line
	maxDepth = 60    // nested parentheses, signs and powers
	maxNodes = 1000  // numbers, names and signs in a line
	maxTerms = 200   // after products are multiplied out
	maxKeys  = 20000 // letters of an expression with all names put in
	maxPower = 12    // integer exponents that are multiplied out
	maxOrder = 8     // of a derivative along an axis
	maxLines = 12
	maxNames = 32           // parameters
	evolving = 4            // fields with an equation
	maxField = evolving + 2 // with a coefficient that is drawn, and time
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

// node is a node of the tree of an expression, and a token of the text.
type node struct {
	op   byte // '0' number, 'n' name, 'c' call, '~' minus, or + - * / ^; of tokens also ( ) = , and 'e' for the end
	at   int  // byte in the text
	num  float64
	name string // of a token its text
	args []*node
}

// reader reads one text: the equation left = right, or the expression right.
type reader struct {
	name, text  string
	next        node
	pos, nodes  int
	left, right *node
	rates       []node // names of derivatives in t
}

// fail aborts parsing with a panic, which catch recovers.
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
	default:
		panic(e)
	}
}

func newReader(name, text string) *reader {
	r := &reader{name: name, text: text}
	if len(text) > maxText {
		r.text = strings.ToValidUTF8(text[:40], "") + "..."
		r.fail(0, "", "has %d characters, at most %d are read", len(text), maxText)
	}
	r.advance()
	return r
}

var (
	nameText   = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*`)
	numberText = regexp.MustCompile(`^[0-9.]+([eE][+-]?[0-9]+)?`) // an exponent needs digits: 2*exp(u) begins with 2
)

func (r *reader) advance() {
	r.pos += len(r.text[r.pos:]) - len(strings.TrimLeft(r.text[r.pos:], " \t"))
	start := r.pos
	if r.nodes++; r.nodes > maxNodes {
		r.fail(start, "", "has more than %d numbers, names and signs", maxNodes)
	}
	if start == len(r.text) {
		r.next = node{op: 'e', at: start, name: "the end"}
		return
	}
	name, number := nameText.FindString(r.text[start:]), numberText.FindString(r.text[start:])
	r.pos += len(name) + len(number)
	switch c := r.text[start]; {
	case name != "":
		r.next = node{op: 'n', at: start, name: name}
		if _, suffix, _ := strings.Cut(name, "_"); strings.Contains(suffix, "t") {
			r.rates = append(r.rates, r.next)
		}
	case number != "":
		v, err := strconv.ParseFloat(number, 64)
		if err != nil {
			r.fail(start, "", "%s is not a finite number", number)
		}
		r.next = node{op: '0', at: start, name: number, num: v}
	case c == '*' && strings.HasPrefix(r.text[start:], "**"):
		r.pos += 2
		r.next = node{op: '^', at: start, name: "**"}
	case strings.IndexByte("+-*/^()=,", c) >= 0:
		r.pos++
		r.next = node{op: c, at: start, name: string(c)}
	default:
		char, _ := utf8.DecodeRuneInString(r.text[start:])
		do := "letters, digits and + - * / ^ ( ) are"
		if s, ok := map[rune]string{'²': "write ^2", '³': "write ^3", '∂': "write u_x or dx(u)", '·': "write *",
			'−': "write -", 'ν': "write nu", '\\': "write nu, u_t, u_x", 'π': "write pi", '×': "write *",
			'\'': "write u_t or u_x", '[': "write (",
			'{': "write u_xx for a derivative, ( for a parenthesis", '|': "write abs(u)", 'Δ': "write lap(u)",
			'∆': "write lap(u)", '∇': "write dx(u) and dy(u), or lap(u)"}[char]; ok {
			do = s
		}
		r.fail(start, do, "%q is not understood", char)
	}
}

var binding = map[byte]int{'+': 1, '-': 1, '*': 2, '/': 2, '^': 4} // a sign binds like a product: -u^2 is -(u^2)

// expression parses operators that bind at least as strongly as least.
func (r *reader) expression(least, depth int) *node {
	if depth > maxDepth {
		r.fail(r.next.at, "", "is nested more than %d deep", maxDepth)
	}
	left := r.operand(depth)
	for {
		op := r.next
		strength := binding[op.op]
		if strength == 0 || strength < least {
			if strings.IndexByte("0n(", op.op) >= 0 {
				r.fail(op.at, "write * for a product", "an operator is missing before %s", op.name)
			}
			return left
		}
		r.advance()
		if op.op == '^' {
			strength = 2 // right-associative, and a sign may follow
		}
		left = &node{op: op.op, at: op.at, args: []*node{left, r.expression(strength+1, depth+1)}}
	}
}

func (r *reader) operand(depth int) *node {
	t := r.next
	if strings.IndexByte("0-+(n", t.op) < 0 {
		r.fail(t.at, "", "a number, a name or ( is missing before %s", t.name)
	}
	r.advance()
	switch t.op {
	case '-', '+':
		n := r.expression(3, depth+1)
		if t.op == '+' {
			return n
		}
		return &node{op: '~', at: t.at, args: []*node{n}}
	case '(':
		n := r.expression(1, depth+1)
		r.expect(')', t)
		return n
	case 'n':
		if r.next.op != '(' {
			break
		}
		open := r.next
		r.advance()
		t.op = 'c'
		for r.next.op != ')' {
			t.args = append(t.args, r.expression(1, depth+1))
			if r.next.op != ',' {
				break
			}
			r.advance()
		}
		r.expect(')', open)
	}
	return &t
}

func (r *reader) expect(op byte, open node) {
	if r.next.op != op {
		r.fail(r.next.at, "", "%c is missing for the ( in column %d", op, 1+utf8.RuneCountInString(r.text[:open.at]))
	}
	r.advance()
}

// readEquation parses "left = right".
func readEquation(line int, text string) *reader {
	r := newReader(fmt.Sprintf("line %d", line), text)
	r.left = r.expression(1, 0)
	if r.next.op != '=' {
		r.fail(r.next.at, "write u_t = ...", "= is missing before %s", r.next.name)
	}
	r.advance()
	return r.last()
}

// readExpression parses the value of a parameter, or an initial value.
func readExpression(name, text string) *reader { return newReader(name, text).last() }

// last parses the expression up to the end of the text.
func (r *reader) last() *reader {
	r.right = r.expression(1, 0)
	if r.next.op != 'e' {
		r.fail(r.next.at, "", "the text should have ended before %s", r.next.name)
	}
	return r
}
