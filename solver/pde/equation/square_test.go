package equation

import (
	"math"
	"strings"
	"testing"

	"rfm/config"
	"rfm/solver/base/draw"
	"rfm/solver/space/grid"
)

// within returns a problem on the unit square with conditions at the left, right, lower and upper side.
func within(text string, sides [4]string, initial string, time float64) Problem {
	return Problem{config.Equation{Text: text, Left: sides[0], Right: sides[1], Bottom: sides[2], Top: sides[3], Initial: initial, Dims: 2, Length: 1,
		Time: time, Tolerance: 1e-8}, config.Field{Tau: 7, Alpha: 5, Scale: 1}, 17, 1}
}

// Exact solutions on the square, for every kind of side.
func TestExactSolutionsOnTheSquare(t *testing.T) {
	const pi = math.Pi
	k := robin(2)
	for name, c := range map[string]struct {
		p     Problem
		exact func(a, x, y, t float64) float64
	}{
		"Dirichlet, heat": {within("u_t = 0.1*lap(u) + 0*y", [4]string{"u = 0", "u = 0", "u = 0", "u = 0"}, "sin(pi*x)*sin(2*pi*y)", 0.5),
			func(a, x, y, t float64) float64 { return math.Exp(-0.5*pi*pi*t) * math.Sin(pi*x) * math.Sin(2*pi*y) }},
		"Neumann and Dirichlet": {within("u_t = 0.1*lap(u)", [4]string{"u_x = 0", "u = 0", "u_y = 0", "u_y = 0"}, "cos(pi/2*x)*cos(pi*y)", 0.5),
			func(a, x, y, t float64) float64 {
				return math.Exp(-0.1*1.25*pi*pi*t) * math.Cos(pi/2*x) * math.Cos(pi*y)
			}},
		"Robin": {withParameters(within("u_t = 0.1*lap(u)", [4]string{"u = 0", "u_x + 2*u = 0", "u = 0", "u_y + 2*u = 0"}, "sin(k*x)*sin(k*y)", 0.5), "k = 2.2889297281034418"),
			func(a, x, y, t float64) float64 { return math.Exp(-0.2*k*k*t) * math.Sin(k*x) * math.Sin(k*y) }},
		"values along the sides": {within("u_t = lap(u) - 4", [4]string{"u = y^2", "u = 1 + y^2", "u = x^2", "u_y = 2"}, "x^2 + y^2", 1),
			func(a, x, y, t float64) float64 { return x*x + y*y + 0*t }},
		"values in t": {within("u_t = lap(u) + x*y*cos(t)", [4]string{"u = 0", "u = y*sin(t)", "u = 0", "u = x*sin(t)"}, "0*x", 1),
			func(a, x, y, t float64) float64 { return x * y * math.Sin(t) }},
		"channel": {within("u_t = 0.1*lap(u) - u_x", [4]string{"", "", "u = 0", "u = 0"}, "sin(2*pi*x)*sin(pi*y)", 0.5),
			func(a, x, y, t float64) float64 {
				return math.Exp(-0.5*pi*pi*t) * math.Sin(2*pi*(x-t)) * math.Sin(pi*y)
			}},
		"membrane": {within("u_tt = lap(u)", [4]string{"u = 0", "u_x = 0", "u = 0", "u_y = 0"}, "sin(pi/2*x)*sin(pi/2*y); 0", 0.7),
			func(a, x, y, t float64) float64 {
				return math.Cos(pi/math.Sqrt2*t) * math.Sin(pi/2*x) * math.Sin(pi/2*y)
			}},
		"nonlinear, manufactured": {within("u_t = 0.1*lap(u) - u*u_x + u^2*u_y - exp(-t)*x*y + exp(-2*t)*x*y^2 - exp(-3*t)*x^3*y^2",
			[4]string{"u = 0", "u = exp(-t)*y", "u_y = exp(-t)*x", "u_y + u = 2*exp(-t)*x"}, "x*y", 0.5),
			func(a, x, y, t float64) float64 { return math.Exp(-t) * x * y }},
		"quasilinear, manufactured": {within("u_t = dx((1 + u)*u_x) + dy((1 + u)*u_y) - exp(-t)*x*y - exp(-2*t)*(x^2 + y^2)", [4]string{"u = 0", "u = exp(-t)*y", "u = 0", "u_y = exp(-t)*x"}, "x*y", 0.5),
			func(a, x, y, t float64) float64 { return math.Exp(-t) * x * y }},
		"two fields": {within("u_t = 0.1*lap(u) - v; v_t = 0.1*lap(v) + u", [4]string{"u_x = 0; v_x = 0", "u = 0; v = 0", "u_y = 0; v_y = 0", "u_y = 0; v_y = 0"}, "cos(pi/2*x)*cos(pi*y); 0", 1),
			func(a, x, y, t float64) float64 {
				return math.Exp(-0.125*pi*pi*t) * math.Cos(t) * math.Cos(pi/2*x) * math.Cos(pi*y)
			}},
	} {
		u := solved(t, c.p)
		worst := 0.0
		norm := 0.0
		for l := range block {
			for i, v := range u.At(l) {
				want := c.exact(float64(l), float64(i/17)/16, float64(i%17)/16, c.p.Time)
				worst = math.Max(worst, math.Abs(v-want))
				norm = math.Max(norm, math.Abs(want))
			}
		}
		t.Logf("%-26s error %.2g (%s)", name, worst/norm, c.p.Scheme())
		if !(worst/norm < 2e-7) {
			t.Errorf("%s: error %.2g", name, worst/norm)
		}
	}
}

