package engine

import (
	"context"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"rfm/config"
	"rfm/model/learn/correct"
	"rfm/model/learn/operator"
	"rfm/solver/base/parallel/detector"
)

// An error proportional to a power of n continues so, uncertain by a tenth; steps that differ are less certain.
func TestCurveOfAPower(t *testing.T) {
	c := Curve{Points: []Point{{100, 1}, {200, 0.5}, {400, 0.25}, {800, 0.125}}}
	c.extrapolate()
	if c.Twice.N != 1600 || math.Abs(c.Twice.Error-0.0625) > 1e-12 || math.Abs(math.Log(c.High/c.Low)-0.2) > 1e-12 {
		t.Errorf("%+v", c)
	}
	steps := Curve{Points: []Point{{100, 1}, {200, 0.9}, {400, 0.25}, {800, 0.125}}}
	steps.extrapolate()
	if math.Abs(steps.Twice.Error-0.0625) > 1e-12 || steps.High < 1.5*c.High {
		t.Errorf("%+v", steps)
	}
}

// The learning curve of a run is stored and printed, and its error for half of the pairs is that of a run with half
// of the pairs.
func TestCurveOfARun(t *testing.T) {
	detector.Skip(t, detector.Stored)
	e := stored(t, tiny(t, "train.method=kernel", "data.train=128", "evaluation.curve=yes"), 2)
	curve := e.Evaluation().Curve
	if curve == nil || len(curve.Points) != 4 || curve.Points[0].N != 16 || curve.Points[3] != (Point{128,
		e.Evaluation().Test.ExpectedRelative}) || curve.Twice.N != 256 {
		t.Fatalf("%+v", curve)
	}
	if curve.Points[0].Error <= curve.Points[3].Error || !strings.Contains(strings.Join(e.Evaluation().Notes(), "\n"),
		curve.String()) || !strings.Contains(e.markdown(), curve.String()) {
		t.Errorf("%v", curve)
	}
	opened := reopened(t, e.Directory(), Options{})
	defer opened.Close()
	if again := opened.Evaluation().Curve; again == nil || again.String() != curve.String() {
		t.Errorf("read back: %v, want %v", again, curve)
	}
}

// watched is a context that looks at an experiment whenever the work asks whether to stop.
type watched struct {
	context.Context
	look func()
}

func (w watched) Err() error {
	w.look()
	return w.Context.Err()
}

// While timings and the learning curve are measured, the progress says so and no longer mentions the predictions.
func TestPartsOfEvaluationHaveTheirProgress(t *testing.T) {
	e := begin(t, tiny(t, "train.method=kernel", "data.train=128", "evaluation.curve=yes"), Options{Workers: 1})
	var seen sync.Map
	noError(t, e.Reach(watched{t.Context(), func() { seen.Store(e.Progress().Unit, true) }}, Evaluating))
	for _, unit := range []string{"models of the curve", "timings"} {
		if _, ok := seen.Load(unit); !ok {
			t.Errorf("the progress has no %s", unit)
		}
	}
}

// Random features, few pairs and operators that are learned exactly have no curve.
func TestNoCurve(t *testing.T) {
	detector.Skip(t, detector.Stored)
	t.Parallel()
	for _, settings := range [][]string{{"data.train=128"}, {"data.train=64", "train.method=kernel"}} {
		settings = append(settings, "data.grid=65", "train.grid=9", "evaluation.curve=yes")
		v := run(t, tiny(t, settings...), 1).Evaluation()
		if v.Curve != nil || !strings.Contains(strings.Join(v.Notes(), "\n"), "There is no learning curve: ") {
			t.Errorf("%v: %v, notes %q", settings, v.Curve, v.Notes())
		}
	}
	exact := run(t, tiny(t, "data.train=128", "data.grid=65", "train.grid=9", "train.method=kernel"), 1)
	if v := exact.Evaluation(); v.Curve != nil {
		t.Errorf("it was not asked for: %v", v.Curve)
	}
	if curve, reason, err := exact.evaluating().curve(t.Context(), new(Evaluation)); curve != nil || reason == "" || err != nil {
		t.Errorf("of an exact operator: %v, %q, %v", curve, reason, err)
	}
}

// Bands of every method keep their coverage on unseen pairs, and are restored when a run is opened.
func TestBandsOfEveryMethod(t *testing.T) {
	t.Parallel()
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
		again := reopened(t, e.Directory(), Options{Workers: 1})
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
	for i, operator := range []operator.Operator{&correct.Corrected{First: kernel}, kernel} {
		e.model.Operator = operator
		model, err := e.evaluating().retrained(t.Context(), []int{0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11}, false)
		noError(t, err)
		predictions, err := model.Predict(t.Context(), inputs, 2, nil)
		noError(t, err)
		found[i] = predictions.Data
	}
	if !slices.Equal(found[0], found[1]) {
		t.Errorf("predictions %v, those of the kernel alone are %v", found[0][:9], found[1][:9])
	}
}
