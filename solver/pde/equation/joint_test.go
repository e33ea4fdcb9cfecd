package equation

import (
	"fmt"
	"math"
	"strings"
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
		known, _ := ladder.of(a, h)
		fresh, _ := phiLadder{}.of(a, h)
		for k := range known {
			if !mat.Equal(known[k], fresh[k]) {
				t.Errorf("phi_%d of %g differs", k, h)
			}
		}
	}
}

// Fields that nothing carries through the walls have no conditions, as the depth of water that walls hold: standing waves of small
// amplitude, with a depth that the walls keep.
func TestWallsHoldWater(t *testing.T) {
	p := between("h_t = -dx((1 + h)*u); u_t = -h_x - u*u_x", "u = 0", "u = 0", "1e-4*cos(pi*x) + 0*a; 0", 0.3)
	want := func(x float64) float64 { return 1e-4 * math.Cos(0.3*math.Pi) * math.Cos(math.Pi*x) }
	checkSolution(t, "reflected", solved(t, p), want)
	p.Text = "h_t = -dx((1 + h)*u); u_t = -h_x - u*u_x + 1e-9*x"
	checkSolution(t, "on polynomials", solved(t, p), want)
	p.Text = "h_t = -dx((1 + h)*u); u_t = -h_x + 0.01*u_xx"
	p.Left = "u = 1"
	err := p.Check()
	if err == nil || !strings.Contains(err.Error(), "write h = 0 at the end where it flows in") {
		t.Error(err)
	}
}

// The velocity of a field of second order in t may occur in the equations of others: a rod that its motion heats and cools, where
// u = U(t) sin(pi x) and w = W(t) cos(pi x).
func TestVelocitiesHeatOthers(t *testing.T) {
	const ends = "u = 0; w_x = 0"
	const steps = 1000
	p := between("u_tt = u_xx - w_x; w_t = 0.1*w_xx - u_tx", ends, ends, "u(0) = sin(pi*x) + 0*a; w(0) = 0", 0.5)
	p.Output = "w"
	h := p.Time / steps
	amplitude, velocity, heat := 1.0, 0.0, 0.0
	for range steps { // the scheme of Stoermer and Verlet, of order two
		amplitude += h / 2 * velocity
		heat += h / 2 * (-0.1*math.Pi*math.Pi*heat - math.Pi*velocity)
		velocity += h * (-math.Pi*math.Pi*amplitude + math.Pi*heat)
		heat = (heat - h/2*math.Pi*velocity) / (1 + h/2*0.1*math.Pi*math.Pi)
		amplitude += h / 2 * velocity
	}
	u := solved(t, p).At(0)
	for i, got := range u {
		x := float64(i) / float64(len(u)-1)
		want := heat * math.Cos(math.Pi*x)
		if !(math.Abs(got-want) < 1e-5) { // of the splitting
			t.Fatalf("w is %g, want %g at x=%g", got, want, x)
		}
	}
}
