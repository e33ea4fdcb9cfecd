package engine

import (
	"math"
	"slices"
	"testing"

	"rfm/config"
	"rfm/model/method"
)

// Bands of every method keep their coverage on unseen pairs, and are restored when a run is opened.
func TestBandsOfEveryMethod(t *testing.T) {
	if testing.Short() {
		t.Skip("trains twelve times")
	}
	for _, name := range []string{config.RandomFeatures, "kernel", "linear", "equivariant"} {
		c := tiny(t, "data.grid=65", "train.grid=17", "evaluation.grid=17")
		c.Data.Train, c.Data.Test, c.Train.Method, c.Evaluation.Bands = 128, 300, name, true
		e := stored(t, c, 2)
		u := e.Evaluation().Uncertainty
		for _, v := range u.Coverage {
			for what, share := range map[string]float64{"functions": v.Function, "whole": v.Whole, "points": v.Point} {
				if math.Abs(share-v.Promised) > 0.14 { // three standard deviations with so many pairs
					t.Errorf("%s, %s: %g is promised, %.3f kept", name, what, v.Promised, share)
				}
			}
		}
		again, err := Open(t.Context(), e.Directory(), Options{Workers: 1})
		noError(t, err)
		if w := again.Evaluation().Uncertainty; w.Coverage[1] != u.Coverage[1] || w.Outside != u.Outside {
			t.Errorf("%s: read again as %+v, were %+v", name, w.Coverage, u.Coverage)
		}
	}
}

// A method that improves a kernel may find nothing to improve when pairs are held out: then the kernel predicts them.
func TestBandsOfParts(t *testing.T) {
	e := run(t, tiny(t, "data.train=12", "data.test=4", "data.grid=65", "train.grid=9", "evaluation.grid=9",
		"train.method=kernel"), 2)
	kernel, inputs := e.Model().Operator, e.Evaluation().TestPairs.Inputs
	var found [2][]float64
	for i, operator := range []method.Operator{&method.Corrected{First: kernel}, kernel} {
		e.model.Operator = operator
		model, err := e.retrained(t.Context(), []int{0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11}, false)
		noError(t, err)
		predictions, err := model.Predict(t.Context(), inputs, 2, nil)
		noError(t, err)
		found[i] = predictions.Data
	}
	if !slices.Equal(found[0], found[1]) {
		t.Errorf("predictions %v, those of the kernel alone are %v", found[0][:9], found[1][:9])
	}
}
