package trained

import (
	"math"
	"slices"
	"testing"

	"rfm/model/learn/operator"
	"rfm/model/learn/score"
	"rfm/solver/space/grid"
)

// Predictions on a coarse grid differ by at most the bound, and equal those of the file.
func TestCoarseModelsPredictWhatTheyDid(t *testing.T) {
	pairs := nonlinear(grid.Torus, 257, 24, 1, 1, false)
	r := fewFeatures(t, pairs, "")
	m := Model{Operator: must(r.Method().Train(t.Context(), pairs, operator.Options{Workers: 2})), Grid: 257, Config: "seed = 1\n"}
	fine := predict(t, m, pairs.Inputs)
	const share = 0.1
	coarse := must(m.Coarsen(t.Context(), pairs, share, 2))
	if coarse.Coarse < 9 || coarse.Coarse > 129 {
		t.Fatalf("predicts on %d points", coarse.Coarse)
	}
	own, changed := must(score.Measure(fine, pairs.Outputs)), must(score.Measure(predict(t, coarse, pairs.Inputs), fine))
	most := share * max(own.ExpectedRelative, m.Operator.LeaveOneOut())
	if changed.ExpectedRelative == 0 || changed.ExpectedRelative > most {
		t.Errorf("predictions change by %.2g, may by %.2g", changed.ExpectedRelative, most)
	}
	if !slices.Equal(predict(t, reread(t, coarse), pairs.Inputs).Data, predict(t, coarse, pairs.Inputs).Data) {
		t.Error("the file predicts something else")
	}
	if none, err := m.Coarsen(t.Context(), pairs, math.SmallestNonzeroFloat64, 2); err != nil || none.Coarse != 0 {
		t.Errorf("no grid has the same predictions, got %d points; %v", none.Coarse, err)
	}
}
