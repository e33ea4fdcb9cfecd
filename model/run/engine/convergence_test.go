package engine

import (
	"math"
	"testing"

	"rfm/config"
	"rfm/solver/base/parallel/detector"
)

// The errors of all sizes, from one pass over the features, are those of runs of these sizes, and the largest is that of
// the run itself.
func TestConvergenceIsThatOfRunsOfEverySize(t *testing.T) {
	t.Parallel()
	detector.Skip(t, detector.Numbers)
	small, err := config.PresetByName("quick")
	noError(t, err)
	noError(t, config.Assign(&small, "data.train=32", "data.test=16", "data.grid=33", "train.grid=9", "features.count=32",
		"tolerance=1e-3", "train.lambda=1e-6"))
	run := func(c config.Config) *Evaluation {
		t.Helper()
		e, err := New(t.Context(), c, Options{Workers: 2})
		noError(t, err)
		noError(t, e.Run(t.Context()))
		return e.Evaluation()
	}
	v := run(small)
	r := v.Convergence
	if r == nil {
		t.Fatal("no convergence is measured")
	}
	for i, n := range r.Ns {
		for j, m := range r.Ms {
			c := small
			c.Evaluation.Baselines = false
			c.Data.Train = n
			c.Features.Count = m
			want := run(c).Test.ExpectedRelative
			if math.Abs(r.Errors[i][j]-want) > 1e-6*want {
				t.Errorf("n=%d, m=%d: error %g, want %g", n, m, r.Errors[i][j], want)
			}
		}
	}
	if last := len(r.Ns) - 1; math.Abs(r.Errors[last][last]-v.Test.ExpectedRelative) > 1e-9*v.Test.ExpectedRelative {
		t.Errorf("the last error is %g, that of the run %g", r.Errors[last][last], v.Test.ExpectedRelative)
	}
	page := r.Page()
	if len(page.Figures) != 2 || len(page.Tables[0].Rows) != len(r.Ns) {
		t.Errorf("the page has %d figures and %d rows", len(page.Figures), len(page.Tables[0].Rows))
	}
}

// Nothing is said about convergence for models whose coefficients are not those of a plain solve, and for small ones.
func TestConvergenceIsOfPlainSolves(t *testing.T) {
	t.Parallel()
	for _, setting := range []string{"train.offset=yes", "train.method=kernel", "features.count=8", "evaluation.baselines=no"} {
		c, err := config.PresetByName("quick")
		noError(t, err)
		noError(t, config.Assign(&c, "data.train=32", "data.test=8", "data.grid=33", "train.grid=9", "features.count=32",
			"tolerance=1e-3", setting))
		e, err := New(t.Context(), c, Options{Workers: 2})
		noError(t, err)
		noError(t, e.Run(t.Context()))
		if e.Evaluation().Convergence != nil {
			t.Errorf("%s: convergence is measured", setting)
		}
	}
}
