package equation

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"rfm/config"
	"rfm/solver/base/draw"
	"rfm/solver/space/grid"
)

// between returns a problem between two ends of [0, 1], whose parameter T is the time.
func between(text, left, right, initial string, time float64) Problem {
	return Problem{config.Equation{Text: text, Left: left, Right: right, Initial: initial, Length: 1, Time: time, Tolerance: 1e-8},
		config.Field{Tau: 7, Alpha: 4, Scale: 1}, 65, 1}
}

// withParameters returns a problem with other parameters.
func withParameters(p Problem, parameters string) Problem {
	p.Parameters = parameters
	return p
}

// solved returns the outputs for the constants 0, 1, ..., 7 as inputs; an error ends the test.
func solved(t *testing.T, p Problem) grid.Batch {
	t.Helper()
	noError(t, p.Check())
	o := p.Operator()
	a := grid.NewBatch(o.Domain, p.Points, block)
	for l := range block {
		for i := range a.At(l) {
			a.At(l)[i] = float64(l)
		}
	}
	out := []grid.Batch{a.Like(block)}
	noError(t, o.NewWorker().Solve(t.Context(), out, a, []float64{p.Time}, ""))
	return out[0]
}

// robin returns the smallest wavenumber with k cos k + h sin k = 0, that of u = 0 | u_x + h u = 0.
func robin(h float64) float64 {
	low, high := math.Pi/2, math.Pi
	for range 100 {
		if k := (low + high) / 2; k*math.Cos(k)+h*math.Sin(k) > 0 {
			low = k
		} else {
			high = k
		}
	}
	return low
}