// Equations that commute with both reflections are solved as a quarter of a periodic problem. The solutions agree with
// those by polynomials.
func TestFoldsOnTheSquareAgree(t *testing.T) {
	for _, c := range []struct {
		text  string
		sides [4]string
		folds bool
	}{
		{"u_t = 0.01*lap(u) + u - u^3", [4]string{"u_x = 0", "u_x = 0", "u_y = 0", "u_y = 0"}, true},
		{"u_t = 0.01*lap(u) + u - u^3", [4]string{"u = 0", "u = 0", "u_y = 0", "u_y = 0"}, true},
		{"u_t = 0.01*lap(u) + u - u^3", [4]string{"u = 0", "u_x = 0", "u_y = 0", "u_y = 0"}, false},
		{"u_t = 0.01*lap(u) - u*u_x", [4]string{"u = 0", "u = 0", "u_y = 0", "u_y = 0"}, true},
		{"u_t = 0.01*lap(u) - u*u_y", [4]string{"u = 0", "u = 0", "u_y = 0", "u_y = 0"}, false},
		{"u_t = 0.01*lap(u) + u - u^3", [4]string{"", "", "u_y = 0", "u_y = 0"}, false},
	} {
		p := within(c.text, c.sides, "", 0.3)
		p.Input = config.Field{Tau: 5, Alpha: 12, Scale: 1}
		p.Points = 33
		s := newSolver(p)
		noError(t, errorOf(s))
		if (s.folded != nil) != c.folds {
			t.Errorf("%s, %v: folds %v", c.text, c.sides, s.folded != nil)
		}
		if s.folded == nil {
			continue
		}
		d := withoutFold(t, s, p)
		t.Logf("%s, %v: %.2g", c.text, c.sides, d)
		if !(d < 3e-7) {
			t.Errorf("%s, %v: the fold differs by %.2g", c.text, c.sides, d)
		}
	}
}

// A side that demands a slope which the next one does not allow has a solution with a weak singularity at their corner: each
// side keeps its condition.
func TestSidesMayDisagreeInSlopesAtACorner(t *testing.T) {
	p := within("0 = lap(u)", [4]string{"u = 0", "u = 0", "u = 0", "u_y = 1"}, "", 1)
	p.Tolerance = 1e-3
	u := solved(t, p).At(0)
	worst := 0.0
	for i, v := range u {
		x := float64(i/17) / 16
		y := float64(i%17) / 16
		want := 0.0
		for n := 1.0; n < 200; n += 2 { // of the series
			k := n * math.Pi
			ratio := math.Exp(k*(y-1)) * (1 - math.Exp(-2*k*y)) / (1 + math.Exp(-2*k))
			want += 4 / (k * k) * ratio * math.Sin(k*x)
		}
		worst = math.Max(worst, math.Abs(v-want))
	}
	if !(worst < 1e-3) {
		t.Errorf("error %.2g", worst)
	}
}

