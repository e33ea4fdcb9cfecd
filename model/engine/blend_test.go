package engine

import (
	"math"
	"slices"
	"testing"

	"rfm/model/rfm"
	"rfm/solver/darcy"
	"rfm/solver/dataset"
	"rfm/solver/grid"
	"rfm/solver/parallel/detector"
)

// squares returns the sum of |p_i - u_i|^2/|u_i|^2.
func squares(t *testing.T, p, u grid.Batch) float64 {
	t.Helper()
	measured, err := rfm.Measure(p, u)
	noError(t, err)
	sum := 0.0
	for _, e := range measured.Relative {
		sum += e * e
	}
	return sum
}

// On training pairs the blend is at least as good as any multiple of either solve, and a neighbouring blend is worse.
// Its prediction is c_1 S_1(a) + c_2 S_2(a).
func TestBlendIsTheLeastSquaresOne(t *testing.T) {
	pairs, _ := onDataGrid(t, tinyDarcy(t))
	pairs, err := pairs.Restrict(9)
	noError(t, err)
	b := newBlend(darcy.Paper(), 9)
	noError(t, b.fit(t.Context(), pairs, 2))
	with := func(weights [2]float64) grid.Batch {
		other := blend{b.solvers, weights}
		p, err := other.Predict(t.Context(), pairs.Inputs, 2, nil)
		noError(t, err)
		return p
	}
	own := with(b.weights)
	least := squares(t, own, pairs.Outputs)
	for _, other := range [][2]float64{{1, 0}, {0, 1}, {b.weights[0] + b.weights[1], 0}, {0, b.weights[0] + b.weights[1]},
		{b.weights[0] + 1e-3, b.weights[1]}, {b.weights[0] - 1e-3, b.weights[1]},
		{b.weights[0], b.weights[1] + 1e-3}, {b.weights[0], b.weights[1] - 1e-3}} {
		if got := squares(t, with(other), pairs.Outputs); !(least < got) {
			t.Errorf("weights %v have the square %.6g, %v have %.6g", other, got, b.weights, least)
		}
	}
	var solves [2][]float64
	for k, mean := range []darcy.Mean{darcy.Arithmetic, darcy.Harmonic} {
		equation := darcy.Paper()
		equation.Mean, solves[k] = mean, make([]float64, 81)
		noError(t, darcy.New(equation, 9).NewWorker().Solve(t.Context(), solves[k], pairs.Inputs.At(3), "test"))
	}
	for x, got := range own.At(3) {
		want := b.weights[0]*solves[0][x] + b.weights[1]*solves[1][x]
		if math.Abs(got-want) > 10*blendTolerance*slices.Max(own.At(3)) {
			t.Errorf("point %d: %g, want %g", x, got, want)
		}
	}
}

// Both solves are equal for a constant permeability: a single coefficient is fitted.
func TestBlendOfEqualSolves(t *testing.T) {
	a := grid.BatchOf(grid.Square, 9, slices.Repeat([]float64{3}, 2*81))
	b := newBlend(darcy.Paper(), 9)
	b.weights = [2]float64{2, 0}
	u, err := b.Predict(t.Context(), a, 1, nil)
	noError(t, err)
	noError(t, b.fit(t.Context(), dataset.Pairs{Inputs: a, Outputs: u}, 1))
	if math.Abs(b.weights[0]-2) > 1e-12 || b.weights[1] != 0 {
		t.Errorf("weights %v", b.weights)
	}
}

// The table for Darcy flow contains the blend where the training grid is coarser than the data grid; the blend is never
// chosen as the model.
func TestBlendIsAReference(t *testing.T) {
	detector.Skip(t, detector.Stored)
	for _, one := range []struct {
		name, method string
		want         bool
	}{{"train.grid=9", "features", true}, {"train.grid=17", "features", false}, {"train.grid=9", "best", true}} {
		e := run(t, tinyDarcy(t, "data.grid=17", one.name, "train.choice=loo", "train.method="+one.method), 2)
		rivals := e.Evaluation().Rivals
		at := slices.IndexFunc(rivals, func(r Rival) bool { return r.Name == "blend of two solves" })
		if at == 0 || (at > 0) != one.want {
			t.Errorf("%s, %s: rivals %+v", one.name, one.method, rivals)
		}
		if at > 0 && !(rivals[at].Error > 0 && rivals[at].Error < 0.1 && rivals[at].LeaveOneOut == 0) {
			t.Errorf("%s, %s: %+v", one.name, one.method, rivals[at])
		}
	}
}
