package equation

import (
	"math"
	"testing"

	"rfm/solver/base/draw"
	"rfm/solver/pde/truth"
	"rfm/solver/space/grid"
)

// Solutions for pictures are near the verified ones, and cheaper, because they need tables for one size of polynomials
// instead of several.
func TestRoughSolutionsAreNearVerifiedOnes(t *testing.T) {
	held := [4]string{"u = 0", "u = 0", "u = 0", "u = 0"}
	for name, p := range map[string]Problem{
		"steady state":  steady("0 = u_xx - u^3 + 10*a", "u = 0", "u = 1", ""),
		"beam":          between("u_t = -0.001*u_xxxx", "u = 0; u_x = 0", "u = 0; u_xx = 0", "", 0.5),
		"waves":         between("u_t = 0.01*u_xx + 5*u*(1 - u)", "u = 1", "u_x + u = 0", "", 0.5),
		"square":        within("0 = lap(u) - u^3 + 10*a", held, "", 1),
		"random number": withParameters(between("u_t = d*u_xx - u*u_x", "u = 0", "u_x + u = 0", "", 0.5), "d = 0.02 in [0.01, 0.05]"),
	} {
		p.Tolerance = 1e-6
		noError(t, p.Check())
		solve := func(o *truth.Operator) (out grid.Batch, sizes int) {
			a := grid.NewBatch(o.Inputs(), p.Points, 1)
			o.Draw(a, draw.InputTrain, 0)
			w := o.NewWorker()
			out = grid.NewBatch(o.Domain, p.Points, 1)
			noError(t, w.Solve(t.Context(), []grid.Batch{out}, a, []float64{p.Time}, name))
			if between, ok := w.(*endsWorker); ok {
				sizes = len(between.steppers)
			}
			return out, sizes
		}
		verified, most := solve(p.Operator())
		rough, fewest := solve(p.RoughOperator())
		distance := 0.0
		norm := 0.0
		for i, v := range verified.Data {
			distance += (rough.Data[i] - v) * (rough.Data[i] - v)
			norm += v * v
		}
		relative := math.Sqrt(distance / norm)
		t.Logf("%-14s distance %.2g, %d and %d numbers of functions", name, relative, fewest, most)
		if !(relative < 1e-4) {
			t.Errorf("%s: distance %.2g", name, relative)
		}
		if most > 0 && fewest >= most {
			t.Errorf("%s: %d numbers of functions, where verified solutions have %d", name, fewest, most)
		}
	}
}
