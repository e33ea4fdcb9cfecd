// This file splits the text of an equation into tokens, and reports what is wrong with it by a mark below it.

package equation

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"rfm/config"
	"rfm/solver/base/printable"
)

// Kinds of tokens. That of an operator, a parenthesis, = or a comma is its character, ^ also for **.
const (
	numberToken = '0'
	nameToken   = 'n'
	suffixToken = '_' // derivatives of the parenthesis before it
	endToken    = 'e'
)

// token is a part of a text.
type token struct {
	kind byte
	at   int // byte in the text
	text string
}

// end returns the byte behind the token.
func (t token) end() int { return t.at + len(t.text) }

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
	text := printable.Line(strings.ToValidUTF8(r.text, "?"))
	mark := strings.Repeat(" ", column-1) + "^"
	panic(&config.Error{
		Key:     "equation.text",
		Problem: what + "\n  " + text + "\n  " + mark,
	})
}

// failIf fails if the text is wrong.
func (r *reader) failIf(wrong bool, at int, do, format string, args ...any) {
	if wrong {
		r.fail(at, do, format, args...)
	}
}

// column returns the column of a byte of the text, from 1, in characters.
func (r *reader) column(at int) int {
	before := r.text[:min(at, len(r.text))]
	return 1 + utf8.RuneCountInString(before)
}

// tokenText matches a token; an exponent needs digits, because 2*exp(u) begins with 2.
var tokenText = regexp.MustCompile(`^[ \t]*([A-Za-z]\w*|_[xy]+|[0-9.]+(?:[eE][+-]?[0-9]+)?|\*\*|[-+*/^()=,]|$)`)

// newReader splits a text into tokens.
func newReader(s *scope, name, text string) *reader {
	r := &reader{scope: s, name: name, text: text}
	for at := 0; ; {
		found := tokenText.FindStringSubmatchIndex(text[at:])
		if found == nil {
			r.failCharacter(at)
		}
		begin := at + found[2]
		end := at + found[3]
		t := newToken(begin, text[begin:end])
		if r.multiplies(t) {
			r.tokens = append(r.tokens, token{kind: '*', at: t.at, text: "*"})
		}
		r.failIf(len(r.tokens) >= maxTokens, t.at, "", "has more than %d numbers, names and signs", maxTokens)
		r.tokens = append(r.tokens, t)
		if t.kind == endToken {
			return r
		}
		at = end
	}
}

// newToken returns the token that a part of the text is.
func newToken(at int, text string) token {
	t := token{at: at, text: text}
	if text == "" {
		t.kind = endToken
		t.text = "the end"
		return t
	}
	c := text[0]
	isLetter := 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z'
	isNumeric := '0' <= c && c <= '9' || c == '.'
	switch {
	case isLetter:
		t.kind = nameToken
	case isNumeric:
		t.kind = numberToken
	case text == "**":
		t.kind = '^'
	default:
		t.kind = c
	}
	return t
}

// failCharacter fails because no token begins at a byte of the text, or behind the blanks there.
func (r *reader) failCharacter(at int) {
	rest := strings.TrimLeft(r.text[at:], " \t")
	at = len(r.text) - len(rest)
	char, _ := utf8.DecodeRuneInString(rest)
	if char == '>' || char == '<' {
		r.fail(at, "write H(t - 1.1) for t >= 1.1: H is 0 below and 1 above 0, tanh(z/0.01) a smooth step",
			"there are no comparisons")
	}
	isLaTeX := strings.ContainsAny(r.text, `\{`)
	if written := fromLaTeX(r.text); isLaTeX && written != "" {
		r.fail(at, "write "+written, "%q is LaTeX", char)
	}
	remedy := spelled[strings.ToLower(string(char))]
	if remedy == "" {
		remedy = "letters, digits and + - * / ^ ( ) are"
	}
	r.fail(at, remedy, "%q is not understood", char)
}

// multiplies reports whether a product is meant between the last token and the next one: 2 u, 2u, nu u_xx and
// u (1 - u), but neither sin u nor u(x).
func (r *reader) multiplies(next token) bool {
	beginsFactor := next.kind == nameToken || next.kind == '('
	if len(r.tokens) == 0 || !beginsFactor {
		return false
	}
	last := r.tokens[len(r.tokens)-1]
	isApart := last.end() < next.at
	isForeign := next.kind == nameToken && slices.Contains(foreign, next.text)
	switch last.kind {
	case numberToken:
		return true
	case nameToken:
		return isApart && !isForeign && !isCall(last.text)
	case ')':
		return isApart && !isForeign && next.kind == nameToken
	}
	return false
}

// foreign are words between names that are no factors.
var foreign = []string{"if", "else", "and", "or", "in", "for", "where"}

// next takes a token. The end stays, so that there always is a next one.
func (r *reader) next() token {
	t := r.tokens[0]
	if len(r.tokens) > 1 {
		r.tokens = r.tokens[1:]
	}
	return t
}

// expect takes a token of a kind, and fails if the next one is another.
func (r *reader) expect(kind byte, do, format string, args ...any) {
	t := r.next()
	r.failIf(t.kind != kind, t.at, do, format+" before %s", append(args, t.text)...)
}
