package chart

import "testing"

func TestTruthAndPredictionShareAScale(t *testing.T) {
	f := Sample{Side: 2, Input: []float64{3, 3, 12, 12}, Truth: []float64{0, 0, 1, 2}, Prediction: []float64{-1, 0, 1, 1}}
	maps := f.Fields(nil)
	for _, i := range []int{1, 2} {
		if *maps[i].Min != -1 || *maps[i].Max != 2 {
			t.Errorf("scale of map %d from %g to %g", i, *maps[i].Min, *maps[i].Max)
		}
	}
	if got := maps[3].Values; got[0] != 1 || got[3] != 1 || !maps[3].Signed {
		t.Errorf("error %v", got)
	}
}
