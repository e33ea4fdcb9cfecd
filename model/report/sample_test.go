package report

import (
	"math"
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

func TestScaleIsPinned(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		min, max *float64
		signed   bool
		want     Span
	}{
		{nil, nil, false, Span{Lo: 1, Hi: 3}}, {new(0.0), nil, false, Span{Lo: 0, Hi: 3}},
		{nil, new(9.0), false, Span{Lo: 1, Hi: 9}},
		{new(2.0), new(2.5), false, Span{Lo: 2, Hi: 2.5}},
		{&nan, new(math.Inf(1)), false, Span{Lo: 1, Hi: 3}}, {new(10.0), nil, false, Span{Lo: 9, Hi: 11}},
		{nil, new(-10.0), false, Span{Lo: -11, Hi: -9}},
		{nil, nil, true, Span{Lo: -3, Hi: 3}}, {new(-5.0), new(2.0), true, Span{Lo: -5, Hi: 5}},
		{new(0.0), new(0.0), true, Span{Lo: -1, Hi: 1}},
	} {
		f := Field{Min: c.min, Max: c.max, Signed: c.signed}
		if got := f.Scale(Span{Lo: 1, Hi: 3}); got != c.want {
			t.Errorf("%v: %v, want %v", c, got, c.want)
		}
	}
}
