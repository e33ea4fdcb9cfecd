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
		b.Run(name, func(b *testing.B) { benchmarkSolve(b, p) })
	}
}

// benchmarkSolve solves eight trajectories of a problem, with tables that exist.
func benchmarkSolve(b *testing.B, p Problem) {
	o := p.Operator()
	a := grid.NewBatch(o.Domain, p.Points, block)
	o.Draw(a, draw.InputTrain, 0)
	out := []grid.Batch{a.Like(block)}
	w := o.NewWorker()
	solve := func() {
		if err := w.Solve(b.Context(), out, a, []float64{p.Time}, "benchmark"); err != nil {
			b.Fatal(err)
		}
	}
	solve()
	for b.Loop() {
		solve()
	}
	steps := w.(interface{ Steps() int }).Steps()
	b.ReportMetric(float64(steps), "steps")
}

// BenchmarkSides solves eight trajectories of the equations of Burgers and of Allen and Cahn on a torus and between ends with conditions, to
// the same tolerance: by reflection, and by polynomials.
func BenchmarkSides(b *testing.B) {
	input := config.Field{Tau: 7, Alpha: 4, Scale: 1}
	equation := config.Equation{Length: 1, Time: 0.5, Tolerance: 1e-6}
	for _, text := range []string{"u_t = 0.02*u_xx - u*u_x", "u_t = 0.01*u_xx + 5*(u - u^3)"} {
		equation.Text = text
		for _, sides := range [][2]string{{"", ""}, {"u = 0", "u = 0"}, {"u_x = 0", "u_x = 0"}, {"u = 0", "u_x = 0"},
			{"u_x - 2*u = 0", "u_x + u = 0"}} {
			equation.Left = sides[0]
			equation.Right = sides[1]
			p := Problem{equation, input, 129, 1}
			b.Run(text+"|"+sides[0]+"|"+sides[1], func(b *testing.B) { benchmarkSolve(b, p) })
		}
	}
}
