package equation

import (
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"rfm/config"
	"rfm/solver/base/draw"
	"rfm/solver/space/grid"
)

func waves(f, l int, x [2]float64) float64 {
	return 0.3*math.Sin(2*math.Pi*x[0]+float64(l)) + 0.2*math.Cos(4*math.Pi*x[0]+float64(f+l))
}

// equal returns a worker after so many equal steps.
func equal(t *testing.T, s *evolution, time float64, steps int, initial function) *worker {
	t.Helper()
	w := load(s, initial)
	s.Problem.Tolerance, w.equal = math.Inf(1), steps
	noError(t, w.advance(t.Context(), []float64{time}, "", func(int) {}))
	return w
}

// Decay, waves, both, and systems of either kind have order four.
func TestOrderFour(t *testing.T) {
	for name, c := range map[string]struct {
		text  string
		time  float64
		steps int
	}{
		"burgers":         {"u_t = 0.02*u_xx - u*u_x", 0.5, 16},
		"kdv":             {"u_t = -u*u_x - 0.0005*u_xxx", 0.5, 64},
		"ks":              {"u_t = -u*u_x - 0.01*u_xx - 0.0001*u_xxxx", 0.5, 16},
		"allen-cahn":      {"u_t = 0.002*u_xx + 5*(u - u^3)", 0.5, 16},
		"schroedinger":    {"u_t = -0.01*v_xx - (u^2+v^2)*v; v_t = 0.01*u_xx + (u^2+v^2)*u", 1, 16},
		"fitzhugh-nagumo": {"u_t = 0.01*u_xx + u - u^3/3 - v; v_t = 0.08*(u + 0.7 - 0.8*v)", 2, 16},
		"three fields":    {"u_t = v; v_t = 0.1*u_xx - w; w_t = 0.05*w_xx + u*v", 1, 16},
		"force in t":      {"u_t = 0.02*u_xx - u*u_x + cos(6*t)*sin(2*pi*x)", 0.5, 16},
		"quasilinear":     {"u_t = dx((0.02 + 0.01*u^2)*u_x)", 0.3, 16},
	} {
		s := solver(t, 1, 64, 1, 1e-6, c.text)
		reference := equal(t, s, c.time, 8*c.steps, waves)
		coarse := equal(t, s, c.time, c.steps, waves).distance(reference)
		fine := equal(t, s, c.time, 2*c.steps, waves).distance(reference)
		order := math.Log2(coarse / fine)
		t.Logf("%-16s %.2g, %.2g: order %.2f", name, coarse, fine, order)
		if order < 3.6 || fine < 1e-13 {
			t.Errorf("%s: order %.2f from errors %.3g and %.3g", name, order, coarse, fine)
		}
	}
}

// The scheme in the frames of the modes has order four, too, alone and beside the other one.
func TestOrderFourInFrames(t *testing.T) {
	for _, text := range []string{"u_t = -u*u_x - 0.0005*u_xxx",
		"u_t = -0.01*v_xx - (u^2+v^2)*v; v_t = 0.01*u_xx + (u^2+v^2)*u"} {
		s := solver(t, 1, 32, 1, 1e-6, text)
		s.Problem.Tolerance = math.Inf(1)
		for _, every := range []int{1, 2} {
			run := func(steps int) *worker {
				w := load(s, waves)
				w.equal = steps
				w.hasFrame = true
				for _, frames := range w.frames {
					for p, q := range w.mirror {
						if min(p, q)%every == 0 {
							frames[p] = turned
						}
					}
				}
				noError(t, w.advance(t.Context(), []float64{0.5}, "", func(int) {}))
				return w
			}
			reference := run(1024)
			coarse := run(128).distance(reference)
			fine := run(256).distance(reference)
			order := math.Log2(coarse / fine)
			t.Logf("%s, one mode in %d: %.2g, %.2g: order %.2f", text, every, coarse, fine, order)
			if order < 3.6 || fine < 1e-13 {
				t.Errorf("%s: order %.2f from errors %.3g and %.3g", text, order, coarse, fine)
			}
		}
	}
}

