package equation

import (
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"rfm/config"
	"rfm/solver/base/draw"
	"rfm/solver/base/parallel/detector"
	"rfm/solver/space/grid"
)

// gaussian returns a worker after it has solved for the first training inputs, with its error.
func gaussian(t *testing.T, p Problem) (*worker, error) {
	t.Helper()
	noError(t, p.Check())
	o := p.Operator()
	a := grid.NewBatch(o.Domain, p.Points, block)
	o.Draw(a, draw.InputTrain, 0)
	w := o.NewWorker().(*worker)
	return w, w.Solve(t.Context(), []grid.Batch{a.Like(block)}, a, []float64{p.Time}, "")
}

// An error tells solutions that grow without bound from those that the grid does not resolve. It has the direction of
// the growth, and initial values from which the solution lasts.
func TestGrowthIsToldFromMissingResolution(t *testing.T) {
	rough := config.Field{Tau: 7, Alpha: 2.5, Scale: 1}
	for text, c := range map[string]struct {
		scale  float64
		grows  bool
		sign   int
		before float64 // the solution ends before this time
	}{
		"u_t = 0.002*u_xx + 5*u*(1-u)":               {1, true, -1, 0.6},
		"u_t = 0.002*u_xx - 5*u*(1+u)":               {3, true, -1, 0.6},
		"u_t = 0.001*u_xx + u^2":                     {10, true, 1, 0.9},
		"u_t = 1e-5*u_xx - u*u_x":                    {1, false, 0, 1},
		"u_t = 1e-5*u_xx - u*u_x + 2*sin(2*pi*x)":    {1, false, 0, 1},
		"u_t = 1e-5*u_xx - 10*u*u_x + u - u^3":       {1, false, 0, 1},
		"u_t = 1e-4*u_xx + 100*(u - u^3)":            {1, false, 0, 1},
		"u_t = -u*u_x - 1e-6*u_xxx":                  {1, false, 0, 1},
		"u_t = 0.003*u_xx + 6*(u^3 + sin(2*pi*x)*u)": {1, true, 0, 1},
	} {
		in := rough
		in.Scale = c.scale
		p := Problem{config.Equation{Text: text, Length: 1, Time: 1, Tolerance: 1e-6}, in, 257, 1}
		_, err := gaussian(t, p)
		var e *Ending
		if !errors.As(err, &e) {
			t.Errorf("%s: got %v, want an ending", text, err)
			continue
		}
		t.Log(err)
		if (e.Growth != nil) != c.grows || e.Time > c.before {
			t.Errorf("%s: got %v, want an ending before %g, by growth: %v", text, err, c.before, c.grows)
			continue
		}
		if !c.grows {
			if !strings.Contains(e.Do, "raise data.grid to 513") {
				t.Errorf("%s: got %v, want the advice to raise data.grid to 513", text, err)
			}
			continue
		}
		if c.sign != 0 && e.Growth.Sign != c.sign || math.Abs(e.Growth.Endpoint-e.Time) > 0.1 {
			t.Errorf("%s: got %+v, want the sign %v and an end within 0.1 of %g", text, e.Growth, c.sign, e.Time)
		}
		if e.Growth.Initial != "" {
			p.Initial = e.Growth.Initial
			if _, err := gaussian(t, p); err != nil {
				t.Errorf("%s from %s: %v", text, p.Initial, err)
			}
		}
		p.Initial = ""
		p.Time = 0.9 * e.Time
		if _, err := gaussian(t, p); err != nil {
			t.Errorf("%s until %g: %v", text, p.Time, err)
		}
	}
}

