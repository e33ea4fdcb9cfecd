package equation

import (
	"testing"

	"rfm/solver/draw"
	"rfm/solver/grf"
	"rfm/solver/grid"
)

// BenchmarkSolve solves eight trajectories of equations whose times are compared across versions.
func BenchmarkSolve(b *testing.B) {
	smooth := grf.Periodic{Tau: 15, Alpha: 8, Scale: 2}
	for _, c := range []struct {
		name    string
		problem Problem
	}{
		{"burgers", Burgers(0.01, 1e-8, 1025)},
		{"ks", Problem{Text: []string{"u_t = -u*u_x - u_xx - u_xxxx"}, Lengths: [2]float64{22, 22}, Time: 5, Tolerance: 1e-6,
			Inputs: grf.Periodic{Tau: 10, Alpha: 4, Scale: 5}, Points: 129}},
		{"heat", Problem{Text: []string{"u_t = 0.01*u_xx"}, Lengths: [2]float64{1, 1}, Time: 1, Tolerance: 1e-6,
			Inputs: grf.Periodic{Tau: 7, Alpha: 2.5}, Points: 257}},
		{"advection-variable", Problem{Text: []string{"u_t = -(1 + 0.5*sin(2*pi*x))*u_x"}, Lengths: [2]float64{1, 1},
			Time:      0.5,
			Tolerance: 1e-8, Inputs: grf.Periodic{Tau: 15, Alpha: 6}, Points: 257}},
		{"kdv", Problem{Text: []string{"u_t = -6*u*u_x - u_xxx"}, Lengths: [2]float64{20, 20}, Time: 0.7, Tolerance: 1e-6,
			Inputs: smooth, Points: 257}},
		{"schroedinger", Problem{Text: []string{"u_t = -0.5*v_xx - (u^2+v^2)*v", "v_t = 0.5*u_xx + (u^2+v^2)*u"},
			Initial: []string{"a", "0"}, Lengths: [2]float64{10, 10}, Time: 0.7, Tolerance: 1e-6, Inputs: smooth, Points: 257}},
		{"fitzhugh-nagumo", Problem{Text: []string{"u_t = u_xx + u - u^3/3 - v + 0.5", "v_t = 0.08*(u + 0.7 - 0.8*v)"},
			Initial: []string{"a", "-0.4 + 0.3*a"}, Lengths: [2]float64{60, 60}, Time: 15, Tolerance: 1e-6,
			Inputs: grf.Periodic{Tau: 15, Alpha: 5, Scale: 3.776}, Points: 257}},
		{"navier-stokes", Problem{Text: []string{"w_t = nu*lap(w) + dyy(u*v) - dxx(u*v) + dx(dy(u^2 - v^2)) + " +
			"f*(sin(2*pi*(x + y)) + cos(2*pi*(x + y)))", "p = -ilap(w)", "u = dy(p)", "v = -dx(p)"},
			Parameters: map[string]string{"nu": "0.001", "f": "0.1"}, Lengths: [2]float64{1, 1}, Time: 1, Tolerance: 1e-6,
			Inputs: grf.Field{Tau: 7, Alpha: 2.5}, Points: 65}},
	} {
		b.Run(c.name, func(b *testing.B) {
			domain := c.problem.Inputs.Domain()
			a := grid.NewBatch(domain, c.problem.Points, block)
			c.problem.Inputs.On(c.problem.Points).Draw(a, 1, draw.InputTrain, 0)
			out := []grid.Batch{a.Like(block)}
			w := c.problem.Operator().NewWorker()
			for b.Loop() {
				if err := w.Solve(b.Context(), out, a, []float64{c.problem.Time}, "benchmark"); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(w.(*worker).Steps()), "steps")
		})
	}
}
