package equation

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"rfm/config"
)

// If drawn functions do not satisfy the conditions, initial values are proposed that do. They have the values at which
// the sides are held.
func TestInitialValuesFitTheConditions(t *testing.T) {
	for _, c := range []struct {
		text, left, right string
		length            float64
		input             string
		held              []string
	}{
		{"u_t = -6*u*u_x - u_xxx", "u = 0", "u = 0; u_x = 0", 1, "a*(1 - x)", []string{"0"}},
		{"u_t = -u_xxxx", "u = 0; u_x = 0", "u_xx = 0; u_xxx = 0", 4, "a*x/4", []string{"0"}},
		{"u_tt = -u_xxxx", "u = 0; u_x = 0", "u_x = 0; u = 0", 1, "a*4*x*(1 - x)", []string{"0"}},
		{"u_tt = -u_xxxx", "u = 0; u_xx = 0", "u = 0; u_xx = 0", 1, "", []string{"0"}},
		{"u_t = u_xx; v_t = v_xx - u", "u = 2; v_x = 0", "u = 1; v = 3*cos(t)", 2, "", []string{"2 - 0.5*x", "3"}},
		{"u_t = u_xx", "u_x = 0", "u_x + u = 1", 1, "", []string{""}},
	} {
		p := Problem{config.Equation{Text: c.text, Left: c.left, Right: c.right, Dims: 1, Length: c.length, Time: 1, Tolerance: 1e-6},
			config.Field{Tau: 7, Alpha: 8, Scale: 1}, 129, 1}
		if strings.Contains(c.text, "v_t") {
			p.Initial = "a; 0"
		}
		noError(t, p.Check())
		fitting := p.Fitting()
		if fitting.Input != c.input || !slices.Equal(fitting.Held, c.held) || (fitting.Missed == "") != (c.input == "") {
			t.Errorf("%s, %s | %s: %+v, want %q and %q", c.text, c.left, c.right, fitting, c.input, c.held)
		}
		if c.input == "" {
			continue
		}
		p.Initial = c.input
		if violated := newSolver(p).violated(); violated != nil && violated.order() < 2 {
			t.Errorf("%s violates %s", p.Initial, violated.text)
		}
		p.Initial = "a"
		if newSolver(p).violated() == nil {
			t.Errorf("%s: drawn functions satisfy the conditions", c.text)
		}
	}
}

// If one follows what the error about a diffusion proposes, the equation is solved.
func TestProposedDiffusionIsPositive(t *testing.T) {
	for _, c := range []struct{ text, side, want, text2, side2, initial string }{
		{"u_t = dxx(u^2)", "u = 0", `as with u = 1, and begin there: equation.initial = "1 + 0.3*tanh(a)"`,
			"u_t = dxx(u^2)", "u = 1", "1 + 0.3*tanh(a)"},
		{"u_t = dxx(u^2)", "u = 0.1", `equation.initial = "(0.1)*(1 + 0.3*tanh(a))"`, "u_t = dxx(u^2)", "u = 0.1", "(0.1)*(1 + 0.3*tanh(a))"},
		{"u_t = dx(u^2*u_x)", "u = 0", "add linear diffusion, such as 0.1*lap(u)", "u_t = dx(u^2*u_x) + 0.1*lap(u)", "u = 0", ""},
	} {
		p := Problem{config.Equation{Text: c.text, Left: c.side, Right: c.side, Dims: 1, Length: 1, Time: 0.1, Tolerance: 1e-6},
			config.Field{Tau: 7, Alpha: 2.5, Scale: 1}, 257, 1}
		if err := p.Try(t.Context(), 1, 4000, nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s, %s: the error is %v, want %s", c.text, c.side, err, c.want)
		}
		p.Text = c.text2
		p.Left = c.side2
		p.Right = c.side2
		p.Initial = c.initial
		noError(t, p.Try(t.Context(), 1, 4000, nil))
	}
}

// The flux of a chemical potential vanishes where its fields and their fluxes have no slope, in any order of the conditions.
func TestConditionsOnNamesAreSimplified(t *testing.T) {
	problem := func(text, side string) Problem {
		return Problem{config.Equation{Text: text, Left: side, Right: side, Dims: 1, Length: 1, Time: 0.01, Tolerance: 1e-6},
			config.Field{Tau: 7, Alpha: 4, Scale: 1}, 129, 1}
	}
	want := solved(t, problem("u_t = dxx(u^3 - u - 0.001*u_xx)", "u_x = 0; u_xxx = 0"))
	for _, side := range []string{"u_x = 0; m_x = 0", "m_x = 0; u_x = 0"} {
		got := solved(t, problem("m = u^3 - u - 0.001*u_xx; u_t = m_xx", side))
		if !slices.Equal(got.Data, want.Data) {
			t.Errorf("%s: the solution is another one", side)
		}
	}
}

// Trials take the same work from a budget whenever they run, and end when none is left.
func TestTrialsCountTheirWork(t *testing.T) {
	periodic := problem(1, 65, 1, 1e-6, "u_t = 0.1*u_xx - u*u_x", "")
	periodic.Time = 0.1
	for _, p := range []Problem{
		periodic,
		between("u_t = 0.1*u_xx - u*u_x + 0.1*x*u", "u = 0", "u = 0", "a", 0.1),
		steady("0 = 0.1*u_xx - u^3 + a", "u = 0", "u = 0", ""),
	} {
		const much = 1e12
		work := func(limit float64) (spent float64, err error) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			budget := &Budget{Left: limit, Spent: cancel}
			err = p.Try(ctx, 1, 4000, budget)
			return limit - budget.Left, err
		}
		first, err := work(much)
		noError(t, err)
		again, err := work(much)
		noError(t, err)
		if first == 0 || again != first {
			t.Errorf("%s: work %g, then %g", p.Text, first, again)
		}
		if _, err := work(first / 2); !errors.Is(err, context.Canceled) {
			t.Errorf("%s with half of its work: %v", p.Text, err)
		}
	}
}
