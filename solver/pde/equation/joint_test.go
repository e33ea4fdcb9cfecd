package equation

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"rfm/solver/space/grid"
)

// Conditions with which one field gets the slope of another are well-posed, although modes that satisfy them grow.
func TestFieldsGetTheSlopesOfOthers(t *testing.T) {
	p := between("u_t = 0.1*u_xx; v_t = 0.1*v_xx", "u = 0; u_x + v = 0", "u = 0; v_x = 0", "sin(pi*x) + 0*a; -pi*cos(pi*x)", 1)
	for _, conditions := range []struct{ left, right string }{
		{"u = 0; u_x + v = 0", "u = 0; v_x = 0"},
		{"2*v + 2*u_x = 0; u = 0", "3*u_x + 3*v = 0; u = 0"},
		{"u_x + v = 0; v_x + u = 0", "u = 0; v_x = 0"},
	} {
		p.Left = conditions.left
		p.Right = conditions.right
		for output, wave := range map[string]func(float64) float64{
			"u": func(x float64) float64 { return math.Sin(math.Pi * x) },
			"v": func(x float64) float64 { return -math.Pi * math.Cos(math.Pi*x) },
		} {
			p.Output = output
			want := func(x float64) float64 { return math.Exp(-0.1*math.Pi*math.Pi) * wave(x) }
			checkSolution(t, fmt.Sprint(output, " with ", conditions), solved(t, p), want)
		}
	}
}

// checkSolution fails unless the first output is a function of x on [0, 1].
func checkSolution(t *testing.T, name string, out grid.Batch, want func(x float64) float64) {
	t.Helper()
	u := out.At(0)
	for i, got := range u {
		x := float64(i) / float64(len(u)-1)
		if !(math.Abs(got-want(x)) < 1e-7) {
			t.Fatalf("%s: got %g, want %g at x=%g", name, got, want(x), x)
		}
	}
}

// Drawn functions get a factor with which a slope vanishes that another field has to balance from the beginning.
func TestFittingBalancesSlopesAndFields(t *testing.T) {
	p := between("u_t = 0.1*u_xx; v_t = 0.1*v_xx", "u = 0; u_x + v = 0", "u = 0; v = 0", "a; 0", 1)
	if got := p.Fitting().Input; got != "a*x" {
		t.Errorf("got %q, want a*x", got)
	}
}

// The functions of a multiple of a matrix do not depend on which other multiples came before.
func TestPhiLadderForgetsAndClimbs(t *testing.T) {
	a := mat.NewDense(2, 2, []float64{-300, 20, 1, -4})
	ladder := phiLadder{}
	for _, h := range []float64{1, 0.125, 0.25, 2, 0.0625} {
		known := ladder.of(a, h)
		fresh := phiLadder{}.of(a, h)
		for k := range known {
			if !mat.Equal(known[k], fresh[k]) {
				t.Errorf("phi_%d of %g differs", k, h)
			}
		}
	}
}
