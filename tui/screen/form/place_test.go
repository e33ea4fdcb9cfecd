package form

import (
	"slices"
	"strings"
	"testing"

	"rfm/config"
	"rfm/tui/tuitest"
)

// An error is shown in the setting whose text is wrong: the equation, a parameter, or an initial value.
func TestErrorsHaveTheirPlaceInTheText(t *testing.T) {
	c := tuitest.Of(t, "quick", "equation.text=u_t = nu*u_xx; v_t = nu*vxx", "nu=0.1+*", "equation.initial=a; a + q")
	for _, test := range []struct {
		of, problem string
		key         string
		place       int
	}{
		{equationText, "is wrong: line 2, column 10: vxx is not known\n  v_t = nu*vxx\n           ^", equationText, 24},
		{equationText, "is wrong: parameter \"nu\", column 10: a number is missing\n  nu = 0.1+*\n           ^", parameterKeys + "nu", 4},
		{"equation.initial", "is wrong: initial value, column 5: q is not known\n  a + q\n      ^", "equation.initial", 7},
		{equationText, "is wrong: line 2, column 1: of another text\n  w_t = 0\n  ^", equationText, -1},
		{equationText, "is wrong", equationText, -1},
	} {
		got := locate(&config.Error{Key: test.of, Problem: test.problem}, c)
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
		for _, name := range c.Assume() {
			got = append(got, strings.TrimPrefix(name, parameterKeys))
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
