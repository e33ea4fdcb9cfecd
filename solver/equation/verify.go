// This file checks the solver on equations with known solutions, independently of the machine.

package equation

import (
	"context"
	"math"
)

// Claim is an equation with an exact solution, which Check compares with the numerical one.
type Claim struct {
	Name, Solution string
	Text           []string
	Limit          float64 // of the relative L2 error at tolerance 1e-8

	parameters map[string]string
	dims       int // 0 is 1
	length     float64
	points     int
	time       float64
	exact      func(field, lane int, x [2]float64, t float64) float64
}

// Result is the error of a claim at tolerance 1e-8, and the order of the scheme: 0 if equal steps are exact.
type Result struct{ Error, Order float64 }

// Check solves the equation from eight initial values. It returns the errors of ctx and of the solver.
func (c Claim) Check(ctx context.Context) (r Result, err error) {
	s, err := c.solver(1e-8)
	if err != nil {
		return r, err
	}
	w := s.NewWorker()
	initial := func(f, l, p int) float64 { return c.exact(f, l, s.points[p], 0) }
	w.load(initial)
	if err := w.advance(ctx, []float64{c.time}, c.Name, func(int) {}); err != nil {
		return r, err
	}
	r.Error = c.distance(w)
	if r.Error < 1e-12 {
		return r, nil
	}
	steps, last := max(16, w.steps/8), 0.0
	for range 4 { // until the errors of steps dominate
		w.load(initial)
		if err := w.equal(ctx, c.time, steps); err != nil {
			return r, err
		}
		e := c.distance(w)
		if last > 0 && e > 2*r.Error {
			r.Order = math.Log2(last / e)
		}
		last, steps = e, 2*steps
	}
	return r, nil
}

// solver discretises the equation.
func (c Claim) solver(tolerance float64) (*Solver, error) {
	sys, err := parseSystem(c.Text, c.parameters, max(1, c.dims))
	if err != nil {
		return nil, err
	}
	return newSolver(sys, Options{Points: c.points + 1, Lengths: [2]float64{c.length, c.length}, Tolerance: tolerance})
}

// distance returns the largest relative L2 error of a trajectory, over all fields.
func (c Claim) distance(w *Worker) float64 {
	var errors, norms [block]float64
	for f := range w.solver.Fields {
		for i, v := range w.onPoints(f) {
			want := c.exact(f, i%block, w.solver.points[i/block], c.time)
			errors[i%block] += (v - want) * (v - want)
			norms[i%block] += want * want
		}
	}
	worst := 0.0
	for l := range block {
		worst = max(worst, math.Sqrt(errors[l]/norms[l]))
	}
	return worst
}

// equal makes steps equal steps without error control. It returns the error of ctx, or a *fault.Numerical.
func (w *Worker) equal(ctx context.Context, time float64, steps int) error {
	w.time, w.left, w.cache, w.tables = time, -1, nil, nil
	if err := w.start(); err != nil {
		return err
	}
	w.setStep(time / float64(steps))
	w.look(0)
	for range steps {
		if err := ctx.Err(); err != nil {
			return err
		}
		w.try()
		w.u, w.next = w.next, w.u
		w.image, w.nextImage = w.nextImage, w.image
	}
	return nil
}

func sech(x float64) float64 { return 1 / math.Cosh(x) }

// coleHopf returns Burgers' solution for u(0) = -2 nu d/dx log theta, where theta = 1 + a cos(2 pi x) decays.
func coleHopf(nu, a float64) func(x, t float64) float64 {
	return func(x, t float64) float64 {
		d := a * math.Exp(-4*math.Pi*math.Pi*nu*t)
		return 4 * math.Pi * nu * d * math.Sin(2*math.Pi*x) / (1 + d*math.Cos(2*math.Pi*x))
	}
}