// Exact solutions for every kind of condition.
func TestExactSolutionsBetweenEnds(t *testing.T) {
	const pi = math.Pi
	k := robin(2)
	for name, c := range map[string]struct {
		p     Problem
		exact func(a, x, t float64) float64
	}{
		"Dirichlet": {between("u_t = 0.1*u_xx", "u = 0", "u = 0", "sin(pi*x)", 0.5),
			func(a, x, t float64) float64 { return math.Exp(-0.1*pi*pi*t) * math.Sin(pi*x) }},
		"Neumann": {between("u_t = 0.1*u_xx", "u_x = 0", "u_x = 0", "a + cos(2*pi*x)", 0.5),
			func(a, x, t float64) float64 { return a + math.Exp(-0.4*pi*pi*t)*math.Cos(2*pi*x) }},
		"mixed": {between("u_t = 0.1*u_xx", "u = 0", "u_x = 0", "sin(pi/2*x)", 0.5),
			func(a, x, t float64) float64 { return math.Exp(-0.025*pi*pi*t) * math.Sin(pi/2*x) }},
		"Robin": {func() Problem {
			p := between("u_t = 0.1*u_xx", "u = 0", "u_x + 2*u = 0", "sin(k*x)", 0.5)
			p.Parameters = "k = " + strconv.FormatFloat(k, 'g', 17, 64)
			return p
		}(), func(a, x, t float64) float64 { return math.Exp(-0.1*k*k*t) * math.Sin(k*x) }},
		"Poiseuille": {between("u_t = u_xx + 8", "u = 0", "u = 0", "4*x*(1-x)", 1),
			func(a, x, t float64) float64 { return 4 * x * (1 - x) }},
		"different values": {between("u_t = 0.1*u_xx", "u = 1", "u = 3", "1 + 2*x + sin(pi*x)", 0.5),
			func(a, x, t float64) float64 { return 1 + 2*x + math.Exp(-0.1*pi*pi*t)*math.Sin(pi*x) }},
		"values in t": {between("u_t = u_xx + x*cos(t)", "u = 0", "u = sin(t)", "0", 1),
			func(a, x, t float64) float64 { return x * math.Sin(t) }},
		"slope in t": {between("u_t = u_xx + cos(t) - 2", "u_x = 0", "u_x = 2", "x^2", 1),
			func(a, x, t float64) float64 { return x*x + math.Sin(t) }},
		"standing wave": {between("u_tt = u_xx", "u = 0", "u = 0", "sin(2*pi*x)", 0.7),
			func(a, x, t float64) float64 { return math.Cos(2*pi*t) * math.Sin(2*pi*x) }},
		"damped wave": {between("u_tt = u_xx - 2*u_t", "u_x = 0", "u_x = 0", "cos(pi*x)", 0.7), func(a, x, t float64) float64 {
			w := math.Sqrt(pi*pi - 1)
			return math.Exp(-t) * (math.Cos(w*t) + math.Sin(w*t)/w) * math.Cos(pi*x)
		}},
		"inflow": {between("u_t = -u_x", "u = sin(3*t)", "", "-sin(3*x)", 0.5),
			func(a, x, t float64) float64 { return math.Sin(3 * (t - x)) }},
		"front": {between("u_t = 0.05*u_xx + 5*u*(1-u)", "u = (1 + exp((0 - s*t)/w))^(-2)", "u = (1 + exp((1 - s*t)/w))^(-2)", "(1 + exp(x/w))^(-2)", 0.4),
			func(a, x, t float64) float64 {
				w := math.Sqrt(6 * 0.05 / 5)
				return math.Pow(1+math.Exp((x-5*math.Sqrt(0.05*5/6)*t)/w), -2)
			}},
		"coefficient in x": {between("u_t = dx((1 + x)*u_x) - 1", "u = 0", "u = 1", "x", 1),
			func(a, x, t float64) float64 { return x }},
		"nonlinear, manufactured": {between("u_t = 0.1*u_xx - u*u_x + 0.1*pi^2*exp(-t)*sin(pi*x) - exp(-t)*sin(pi*x) + pi*exp(-2*t)*sin(pi*x)*cos(pi*x)",
			"u = 0", "u = 0", "sin(pi*x)", 1), func(a, x, t float64) float64 { return math.Exp(-t) * math.Sin(pi*x) }},
		"two fields": {between("u_t = 0.1*u_xx - v; v_t = 0.1*v_xx + u", "u_x = 0; v_x = 0", "u_x = 0; v_x = 0", "cos(pi*x); 0", 1),
			func(a, x, t float64) float64 { return math.Exp(-0.1*pi*pi*t) * math.Cos(t) * math.Cos(pi*x) }},
		"clamped plate, manufactured": {between("u_t = -0.01*u_xxxx + 0.24 + x^2*(1 - x)^2*0", "u = 0; u_x = 0", "u = 0; u_x = 0", "x^2*(1 - x)^2", 1),
			func(a, x, t float64) float64 { return x * x * (1 - x) * (1 - x) }},
		"clamped beam": {withParameters(between("u_tt = -u_xxxx", "u = 0; u_x = 0", "u = 0; u_x = 0",
			"cosh(k*x) - cos(k*x) - s*(sinh(k*x) - sin(k*x)); 0", 0.1), "k = 4.730040744862704; s = 0.9825022145762379"),
			func(a, x, t float64) float64 {
				const k, s = 4.730040744862704, 0.9825022145762379
				return math.Cos(k*k*t) * (math.Cosh(k*x) - math.Cos(k*x) - s*(math.Sinh(k*x)-math.Sin(k*x)))
			}},
		"cantilever": {withParameters(between("u_tt = -u_xxxx", "u = 0; u_x = 0", "u_xx = 0; u_xxx = 0",
			"cosh(k*x) - cos(k*x) - s*(sinh(k*x) - sin(k*x)); 0", 0.5), "k = 1.8751040687119611; s = 0.7340955137589128"),
			func(a, x, t float64) float64 {
				const k, s = 1.8751040687119611, 0.7340955137589128
				return math.Cos(k*k*t) * (math.Cosh(k*x) - math.Cos(k*x) - s*(math.Sinh(k*x)-math.Sin(k*x)))
			}},
		"third order": {between("u_t = -u_xxx", "u = sin(t)", "u = sin(1 + t); u_x = cos(1 + t)", "sin(x)", 1),
			func(a, x, t float64) float64 { return math.Sin(x + t) }},
		"third order, nonlinear": {between("u_t = -u_xxx - u*u_x + sin(x + t)*cos(x + t)", "u = sin(t)", "u = sin(1 + t); u_x = cos(1 + t)", "sin(x)", 1),
			func(a, x, t float64) float64 { return math.Sin(x + t) }},
		"fourth order, clamped, nonlinear": {withParameters(between("u_t = -u_xx - 0.1*u_xxxx - u*u_x - exp(-t)*q + exp(-t)*dxx(q) + 2.4*exp(-t) + exp(-2*t)*q*dx(q)",
			"u = 0; u_x = 0", "u = 0; u_x = 0", "q", 1), "q = x^2 - 2*x^3 + x^4"),
			func(a, x, t float64) float64 { return math.Exp(-t) * x * x * (1 - x) * (1 - x) }},
		"operator on the rate": {between("u_t - u_xxt = -2*u_x", "u = -sin(t)", "u = sin(1 - t)", "sin(x)", 1),
			func(a, x, t float64) float64 { return math.Sin(x - t) }},
		"Schroedinger": {between("u_t = -v_xx; v_t = u_xx", "u = 0; v = 0", "u = 0; v = 0", "sin(pi*x); 0", 0.3),
			func(a, x, t float64) float64 { return math.Cos(pi*pi*t) * math.Sin(pi*x) }},
		"jump of a value": {between("u_t = u_xx", "u = H(t - 0.1)", "u = 0", "0*x", 0.5),
			func(a, x, t float64) float64 {
				u := 1 - x
				for k := 1.0; k < 20; k++ {
					u -= 2 / (k * pi) * math.Sin(k*pi*x) * math.Exp(-k*k*pi*pi*(t-0.1))
				}
				return u
			}},
		"conditions that join fields": {between("u_t = u_xx; v_t = v_xx", "u + v = 0; u_x - v_x = 0", "u = 0; v = 0", "sin(pi*(1-x)) + cos(pi/2*x); sin(pi*(1-x)) - cos(pi/2*x)", 0.1),
			func(a, x, t float64) float64 {
				return math.Exp(-pi*pi*t)*math.Sin(pi*(1-x)) + math.Exp(-pi*pi/4*t)*math.Cos(pi/2*x)
			}},
		"first order system": {between("u_t = v_x; v_t = u_x", "u = 0", "u = 0", "sin(pi*x); 0", 0.7),
			func(a, x, t float64) float64 { return math.Cos(pi*t) * math.Sin(pi*x) }},
	} {
		if name == "front" {
			c.p.Parameters = "w = sqrt(6*0.05/5); s = 5*sqrt(0.05*5/6)"
		}
		u := solved(t, c.p)
		worst, norm := 0.0, 0.0
		for l := range block {
			for i, v := range u.At(l) {
				want := c.exact(float64(l), float64(i)/64, c.p.Time)
				worst = math.Max(worst, math.Abs(v-want))
				norm = math.Max(norm, math.Abs(want))
			}
		}
		t.Logf("%-24s error %.2g", name, worst/norm)
		if !(worst/norm < 2e-7) {
			t.Errorf("%s: error %.2g", name, worst/norm)
		}
	}
}

