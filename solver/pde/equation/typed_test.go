package equation

import (
	"strings"
	"testing"

	"rfm/config"
	"rfm/solver/base/draw"
	"rfm/solver/pde/truth"
)

// asTyped returns the problem of a text with the inputs, the grid and the time of the preset of equations.
func asTyped(text string) Problem {
	c := config.Problem{Name: config.TextEquation}.Start()
	e := c.Equation
	e.Text = text
	e.Parameters = ""
	return Problem{Equation: e, Input: c.Input, Points: c.Data.Grid, Seed: 1}
}

// Equations that people type first run as they are typed, with rough inputs, and without initial values for systems. Short
// tests end earlier, because without vector instructions one of them takes nearly all the time of this package.
func TestTypedEquationsRun(t *testing.T) {
	for _, text := range []string{
		"u_t = -u_x",
		"u_t = -(1 + 0.5*sin(2*pi*x))*u_x",
		"u_tt = u_xx",
		"u_tt = -u_xxxx",
		"u_tt = u_xx - sin(u)",
		"u_tt + 2*u_t = u_xx",
		"u_t = -u_xxx",
		"u_t + u_x + u*u_x - u_xxt = 0",
		"p_t = -q_xx - (p^2 + q^2)*q; q_t = p_xx + (p^2 + q^2)*p",
		"u_t = 0.01*u_xx + u*(1 - v); v_t = 0.01*v_xx + v*(u - 1)",
		"u_tt = u_xx - v; v_t = u - v",
	} {
		p := asTyped(text)
		if testing.Short() {
			p.Time /= 4
		}
		if err := p.Check(); err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		_, _, err := truth.Generate(t.Context(), p.Operator(), truth.Wanted{Purpose: draw.InputTrain, Count: 8}, 1, nil)
		if err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// If waves grow faster the shorter they are, the equation has no solution and is refused, also where its symbol is a
// matrix.
func TestGrowingWavesAreRefused(t *testing.T) {
	for _, text := range []string{"u_tt = -u_xx", "u_tt = u_xxxx", "u_tt = u_xx + (u^2)_xx + u_xxxx"} {
		if err := asTyped(text).Check(); err == nil || !strings.Contains(err.Error(), "the equation is ill-posed; change its sign") {
			t.Errorf("%s: got %v, want an error that the equation is ill-posed", text, err)
		}
	}
}
