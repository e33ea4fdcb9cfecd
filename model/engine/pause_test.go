package engine

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"rfm/config"
)

// countdown is a context that ends after a given number of calls of Err: so it can end wherever a stage checks it, one
// place after the other.
type countdown struct {
	context.Context
	mutex sync.Mutex
	left  int
	done  chan struct{}
}

func newCountdown(ctx context.Context, left int) *countdown {
	return &countdown{Context: ctx, left: left, done: make(chan struct{})}
}

// asked counts calls, and closes the channel at the end.
func (c *countdown) asked() bool {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.left--; c.left == 0 {
		close(c.done)
	}
	return c.left <= 0
}

func (c *countdown) Err() error {
	if c.asked() {
		return context.Canceled
	}
	return nil
}

func (c *countdown) Done() <-chan struct{} {
	c.asked()
	return c.done
}

// A stage paused at any moment resumes in the same process to the same bytes, with a store and without.
func TestPausedStagesGoOnInTheSameProcess(t *testing.T) {
	all := variants(t)
	delete(all, "darcy") // simpler than the others: see the cancelled runs
	all["chosen Darcy"] = tinyDarcy(t, "data.grid=17", "train.grid=9", "features.pool=40", "train.lambda=0",
		"train.choice=loo")
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
		c := want.Config
		plain, err := New(t.Context(), c, Options{Workers: 1})
		noError(t, err)
		kept, err := Create(t.Context(), t.TempDir(), "x", c, time.Now(), eager(2))
		noError(t, err)
		for _, e := range []*Experiment{plain, kept} {
			pauses := 0
			for _, stage := range []Stage{Generating, Training, Evaluating} {
				// Pauses come ever later, densely at first and then in larger steps: without a store a stage restarts.
				for left, err := 1, context.Canceled; err != nil; left += 1 + left {
					if err = e.Reach(newCountdown(t.Context(), left), stage); err != nil && !errors.Is(err, context.Canceled) {
						t.Fatalf("%s, pause %d: %v", name, pauses, err)
					}
					pauses++
				}
			}
			if pauses < 20 {
				t.Errorf("%s: %d pauses only", name, pauses)
			}
			if got, want := fmt.Sprintf("%+v", e.result()), fmt.Sprintf("%+v", want.result()); got != want {
				t.Errorf("%s, %d pauses: %s, want %s", name, pauses, got, want)
			}
		}
		equalContents(t, name, contents(t, kept.Directory()), contents(t, want.Directory()))
		noTemporaryFiles(t, filepath.Dir(kept.Directory()))
	}
}

// The lambda of features chosen from a pool is nearly the best for the test pairs.
func TestLambdaForChosenFeaturesIsNearlyTheBest(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	settings := []string{"data.train=100", "data.test=200", "data.grid=129", "burgers.tolerance=1e-5", "train.grid=33",
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