// Nonlinear solutions are checked without SciPy: solutions with twice the tolerance, and with inputs on the other grid,
// agree with them. Inputs are drawn.
func TestSolutionsBetweenEndsKeepTheTolerance(t *testing.T) {
	for name, p := range map[string]Problem{
		"Burgers":    between("u_t = 0.02*u_xx - u*u_x", "u = 0", "u = 0", "", 0.5),
		"Fisher-KPP": between("u_t = 0.01*u_xx + u*(1-u)", "u = 1", "u = 0", "1 - x + 0.2*a", 1),
		"Allen-Cahn": between("u_t = 0.005*u_xx + u - u^3", "u_x = 0", "u_x = 0", "", 1),
		"outflow":    between("u_t = 0.02*u_xx - u*u_x", "u_x = 0", "u = -0.5", "", 0.3),
	} {
		p.Tolerance = 1e-9
		o := p.Operator()
		a := grid.NewBatch(o.Domain, p.Points, block)
		o.Draw(a, draw.InputTrain, 0)
		exact := []grid.Batch{a.Like(block)}
		noError(t, o.NewWorker().Solve(t.Context(), exact, a, []float64{p.Time}, ""))
		for _, tolerance := range []float64{1e-4, 1e-6} {
			p.Tolerance = tolerance
			out := []grid.Batch{a.Like(block)}
			w := p.Operator().NewWorker()
			noError(t, w.Solve(t.Context(), out, a, []float64{p.Time}, ""))
			e := floats.Distance(out[0].Data, exact[0].Data, 2) / floats.Norm(exact[0].Data, 2)
			t.Logf("%s: tolerance %g, error %.2g", name, tolerance, e)
			if !(e < 3*tolerance) {
				t.Errorf("%s: tolerance %g, error %.2g", name, tolerance, e)
			}
		}
	}
}

