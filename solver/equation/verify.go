// This file checks the solver on equations with known solutions, independently of the machine.

package equation

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"rfm/solver/grf"
)

// Claim is an equation with an exact solution, which Check compares with the numerical one.
type Claim struct {
	Name           string
	Text, Solution []string // Solution by field, in x, y, the time T and the trajectory l = 0 ... 7
	Limit          float64  // of the relative L2 error at tolerance 1e-8

	dims, points int
	length, time float64
}

// Result is the error of a claim at tolerance 1e-8, and the order of the scheme: 0 if equal steps are exact.
type Result struct{ Error, Order float64 }

// Check solves the equation from eight initial values. It returns the errors of ctx and of the solver.
func (c Claim) Check(ctx context.Context) (r Result, err error) {
	p := Problem{Text: c.Text, Initial: slices.Repeat([]string{"a"}, len(c.Solution)), Time: c.time, Points: c.points + 1,
		Lengths: [2]float64{c.length, c.length}, Tolerance: 1e-8, Inputs: grf.Periodic{Tau: 1, Alpha: 1}}
	if c.dims == 2 {
		p.Inputs = grf.Field{Tau: 1, Alpha: 2}
	}
	solve := func(steps int) (errors float64, taken int) {
		s := newSolver(p)
		if err = cmp.Or(err, s.err); err != nil {
			return 0, 0
		}
		w := s.newWorker()
		w.equal = steps
		for f, v := range c.values(s, 0) {
			copy(w.u[f], v)
		}
		w.begin()
		err = w.advance(ctx, []float64{c.time}, c.Name, func(int) {})
		return distance(w, c.values(s, c.time)), w.steps
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

// values returns the exact solution at a time, a block for each field.
func (c Claim) values(s *evolution, time float64) [][]float64 {
	all := make([][]float64, len(c.Solution))
	for f, text := range c.Solution {
		for l := range block {
			given := &scope{dims: s.Dims, initial: true, definitions: map[string]*definition{}}
			lines := strings.Split(fmt.Sprintf("T = %g; l = %d; %s", time, l, text), "; ")
			for _, line := range lines[:len(lines)-1] {
				given.declare(newReader(given, c.Name, line))
			}
			value := newReader(given, c.Name, lines[len(lines)-1]).last()
			v := s.newCompiler().givenBlock(value)
			if l == 0 {
				all[f] = v
			}
			for p := l; p < len(v); p += block {
				all[f][p] = v[p]
			}
		}
	}
	return all
}

// distance returns the largest relative L2 error of a trajectory, over all fields.
func distance(w *worker, exact [][]float64) float64 {
	var errors, norms [block]float64
	for f := range exact {
		for i, v := range w.onPoints(f) {
			errors[i%block] += (v - exact[f][i]) * (v - exact[f][i])
			norms[i%block] += exact[f][i] * exact[f][i]
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
		{"heat", []string{"u_t = 0.001*u_xx"}, []string{"exp(-0.001*(2*pi*(1+l))^2*T)*sin(2*pi*(1+l)*x + l)"}, 1e-12,
			1, 64, 1, 1},
		{"advection", []string{"u_t + 1.3*u_x = 0"}, []string{"exp(sin(2*pi*(x - 1.3*T)) + l/10)"}, 1e-12, 1, 128, 1, 1},
		{"kdv soliton", []string{"u_t = -6*u*u_x - u_xxx"},
			[]string{"c = 1 + l/2; z = c^0.5/2*(x - 20 - c*T); 2*c/(exp(z) + exp(-z))^2"},
			1e-8, 1, 256, 40, 0.5},
		{"burgers cole-hopf", []string{"u_t = 0.05*u_xx - u*u_x"}, []string{
			"d = 0.1*(1+l)*exp(-0.2*pi^2*T); 0.2*pi*d*sin(2*pi*x)/(1 + d*cos(2*pi*x))"}, 1e-8, 1, 256, 1, 0.5},
		{"fisher-kpp wave", []string{"u_t = u_xx + u*(1-u)"}, // two fronts that run apart
			[]string{"z = abs(x - 200) - 80 - 5*T/6^0.5; (1 + exp(z/6^0.5))^(-2)"}, 1e-8, 1, 1024, 400, 10},
		{"schroedinger plane wave", []string{"u_t = -0.5*v_xx - (u^2+v^2)*v", "v_t = 0.5*u_xx + (u^2+v^2)*u"},
			[]string{"A = 0.3 + 0.1*l; A*cos(3*x - (9/2 - A^2)*T)", "A = 0.3 + 0.1*l; A*sin(3*x - (9/2 - A^2)*T)"}, 2e-8,
			1, 64, 2 * math.Pi, 2},
		{"wave", []string{"u_t = v", "v_t = 4*u_xx"},
			[]string{"r = 2*pi*(x - 2*T); s = 2*pi*(x + 2*T); exp(sin(r)) + 0.1*l*exp(sin(s))",
				"r = 2*pi*(x - 2*T); s = 2*pi*(x + 2*T); 0.4*pi*l*cos(s)*exp(sin(s)) - 4*pi*cos(r)*exp(sin(r))"}, 1e-12,
			1, 128, 1, 0.7},
		{"taylor-green", []string{"w_t = 0.01*lap(w) - (dy(p)*dx(w) - dx(p)*dy(w))", "p = -ilap(w)"},
			[]string{"(1+l)*exp(-0.08*pi^2*T)*cos(2*pi*x)*cos(2*pi*y)"}, 1e-12, 2, 32, 1, 1},
		// exp(sin(2 pi z)) + l along the characteristics, where tan(pi z) is a quotient of linear functions of tan(pi x)
		{"advection-variable", []string{"u_t = -(1 + 0.5*sin(2*pi*x))*u_x"}, []string{"w = pi*0.75^0.5; c = cos(w*T); " +
			"d = sin(w*T)*pi/w; r = sin(2*pi*x); s = cos(2*pi*x); " +
			"exp(((c^2 - 1.25*d^2)*r - 2*c*d*s - d^2)/(c^2 + 1.25*d^2 + c*d*s + d^2*r)) + l"}, 2e-8, 1, 256, 1, 0.5},
	}
}
