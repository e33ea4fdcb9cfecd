package equation

import (
	"testing"

	"gonum.org/v1/gonum/floats"

	"rfm/config"
	"rfm/solver/base/draw"
	"rfm/solver/space/grid"
)

// Solutions that are computed from the values between the sides alone equal that part of the solutions on the whole
// torus. This holds for every combination of parities, waves, products, operators on products, constants, forces in
// time and a mass.
func TestReflectedSolutionsAreThoseOnTheTorus(t *testing.T) {
	held := [4]string{"u = 0", "u = 0", "u = 0", "u = 0"}
	insulated := [4]string{"u_x = 0", "u_x = 0", "u_y = 0", "u_y = 0"}
	channel := [4]string{"u = 0", "u = 0", "u_y = 0", "u_y = 0"}
	pair := [4]string{"u = 0; v_x = 0", "u = 0; v_x = 0", "u_y = 0; v_y = 0", "u_y = 0; v_y = 0"}
	for _, c := range []struct {
		text, initial string
		sides         [4]string
		dims          int
	}{
		{"u_t = 0.02*u_xx - u*u_x", "", held, 1},
		{"u_t = 0.01*u_xx + u - u^3 + 0.1 + 0.2*cos(3*t) + mean(u)", "", insulated, 1},
		{"u_tt = u_xx - sin(u)", "", held, 1},
		{"u_t - 0.01*u_xxt = 0.02*u_xx + dxx(u^3)*0.001", "", insulated, 1},
		{"u_t = 0.01*u_xx + v_x - u*v; v_t = 0.01*v_xx + u_x + u^2", "a; 0.1*a^2", pair, 1},
		{"u_t = 0.02*lap(u) - 0.1*u*u_y^2", "", held, 2},
		{"u_t = 0.02*lap(u) + u*ilap(u - mean(u))", "", insulated, 2},
		{"u_t = 0.02*lap(u) + u - u^3", "", channel, 2},
		{"u_t = 0.02*lap(u) + dx(u*u + v) ; v_t = 0.02*lap(v) + dx(u*v)", "a; 0.1*a^2", pair, 2},
	} {
		equation := config.Equation{Text: c.text, Initial: c.initial, Left: c.sides[0], Right: c.sides[1], Dims: c.dims, Length: 1,
			Time: 0.2, Tolerance: 1e-8}
		if c.dims == 2 {
			equation.Bottom = c.sides[2]
			equation.Top = c.sides[3]
		}
		p := Problem{equation, config.Field{Tau: 12, Alpha: 8, Scale: 1}, 33, 1}
		s := newSolver(p)
		noError(t, errorOf(s))
		if s.folded == nil || s.folded.reflected == nil {
			t.Errorf("%s, %v: is not reflected", c.text, c.sides)
			continue
		}
		onTorus := newSolver(s.folded.Problem)
		noError(t, errorOf(onTorus))
		a := grid.NewBatch(s.domain, p.Points, block)
		s.draws.Draw(a, 1, draw.InputTrain, 0)
		part := []grid.Batch{a.Like(block)}
		w := s.folded.newWorker()
		noError(t, w.Solve(t.Context(), part, a, []float64{p.Time}, ""))
		whole := a.Doubled(s.input[:c.dims]...)
		solutions := []grid.Batch{whole.Like(block)}
		ofTorus := onTorus.newWorker()
		noError(t, ofTorus.Solve(t.Context(), solutions, whole, []float64{p.Time}, ""))
		want := solutions[0].Halved(s.domain).Data
		d := floats.Distance(part[0].Data, want, 2) / floats.Norm(want, 2)
		t.Logf("%s, %v: %d and %d steps, distance %.2g", c.text, c.sides, w.steps, ofTorus.steps, d)
		if !(d < 1e-12) || w.steps != ofTorus.steps {
			t.Errorf("%s, %v: %d and %d steps, distance %.2g", c.text, c.sides, w.steps, ofTorus.steps, d)
		}
	}
}

// An equation with other conditions at each end continues to a torus four times as long if it commutes with both reflections.
func TestEquationsWithMixedEndsContinue(t *testing.T) {
	oddLeft := grid.Ends{Near: grid.Odd, Far: grid.Even}
	oddRight := grid.Ends{Near: grid.Even, Far: grid.Odd}
	for _, c := range []struct {
		text, left, right string
		want              grid.Ends // of inputs and outputs; zero: it does not continue
	}{
		{"u_t = 0.02*u_xx + u - u^3", "u = 0", "u_x = 0", oddLeft},
		{"u_t = 0.02*u_xx + u - u^3", "u_x = 0", "u = 0", oddRight},
		{"u_tt = u_xx - sin(u)", "u = 0", "u_x = 0", oddLeft},
		{"u_t = 0.02*u_xx - u*u_x", "u = 0", "u_x = 0", grid.Ends{}},              // not the even reflection
		{"u_t = 0.02*u_xx + u - u^2", "u = 0", "u_x = 0", grid.Ends{}},            // not the odd one
		{"u_t = 0.02*u_xx + u - u^3", "u = 1", "u_x = 0", grid.Ends{}},            // a value
		{"u_t = 0.02*u_xx + u - u^3", "u = 0", "u_x + u = 0", grid.Ends{}},        // no reflection
		{"u_t = dx((0.02 + 0.01*x)*u_x)", "u = 0", "u_x = 0", grid.Ends{}},        // depends on x
		{"u_t = 0.02*u_xx + u - u^3", "u = 0", "", grid.Ends{}},                   // one end alone
		{"u_t = -0.001*u_xxxx", "u = 0; u_xx = 0", "u_x = 0; u = 0", grid.Ends{}}, // clamped
		{"u_t = -0.001*u_xxxx", "u = 0; u_xx = 0", "u_x = 0; u_xxx = 0", oddLeft},
	} {
		p := between(c.text, c.left, c.right, "", 0.1)
		in, out, ok := p.Parities()
		if ok != (c.want != grid.Ends{}) || ok && (in != c.want || out != c.want) {
			t.Errorf("%s, %s | %s: %v and %v, %v; want %v", c.text, c.left, c.right, in, out, ok, c.want)
		}
	}
}

// The solution with mixed ends is that of the torus four times as long.
func TestSolutionsWithMixedEndsAreThoseOfTheTorus(t *testing.T) {
	for _, c := range []struct {
		left, right string
		ends        grid.Ends
	}{
		{"u = 0", "u_x = 0", grid.Ends{Near: grid.Odd, Far: grid.Even}},
		{"u_x = 0", "u = 0", grid.Ends{Near: grid.Even, Far: grid.Odd}},
	} {
		p := between("u_t = 0.02*u_xx + 2*(u - u^3)", c.left, c.right, "", 0.5)
		o := p.Operator()
		a := grid.NewBatch(o.Domain, p.Points, block)
		o.Draw(a, draw.InputTrain, 0)
		u := a.Like(block)
		noError(t, o.NewWorker().Solve(t.Context(), []grid.Batch{u}, a, []float64{p.Time}, ""))

		whole := a.Widened(c.ends.Far).Doubled(c.ends.Near)
		torus := p
		torus.Left = ""
		torus.Right = ""
		torus.Length = 4
		torus.Points = whole.Points
		solution := whole.Like(block)
		noError(t, torus.Operator().NewWorker().Solve(t.Context(), []grid.Batch{solution}, whole, []float64{p.Time}, ""))
		part := solution.Halved(grid.Interval).Narrowed()
		if d := worstDistance(u, part); !(d < 1e-6) {
			t.Errorf("%s | %s differs from the torus by %.2g", c.left, c.right, d)
		}
	}
}
