package trained

import (
	"math"
	"slices"
	"testing"

	"rfm/model/feature"
	"rfm/model/rfm"
	"rfm/solver/draw"
	"rfm/solver/grid"
)

// Predictions on a coarse grid differ by less than the bound, cost less, and equal those of the file.
func TestCoarseModelsPredictWhatTheyDid(t *testing.T) {
	m, _, test := trainBurgers(t, func(*feature.Spectral) {})
	pairs := generated(t, preset(t, "quick", 16, 60, 1025, 129), draw.InputTrain, 16)
	own := must(rfm.Measure(predict(t, m, pairs.Inputs), pairs.Outputs))
	const share = 0.1
	coarse := must(m.Coarsen(t.Context(), pairs, share, 2))
	if coarse.Coarse < 9 || coarse.Coarse > 129 || !(coarse.Cost(1025) < m.Cost(1025)/4) {
		t.Fatalf("predicts on %d points", coarse.Coarse)
	}
	t.Logf("predicts on K=%d", coarse.Coarse)
	on := func(points int, from grid.Batch) grid.Batch {
		inputs := must(from.Restrict(points))
		return inputs
	}
	if d := deviation(t, predict(t, coarse, pairs.Inputs), predict(t, m, pairs.Inputs)); d > share*own.ExpectedRelative {
		t.Errorf("training predictions change by %.2g, may by %.2g", d, share*own.ExpectedRelative)
	}
	for _, points := range []int{257, 1025} {
		inputs := on(points, test.Inputs)
		if d := deviation(t, predict(t, coarse, inputs), predict(t, m, inputs)); d > 2*share*own.ExpectedRelative {
			t.Errorf("K=%d: predictions for test inputs change by %.2g", points, d)
		}
	}
	read := must(readBytes(written(t, coarse)))
	if !slices.Equal(predict(t, read, test.Inputs).Data, predict(t, coarse, test.Inputs).Data) {
		t.Error("the file predicts something else")
	}
	none, err := m.Coarsen(t.Context(), pairs, math.SmallestNonzeroFloat64, 2)
	if err != nil || none.Coarse != 0 {
		t.Errorf("no grid has the same predictions, got %d points; %v", none.Coarse, err)
	}
}

// A permeability that jumps between points has no coarse grid that carries its flow.
func TestFlowsAreNotMadeCoarseByMuch(t *testing.T) {
	m, _, _ := trainDarcy(t)
	pairs := generated(t, preset(t, "darcy-quick", 8, 12, 65, 17), draw.InputTrain, 8)
	if coarse, err := m.Coarsen(t.Context(), pairs, 0.01, 2); err != nil || coarse.Coarse != 0 {
		t.Errorf("%d points, %v", coarse.Coarse, err)
	}
}

// A trained map prepares its features once for a grid, and its predictions stay bitwise the same.
func TestPreparedModelsPredictTheSame(t *testing.T) {
	m, _, test := trainBurgers(t, func(*feature.Spectral) {})
	f := features(t, m)
	f.Map = must(f.Map.(feature.Spectral).Trained(t.Context(), f.Solution.Alpha, 1))
	for _, points := range []int{129, 65, 129} {
		inputs := must(test.Inputs.Restrict(points))
		want := predict(t, m, inputs)
		m := m
		m.Operator = f
		for i := range inputs.Count {
			if !slices.Equal(predict(t, m, inputs.Range(i, 1)).Data, want.At(i)) {
				t.Errorf("K=%d: prediction %d differs", points, i)
			}
		}
	}
}