// Inputs satisfy the conditions, and their mean power is that of the series.
func TestInputsSatisfyTheConditions(t *testing.T) {
	for ends, p := range map[string]Problem{"both held": between("u_t = u_xx", "u = 0", "u = 2", "", 1),
		"held and free": between("u_t = u_xx", "u = 0", "u_x = 0", "", 1), "free": between("u_t = u_xx", "u_x = 0", "u_x + u = 0", "", 1)} {
		o := p.Operator()
		a := grid.NewBatch(o.Domain, p.Points, block)
		o.Draw(a, draw.InputTrain, 0)
		for l := range block {
			v := a.At(l)
			n := len(v)
			left := v[0] == 0
			right := math.Abs(v[n-1]) < 1e-12
			if left != strings.Contains(ends, "held") || right != (ends == "both held") {
				t.Errorf("%s: ends at %g and %g", ends, v[0], v[n-1])
			}
		}
	}
}

// Conditions that are wrong are refused with their key.
func TestWrongConditionsAreRefused(t *testing.T) {
	for _, c := range []struct{ text, left, right, key, want string }{
		{"u_t = u_xx", "u = 0", "", "right", "derivatives of order 2, so it needs 2 conditions; got 1 at the left end and 0 at the right one"},
		{"u_t = u_xx", "u = 0; u_x = 0", "", "right", "so each end needs 1 condition; got 2 at the left end"},
		{"u_t = u_xx", "u_x + 0*u = 0", "u_x = 1", "", ""},
		{"u_t = u_xx", "u", "u = 0", "left", "= is missing"},
		{"u_t = u_xx", "u^2 = 0", "u = 0", "left", "a condition that is not linear gives a slope; 2*u = 1 is its tangent"},
		{"u_t = u_xx", "w = 0", "u = 0", "left", "w is not known"},
		{"u_t = u_xx", "3 = 0", "u = 0", "left", "no field occurs"},
		{"u_t = u_xx", "u_xx = 0", "u = 0", "left", "as high as the equation"},
		{"u_t = u_xx", "u = x", "u = 0", "left", "x is fixed at an end"},
		{"u_t = -u_xx", "u = 0", "u = 0", "text", "ill-posed"},
		{"u_t = u_xx + u*v_xx; v_t = v_xx + v*u_xx", "u = 0; v = 0", "u = 1; v = 0", "text", "more than the linear part damps"},
		{"u_t = u_xx + ilap(u)", "u = 0", "u = 1", "text", "ilap is for periodic fields"},
		{"u_t = u_xx; v_t = v_xx", "u = 0; v = 0", "u = 0; u_x = 0", "right", "got 1 at the left end and 2 at the right one"},
		{"u_t = -u_xxxx", "u = 0; u = 1", "u = 0; u_x = 0", "left", "cannot hold together"},
		{"u_t = u_xxx", "u = 0", "u = 0; u_x = 0", "left", "grow without bound, the faster the finer"},
		{"u_t = -u_x", "", "u = 0", "left", "grow without bound, the faster the finer"},
	} {
		p := between(c.text, c.left, c.right, strings.Repeat("0;", strings.Count(c.text, "_t")), 1)
		err := p.Check()
		if c.key == "" {
			noError(t, err)
			continue
		}
		if err == nil || !strings.HasPrefix(err.Error(), "equation."+c.key) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s, %s | %s: got %v, want equation.%s and %q", c.text, c.left, c.right, err, c.key, c.want)
		}
	}
}

