package experiment

import (
	"bytes"
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"rfm/config"
	runs "rfm/model/run"
	"rfm/solver/fault"
	"rfm/solver/grid"
)

// cancelAt is a context that ends when the experiment has done the given number of units of a stage.
func cancelAt(t *testing.T, e *Experiment, stage Stage, units int) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	stop := make(chan struct{})
	t.Cleanup(func() { close(stop); cancel() })
	go func() {
		for {
			if p := e.Progress(); p.Stage == stage && p.Done >= units || p.Stage > stage {
				cancel()
				return
			}
			select {
			case <-stop:
				return
			case <-time.After(50 * time.Microsecond):
			}
		}
	}()
	return ctx
}

// Every stage is cancelled several times, each time by another process for all that the run knows, and the files are those of
// an uninterrupted run.
func TestCancelledRunsEndAsIfTheyHadNotBeen(t *testing.T) {
	for problem, c := range map[string]config.Config{"burgers": tiny(t, "data.train=200", "data.test=100"), "darcy": tinyDarcy(t)} {
		want := contents(t, stored(t, c, 2).Directory())
		for _, workers := range []int{1, 3} {
			e, err := Create(t.TempDir(), "x", c, time.Now(), eager(workers))
			if err != nil {
				t.Fatal(err)
			}
			path, interruptions := e.Directory(), 0
			for _, at := range []struct {
				stage Stage
				units int
			}{{Generating, 0}, {Generating, c.Data.Train / 2}, {Generating, c.Data.Train + 3}, {Training, 0}, {Training, c.Data.Train / 2}, {Evaluating, 0}, {Evaluating, c.Data.Train + 1}} {
				e.store.pace.factor = 0
				err := e.Run(cancelAt(t, e, at.stage, at.units))
				if err == nil {
					break // it was faster
				}
				var partly *Interrupted
				if !errors.As(err, &partly) || partly.Path != path || !errors.Is(err, context.Canceled) {
					t.Fatalf("%s, %d workers, %v: %v", problem, workers, at, err)
				}
				if err := e.Close(); err != nil {
					t.Fatal(err)
				}
				interruptions++
				if e, err = Open(path, eager(workers)); err != nil {
					t.Fatalf("%s, %d workers, after %v: %v", problem, workers, at, err)
				}
			}
			if err := e.Run(t.Context()); err != nil {
				t.Fatal(err)
			}
			if interruptions < 3 || e.Resumed() > interruptions {
				t.Errorf("%s: %d interruptions, resumed %d times", problem, interruptions, e.Resumed())
			}
			equalContents(t, problem, contents(t, path), want)
			noTemporaryFiles(t, filepath.Dir(path))
		}
	}
}

// An experiment goes on in the same process, too.
func TestCancelledStageGoesOn(t *testing.T) {
	c := tiny(t, "data.train=200")
	e, err := Create(t.TempDir(), "x", c, time.Now(), eager(2))
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Generate(cancelAt(t, e, Generating, 100)); err == nil {
		t.Skip("it was faster")
	}
	if err := e.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	equalContents(t, "burgers", contents(t, e.Directory()), contents(t, stored(t, c, 2).Directory()))
}

