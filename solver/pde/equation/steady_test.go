package equation

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"rfm/solver/base/parallel/detector"
	"rfm/solver/pythontest"
	"rfm/solver/space/grid"
)

// steady returns a problem for a steady state on [0, 1].
func steady(text, left, right, parameters string) Problem {
	p := between(text, left, right, "", 1)
	p.Parameters = parameters
	return p
}

// Exact steady states, for inputs that are constant: 0, 1, ..., 7.
func TestExactSteadyStates(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	for name, c := range map[string]struct {
		p     Problem
		exact func(a, x float64) float64
	}{
		"force":        {steady("0 = u_xx + a", "u = 0", "u = 0", ""), func(a, x float64) float64 { return a * x * (1 - x) / 2 }},
		"other side":   {steady("-u_xx = f", "u = 0", "u_x = 0", "f = random"), func(a, x float64) float64 { return a * x * (2 - x) / 2 }},
		"coefficient":  {steady("0 = dx(exp(a)*u_x) + 1", "u = 0", "u = 0", ""), func(a, x float64) float64 { return math.Exp(-a) * x * (1 - x) / 2 }},
		"end value":    {steady("0 = u_xx", "u = b", "u = 0", "b = random"), func(a, x float64) float64 { return a * (1 - x) }},
		"end slope":    {steady("0 = u_xx", "u = 1", "u_x = b^2", "b = random"), func(a, x float64) float64 { return 1 + a*a*x }},
		"Robin":        {steady("0 = u_xx + a", "u_x - u = 0", "u_x + u = 0", ""), func(a, x float64) float64 { return a * (1 + x - x*x) / 2 }},
		"transport":    {steady("0 = 0.1*u_xx - u_x + a", "u = 0", "u = 0", ""), func(a, x float64) float64 { return a * (x - math.Expm1(10*x)/math.Expm1(10)) }},
		"reaction":     {steady("0 = u_xx - 4*u + 4*a", "u_x = 0", "u = 0", ""), func(a, x float64) float64 { return a * (1 - math.Cosh(2*x)/math.Cosh(2)) }},
		"nonlinear":    {steady("0 = u_xx - u^3 + a*(pi^2*sin(pi*x) + a^2*sin(pi*x)^3)", "u = 0", "u = 0", ""), func(a, x float64) float64 { return a * math.Sin(math.Pi*x) }},
		"quasilinear":  {steady("0 = dx((1 + u)*u_x)", "u = 0", "u = a", ""), func(a, x float64) float64 { return math.Sqrt(1+a*(2+a)*x) - 1 }},
		"fourth order": {steady("0 = u_xxxx - a", "u = 0; u_x = 0", "u = 0; u_x = 0", ""), func(a, x float64) float64 { return a / 24 * x * x * (1 - x) * (1 - x) }},
		"two fields":   {steady("v = -u_xx; 0 = v_xx + a", "u = 0; v = 0", "u = 0; v = 0", ""), func(a, x float64) float64 { return a / 24 * (x - 2*x*x*x + x*x*x*x) }},
		"periodic":     {steady("0 = u_xx - u + (1 + 4*pi^2)*sin(2*pi*x) + a", "", "", ""), func(a, x float64) float64 { return a + math.Sin(2*math.Pi*x) }},
	} {
		u := solved(t, c.p)
		worst := 0.0
		norm := 0.0
		for l := range block {
			for i, v := range u.At(l) {
				want := c.exact(float64(l), float64(i)/64)
				worst = math.Max(worst, math.Abs(v-want))
				norm = math.Max(norm, math.Abs(want))
			}
		}
		t.Logf("%-24s error %.2g", name, worst/norm)
		if !(worst/norm < 1e-8) {
			t.Errorf("%s: error %.2g", name, worst/norm)
		}
	}
}

