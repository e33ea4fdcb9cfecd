package tune

import (
	"slices"
	"testing"

	"rfm/solver/dataset"
	"rfm/solver/draw"
)

// No validation pair depends on a pair of the fit.
func TestPairsOfOneGroupAreOnOneSide(t *testing.T) {
	c := small(t)
	once := pairsOf(t, c, draw.InputTrain, 20)
	rows := make([]int, 2*once.Count())
	for i := range rows {
		rows[i] = i % once.Count()
	}
	pairs := once.Take(rows)
	pairs.Groups = rows
	p, err := newProblem(c, pairs, 1)
	noError(t, err)
	for number := range parts + 1 {
		trial := p.trial(request{Draw: number, Features: 8})
		if total := trial.fit.Count() + trial.validate.Count(); total != pairs.Count() || trial.validate.Count() < 2 {
			t.Errorf("draw %d: %d pairs of %d, %d validate", number, total, pairs.Count(), trial.validate.Count())
		}
		for i := range trial.validate.Count() {
			for j := range trial.fit.Count() {
				if slices.Equal(trial.validate.Inputs.At(i), trial.fit.Inputs.At(j)) {
					t.Fatalf("draw %d: pair %d validates what pair %d is a copy of", number, i, j)
				}
			}
		}
	}
	if got := byGroups(dataset.Pairs{Inputs: once.Inputs, Outputs: once.Outputs}); got.Count() != once.Count() {
		t.Error("pairs without groups are reordered")
	}
}
