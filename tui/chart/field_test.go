package chart

import (
	"testing"

	"rfm/tui/layout"
)

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

func TestShapesLeaveMapsLargeEnough(t *testing.T) {
	for _, test := range []struct {
		width, height, most int
		want                layout.Shape
	}{
		{82, 36, 4, layout.Shape{Columns: 2, Rows: 2}}, {80, 20, 4, layout.Shape{Columns: 2, Rows: 1}},
		{60, 12, 4, layout.Shape{Columns: 1, Rows: 1}}, {120, 20, 4, layout.Shape{Columns: 4, Rows: 1}},
		{40, 40, 4, layout.Shape{Columns: 1, Rows: 2}},
		{120, 35, 2, layout.Shape{Columns: 2, Rows: 1}}, {1, 1, 4, layout.Shape{Columns: 1, Rows: 1}},
	} {
		if got := MapShape(test.width, test.height, test.most); got != test.want {
			t.Errorf("%d maps in %dx%d: %v, want %v", test.most, test.width, test.height, got, test.want)
		}
	}
}
