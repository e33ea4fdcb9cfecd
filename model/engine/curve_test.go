package engine

import (
	"context"
	"math"
	"strings"
	"sync"
	"testing"
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

// The curve of a run is stored and printed; half the pairs give the error of a run with half the pairs' parameters.
func TestCurveOfARun(t *testing.T) {
	e := stored(t, tiny(t, "train.method=kernel", "data.train=128"), 2)
	curve := e.Evaluation().Curve
	if curve == nil || len(curve.Points) != 4 || curve.Points[0].N != 16 || curve.Points[3] != (Point{128,
		e.Evaluation().Test.ExpectedRelative}) || curve.Twice.N != 256 {
		t.Fatalf("%+v", curve)
	}
	if curve.Points[0].Error <= curve.Points[3].Error || !strings.Contains(strings.Join(e.Evaluation().Notes(), "\n"),
		curve.String()) || !strings.Contains(e.markdown(), curve.String()) {
		t.Errorf("%v", curve)
	}
	opened, err := Open(t.Context(), e.Directory(), Options{})
	noError(t, err)
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

// The progress names the learning curve while it is computed, and not the predictions before.
func TestCurveHasItsProgress(t *testing.T) {
	e, err := New(t.Context(), tiny(t, "train.method=kernel", "data.train=128"), Options{Workers: 1})
	noError(t, err)
	var seen sync.Map
	noError(t, e.Reach(watched{t.Context(), func() { seen.Store(e.Progress().Unit, true) }}, Evaluating))
	if _, ok := seen.Load("models of the learning curve"); !ok {
		t.Error("the progress is that of another part")
	}
}

// Random features and few pairs have no curve.
func TestNoCurve(t *testing.T) {
	for _, settings := range [][]string{{"data.train=128"}, {"data.train=64", "train.method=kernel"}} {
		if curve := run(t, tiny(t, settings...), 1).Evaluation().Curve; curve != nil {
			t.Errorf("%v: %v", settings, curve)
		}
	}
}
