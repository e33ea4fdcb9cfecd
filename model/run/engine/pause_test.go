package engine

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"reflect"
	"testing"

	"rfm/config"
	"rfm/model/learn/fold"
	"rfm/model/learn/operator"
	counting "rfm/solver/base/parallel/countdown"
)

// A stage that is cancelled at any moment resumes to the same bytes, in the same process and in other processes with
// other numbers of workers.
func TestPausedStagesGoOn(t *testing.T) {
	all := variants(t)
	all["chosen Darcy"] = tinyDarcy(t, "data.grid=17", "train.grid=9", "features.pool=40", "train.lambda=0",
		"train.choice=loo")
	all["folded"] = preset(t, "burgers-held", "data.train=24", "data.test=8", "data.grid=65", "train.grid=33", "features.count=32",
		"equation.tolerance=1e-4", "nu=0.1", "train.method=equivariant")
	own := all["own functions"]
	noError(t, errors.Join(config.Assign(&own, "features.pool=64"),
		config.Assign(&own, "train.method=features")))
	all["own functions"] = own
	for name, c := range all {
		c.Evaluation.Baselines = name == "chosen Darcy" // comparisons restart after every pause: with few pairs
		if c.Of().Files {                               // all methods are trained again after every pause
			c.Data.Train, c.Data.Test = 12, 12
		}
		want := stored(t, c, 2)
		if _, isFolded := operator.Core(want.model.Operator).(*fold.Folded); isFolded != (name == "folded") {
			t.Errorf("%s: the model is %T", name, want.model.Operator)
		}
		c := want.Config
		plain := begin(t, c, Options{Workers: 1})
		kept := begin(t, c, eager(2).In(t.TempDir(), "x", false))
		path := kept.Directory()
		for _, e := range []*Experiment{plain, kept} {
			pauses, stored := 0, e == kept
			for _, stage := range []string{Generating, Training, Evaluating} {
				// Pauses come ever later, densely at first and then in larger steps: without a store a stage restarts.
				for left, err := 1, context.Canceled; err != nil; left += 1 + left {
					err = e.Reach(counting.After(left), stage)
					var partly *Interrupted
					if err != nil && (!errors.Is(err, context.Canceled) ||
						stored && (!errors.As(err, &partly) || partly.Path != path)) {
						t.Fatalf("%s, pause %d: %v", name, pauses, err)
					}
					if pauses++; stored && pauses%2 == 0 {
						noError(t, e.Close())
						again, failure := Open(t.Context(), path, eager(1+pauses%4))
						noError(t, failure)
						e = again
					}
				}
			}
			if pauses < 20 {
				t.Errorf("%s: %d pauses only", name, pauses)
			}
			if got, want := e.result(), want.result(); !reflect.DeepEqual(got, want) {
				t.Errorf("%s, %d pauses: %+v, want %+v", name, pauses, got, want)
			}
		}
		equalContents(t, name, contents(t, path), contents(t, want.Directory()))
		noTemporaryFiles(t, filepath.Dir(path))
	}
}

// The lambda of features that are selected among candidates is nearly the best one for the test pairs.
func TestLambdaForChosenFeaturesIsNearlyTheBest(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes seconds")
	}
	settings := []string{"data.train=100", "data.test=200", "data.grid=129", "equation.tolerance=1e-5", "train.grid=33",
		"features.count=96", "features.pool=192", "evaluation.baselines=no"}
	c := preset(t, "burgers-tuned", append(settings, "train.relative=0", "train.choice=loo")...)
	chosen := run(t, c, 2)
	best, c2 := 1.0, c
	c2.Train.Choice = config.Given
	for _, c2.Train.Relative = range []float64{1e-8, 1e-7, 1e-6, 1e-5, 1e-4} {
		best = min(best, run(t, c2, 2).Evaluation().Test.ExpectedRelative)
	}
	got := chosen.Evaluation().Test.ExpectedRelative
	t.Logf("chosen %.4f, best %.4f", got, best)
	if got > 1.1*best {
		t.Errorf("test error %.4f, %.4f with the best lambda", got, best)
	}
}

// An opening that is cancelled at any moment returns the context's error, and the run can be opened afterwards.
func TestOpeningIsCancelled(t *testing.T) {
	t.Parallel()
	for name, c := range variants(t) {
		if testing.Short() && name != "own functions" {
			continue
		}
		e := stored(t, c, 1)
		whole := counting.After(math.MaxInt)
		if _, err := Open(whole, e.Directory(), Options{Workers: 1}); err != nil {
			t.Fatal(err)
		}
		const least = 10 // files, checked and read
		if whole.Looks() < least {
			t.Errorf("%s: the context is looked at %d times", name, whole.Looks())
		}
		for looks := range whole.Looks() {
			if testing.Short() && looks%5 != 0 {
				continue
			}
			if _, err := Open(counting.After(looks), e.Directory(), Options{Workers: 1}); !errors.Is(err, context.Canceled) {
				t.Fatalf("%s: after %d of %d looks: %v", name, looks, whole.Looks(), err)
			}
		}
	}
}

// A configuration of own data is completed from headers and values of files, which may be on a slow disk.
func TestCompletingIsCancelled(t *testing.T) {
	c := variants(t)["own functions"]
	whole := counting.After(math.MaxInt)
	if _, err := New(whole, c, Options{}); err != nil {
		t.Fatal(err)
	}
	for looks := range whole.Looks() {
		if _, err := New(counting.After(looks), c, Options{}); !errors.Is(err, context.Canceled) {
			t.Fatalf("after %d of %d looks: %v", looks, whole.Looks(), err)
		}
	}
	if whole.Looks() == 0 {
		t.Error("the context is not looked at")
	}
}
