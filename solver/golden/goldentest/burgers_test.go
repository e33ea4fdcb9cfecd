package goldentest_test

import (
	"math"
	"testing"

	"rfm/config"
	"rfm/solver/golden"
	"rfm/solver/golden/goldentest"
	"rfm/solver/pde/equation"
	"rfm/solver/space/grid"
)

// The reference fields were computed with the same formulas by other code: only rounding may differ.
const (
	fieldTolerance    = 1e-12
	solutionTolerance = 3e-12 // the reference has an error below 1e-12, as has the solver
)

func worst(u, v grid.Batch) float64 {
	w := 0.0
	for i := range v.Count {
		w = math.Max(w, math.Sqrt(grid.Torus.Distance2(u.At(i), v.At(i))/grid.Torus.Inner(v.At(i), v.At(i))))
	}
	return w
}

func TestBurgersSolutions(t *testing.T) {
	a := golden.Functions(goldentest.Burgers("a_fine"))
	half, one := a.Like(a.Count), a.Like(a.Count)
	c := config.Reference()
	p := equation.Problem{Equation: c.Equation, Input: c.Input, Points: a.Points}
	p.Tolerance = 1e-12
	err := p.Operator().NewWorker().Solve(t.Context(), []grid.Batch{half, one}, a, []float64{0.5, 1}, "golden inputs")
	if err != nil {
		t.Fatal(err)
	}
	for name, got := range map[string]grid.Batch{"u_fine_T05": half, "u_fine_T1": one} {
		if e := worst(got, golden.Functions(goldentest.Burgers(name))); e > solutionTolerance {
			t.Errorf("%s: relative difference %.2g", name, e)
		}
	}
}