// The final error is about the tolerance, not far below it.
func TestTolerance(t *testing.T) {
	for _, text := range []string{
		"u_t = 0.02*u_xx - u*u_x",
		"u_t = -u*u_x - 0.0005*u_xxx",
		"u_t = 0.002*u_xx + 5*(u - u^3)",
		"u_t = -0.01*v_xx - (u^2+v^2)*v; v_t = 0.01*u_xx + (u^2+v^2)*u",
		"u_t = dx((0.02 + 0.01*u^2)*u_x)",
		"u_t = 0.05*u_xx + cos(6*t)",
		"u_t = -(1 + 0.5*sin(2*pi*x))*u_x + 0.001*u_xx",
		"u_t = -dx((1 + 0.5*sin(2*pi*x))*u)",
		"u_t = v; v_t = (1 + 0.2*sin(2*pi*x))*u_xx",
		"u_t = 6*v; v_t = 0.06*u_xx - 24*u - 6*u^3",
		"u_t = 12*v; v_t = 0.48*u_xx - 12*v*u^2",
	} {
		reference := solve(t, solver(t, 1, 128, 1, 1e-11, text), 0.5, waves)
		for _, tolerance := range []float64{1e-4, 1e-6, 1e-8} {
			w := solve(t, solver(t, 1, 128, 1, tolerance, text), 0.5, waves)
			e := w.distance(reference)
			t.Logf("%v: tolerance %g, error %.2g after %d steps", text, tolerance, e, w.steps)
			if e > 2*tolerance {
				t.Errorf("%v: tolerance %g, error %.2g", text, tolerance, e)
			}
		}
	}
}

// Errors fall faster than any power of the grid.
func TestSpaceIsExponential(t *testing.T) {
	last := 1.0
	for _, n := range []int{8, 16, 32, 64} {
		s := solver(t, 1, n, 1, 1e-12, "u_t = 0.05*u_xx - u*u_x")
		s.tail = 1
		exact := func(time float64) function { // by the transform of Cole and Hopf
			d := 0.5 * math.Exp(-0.2*math.Pi*math.Pi*time)
			return func(_, _ int, x [2]float64) float64 {
				return 0.2 * math.Pi * d * math.Sin(2*math.Pi*x[0]) / (1 + d*math.Cos(2*math.Pi*x[0]))
			}
		}
		e := solve(t, s, 0.2, exact(0)).distance(load(s, exact(0.2)))
		t.Logf("N=%d: %.2g", n, e)
		if e > last/10 && e > 1e-11 {
			t.Errorf("N=%d: error %.2g after %.2g", n, e, last)
		}
		last = e
	}
}

// Mass, energy and momentum are conserved to the tolerance.
func TestConservedQuantities(t *testing.T) {
	total := func(u [][]float64, lane, power int) (sum float64) {
		for _, v := range u {
			for p := lane; p < len(v); p += block {
				sum += math.Pow(v[p], float64(power))
			}
		}
		return sum
	}
	for _, c := range []struct {
		text          string
		fields, power int // of the quantity: the sum of powers of the first fields
	}{
		{"u_t = 0.02*u_xx - u*u_x", 1, 1},
		{"u_t = -u*u_x - 0.0005*u_xxx", 1, 2},
		{"u_t = -0.01*v_xx - (u^2+v^2)*v; v_t = 0.01*u_xx + (u^2+v^2)*u", 2, 2},
		{"u_t = lap(u^3 - u - 0.002*lap(u))*0.001", 1, 1},
		{"u_t = -dx((1+u)*v) + 0.01*u_xx; v_t = -v*v_x - u_x + 0.01*v_xx", 1, 1},
	} {
		s := solver(t, 1, 128, 1, 1e-9, c.text)
		u, first := values(solve(t, s, 0.5, waves))[:c.fields], values(load(s, waves))[:c.fields]
		for l := range block {
			if d := math.Abs(total(u, l, c.power)-total(first, l, c.power)) / total(first, l, 2); d > 1e-8 {
				t.Errorf("%v: changed by %.2g", c.text, d)
			}
		}
	}
}

// A step allocates no memory, for any kind of equation.
func TestStepsDoNotAllocate(t *testing.T) {
	for _, text := range []string{"u_t = 0.02*u_xx - u*u_x", "u_t = -u*u_x - 0.0005*u_xxx",
		"u_t = 0.01*u_xx - sin(u) + v^2*u_x; v_t = u - v + dx(u^3)", "u_t = dx((0.02 + 0.01*u^2)*u_x) + sin(t)"} {
		s := solver(t, 1, 64, 1, 1e-6, text)
		w := solve(t, s, 0.1, waves)
		if n := testing.AllocsPerRun(10, func() { w.try() }); n > 0 {
			t.Errorf("%v: %g allocations in a step", text, n)
		}
	}
}