// Claims returns equations with their exact solutions.
func Claims() []Claim {
	wrap := func(x, l float64) float64 { return x - l*math.Round(x/l) }
	return []Claim{
		{Name: "heat", Solution: "exp(-nu k^2 t) sin(k x + s)", Limit: 1e-12,
			Text: []string{"u_t = nu*u_xx"}, parameters: map[string]string{"nu": "0.01"},
			length: 1, points: 64, time: 1,
			exact: func(_, l int, x [2]float64, t float64) float64 {
				k := 2 * math.Pi * float64(1+l%3)
				return math.Exp(-0.01*k*k*t) * math.Sin(k*x[0]+float64(l))
			}},
		{Name: "advection", Solution: "g(x - c t)", Limit: 1e-12,
			Text: []string{"u_t + c*u_x = 0"}, parameters: map[string]string{"c": "1.3"},
			length: 1, points: 128, time: 1,
			exact: func(_, l int, x [2]float64, t float64) float64 {
				return math.Exp(math.Sin(2*math.Pi*(x[0]-1.3*t)) + float64(l)/10)
			}},
		{Name: "kdv soliton", Solution: "c/2 sech(sqrt(c)/2 (x - c t))^2", Limit: 1e-08,
			Text: []string{"u_t = -6*u*u_x - u_xxx"},
			dims: 1, length: 40, points: 256, time: 0.5,
			exact: func(_, l int, x [2]float64, t float64) float64 {
				c := 1 + 0.5*float64(l)
				return c / 2 * math.Pow(sech(math.Sqrt(c)/2*wrap(x[0]-12-c*t, 40)), 2)
			}},
		{Name: "burgers cole-hopf", Solution: "-2 nu (log theta)_x, theta = 1 + d exp(-4 pi^2 nu t) cos(2 pi x)",
			Limit: 1e-08,
			Text:  []string{"u_t = nu*u_xx - u*u_x"}, parameters: map[string]string{"nu": "0.05"},
			length: 1, points: 256, time: 0.5,
			exact: func(_, l int, x [2]float64, t float64) float64 { return coleHopf(0.05, 0.1*float64(1+l))(x[0], t) }},
		{Name: "fisher-kpp wave", Solution: "(1 + exp(z/sqrt 6))^-2, z = x - 5 t/sqrt 6", Limit: 1e-08,
			Text: []string{"u_t = u_xx + u*(1-u)"},
			dims: 1, length: 400, points: 1024, time: 10,
			exact: func(_, l int, x [2]float64, t float64) float64 { // two fronts c = 5/sqrt6 that run apart
				f := func(z float64) float64 { return math.Pow(1+math.Exp(z/math.Sqrt(6)), -2) }
				c := 5 / math.Sqrt(6)
				return f(math.Abs(x[0]-200) - 80 - c*t)
			}},
		{Name: "schroedinger plane wave", Solution: "A exp(i (k x - (k^2/2 - A^2) t))", Limit: 2e-08,
			Text: []string{"u_t = -0.5*v_xx - (u^2+v^2)*v", "v_t = 0.5*u_xx + (u^2+v^2)*u"},
			dims: 1, length: 2 * math.Pi, points: 64, time: 2,
			exact: func(f, l int, x [2]float64, t float64) float64 {
				a, k := 0.3+0.1*float64(l), 3.0
				phase := k*x[0] - (k*k/2-a*a)*t
				return a * []float64{math.Cos(phase), math.Sin(phase)}[f]
			}},
		{Name: "wave", Solution: "g(x - c t) + h(x + c t)", Limit: 1e-12,
			Text: []string{"u_t = v", "v_t = c^2*u_xx"}, parameters: map[string]string{"c": "2"},
			length: 1, points: 128, time: 0.7,
			exact: func(f, l int, x [2]float64, t float64) float64 {
				g := func(z float64) float64 { return math.Exp(math.Sin(2 * math.Pi * z)) }
				d := func(z float64) float64 { return 2 * math.Pi * math.Cos(2*math.Pi*z) * g(z) }
				if f == 0 {
					return g(x[0]-2*t) + 0.1*float64(l)*g(x[0]+2*t)
				}
				return -2*d(x[0]-2*t) + 0.2*float64(l)*d(x[0]+2*t)
			}},
		{Name: "taylor-green", Solution: "exp(-2 nu k^2 t) cos(k x) cos(k y)", Limit: 1e-12,
			Text:       []string{"w_t = nu*lap(w) - (dy(p)*dx(w) - dx(p)*dy(w))", "p = -ilap(w)"},
			parameters: map[string]string{"nu": "0.01"},
			dims:       2, length: 1, points: 32, time: 1,
			exact: func(_, l int, x [2]float64, t float64) float64 {
				k := 2 * math.Pi
				return (1 + float64(l)) * math.Exp(-0.02*k*k*t) * math.Cos(k*x[0]) * math.Cos(k*x[1])
			}},
		{Name: "advection-variable", Solution: "g along the characteristics x' = c(x)", Limit: 2e-08,
			Text: []string{"u_t = -(1 + 0.5*sin(2*pi*x))*u_x"},
			dims: 1, length: 1, points: 256, time: 0.5,
			exact: func(_, l int, x [2]float64, t float64) float64 { // tan(pi x) is a quotient of linear functions' flow
				w := math.Pi * math.Sqrt(0.75)
				sin, cos := math.Sincos(math.Pi * x[0])
				c, d := math.Cos(w*t), math.Sin(w*t)*math.Pi/w
				z := math.Atan2(c*sin-d*(cos+0.5*sin), c*cos+d*(sin+0.5*cos)) / math.Pi
				return math.Exp(math.Sin(2*math.Pi*z)) + float64(l)
			}},
	}
}
