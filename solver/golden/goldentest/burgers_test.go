package goldentest_test

import (
	"context"
	"math"
	"testing"

	"rfm/solver/dataset/npy"
	"rfm/solver/equation"
	"rfm/solver/golden"
	"rfm/solver/golden/goldentest"
	"rfm/solver/grf"
	"rfm/solver/grid"
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

func TestGaussianFields(t *testing.T) {
	for _, c := range []struct {
		field, cos, sin string
		measure         grf.Periodic
	}{
		{"a", "kl_cos_a", "kl_sin_a", grf.Periodic{Tau: 7, Alpha: 2.5}},
		{"theta", "kl_cos_theta", "kl_sin_theta", grf.Periodic{Tau: 5, Alpha: 2}},
	} {
		want := golden.Functions(goldentest.Burgers(c.field))
		fine := grid.NewBatch(grid.Torus, 1025, want.Count)
		grf.NewSampler(c.measure, 1025).Sum(fine, matrix(goldentest.Burgers(c.cos)),
			matrix(goldentest.Burgers(c.sin)))
		got, err := fine.Restrict(want.Values())
		if err != nil {
			t.Fatal(err)
		}
		if e := worst(got, want); e > fieldTolerance {
			t.Errorf("%s: relative difference %.2g", c.field, e)
		}
	}
}

func TestBurgersSolutions(t *testing.T) {
	a := golden.Functions(goldentest.Burgers("a_fine"))
	half, one := a.Like(a.Count), a.Like(a.Count)
	err := equation.Burgers(1e-2, 1e-12, a.Points).Operator().NewWorker().Solve(context.Background(),
		[]grid.Batch{half, one}, a,
		[]float64{0.5, 1}, "golden inputs")
	if err != nil {
		t.Fatal(err)
	}
	for name, got := range map[string]grid.Batch{"u_fine_T05": half, "u_fine_T1": one} {
		if e := worst(got, golden.Functions(goldentest.Burgers(name))); e > solutionTolerance {
			t.Errorf("%s: relative difference %.2g", name, e)
		}
	}
}

// matrix returns an array as a slice of its rows.
func matrix(a npy.Array) [][]float64 {
	rows := make([][]float64, a.Shape[0])
	for i := range rows {
		rows[i] = a.Data[i*a.Shape[1]:][:a.Shape[1]]
	}
	return rows
}