// An equation that commutes with the reflection is solved as half of a periodic one. The solutions agree with those by
// polynomials.
func TestFoldsAreFoundAndAgree(t *testing.T) {
	for _, c := range []struct {
		text, left, right, initial string
		folds                      bool
	}{
		{"u_t = 0.02*u_xx - u*u_x", "u = 0", "u = 0", "", true},
		{"u_t = 0.02*u_xx - u*u_x", "u_x = 0", "u_x = 0", "", false},
		{"u_t = 0.02*u_xx - u^2*u_x", "u = 0", "u = 0", "", false},
		{"u_t = 0.01*u_xx + u - u^3", "u_x = 0", "u_x = 0", "", true},
		{"u_t = 0.01*u_xx + u - u^3", "u = 0", "u = 0", "", true},
		{"u_t = 0.01*u_xx + u - u^2", "u = 0", "u = 0", "", false},
		{"u_t = 0.01*u_xx + u - u^2", "u_x = 0", "u_x = 0", "0.5 + 0.1*a", true},
		{"u_t = 0.01*u_xx + sin(t)", "u_x = 0", "u_x = 0", "", true},
		{"u_t = 0.01*u_xx + sin(t)", "u = 0", "u = 0", "", false},
		{"u_t = 0.01*u_xx + x*u", "u = 0", "u = 0", "", false},
		{"u_t = 0.01*u_xx + exp(u)", "u = 0", "u = 0", "", false},
		{"u_t = 0.01*u_xx + sinh(u) - u", "u = 0", "u = 0", "", true},
		{"u_t = 0.01*u_xx", "u = 0", "u_x = 0", "", false},
		{"u_t = 0.01*u_xx", "u = 0", "u = 1", "", false},
		{"u_t = 0.01*u_xx", "u = 0", "u = 0", "a + 0.1*a^3", true},
		{"u_t = 0.01*u_xx", "u = 0", "u = 0", "a^2", false},
		{"u_tt = u_xx - sin(u)", "u = 0", "u = 0", "", true},
		{"u_t = 0.01*u_xx - v; v_t = u - v", "u_x = 0", "u_x = 0", "a; 0.1", true},
		{"u_t = 0.01*u_xx + u*v; v_t = 0.01*v_xx - u^2", "u = 0; v_x = 0", "u = 0; v_x = 0", "a; 0.1", true},
		{"u_t = 0.01*u_xx + v; v_t = 0.01*v_xx - u", "u = 0; v_x = 0", "u = 0; v_x = 0", "a; 0.1", false},
	} {
		p := between(c.text, c.left, c.right, c.initial, 0.4)
		p.Input = config.Field{Tau: 12, Alpha: 10, Scale: 1}
		s := newSolver(p)
		noError(t, errorOf(s))
		if (s.folded != nil) != c.folds {
			t.Errorf("%s, %s | %s: folds %v", c.text, c.left, c.right, s.folded != nil)
		}
		if d := withoutFold(t, s, p); !(d < 3e-7) {
			t.Errorf("%s, %s | %s: the fold differs by %.2g", c.text, c.left, c.right, d)
		}
	}
}

// withoutFold returns the relative distance of folded solutions from solutions by polynomials between the sides.
func withoutFold(t *testing.T, s *evolution, p Problem) float64 {
	t.Helper()
	a := grid.NewBatch(s.domain, p.Points, block)
	s.draws.Draw(a, 1, draw.InputTrain, 0)
	var solutions []grid.Batch
	for _, fold := range []bool{true, false} {
		if !fold {
			s.folded = nil
		}
		out := []grid.Batch{a.Like(block)}
		noError(t, s.newSidesWorker(new(resolution)).Solve(t.Context(), out, a, []float64{p.Time}, ""))
		solutions = append(solutions, out[0])
	}
	return floats.Distance(solutions[0].Data, solutions[1].Data, 2) / floats.Norm(solutions[1].Data, 2)
}

// errorOf returns the error of a solver as an error.
func errorOf(s *evolution) error {
	if s.err == nil {
		return nil
	}
	return s.err
}