// An input that is the value of one side vanishes where the next sides are held, so that the solution of Laplace's equation,
// which is a sum of sines along the side, is resolved.
func TestRandomValuesOfASideMeetItsNeighbours(t *testing.T) {
	p := within("lap(u) = 0", [4]string{"u = b", "u = 0", "u = 0", "u = 0"}, "", 1)
	p.Parameters = "b = random"
	p.Input.Alpha = 2.5
	p.Points = 33
	noError(t, p.Check())
	o := p.Operator()
	a := grid.NewBatch(o.Domain, p.Points, block)
	u := a.Like(block)
	o.Draw(a, draw.InputTrain, 0)
	noError(t, o.NewWorker().Solve(t.Context(), []grid.Batch{u}, a, []float64{1}, ""))
	const n = 32
	for l := range block {
		for _, at := range [][2]int{{8, 8}, {16, 20}, {3, 16}} {
			want := 0.0
			for k := 1; k < n; k++ {
				coefficient := 0.0
				for j := 1; j < n; j++ {
					coefficient += 2. / n * a.At(l)[j] * math.Sin(math.Pi*float64(k*j)/n)
				}
				wave := math.Pi * float64(k)
				decay := math.Sinh(wave*(1-float64(at[0])/n)) / math.Sinh(wave)
				want += coefficient * decay * math.Sin(wave*float64(at[1])/n)
			}
			if got := u.At(l)[at[0]*(n+1)+at[1]]; math.Abs(got-want) > 1e-6 {
				t.Errorf("function %d at %v: u is %g, want %g", l, at, got, want)
			}
		}
	}
}

// A side with a random value that does not meet its neighbours is refused, and what the error proposes is solved.
func TestTheProposedRandomValueMeetsItsNeighbours(t *testing.T) {
	for _, c := range []struct {
		sides [4]string
		want  string
	}{
		{[4]string{"u = b", "u = 1", "u = 1", "u = 1"}, "u = b + 1"},
		{[4]string{"u = exp(b)", "u = 0", "u = 0", "u = 0"}, "u = exp(b) - 1"},
		{[4]string{"2*u = b", "u = 0", "u = 1 - x", "u = 0"}, "2*u = b + 2 - 2*y"},
	} {
		p := within("lap(u) = 0", c.sides, "", 1)
		p.Parameters = "b = random"
		err := p.Check()
		if err == nil || !strings.Contains(err.Error(), "write "+c.want+", because") {
			t.Fatalf("%q: the error is %v, want the remedy %q", c.sides, err, c.want)
		}
		p.Left = c.want
		solved(t, p)
	}
	p := within("lap(u) = 0", [4]string{"u = b", "u = 0", "u = 2*b", "u = 0"}, "", 1)
	p.Parameters = "b = random"
	if err := p.Check(); err == nil || !strings.Contains(err.Error(), "the same function of b") {
		t.Errorf("two random sides that differ at their corner: %v", err)
	}
}

// Two sides that hold a field at different values where they meet are refused, with the corner.
func TestSidesThatHoldDifferentValuesAreRefused(t *testing.T) {
	for _, c := range []struct {
		sides [4]string
		want  string // "" if they fit
	}{
		{[4]string{"u = 1", "u = 0", "u = 0", "u = 0"}, "1 (u = 1) where the left side meets the bottom one, which has 0 there (u = 0)"},
		{[4]string{"u = y", "u = 0", "u = 0", "u = 0"}, "where the left side meets the top one"},
		{[4]string{"u = 0", "u = 0", "u = 0", "2*u = sin(t)"}, "where the left side meets the top one"},
		{[4]string{"u = 1", "u = 1 - y", "u = 1", "u = 1 - x"}, ""},
		{[4]string{"u = 1", "u_x = 0", "u_y = 0", "u = 1"}, ""},
		{[4]string{"u = sin(pi*y)", "u = 0", "u = 0", "u = 0"}, ""},
	} {
		for _, text := range []string{"u_t = lap(u) - u^3", "0 = lap(u) - u^3"} {
			initial := ""
			if text[0] == 'u' {
				initial = "0"
			}
			err := within(text, c.sides, initial, 1).Check()
			switch {
			case c.want == "" && err != nil:
				t.Errorf("%s, %v: %v", text, c.sides, err)
			case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
				t.Errorf("%s, %v: %v, want %s", text, c.sides, err, c.want)
			}
		}
	}
}
