// This file checks the solver on equations with known solutions, independently of the machine.

package equation

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"rfm/config"
	"rfm/solver/grid"
)

// Claim is an equation with an exact solution, which Check compares with the numerical one.
type Claim struct {
	Name            string
	Limit           float64 // of the relative L2 error at tolerance 1e-8
	Points          int     // distinct ones along an axis
	config.Equation         // Initial is the solution, in x, y, the time T, the trajectory a = 0 ... 7 and the parameters
}

// Check solves the equation from eight initial values. It returns the difference at tolerance 1e-8, the order of the
// scheme, 0 if equal steps are exact, and the errors of ctx and of the solver.
func (c Claim) Check(ctx context.Context) (difference, order float64, err error) {
	p := Problem{Equation: c.Equation, Points: c.Points + 1, Input: config.Field{Tau: 1, Alpha: 2}}
	p.Tolerance = 1e-8
	a := grid.NewBatch(newSolver(p).domain, p.Points, block)
	for i := range a.Data {
		a.Data[i] = float64(i / a.Values())
	}
	after := func(start, time float64, steps int) *worker { // from the exact solution at a time
		p.Parameters = fmt.Sprintf("%s; T = %v", c.Parameters, start)
		w := newSolver(p).newWorker()
		w.equal = steps
		err = cmp.Or(err, w.Solve(ctx, []grid.Batch{a.Like(block)}, a, []float64{time}, c.Name))
		return w
	}
	exact := after(c.Time, 0, 0)
	solve := func(steps int) (errors float64, taken int) {
		w := after(0, c.Time, steps)
		if err != nil {
			return 0, 0
		}
		return w.distance(exact), w.steps
	}
	var steps int
	if difference, steps = solve(0); difference < 1e-12 {
		return difference, 0, err
	}
	p.Tolerance = math.Inf(1)
	steps, last := max(16, steps/8), 0.0
	for range 4 { // until the errors of steps dominate
		e, _ := solve(steps)
		if last > 0 && e > 2*difference {
			order = math.Log2(last / e)
		}
		last, steps = e, 2*steps
	}
	return difference, order, err
}

// distance returns the largest relative L2 distance from a trajectory of another worker, over all fields.
func (w *worker) distance(exact *worker) float64 {
	var errors, norms [block]float64
	for f := range w.Fields {
		want := exact.onPoints(f)
		for i, v := range w.onPoints(f) {
			errors[i%block] += (v - want[i]) * (v - want[i])
			norms[i%block] += want[i] * want[i]
		}
	}
	worst := 0.0
	for l := range block {
		worst = max(worst, math.Sqrt(errors[l]/norms[l]))
	}
	return worst
}

// Claims returns equations with their exact solutions.
func Claims() []Claim {
	return []Claim{
		{"heat", 1e-12, 64, config.Equation{Text: "u_t = 0.001*u_xx", Length: 1, Time: 1,
			Initial: "exp(-0.001*(2*pi*(1+a))^2*T)*sin(2*pi*(1+a)*x + a)"}},
		{"advection", 1e-12, 128, config.Equation{Text: "u_t + 1.3*u_x = 0", Length: 1, Time: 1,
			Initial: "exp(sin(2*pi*(x - 1.3*T)) + a/10)"}},
		{"kdv soliton", 1e-8, 256, config.Equation{Text: "u_t = -6*u*u_x - u_xxx", Length: 40, Time: 0.5,
			Initial: "(1/2 + a/4)*(1 - tanh((1 + a/2)^0.5/2*(x - 20 - (1 + a/2)*T))^2)"}},
		{"burgers cole-hopf", 1e-8, 256, config.Equation{Text: "u_t = 0.05*u_xx - u*u_x", Length: 1, Time: 0.5,
			Initial:    "0.2*pi*d*(1+a)*sin(2*pi*x)/(1 + d*(1+a)*cos(2*pi*x))",
			Parameters: "d = 0.1*exp(-0.2*pi^2*T)"}},
		// two fronts that run apart
		{"fisher-kpp wave", 1e-8, 1024, config.Equation{Text: "u_t = u_xx + u*(1-u)", Length: 400, Time: 10,
			Initial: "(1 + exp(z/6^0.5))^(-2)", Parameters: "z = abs(x - 200) - 80 - 5*T/6^0.5"}},
		{"schroedinger plane wave", 2e-8, 64, config.Equation{Length: 2 * math.Pi, Time: 2,
			Text: "u_t = -0.5*v_xx - (u^2+v^2)*v; v_t = 0.5*u_xx + (u^2+v^2)*u",
			Initial: "(0.3 + 0.1*a)*cos(3*x - (9/2 - (0.3 + 0.1*a)^2)*T); " +
				"(0.3 + 0.1*a)*sin(3*x - (9/2 - (0.3 + 0.1*a)^2)*T)"}},
		{"wave", 1e-12, 128, config.Equation{Text: "u_t = v; v_t = 4*u_xx", Length: 1, Time: 0.7,
			Initial:    "exp(sin(r)) + 0.1*a*exp(sin(s)); 0.4*pi*a*cos(s)*exp(sin(s)) - 4*pi*cos(r)*exp(sin(r))",
			Parameters: "r = 2*pi*(x - 2*T); s = 2*pi*(x + 2*T)"}},
		{"taylor-green", 1e-12, 32, config.Equation{Dims: 2, Length: 1, Time: 1,
			Text:    "w_t = 0.01*lap(w) - (dy(p)*dx(w) - dx(p)*dy(w)); p = -ilap(w)",
			Initial: "(1+a)*exp(-0.08*pi^2*T)*cos(2*pi*x)*cos(2*pi*y)"}},
		// exp(sin(2 pi z)) + a along the characteristics, where tan(pi z) is a quotient of linear functions of tan(pi x)
		{"advection-variable", 2e-8, 256, config.Equation{Text: "u_t = -(1 + 0.5*sin(2*pi*x))*u_x", Length: 1, Time: 0.5,
			Initial:    "exp(((c^2 - 1.25*d^2)*r - 2*c*d*s - d^2)/(c^2 + 1.25*d^2 + c*d*s + d^2*r)) + a",
			Parameters: "w = pi*0.75^0.5; c = cos(w*T); d = sin(w*T)*pi/w; r = sin(2*pi*x); s = cos(2*pi*x)"}},
	}
}