// The axes have equal rights: an equation and initial values with x and y exchanged have the exchanged solution.
func TestAxesHaveEqualRights(t *testing.T) {
	exchange := strings.NewReplacer("x", "y", "y", "x")
	for _, text := range []string{
		"u_t = 0.01*u_yy + 0.1*u_xx/(1+u_x^2)",
		"u_t = 0.02*lap(u) + dx((0.05+0.5*u^2)*u_x)",
		"u_t = dx(u*u_x) + 0.01*lap(u)",
		"u_t = dx((1.5 + u)*u_x) + dy(u*u_x) + 0.5*u_yy",
		"u_t = 0.02*lap(u) - u*u_x",
		"u_t = 0.01*lap(u) + u_xxy*0.0001 + sin(2*pi*x)*u_x",
		"u_t = u_xy",
	} {
		solution := func(text string, swapped bool) ([]float64, error) {
			p := problem(2, 24, 1, 1e-5, text, "")
			s := newSolver(p)
			if s.err != nil {
				return nil, s.err
			}
			s.tail = 1
			w, err := attempt(t, s, 0.05, func(_, l int, x [2]float64) float64 {
				if swapped {
					x[0], x[1] = x[1], x[0]
				}
				return 0.6*math.Sin(2*math.Pi*x[0]+float64(l)) + 0.3*math.Cos(2*math.Pi*(x[0]-x[1]))
			})
			u := w.onPoints(0)
			if !swapped {
				return append([]float64{float64(w.steps)}, u...), err
			}
			back := make([]float64, len(u))
			for i := range 24 {
				for j := range 24 {
					copy(back[block*(24*i+j):block*(24*i+j)+block], u[block*(24*j+i):])
				}
			}
			return append([]float64{float64(w.steps)}, back...), err
		}
		along, err := solution(text, false)
		across, exchanged := solution(swapWords(exchange, text), true)
		if (err == nil) != (exchanged == nil) {
			t.Errorf("%s: %v; with x and y exchanged %v", text, err, exchanged)
			continue
		}
		if err != nil {
			t.Log(err)
			continue
		}
		if along[0] != across[0] {
			t.Errorf("%s: %g steps; with x and y exchanged %g", text, along[0], across[0])
		}
		for i, v := range along[1:] {
			if math.Abs(v-across[1+i]) > 1e-9 {
				t.Errorf("%s: %g and %g", text, v, across[1+i])
				break
			}
		}
	}
}

// swapWords exchanges x and y in the words of a text, except in names of functions.
func swapWords(exchange *strings.Replacer, text string) string {
	return strings.ReplaceAll(exchange.Replace(text), "eyp", "exp")
}

// Terms without derivatives, and products with waves that a coarse grid does not hold, are not mistaken for backward
// diffusion.
func TestForwardDiffusionIsNotCalledBackward(t *testing.T) {
	smooth := config.Field{Tau: 25, Alpha: 8, Scale: 3}
	p := Problem{config.Equation{Text: "u_t = dx((d + u^2)*u_x)", Parameters: "d = 0.01", Length: 1, Time: 0.01,
		Tolerance: 1e-6}, smooth, 129, 1}
	if _, err := gaussian(t, p); err != nil && strings.Contains(err.Error(), "ill-posed") {
		t.Error(err)
	}
	for _, points := range []int{17, 33, 65} {
		p.Points = points
		if _, err := gaussian(t, p); err != nil && (strings.Contains(err.Error(), "ill-posed") || !strings.Contains(err.Error(),
			"raise data.grid")) && !strings.Contains(err.Error(), "ratio above") {
			t.Error(err)
		}
	}
	p.Text = "u_t = 0.01*u_yy + 0.1*u_xx/(1+u_x^2)"
	p.Dims = 2
	p.Points = 65
	p.Time = 0.05
	p.Tolerance = 1e-4
	p.Parameters = ""
	p.Input = config.Field{Tau: 7, Alpha: 2.5, Scale: 1}
	if _, err := gaussian(t, p); err != nil && strings.Contains(err.Error(), "ill-posed") {
		t.Error(err)
	}
	for text, along := range map[string]string{"u_t = dx(u*u_x) + 0.01*lap(u)": "along x", "u_t = dy(u*u_y) + 0.01*lap(u)": "along y",
		"u_t = u_xx + u_yy + 3*exp(0.01*u)*u_xy": "along the diagonal"} {
		p.Text = text
		if _, err := gaussian(t, p); err == nil || !strings.Contains(err.Error(), "backward diffusion "+along) {
			t.Errorf("%s: got %v, want backward diffusion %s", text, err, along)
		}
	}
}

