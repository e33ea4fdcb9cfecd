package goldentest_test

import (
	"context"
	"slices"
	"testing"

	"rfm/solver/darcy"
	"rfm/solver/golden/goldentest"
	"rfm/solver/grf"
	"rfm/solver/grid"
	"rfm/solver/poisson"
)

// pressureTolerance: the reference is a direct solution, the iteration stops at a residual of 1e-12, the contrast is 4.
const pressureTolerance = 1e-10

func darcyBatch(name string) grid.Batch {
	a := goldentest.Darcy(name)
	return grid.BatchOf(grid.Square, a.Shape[len(a.Shape)-1], a.Data)
}

func TestNeumannFields(t *testing.T) {
	for _, c := range []struct {
		field, coefficients string
		measure             grf.Neumann
	}{
		{"grf_g_paper", "grf_xi", grf.Neumann{Tau: 3, Alpha: 2, Axis: grf.AxisNormalised}},
		{"grf_g_axis2", "grf_xi", grf.Neumann{Tau: 3, Alpha: 2, Axis: grf.AxisComputed}},
		{"theta", "theta_xi", grf.Neumann{Tau: 7.5, Alpha: 2, Axis: grf.AxisNormalised}},
	} {
		want := darcyBatch(c.field)
		got := want.Like(want.Count)
		grf.NewNeumannSampler(c.measure, 17).Sum(got, slices.Collect(slices.Chunk(goldentest.Darcy(c.coefficients).Data,
			want.Values())))
		if e := worst(got, want); e > fieldTolerance {
			t.Errorf("%s: relative difference %.2g", c.field, e)
		}
	}
}

func TestPoissonSolution(t *testing.T) {
	s, err := poisson.NewSolver(17)
	if err != nil {
		t.Fatal(err)
	}
	got, want := grid.NewBatch(grid.Square, 17, 1), darcyBatch("poisson_sol")
	s.Solve(got.Data, goldentest.Darcy("poisson_rhs").Data)
	if e := worst(got, want); e > fieldTolerance {
		t.Errorf("relative difference %.2g", e)
	}
}

func TestDarcySolutions(t *testing.T) {
	source := darcy.Source(func(x1, x2 float64) float64 { return 1 + x1/2 - x2*x2/4 })
	for _, c := range []struct {
		solution, permeability string
		mean                   darcy.Mean
	}{{"u_arith", "a", darcy.Arithmetic}, {"u_harm", "a", darcy.Harmonic}, {"u_test", "a_test", darcy.Arithmetic}} {
		worker := darcy.New(darcy.Equation{Source: source, Mean: c.mean, Tolerance: 1e-12, Iterations: 100}, 17).NewWorker()
		a, want := darcyBatch(c.permeability), darcyBatch(c.solution)
		got := want.Like(want.Count)
		for i := range a.Count {
			if err := worker.Solve(context.Background(), got.At(i), a.At(i), c.solution); err != nil {
				t.Fatal(err)
			}
		}
		if e := worst(got, want); e > pressureTolerance {
			t.Errorf("%s: relative difference %.2g", c.solution, e)
		}
	}
}

// The stored predictions, errors and coefficients are consistent: the errors follow from the predictions.
func TestDarcyErrorsAreThoseOfThePredictions(t *testing.T) {
	for _, c := range []struct{ errors, predictions, solutions string }{{"relerr_train", "pred_train", "u_arith"},
		{"relerr_test", "pred_test", "u_test"}} {
		u, v, want := darcyBatch(c.predictions), darcyBatch(c.solutions), goldentest.Darcy(c.errors).Data
		for i := range want {
			if got := worst(u.Range(i, 1), v.Range(i, 1)); got < want[i]*(1-fieldTolerance) || got > want[i]*(1+fieldTolerance) {
				t.Errorf("%s of function %d: %.15g, want %.15g", c.errors, i, got, want[i])
			}
		}
	}
}

func TestDarcyPanicsOnAnUnknownName(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("an array that does not exist was returned")
		}
	}()
	goldentest.Darcy("no such array")
}