// Exact steady states on the square, for inputs that are constant.
func TestExactSteadyStatesOnTheSquare(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	const pi = math.Pi
	held := [4]string{"u = 0", "u = 0", "u = 0", "u = 0"}
	sinus := func(a, x, y float64) float64 { return a * math.Sin(pi*x) * math.Sin(pi*y) }
	for name, c := range map[string]struct {
		p     Problem
		exact func(a, x, y float64) float64
	}{
		"Poisson":           {within("0 = lap(u) + 2*pi^2*a*sin(pi*x)*sin(pi*y)", held, "", 1), sinus},
		"Helmholtz":         {within("lap(u) + 30*u = (30 - 2*pi^2)*a*sin(pi*x)*sin(pi*y)", held, "", 1), sinus},
		"nonlinear Poisson": {within("0 = lap(u) - u^3 + 2*pi^2*a*sin(pi*x)*sin(pi*y) + a^3*sin(pi*x)^3*sin(pi*y)^3", held, "", 1), sinus},
		"coefficient in x": {withParameters(within("0 = dx((1 + x*y)*u_x) + dy((1 + x*y)*u_y) - a*g", held, "", 1),
			"g = dx((1 + x*y)*dx(q)) + dy((1 + x*y)*dy(q)); q = x*y*(1-x)*(1-y)"), func(a, x, y float64) float64 { return a * x * y * (1 - x) * (1 - y) }},
		"Neumann and values": {within("0 = lap(u) - 4", [4]string{"u_x = 0", "u = 1 + y^2 + a", "u = x^2 + a", "u_y = 2"}, "", 1),
			func(a, x, y float64) float64 { return x*x + y*y + a }},
		"random on a side": {within("0 = lap(u)", [4]string{"u = b*sin(pi*y)", "u = 0", "u = 0", "u = 0"}, "", 1),
			func(a, x, y float64) float64 { return a * math.Sin(pi*y) * math.Sinh(pi*(1-x)) / math.Sinh(pi) }},
		"channel": {within("0 = lap(u) + 5*pi^2*a*cos(2*pi*x)*sin(pi*y)", [4]string{"", "", "u = 0", "u = 0"}, "", 1),
			func(a, x, y float64) float64 { return a * math.Cos(2*pi*x) * math.Sin(pi*y) }},
		"Robin": {within("0 = lap(u) + a", [4]string{"u_x - u = 0", "u_x + u = 0", "u_y = 0", "u_y = 0"}, "", 1),
			func(a, x, y float64) float64 { return a * (1 + x - x*x) / 2 }},
		"transport": {within("0 = 0.1*lap(u) - u_x + a", [4]string{"u = 0", "u = 0", "u_y = 0", "u_y = 0"}, "", 1),
			func(a, x, y float64) float64 { return a * (x - math.Expm1(10*x)/math.Expm1(10)) }},
		"quasilinear": {within("0 = dx((1 + u)*u_x) + dy((1 + u)*u_y)", [4]string{"u = 0", "u = a", "u_y = 0", "u_y = 0"}, "", 1),
			func(a, x, y float64) float64 { return math.Sqrt(1+a*(2+a)*x) - 1 }},
	} {
		if strings.Contains(c.p.Left, "b") {
			c.p.Parameters = "b = random"
		}
		u := solved(t, c.p)
		worst := 0.0
		norm := 0.0
		for l := range block {
			for i, v := range u.At(l) {
				want := c.exact(float64(l), float64(i/17)/16, float64(i%17)/16)
				worst = math.Max(worst, math.Abs(v-want))
				norm = math.Max(norm, math.Abs(want))
			}
		}
		t.Logf("%-24s error %.2g", name, worst/norm)
		if !(worst/norm < 1e-8) {
			t.Errorf("%s: error %.2g", name, worst/norm)
		}
	}
}

// If an equation has no steady state, several, or one that Newton's method does not find, the error says which.
func TestFailingSteadyStatesAreNamed(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	type failing struct{ text, left, right, want string }
	list := []failing{
		{"0 = u_xx + a", "u_x = 0", "u_x = 0", "the steady state is not determined"},
		{"0 = u_xx + pi^2*u + a", "u = 0", "u = 0", "is not determined"},
		{"0 = u_xx + log(u) + a", "u = 0", "u = 1", "is not finite"},
	}
	if !testing.Short() { // takes ten seconds without vector instructions
		bratu := failing{"0 = u_xx + 8*exp(u)", "u = 0", "u = 0", "is not "} // it has solutions below 3.51
		list = append(list, bratu)
	}
	for _, c := range list {
		p := steady(c.text, c.left, c.right, "")
		noError(t, p.Check())
		o := p.Operator()
		a := grid.NewBatch(o.Domain, p.Points, block)
		err := o.NewWorker().Solve(t.Context(), []grid.Batch{a.Like(block)}, a, []float64{1}, "")
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s, %s | %s: got %v, want %q", c.text, c.left, c.right, err, c.want)
		}
	}
	for text, want := range map[string]string{
		"0 = u_xx + a; 0 = u - 1": "2 equations for the fields u",
		"0 = u_xx + a + t":        "nothing depends on time",
		"0 = u_xx + f":            "f is not known",
	} {
		if err := steady(text, "u = 0", "u = 0", "").Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", text, err, want)
		}
	}
}

