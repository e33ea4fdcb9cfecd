package engine

import (
	"math"
	"slices"
	"testing"

	"rfm/config"
	"rfm/model/method"
)

// Bands of every method keep their coverage on unseen pairs, and are restored when a run is opened. Nothing about them
// depends on the test pairs.
func TestBandsOfEveryMethod(t *testing.T) {
	if testing.Short() {
		t.Skip("trains eleven times")
	}
	for _, name := range []string{config.RandomFeatures, "kernel", "linear", "equivariant"} {
		c := tiny(t)
		c.Data.Train, c.Data.Test, c.Train.Method, c.Evaluation.Bands, c.Evaluation.Baselines = 128, 300, name, true, false
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
		if err != nil {
			t.Fatal(err)
		}
		if w := again.Evaluation().Uncertainty; w.Coverage[1] != u.Coverage[1] || w.Outside != u.Outside {
			t.Errorf("%s: read again as %+v, were %+v", name, w.Coverage, u.Coverage)
		}
		other, err := newExperiment(e.Config, Options{Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		other.features, other.train, other.test = e.features, e.train, e.test
		other.test.Outputs = other.test.Outputs.Plus(1, other.test.Outputs.At(0))
		other.model, other.reached = e.model, Training
		if b, err := other.calibrate(t.Context()); err != nil || b.Function[5] != u.bands.Function[5] {
			t.Errorf("%s: other test pairs change the bands, or %v", name, err)
		}
	}
}

// A method that improves a kernel may find nothing to improve when pairs are held out: then the kernel predicts them.
func TestBandsOfParts(t *testing.T) {
	c := tiny(t, "data.train=20", "data.test=8", "train.grid=9", "evaluation.grid=9", "train.method=kernel",
		"evaluation.baselines=no")
	e := run(t, c, 2)
	kernel := e.Model().Operator
	e.model.Operator = &method.Corrected{First: kernel}
	b, err := e.calibrate(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	e.model.Operator = kernel
	want, err := e.calibrate(t.Context())
	if err != nil || !slices.ContainsFunc(b.Function, func(r float64) bool { return slices.Contains(want.Function, r) }) {
		t.Errorf("residuals %v, those of the kernel alone are %v, %v", b.Function, want.Function, err)
	}
}