// Rough waves, beams on hinges and nonlinear diffusion, which polynomials cannot solve, are solved by folding.
func TestFoldsSolveMore(t *testing.T) {
	beam := between("u_tt = -0.01*u_xxxx", "u = 0; u_xx = 0", "u = 0; u_xx = 0", "", 1)
	beam.Initial = "a"
	for name, p := range map[string]Problem{"string": between("u_tt = u_xx", "u = 0", "u = 0", "", 0.5), "beam": beam,
		"porous": between("u_t = dx((0.1 + u^2)*u_x)", "u_x = 0", "u_x = 0", "", 0.05)} {
		p.Input.Alpha = 6
		o := p.Operator()
		a := grid.NewBatch(o.Domain, p.Points, block)
		o.Draw(a, draw.InputTrain, 0)
		out := []grid.Batch{a.Like(block)}
		noError(t, o.NewWorker().Solve(t.Context(), out, a, []float64{p.Time}, ""))
		if name != "string" {
			continue
		}
		for l := range block { // half a period reflects a string
			for i, v := range out[0].At(l) {
				// d'Alembert: u(x, 1/2) = (a(x + 1/2) + a(x - 1/2))/2 of the odd continuation
				at := func(i int) float64 {
					n := p.Points - 1
					i = (i%(2*n) + 2*n) % (2 * n)
					if i > n {
						return -a.At(l)[2*n-i]
					}
					return a.At(l)[i]
				}
				if want := (at(i+32) + at(i-32)) / 2; math.Abs(v-want) > 1e-10 {
					t.Fatalf("u(%d) = %g, want %g", i, v, want)
				}
			}
		}
	}
}

// If a solution grows without bound between ends, the error says so, and when.
func TestGrowthBetweenEnds(t *testing.T) {
	p := between("u_t = 0.01*u_xx + u^2", "u_x = 0", "u_x = 0", "5 + 0.1*a", 1)
	o := p.Operator()
	a := grid.NewBatch(o.Domain, p.Points, block)
	o.Draw(a, draw.InputTrain, 0)
	err := o.NewWorker().Solve(t.Context(), []grid.Batch{a.Like(block)}, a, []float64{p.Time}, "")
	var e *Ending
	if !errors.As(err, &e) || e.Growth == nil || e.Growth.Sign != 1 || math.Abs(e.Growth.Endpoint-0.2) > 0.03 {
		t.Errorf("%v", err)
	}
}

// Initial values that violate a condition are named.
func TestViolatedConditionsAreNamed(t *testing.T) {
	for initial, want := range map[string]string{"1 - x": "", "": "", "x*(1 - x)": "u = 1 at the left", "1 + x": "u = 0 at the right"} {
		p := between("u_t = 0.1*u_xx", "u = 1", "u = 0", initial, 1)
		if got := p.Scheme(); strings.Contains(got, "violate") != (want != "") || !strings.Contains(got, want) {
			t.Errorf("%q: got %s, want a violated condition with %q (empty: none)", initial, got, want)
		}
	}
}

// More polynomials than a solution needs change it by rounding errors alone, although the fastest modes decay 10^16 times as
// fast as the slowest.
func TestManyPolynomialsKeepTheDigitsOfSlowModes(t *testing.T) {
	p := between("u_t = -u*u_x - u_xx - 0.01*u_xxxx", "u = 0; u_x = 0", "u = 0; u_x = 0", "sin(pi*x)^2*(1 + 0.3*x)", 1)
	s := newSolver(p)
	noError(t, s.err)
	a := grid.NewBatch(s.domain, p.Points, block)
	var solutions []grid.Batch
	for _, size := range []int{2, 6} { // 48 and 192
		w := newEndsWorker(s, &resolution{known: true, size: size, share: 1})
		out := a.Like(block)
		noError(t, w.Solve(t.Context(), []grid.Batch{out}, a, []float64{p.Time}, ""))
		solutions = append(solutions, out)
	}
	if d := worstDistance(solutions[1], solutions[0]); !(d < 2e-9) {
		t.Errorf("192 polynomials differ from 48 by %.2g", d)
	}
}

// Solutions that grow steeply for a while, or that end just after the last time, are not said to grow without bound.
func TestSteepSolutionsThatLastGetMorePolynomials(t *testing.T) {
	for _, p := range []Problem{
		between("u_t = 4*u_x*u - 4*u_xx - 0.096*u_xxxx", "u = 1; u_x = 4", "u = 1; u_x = 4", "1 + 0.5*exp(-160*(x-0.5)^2)", 0.05),
		between("u_t = 0.25*u_xx + exp(u)", "u = 0", "u = 0", "0", 3.54),
	} {
		s := newSolver(p)
		noError(t, s.err)
		w := newEndsWorker(s, &resolution{known: true, share: 8})
		a := grid.NewBatch(s.domain, p.Points, block)
		if err := w.Solve(t.Context(), []grid.Batch{a.Like(block)}, a, []float64{p.Time}, ""); err != nil {
			t.Errorf("%s: %v", p.Text, err)
		}
	}
}