// The error about a coefficient with a kink names the place of the kink, and not the place where the torus closes.
func TestRoughCoefficientsHaveTheirPlace(t *testing.T) {
	for text, want := range map[string]string{
		"u_t = u_xx + (1 + abs(sin(2*pi*x)+0.5))*u": "column 41: the coefficient changes too sharply for the grid near x=0.906",
		"u_t = u_xx + tanh(200*cos(2*pi*x))*u":      "the coefficient changes too sharply for the grid near x=0.7",
		"u_t = u_xx + x*u":                          "the coefficient is not smooth where the torus closes",
		"u_t = u_xx + abs(x - 0.3)*u":               "", // the jump where the torus closes is worse, but either is true
	} {
		p := problem(1, 128, 1, 1e-6, text, "")
		err := p.Check()
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, not %q", text, err, want)
		}
	}
}

// The outputs before the end are written, and the error says how many.
func TestWhatExistsIsReturned(t *testing.T) {
	p := Problem{config.Equation{Text: "u_t = u^2", Length: 1, Time: 2, Tolerance: 1e-6, Initial: "1 + 0.01*a"},
		config.Field{Tau: 20, Alpha: 9, Scale: 1}, 65, 1}
	o := p.Operator()
	a := grid.NewBatch(o.Domain, p.Points, block)
	o.Draw(a, draw.InputTrain, 0)
	outputs := []grid.Batch{a.Like(block), a.Like(block), a.Like(block)}
	err := o.NewWorker().Solve(t.Context(), outputs, a, []float64{0.25, 0.5, 2}, "")
	var e *Ending
	if !errors.As(err, &e) || e.States != 2 || e.Growth == nil || e.Growth.Sign != 1 || math.Abs(e.Growth.Endpoint-1) > 0.05 {
		t.Fatalf("got %v: %+v, want growth that ends at t = 1 after two states", err, e)
	}
	if reflect.DeepEqual(outputs[1].Data, a.Like(block).Data) || !reflect.DeepEqual(outputs[2].Data, a.Like(block).Data) {
		t.Error("other outputs are written")
	}
}

// A solution that has left through an open end is told from one that is not resolved, with a time at which it exists.
func TestSolutionsThatHaveLeftSaySo(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	p := between("u_t = -u_x", "u = 0", "", "sin(pi*x)^2*(1 + 0.1*a)", 1.2)
	p.Points = 33
	o := p.Operator()
	a := grid.NewBatch(o.Domain, p.Points, block)
	out := []grid.Batch{a.Like(block)}
	err := o.NewWorker().Solve(t.Context(), out, a, []float64{p.Time}, "")
	if err == nil || !strings.Contains(err.Error(), "has left the interval") || !strings.Contains(err.Error(), "set equation.time to 0.4") {
		t.Fatalf("the error is %v", err)
	}
	p.Time = 0.4
	if err := p.Operator().NewWorker().Solve(t.Context(), out, a, []float64{p.Time}, ""); err != nil {
		t.Errorf("until 0.4: %v", err)
	}
}

// What ends because of its initial values says so, on the torus as between ends: a shorter time does not help.
func TestEndingsOfInitialValuesAreTold(t *testing.T) {
	for text, initial := range map[string]string{
		"u_t = 0.1*u_xx + log(u)":  "cos(2*pi*x)", // no rate
		"u_t = 0.1*u_xx - sqrt(u)": "cos(2*pi*x)",
		"u_t = 0.1*u_xx":           "log(cos(2*pi*x))", // no value
		"u_t = dx(u*u_x)":          "-1 + 0.1*cos(2*pi*x)",
	} {
		for _, side := range []string{"", "u_x = 0", "u_x + 0.01*u = 0"} {
			p := between(text, side, side, initial, 1)
			var e *Ending
			if err := p.Try(t.Context(), 1, 4000, nil); !errors.As(err, &e) || !e.IsInitial() {
				t.Errorf("%s, sides %q: %v", text, side, err)
			}
		}
	}
}