// scipySteady solves boundary value problems of second order by collocation, and prints the solution on 65 points.
const scipySteady = `
import json
import numpy as np
from scipy.integrate import solve_bvp
def solve(rhs, ends, guess):
    names = {'np': np, 'exp': np.exp, 'sin': np.sin, 'cos': np.cos, 'pi': np.pi}
    f = eval('lambda x, u, p: ' + rhs, names)
    g = eval('lambda u0, p0, u1, p1: ' + ends, names)
    x = np.linspace(0, 1, 201)
    u = eval(guess, dict(names, x=x)) + 0*x
    s = solve_bvp(lambda x, y: np.array([y[1], f(x, y[0], y[1])]), lambda a, b: np.array(g(a[0], a[1], b[0], b[1])), x, np.array([u, np.gradient(u, x)]),
        tol=3e-10, max_nodes=1000000)
    assert s.success, s.message
    return s.sol(np.linspace(0, 1, 65))[0].tolist()
print(json.dumps([solve(*c) for c in [LIST]]))
`

// Steady states that no preset has agree with SciPy.
func TestSciPyAgreesOnSteadyStates(t *testing.T) {
	cases := []struct {
		text, left, right, initial string
		rhs, ends                  string // u_xx in Python, and what vanishes
	}{
		{"0 = u_xx + exp(u)", "u = 0", "u = 0", "0", "-np.exp(u)", "[u0, u1]"},
		{"0 = u_xx + exp(u)", "u = 0", "u = 0", "16*x*(1-x)", "-np.exp(u)", "[u0, u1]"}, // the other solution
		{"0 = 0.05*u_xx - u*u_x", "u = 1", "u = -1", "1 - 2*x", "20*u*p", "[u0 - 1, u1 + 1]"},
		{"0 = 0.1*u_xx + u - u^3", "u_x = 0.3", "u_x + 2*u = 1", "1", "-10*(u - u**3)", "[p0 - 0.3, p1 + 2*u1 - 1]"},
		{"0 = dx((1 + u^2)*u_x) + sin(5*x)", "u = 0", "u = 1", "x", "(-np.sin(5*x) - 2*u*p**2)/(1 + u**2)", "[u0, u1 - 1]"},
		{"0 = u_xx + x*u_x^2 - sin(u)", "u = 1", "u_x = 1", "1", "-x*p**2 + np.sin(u)", "[u0 - 1, p1 - 1]"},
		{"(2 + cos(3*x))*u_xx - u/(1 + u^2) = 1", "u_x - u = 0", "u = 0.5", "0", "(1 + u/(1 + u**2))/(2 + np.cos(3*x))", "[p0 - u0, u1 - 0.5]"},
	}
	var list []string
	for _, c := range cases {
		list = append(list, fmt.Sprintf("(%q, %q, %q)", c.rhs, c.ends, c.initial))
	}
	var all [][]float64
	noError(t, json.Unmarshal([]byte(pythontest.Run(t, t.TempDir(), strings.ReplaceAll(scipySteady, "LIST", strings.Join(list, ",")))), &all))
	for i, c := range cases {
		p := steady(c.text, c.left, c.right, "")
		p.Initial = c.initial
		u := solved(t, p).At(0)
		d := floats.Distance(u, all[i], 2) / floats.Norm(all[i], 2)
		t.Logf("%s, %s | %s: %.2g", c.text, c.left, c.right, d)
		if !(d < 1e-8) {
			t.Errorf("%s, %s | %s differs from SciPy by %.2g", c.text, c.left, c.right, d)
		}
	}
}