// If no initial value is given, the first field begins with the input and the polynomial of lowest degree that has the
// values of the conditions.
func TestAssumedInitialValuesHaveTheLowestDegree(t *testing.T) {
	for _, c := range []struct {
		left, right string
		want        func(x float64) float64
	}{
		{"u = 1", "u = 1", func(x float64) float64 { return 1 }},
		{"u = 1", "u = 3", func(x float64) float64 { return 1 + 2*x }},
		{"u_x = 0", "u = -0.5", func(x float64) float64 { return -0.5 }},
		{"u_x = 2", "u = 1", func(x float64) float64 { return 1 + 2*(x-1) }},
		{"u = 1", "u_x + u = 1", func(x float64) float64 { return 1 }},
		{"u_x = 1", "u_x = 2", func(x float64) float64 { return x + x*x/2 - 2./3 }},
	} {
		p := between("u_t = 1e-9*u_xx", c.left, c.right, "", 1e-6)
		u := solved(t, p).At(0) // for the input 0
		for i, v := range u {
			x := float64(i) / float64(len(u)-1)
			if math.Abs(v-c.want(x)) > 1e-7 {
				t.Errorf("%s | %s: the initial value at %.3g is %.9g, want %.9g", c.left, c.right, x, v, c.want(x))
				break
			}
		}
	}
}

// Many outputs take hardly more steps than one, because steps are bounded by the whole time.
func TestManyOutputsTakeFewSteps(t *testing.T) {
	p := between("u_t = 0.05*u_xx + u*(1-u)", "u = 1", "u = 0", "(1-x)^2 + 0.01*a*x*(1-x)", 1)
	p.Tolerance = 1e-6
	o := p.Operator()
	a := grid.NewBatch(o.Domain, p.Points, block)
	steps := func(outputs int) int {
		w := o.NewWorker().(*endsWorker)
		var out []grid.Batch
		var times []float64
		for i := range outputs {
			out = append(out, a.Like(block))
			times = append(times, float64(i+1)/float64(outputs))
		}
		noError(t, w.Solve(t.Context(), out, a, times, ""))
		return w.Steps()
	}
	one := steps(1)
	many := steps(64)
	if many > 2*one+64 {
		t.Errorf("64 outputs take %d steps, one takes %d", many, one)
	}
}

// Films flow by fourth derivatives with factors that depend on the solution: exact solutions, from forces that keep them, between
// ends without flux, clamped ones, and with attraction between the film and the wall.
func TestFilmsFlow(t *testing.T) {
	const cosine = "0.5*cos(pi*x)*exp(-t)"
	const bump = "8*x^2*(1 - x)^2*exp(-t)"
	const noFlux = "u_x = 0; u_xxx = 0"
	for _, c := range []struct{ flux, shape, ends string }{
		{"0.01*u^3*u_xxx", cosine, noFlux},
		{"0.01*u^3*u_xxx", bump, "u = 2; u_x = 0"},
		{"0.01*u^3*u_xxx + 0.2/u*u_x", cosine, noFlux},
		{"0.01*(1 + u^2)*u_xxx - 0.1*u_x", bump, "u = 2; u_x = 0"},
	} {
		exact := "2 + " + c.shape
		force := fmt.Sprintf("dx(%s) - %s", strings.ReplaceAll(c.flux, "u", "w"), c.shape)
		text := fmt.Sprintf("u_t = -dx(%s) + %s; w = %s", c.flux, force, exact)
		p := between(text, c.ends, c.ends, "2 + "+strings.ReplaceAll(c.shape, "exp(-t)", "1")+" + 0*a", 0.2)
		want := func(x float64) float64 {
			shape := 0.5 * math.Cos(math.Pi*x)
			if c.shape == bump {
				shape = 8 * x * x * (1 - x) * (1 - x)
			}
			return 2 + shape*math.Exp(-0.2)
		}
		checkSolution(t, text, solved(t, p), want)
	}
}