func TestCompleteRunOpensWithAllResults(t *testing.T) {
	for problem, c := range problems(t) {
		e := stored(t, c, 2)
		o, err := Open(e.Directory(), Options{Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		if o.Reached() != Evaluating || o.Config != e.Config || o.Resumed() != 0 || len(o.Notices()) != 0 {
			t.Errorf("%s: reached %v, resumed %d, %v", problem, o.Reached(), o.Resumed(), o.Notices())
		}
		if p := o.Progress(); p.Stage != Evaluating || p.Fraction() != 1 || p.Rate != 0 {
			t.Errorf("%s: progress %+v", problem, p)
		}
		if a, b := e.Solution(), o.Solution(); !slices.Equal(a.Alpha, b.Alpha) || !slices.Equal(a.Eigenvalues, b.Eigenvalues) || a.Rank != b.Rank || a.Lambda != b.Lambda {
			t.Errorf("%s: the solution differs", problem)
		}
		if a, b := e.Summary(), o.Summary(); a != b {
			t.Errorf("%s: %+v, %+v", problem, a, b)
		}
		if a, b := e.Markdown(), o.Markdown(); a != b {
			t.Errorf("%s: %s", problem, b)
		}
		train, test := e.Pairs()
		again, tests := o.Pairs()
		equalBatches(t, problem+": training inputs", train.Inputs, again.Inputs)
		equalBatches(t, problem+": training outputs", train.Outputs, again.Outputs)
		equalBatches(t, problem+": test outputs", test.Outputs, tests.Outputs)
		equalBatches(t, problem+": predictions", e.Evaluation().Predictions, o.Evaluation().Predictions)
		for _, K := range e.Grids() {
			a, err := e.EvaluateOn(t.Context(), K)
			if err != nil {
				t.Fatal(err)
			}
			b, err := o.EvaluateOn(t.Context(), K)
			if err != nil {
				t.Fatal(err)
			}
			equalBatches(t, problem+": predictions on another grid", a.Predictions, b.Predictions)
		}
		if err := o.Run(t.Context()); err != nil {
			t.Errorf("%s: %v", problem, err)
		}
	}
}

func equalBatches(t *testing.T, what string, a, b grid.Batch) {
	t.Helper()
	if a.K != b.K || a.Count != b.Count || !slices.Equal(a.Data, b.Data) {
		t.Errorf("%s: %d functions of %d values, %d of %d", what, a.Count, a.K, b.Count, b.K)
	}
}

// A run needs nothing of what it was made from, from the moment it has it.
func TestRunGoesOnWithoutTheUsersFiles(t *testing.T) {
	c := tiny(t)
	e := run(t, c, 2)
	train, test := e.Pairs()
	theta := e.operator.(*burgersEquation).features.Theta
	at := func(b interface{ At(int) []float64 }) func(i, x int) float64 {
		return func(i, x int) float64 { return b.At(i)[x] }
	}
	c.Data.TrainFile = authorsFile(t, 257, 40, at(train.Inputs), at(train.Outputs))
	c.Data.TestFile = authorsFile(t, 257, 24, at(test.Inputs), at(test.Outputs))
	c.Features.ThetaFile = authorsFile(t, 257, 48, at(theta), func(int, int) float64 { return 0 })
	want := contents(t, stored(t, c, 2).Directory())
	e, err := Create(t.TempDir(), "x", c, time.Now(), Options{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Generate(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{c.Data.TrainFile, c.Data.TestFile, c.Features.ThetaFile} {
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
	if e, err = Open(e.Directory(), Options{Workers: 2}); err != nil {
		t.Fatal(err)
	}
	if err := e.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	equalContents(t, "from files", contents(t, e.Directory()), want)
	if _, err := Open(e.Directory(), Options{}); err != nil {
		t.Error(err)
	}
}

func TestContinueRefusesAnotherConfiguration(t *testing.T) {
	root := t.TempDir()
	e, err := Continue(root, "x", tiny(t), time.Now(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	var data *fault.Data
	if _, err := Continue(root, "x", tiny(t, "seed=7"), time.Now(), Options{}); !errors.As(err, &data) || !strings.Contains(err.Error(), "seed is 1 there, not 7") {
		t.Errorf("got %v", err)
	}
	if e, err = Continue(root, "x", tiny(t), time.Now(), Options{}); err != nil {
		t.Fatal(err)
	}
	if err := e.Close(); err != nil {
		t.Error(err)
	}
}

func TestDiscardRemovesOnlyRunsWithNothingInThem(t *testing.T) {
	e, err := Create(t.TempDir(), "x", tiny(t, "data.train_file=missing.npy"), time.Now(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Run(t.Context()); err == nil {
		t.Error("data from a file that is missing")
	}
	if err := e.Discard(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(e.Directory()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the run is still there: %v", err)
	}
	if e, err = Create(t.TempDir(), "x", tiny(t), time.Now(), Options{}); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(e.Generate(t.Context()), e.Discard()); err != nil {
		t.Error(err)
	}
	if _, err := runs.Read(e.Directory()); err != nil {
		t.Error(err)
	}
}

func TestAnotherProgramIsNoted(t *testing.T) {
	c := tiny(t)
	other := program()
	other.Version = "v0.0.1"
	e, err := Create(t.TempDir(), "x", c, time.Now(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	path := e.Directory()
	if err := errors.Join(e.Generate(t.Context()), e.Close()); err != nil {
		t.Fatal(err)
	}
	d, err := runs.Open(path, other, time.Now()) // as if v0.0.1 had gone on with it a little
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(d.Commit(func(*runs.Manifest) {}), d.Close()); err != nil {
		t.Fatal(err)
	}
	if e, err = Open(path, Options{}); err != nil {
		t.Fatal(err)
	}
	if n := e.Notices(); len(n) != 2 || !strings.Contains(n[1], "begun by rfm v0.0.1") {
		t.Errorf("notices %q", n)
	}
	if err := e.Close(); err != nil {
		t.Error(err)
	}
}

func TestStoredFilesAreTheDocumentedOnes(t *testing.T) {
	e := stored(t, tiny(t), 2)
	entries, err := os.ReadDir(e.Directory())
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	if want := "config.toml errors.csv manifest.json model.npz predictions-train.npy predictions.npy report.json report.md test.npy timings.json train.npy"; strings.Join(names, " ") != want {
		t.Errorf("files %v, want %s", names, want)
	}
	report, err := os.ReadFile(filepath.Join(e.Directory(), reportFile))
	if err != nil || bytes.Contains(report, []byte("seconds")) || bytes.Contains(report, []byte(e.Directory())) {
		t.Errorf("the report depends on time or place: %s, %v", report, err)
	}
}

// Darcy's fields on the data grid would take 1.2 GB.
func TestKeptGridHoldsWhatIsNeededInLittleSpace(t *testing.T) {
	preset := func(name string) config.Config {
		c, err := config.PresetByName(name)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	for _, test := range []struct {
		config config.Config
		fields bool
		want   int
	}{
		{preset("burgers"), false, 1025},
		{preset("darcy"), true, 65},
		{tiny(t, "data.test=1000000"), false, 33},
		{tiny(t, "data.test=1000000", "data.grid=193", "train.grid=33", "evaluation.grid=49"), false, 97},
	} {
		if got := keptGrid(test.config, test.config.Data.Grid, test.fields); got != test.want {
			t.Errorf("%s: kept on %d, want %d", test.config.Problem, got, test.want)
		}
	}
}

// Whatever checkpoints cost, they take less than a fiftieth of the time, but for the last one.
func TestCheckpointsTakeLittleTime(t *testing.T) {
	p := newPace(time.Second)
	now, longest := p.last, time.Duration(0)
	start := now
	for i := 0; i < 100_000; i++ {
		now = now.Add(10 * time.Millisecond)
		if !p.due(now) {
			continue
		}
		cost := time.Duration(math.Abs(math.Sin(float64(i))) * float64(2*time.Second))
		longest = max(longest, cost)
		p.spent(now, now.Add(cost))
		now = now.Add(cost)
	}
	if all, spent := now.Sub(start), p.total(); spent > all/costFactor+longest || spent < longest {
		t.Errorf("checkpoints took %v of %v, the longest %v", spent, all, longest)
	}
}