// Solutions that cannot be trusted are refused, with the reason. Quasilinear diffusion is solved where it is forward
// and even.
func TestSolutionsThatCannotBeTrustedAreRefused(t *testing.T) {
	for text, c := range map[string]struct {
		time float64
		want string // part of the message; "": solved
	}{
		"u_t = dx((0.02 + 0.01*u^2)*u_x)": {0.1, ""}, "u_t = 0.05*u_xx/(1 + 0.1*u_x^2)": {0.1, ""},
		"u_t = dx(exp(u)*u_x)": {0.1, ""}, "u_t = 0.5*u_xx + 0.2*u*u_xx - u^3": {0.1, ""},
		"u_t = u*u_xx":                       {0.1, "has backward diffusion, -0"},
		"u_t = dx(u*u_x) + 0.1*u_xx":         {0.1, "u_t: the term in column"},
		"u_t = dx(exp(6*u)*u_x)":             {0.1, "a ratio above 100"},
		"u_t = u^2 + 1":                      {10, "u grows without bound, upwards, near t="},
		"u_t = 1e-5*u_xx - u*u_x":            {2, "is not resolved by the grid"},
		"u_t = log(u)":                       {1, "has no rate of change that is finite"},
		"u_t = 10*u_xx":                      {10, "has decayed to rounding errors"},
		"u_t = u":                            {100, "u grows without bound, upwards and downwards, near t="},
		"u_t = -1e4*tanh(u) - 1e4*tanh(u-1)": {1, "needs more than 1000 time steps, the limit; raise equation.tolerance"},
	} {
		s := solver(t, 1, 64, 1, 1e-6, text)
		s.maxSteps = 1000
		_, err := attempt(t, s, c.time, waves)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, not %q", text, err, c.want)
		}
	}
}

// A force in t bounds the steps, although no mode feels it at first and all decay or stand still.
func TestForcesInTimeBoundTheSteps(t *testing.T) {
	for text, exact := range map[string]func(t float64) float64{
		"u_t = cos(20*t)":                        func(t float64) float64 { return math.Sin(20*t) / 20 },
		"u_t = exp(-((t - 0.8)/0.005)^2)":        func(float64) float64 { return 0.005 * math.Sqrt(math.Pi) },
		"u_t = u_xx + exp(-((t - 0.3)/0.005)^2)": func(float64) float64 { return 0.005 * math.Sqrt(math.Pi) },
	} {
		s := solver(t, 1, 16, 1, 1e-6, text)
		w := solve(t, s, 1, func(int, int, [2]float64) float64 { return 1 })
		e := math.Abs(w.onPoints(0)[0] - 1 - exact(1))
		if t.Logf("%s: error %.2g after %d steps", text, e, w.steps); e > 2e-6 {
			t.Errorf("%s: error %.2g after %d steps", text, e, w.steps)
		}
	}
}

