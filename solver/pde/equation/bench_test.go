package equation

import (
	"testing"

	"rfm/config"
	"rfm/solver/base/draw"
	"rfm/solver/space/grid"
)

// BenchmarkSolve solves eight trajectories of presets, whose times are compared across versions.
func BenchmarkSolve(b *testing.B) {
	problems := map[string]Problem{"burgers": {config.Reference().Equation, config.Reference().Input, 1025, 1}}
	for _, name := range []string{"ks", "heat", "advection-variable", "kdv", "schroedinger", "fitzhugh-nagumo",
		"navier-stokes"} {
		c, err := config.PresetByName(name)
		if err != nil {
			b.Fatal(err)
		}
		problems[name] = Problem{c.Equation, c.Input, c.Data.Grid, c.Seed}
	}
	for name, p := range problems {
		b.Run(name, func(b *testing.B) {
			s := newSolver(p)
			a := grid.NewBatch(s.domain, p.Points, block)
			p.Operator().Draw(a, draw.InputTrain, 0)
			out := []grid.Batch{a.Like(block)}
			w := s.newWorker()
			for b.Loop() {
				if err := w.Solve(b.Context(), out, a, []float64{p.Time}, "benchmark"); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(w.steps), "steps")
		})
	}
}
