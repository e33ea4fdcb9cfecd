package configure

import (
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"rfm/config"
	"rfm/tui/theme"
	"rfm/tui/tuitest"
)

// A system has a row for each equation, long equations have several, and nothing of the text is lost.
func TestRowsOfATextAreItsLines(t *testing.T) {
	for text, want := range map[string][]string{
		"":                             {""},
		"u_t = u_xx":                   {"u_t = u_xx"},
		"u_t = v; v_t = u":             {"u_t = v; ", "v_t = u"},
		"u_t = v;v_t = u;":             {"u_t = v;", "v_t = u;"},
		"u_t = 0.123456789012345*u_xx": {"u_t = 0.123456789012", "345*u_xx"},
	} {
		var got []string
		for _, row := range rowsOf(text, 20) {
			got = append(got, string(row.chars))
		}
		if !slices.Equal(got, want) || strings.Join(got, "") != text {
			t.Errorf("%q: rows %q, want %q", text, got, want)
		}
	}
}

// Of a text that is too long for its rows, those around the cursor are seen, and each is within its width.
func TestRowsAroundTheCursorAreDrawn(t *testing.T) {
	th := theme.New(theme.Options{NoColor: true})
	text := strings.Repeat("u_t = v; ", 9) + "w"
	for cursor := range len(text) + 1 {
		lines := markedText{text: text, cursor: cursor, wrong: -1}.draw(th, th.Value, 12, 3)
		marked := 0
		for _, line := range lines {
			if strings.Contains(line, "\x1b[7m") {
				marked++
			}
			if ansi.StringWidth(line) > 12 {
				t.Errorf("%q is wider than 12", ansi.Strip(line))
			}
		}
		if len(lines) != 3 || marked != 1 {
			t.Errorf("cursor %d: %d lines, %d with the cursor", cursor, len(lines), marked)
		}
	}
}

// The place of an error is found in the setting whose text is wrong: the equation, a parameter, an initial value.
func TestErrorsHaveTheirPlaceInTheText(t *testing.T) {
	c := tuitest.Of(t, "quick", "equation.text=u_t = nu*u_xx; v_t = nu*vxx", "nu=0.1+*", "equation.initial=a; a + q")
	for _, test := range []struct {
		problem, key string
		place        int
	}{
		{"is wrong: line 2, column 10: vxx is not known\n  v_t = nu*vxx\n           ^", equationText, 24},
		{"is wrong: parameter \"nu\", column 10: a number is missing\n  nu = 0.1+*\n           ^", parameterKeys + "nu", 4},
		{"is wrong: initial value, column 5: q is not known\n  a + q\n      ^", "equation.initial", 7},
		{"is wrong: line 2, column 1: of another text\n  w_t = 0\n  ^", equationText, -1},
		{"is wrong", equationText, -1},
	} {
		got := locate(&config.Error{Key: equationText, Problem: test.problem}, c)
		if got.key != test.key || got.place != test.place {
			t.Errorf("%q: %s at %d, want %s at %d", test.problem, got.key, got.place, test.key, test.place)
		}
	}
}

// New names of an equation count as 1; misspelt derivatives and functions do not.
func TestNewParametersAreAssumed(t *testing.T) {
	for text, want := range map[string][]string{
		"u_t = D u_xx + r*u*(1-u)":    {"D", "r"},
		"u_t = nu*u_xx":               nil,
		"u_t = uxx + dudx + du":       nil,
		"u_t = nu*u_xx + foo(u) + du": nil,
		"u_t = v + utility; v_t = w":  {"utility", "w"},
	} {
		c := tuitest.Of(t, "quick", "equation.text="+text)
		var got []string
		for _, name := range assume(&c) {
			got = append(got, strings.TrimPrefix(name, parameterKeys))
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