// Steps have the size that the tolerance allows where most waves turn many times within a step, and where solutions
// last while errors of short waves are damped.
func TestFewStepsKeepTheTolerance(t *testing.T) {
	for text, c := range map[string]struct {
		length, time float64
		input        config.Field
		most         map[float64]int // by tolerance
	}{
		"u_t = u*u_x - u_xxx + 0.1*u - 0.2*u^3": {2 * math.Pi, 0.005, config.Field{Tau: 7, Alpha: 2.5, Scale: 1},
			map[float64]int{1e-6: 250}}, // rough waves
		"u_t = u_x - u*u_x - 0.002*u_xxx": {1, 1, config.Field{Tau: 7, Alpha: 5, Scale: 1},
			map[float64]int{1e-6: 1000}},
		"u_t = -3*u_x + u - u^3": {1, 1, config.Field{Tau: 7, Alpha: 5, Scale: 3}, map[float64]int{1e-6: 50}}, // a rest in a frame
		"u_t = -6*u*u_x - u_xxx": {20, 0.7, config.Field{Tau: 15, Alpha: 8, Scale: 2.037},
			map[float64]int{1e-4: 40, 1e-6: 110}},
		"u_t = lap(u^3 - u - 0.0004*lap(u))": {1, 0.002, config.Field{Tau: 10, Alpha: 3, Scale: 1.683},
			map[float64]int{1e-6: 45, 1e-8: 140}},
		"u_t = dx((0.05 + 0.3*u^2)*u_x)": {1, 0.05, config.Field{Tau: 10, Alpha: 4, Scale: 2},
			map[float64]int{1e-6: 150, 1e-8: 750}},
		"u_t = 0.02*u_xx - u*u_x + 0.5*sin(2*pi*x)": {1, 2, config.Field{Tau: 10, Alpha: 4, Scale: 2},
			map[float64]int{1e-6: 200, 1e-8: 620}},
	} {
		p := Problem{config.Equation{Text: text, Length: c.length, Time: c.time}, c.input, 257, 1}
		a := grid.NewBatch(grid.Torus, p.Points, block)
		p.Operator().Draw(a, draw.InputTrain, 0)
		solve := func(tolerance float64) ([]float64, int) {
			p.Tolerance = tolerance
			u, w := []grid.Batch{a.Like(block)}, p.Operator().NewWorker()
			noError(t, w.Solve(t.Context(), u, a, []float64{p.Time}, ""))
			return u[0].Data, w.(*worker).steps
		}
		reference, _ := solve(slices.Min(slices.Collect(maps.Keys(c.most))) / 100)
		for tolerance, most := range c.most {
			u, steps := solve(tolerance)
			e := floats.Distance(u, reference, 2) / floats.Norm(reference, 2)
			t.Logf("%s: tolerance %g, error %.2g after %d steps", text, tolerance, e, steps)
			if e > 2*tolerance || steps > most {
				t.Errorf("%s: tolerance %g, error %.2g after %d steps, at most %d are needed", text, tolerance, e, steps, most)
			}
		}
	}
}

// Rough waves, for which the tolerance would take more steps than there may be, are solved to the error of the grid.
func TestRoughWavesHaveTheErrorOfTheGrid(t *testing.T) {
	p := Problem{config.Equation{Text: "u_t = u*u_x - u_xxx + 0.1*u - 0.2*u^3", Length: 2 * math.Pi, Time: 0.05, Tolerance: 1e-8},
		config.Field{Tau: 7, Alpha: 2.5, Scale: 1}, 257, 1}
	s := newSolver(p)
	a := grid.NewBatch(grid.Torus, p.Points, block)
	s.draws.Draw(a, 1, draw.InputTrain, 0)
	w := s.newWorker()
	noError(t, w.Solve(t.Context(), []grid.Batch{a.Like(block)}, a, []float64{p.Time}, ""))
	s.Problem.Tolerance = 1e-6
	exact := s.newWorker()
	noError(t, exact.Solve(t.Context(), []grid.Batch{a.Like(block)}, a, []float64{p.Time}, ""))
	_, tails := w.spectrum()
	tail := slices.Min(tails[:])
	const most = relaxAfter + 1000 // of steps
	t.Logf("%d steps, %d at tolerance 1e-6: distance %.2g, tail %.2g", w.steps, exact.steps, w.distance(exact), tail)
	if w.tolerance <= p.Tolerance || w.steps > most || w.distance(exact) > tail {
		t.Errorf("%d steps, %d at tolerance 1e-6: distance %.2g, tail %.2g", w.steps, exact.steps, w.distance(exact), tail)
	}
}

// The mean slope of a cubic damping is moved from the nonlinear rest to the linear symbol, which changes the symbol but
// not the equation. A term that grows stays in the rest.
func TestMeanSlopeIsInTheSymbol(t *testing.T) {
	for text, without := range map[string]string{"u_t = u_xx + u - u^3": "u_t = u_xx + u",
		"u_t = u_xx + u + u^3": "", "u_t = -u_xxxx + dxx(u^3)": "u_t = -u_xxxx", "u_t = u_xx - dx(u^3)": ""} {
		s := solver(t, 1, 32, 1, 1e-6, text)
		if s.centred != (without != "") {
			t.Errorf("%s: centred is %v", text, s.centred)
		} else if without != "" && s.rows[0].symbol[0][2] >= solver(t, 1, 32, 1, 1e-6, without).rows[0].symbol[0][2] {
			t.Errorf("%s: the symbol is %g", text, s.rows[0].symbol[0][2])
		}
	}
}
