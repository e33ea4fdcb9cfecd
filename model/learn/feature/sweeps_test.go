package feature

import (
	"context"
	"math"
	"testing"

	"rfm/solver/pde/darcy"
	"rfm/solver/space/grid"
)

// Where a is smooth the iteration's fixed point is the solution up to the discretisation and the mollifier.
func TestSweepsConvergeToTheSolution(t *testing.T) {
	const r = 65
	a := make([]float64, r*r)
	for i := range r {
		for j := range r {
			a[i*r+j] = math.Exp(0.3 * math.Sin(2*math.Pi*float64(i)/(r-1)) * math.Cos(math.Pi*float64(j)/(r-1)))
		}
	}
	truth := make([]float64, r*r)
	if err := darcy.New(darcy.Paper(), r).NewWorker().Solve(context.Background(), truth, a, "test"); err != nil {
		t.Fatal(err)
	}
	failing := func(sweeps int) float64 {
		p := PredictorCorrector{Source: darcy.Constant(1)}.Untrained(sweeps, r)
		u := must(p.Predict(t.Context(), nil, grid.BatchOf(grid.Square, r, a), 1, nil))
		return math.Sqrt(grid.Square.Distance2(u.Data, truth) / grid.Square.Inner(truth, truth))
	}
	if few, many := failing(1), failing(30); few < 10*many || many > 1e-3 {
		t.Errorf("errors %.2g after one sweep and %.2g after thirty", few, many)
	}
}
