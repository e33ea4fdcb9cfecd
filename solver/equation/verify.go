// This file checks the solver on equations with known solutions, independently of the machine.

package equation

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"

	"rfm/solver/grf"
	"rfm/solver/grid"
)

// Claim is an equation with an exact solution, which Check compares with the numerical one.
type Claim struct {
	Name           string
	Text, Solution []string // Solution by field, in x, y, the time T, the trajectory a = 0 ... 7 and the names of Where
	Where          map[string]string
	Limit          float64 // of the relative L2 error at tolerance 1e-8

	dims, points int
	length, time float64
}

// Result is the error of a claim at tolerance 1e-8, and the order of the scheme: 0 if equal steps are exact.
type Result struct{ Error, Order float64 }

// Check solves the equation from eight initial values. It returns the errors of ctx and of the solver.
func (c Claim) Check(ctx context.Context) (r Result, err error) {
	p := Problem{Text: c.Text, Initial: c.Solution, Parameters: map[string]string{}, Time: c.time, Points: c.points + 1,
		Lengths: [2]float64{c.length, c.length}, Tolerance: 1e-8, Inputs: grf.Periodic{Tau: 1, Alpha: 1}}
	if c.dims == 2 {
		p.Inputs = grf.Field{Tau: 1, Alpha: 2}
	}
	maps.Copy(p.Parameters, c.Where)
	a := grid.NewBatch(p.Inputs.Domain(), p.Points, block)
	for i := range a.Data {
		a.Data[i] = float64(i / a.Values())
	}
	after := func(start, time float64, steps int) *worker { // from the exact solution at a time
		p.Parameters["T"] = fmt.Sprint(start)
		w := newSolver(p).newWorker()
		w.equal = steps
		err = cmp.Or(err, w.Solve(ctx, []grid.Batch{a.Like(block)}, a, []float64{time}, c.Name))
		return w
	}
	exact := after(c.time, 0, 0)
	solve := func(steps int) (errors float64, taken int) {
		w := after(0, c.time, steps)
		if err != nil {
			return 0, 0
		}
		return w.distance(exact), w.steps
	}
	var steps int
	if r.Error, steps = solve(0); r.Error < 1e-12 {
		return r, err
	}
	p.Tolerance = math.Inf(1)
	steps, last := max(16, steps/8), 0.0
	for range 4 { // until the errors of steps dominate
		e, _ := solve(steps)
		if last > 0 && e > 2*r.Error {
			r.Order = math.Log2(last / e)
		}
		last, steps = e, 2*steps
	}
	return r, err
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
		{"heat", []string{"u_t = 0.001*u_xx"}, []string{"exp(-0.001*(2*pi*(1+a))^2*T)*sin(2*pi*(1+a)*x + a)"}, nil, 1e-12,
			1, 64, 1, 1},
		{"advection", []string{"u_t + 1.3*u_x = 0"}, []string{"exp(sin(2*pi*(x - 1.3*T)) + a/10)"}, nil, 1e-12, 1, 128, 1, 1},
		{"kdv soliton", []string{"u_t = -6*u*u_x - u_xxx"},
			[]string{"(1/2 + a/4)*(1 - tanh((1 + a/2)^0.5/2*(x - 20 - (1 + a/2)*T))^2)"}, nil, 1e-8, 1, 256, 40, 0.5},
		{"burgers cole-hopf", []string{"u_t = 0.05*u_xx - u*u_x"},
			[]string{"0.2*pi*d*(1+a)*sin(2*pi*x)/(1 + d*(1+a)*cos(2*pi*x))"},
			map[string]string{"d": "0.1*exp(-0.2*pi^2*T)"}, 1e-8, 1, 256, 1, 0.5},
		{"fisher-kpp wave", []string{"u_t = u_xx + u*(1-u)"}, // two fronts that run apart
			[]string{"(1 + exp(z/6^0.5))^(-2)"}, map[string]string{"z": "abs(x - 200) - 80 - 5*T/6^0.5"}, 1e-8,
			1, 1024, 400, 10},
		{"schroedinger plane wave", []string{"u_t = -0.5*v_xx - (u^2+v^2)*v", "v_t = 0.5*u_xx + (u^2+v^2)*u"},
			[]string{"(0.3 + 0.1*a)*cos(3*x - (9/2 - (0.3 + 0.1*a)^2)*T)",
				"(0.3 + 0.1*a)*sin(3*x - (9/2 - (0.3 + 0.1*a)^2)*T)"}, nil, 2e-8, 1, 64, 2 * math.Pi, 2},
		{"wave", []string{"u_t = v", "v_t = 4*u_xx"}, []string{"exp(sin(r)) + 0.1*a*exp(sin(s))",
			"0.4*pi*a*cos(s)*exp(sin(s)) - 4*pi*cos(r)*exp(sin(r))"},
			map[string]string{"r": "2*pi*(x - 2*T)", "s": "2*pi*(x + 2*T)"}, 1e-12, 1, 128, 1, 0.7},
		{"taylor-green", []string{"w_t = 0.01*lap(w) - (dy(p)*dx(w) - dx(p)*dy(w))", "p = -ilap(w)"},
			[]string{"(1+a)*exp(-0.08*pi^2*T)*cos(2*pi*x)*cos(2*pi*y)"}, nil, 1e-12, 2, 32, 1, 1},
		// exp(sin(2 pi z)) + a along the characteristics, where tan(pi z) is a quotient of linear functions of tan(pi x)
		{"advection-variable", []string{"u_t = -(1 + 0.5*sin(2*pi*x))*u_x"},
			[]string{"exp(((c^2 - 1.25*d^2)*r - 2*c*d*s - d^2)/(c^2 + 1.25*d^2 + c*d*s + d^2*r)) + a"},
			map[string]string{"w": "pi*0.75^0.5", "c": "cos(w*T)", "d": "sin(w*T)*pi/w", "r": "sin(2*pi*x)",
				"s": "cos(2*pi*x)"}, 2e-8, 1, 256, 1, 0.5},
	}
}
