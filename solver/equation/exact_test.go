package equation

import (
	"math"
	"testing"
)

type exactCase struct {
	name       string
	lines      []string
	parameters map[string]string
	dims       int
	length     float64
	points     int
	time       float64
	solution   func(field, lane int, x [2]float64, t float64) float64
	bound      float64 // of the error at tolerance 1e-8
}

func sech(x float64) float64 { return 1 / math.Cosh(x) }

// coleHopf is Burgers' solution for u(0) = -2 nu d/dx log theta, theta = 1 + a cos(2 pi x) decaying.
func coleHopf(nu, a float64) func(x, t float64) float64 {
	return func(x, t float64) float64 {
		d := a * math.Exp(-4*math.Pi*math.Pi*nu*t)
		return 4 * math.Pi * nu * d * math.Sin(2*math.Pi*x) / (1 + d*math.Cos(2*math.Pi*x))
	}
}

func exactCases() []exactCase {
	wrap := func(x, l float64) float64 { return x - l*math.Round(x/l) }
	return []exactCase{
		{name: "heat",
			lines: []string{"u_t = nu*u_xx"}, parameters: map[string]string{"nu": "0.01"},
			dims: 1, length: 1, points: 64, time: 1,
			solution: func(_, l int, x [2]float64, t float64) float64 {
				k := 2 * math.Pi * float64(1+l%3)
				return math.Exp(-0.01*k*k*t) * math.Sin(k*x[0]+float64(l))
			}},
		{name: "advection",
			lines: []string{"u_t + c*u_x = 0"}, parameters: map[string]string{"c": "1.3"},
			dims: 1, length: 1, points: 128, time: 1,
			solution: func(_, l int, x [2]float64, t float64) float64 {
				return math.Exp(math.Sin(2*math.Pi*(x[0]-1.3*t)) + float64(l)/10)
			}},
		{name: "kdv soliton",
			lines: []string{"u_t = -6*u*u_x - u_xxx"},
			dims:  1, length: 40, points: 256, time: 2,
			solution: func(_, l int, x [2]float64, t float64) float64 {
				c := 1 + 0.5*float64(l)
				return c / 2 * math.Pow(sech(math.Sqrt(c)/2*wrap(x[0]-12-c*t, 40)), 2)
			}},
		{name: "burgers cole-hopf",
			lines: []string{"u_t = nu*u_xx - u*u_x"}, parameters: map[string]string{"nu": "0.05"},
			dims: 1, length: 1, points: 256, time: 0.5,
			solution: func(_, l int, x [2]float64, t float64) float64 { return coleHopf(0.05, 0.1*float64(1+l))(x[0], t) }},
		{name: "fisher-kpp wave",
			lines: []string{"u_t = u_xx + u*(1-u)"},
			dims:  1, length: 400, points: 1024, time: 10,
			solution: func(_, l int, x [2]float64, t float64) float64 { // two fronts c = 5/sqrt6 that run apart
				f := func(z float64) float64 { return math.Pow(1+math.Exp(z/math.Sqrt(6)), -2) }
				c := 5 / math.Sqrt(6)
				return f(math.Abs(x[0]-200) - 80 - c*t)
			}},
		{name: "schroedinger plane wave",
			lines: []string{"u_t = -0.5*v_xx - (u^2+v^2)*v", "v_t = 0.5*u_xx + (u^2+v^2)*u"},
			dims:  1, length: 2 * math.Pi, points: 64, time: 2,
			solution: func(f, l int, x [2]float64, t float64) float64 {
				a, k := 0.3+0.1*float64(l), 3.0
				phase := k*x[0] - (k*k/2-a*a)*t
				return a * []float64{math.Cos(phase), math.Sin(phase)}[f]
			}},
		{name: "wave",
			lines: []string{"u_t = v", "v_t = c^2*u_xx"}, parameters: map[string]string{"c": "2"},
			dims: 1, length: 1, points: 128, time: 0.7,
			solution: func(f, l int, x [2]float64, t float64) float64 {
				g := func(z float64) float64 { return math.Exp(math.Sin(2 * math.Pi * z)) }
				d := func(z float64) float64 { return 2 * math.Pi * math.Cos(2*math.Pi*z) * g(z) }
				if f == 0 {
					return g(x[0]-2*t) + 0.1*float64(l)*g(x[0]+2*t)
				}
				return -2*d(x[0]-2*t) + 0.2*float64(l)*d(x[0]+2*t)
			}},
		{name: "taylor-green",
			lines: []string{"w_t = nu*lap(w) - (dy(p)*dx(w) - dx(p)*dy(w))", "p = -ilap(w)"}, parameters: map[string]string{"nu": "0.01"},
			dims: 2, length: 1, points: 32, time: 1,
			solution: func(_, l int, x [2]float64, t float64) float64 {
				k := 2 * math.Pi
				return (1 + float64(l)) * math.Exp(-0.02*k*k*t) * math.Cos(k*x[0]) * math.Cos(k*x[1])
			}},
		{name: "advection-variable",
			lines: []string{"u_t = -(1 + 0.5*sin(2*pi*x))*u_x"},
			dims:  1, length: 1, points: 256, time: 0.5,
			solution: func(_, l int, x [2]float64, t float64) float64 { // characteristics backwards by RK4
				c := func(x float64) float64 { return 1 + 0.5*math.Sin(2*math.Pi*x) }
				z, h := x[0], t/1000
				for range 1000 {
					k1 := c(z)
					k2 := c(z - h/2*k1)
					k3 := c(z - h/2*k2)
					k4 := c(z - h*k3)
					z -= h / 6 * (k1 + 2*k2 + 2*k3 + k4)
				}
				return math.Exp(math.Sin(2*math.Pi*z)) + float64(l)
			}},
	}
}

func TestExactSolutions(t *testing.T) {
	for _, c := range exactCases() {
		for _, tolerance := range []float64{1e-6, 1e-8} {
			s := solver(t, parsed(t, c.dims, c.parameters, c.lines...), c.points, c.length, tolerance)
			u, w := solve(t, s, c.time, func(f, l int, x [2]float64) float64 { return c.solution(f, l, x, 0) })
			e := relative(u, onGrid(s, func(f, l int, x [2]float64) float64 { return c.solution(f, l, x, c.time) }))
			t.Logf("%-26s tolerance %.0e: error %.2g after %d steps", c.name, tolerance, e, w.steps)
			if e > max(c.bound, 10*tolerance) {
				t.Errorf("%s at tolerance %g: error %.2g", c.name, tolerance, e)
			}
		}
	}
}
