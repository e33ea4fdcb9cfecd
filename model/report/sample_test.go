package report

import (
	"slices"
	"testing"
)

func TestLineIsAlongTheFirstVariable(t *testing.T) {
	f := Field{R: 3, Values: []float64{1, 2, 3, 4, 5, 6, 7, 8, 9}}
	if got, want := f.Middle(), []float64{2, 5, 8}; !slices.Equal(got, want) {
		t.Errorf("along x1 at x2 = 1/2: %v, want %v", got, want)
	}
}

func TestTruthAndPredictionShareAScale(t *testing.T) {
	f := Sample{Side: 2, Input: []float64{3, 3, 12, 12}, Truth: []float64{0, 0, 1, 2},
		Prediction: []float64{-1, 0, 1, 1}}
	maps := f.Fields()
	for _, i := range []int{1, 2} {
		if *maps[i].Min != -1 || *maps[i].Max != 2 {
			t.Errorf("scale of map %d from %g to %g", i, *maps[i].Min, *maps[i].Max)
		}
	}
	if got := maps[3].Values; got[0] != 1 || got[3] != 1 || !maps[3].Signed {
		t.Errorf("error %v", got)
	}
}
