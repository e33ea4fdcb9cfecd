package engine

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"rfm/model/run/store"
	"rfm/solver/base/parallel/detector"
	"rfm/solver/dataset/filetest"
	"rfm/solver/space/grid"
)

func TestCompleteRunOpensWithAllResults(t *testing.T) {
	detector.Skip(t, detector.Stored)
	for problem, c := range variants(t) {
		e := stored(t, c, 2)
		o := reopened(t, e.Directory(), Options{Workers: 1})
		if !o.Complete() || o.Config != e.Config || o.store.Resumed != 0 ||
			!slices.Equal(o.Notices(), e.Notices()) {
			t.Errorf("%s: reached %v, resumed %d, %v", problem, o.Reached(), o.store.Resumed, o.Notices())
		}
		if p := o.Progress(); p.Stage != Evaluating || p.Fraction() != 1 || p.Rate() != 0 {
			t.Errorf("%s: progress %+v", problem, p)
		}
		if a, b := e.Model().Solution(), o.Model().Solution(); !slices.Equal(a.Alpha, b.Alpha) ||
			!slices.Equal(a.Eigenvalues, b.Eigenvalues) || a.Rank != b.Rank || a.Lambda != b.Lambda {
			t.Errorf("%s: the solution differs", problem)
		}
		if a, b := e.Summary(), o.Summary(); !reflect.DeepEqual(a, b) {
			t.Errorf("%s: the opened run has the summary %+v, want %+v", problem, b, a)
		}
		if a, b := e.markdown(), o.markdown(); !reflect.DeepEqual(a, b) {
			t.Errorf("%s: got %s, want %s", problem, b, a)
		}
		train, test := e.Pairs()
		again, tests := o.Pairs()
		equalBatches(t, problem+": training inputs", train.Inputs, again.Inputs)
		equalBatches(t, problem+": training outputs", train.Outputs, again.Outputs)
		equalBatches(t, problem+": test outputs", test.Outputs, tests.Outputs)
		equalBatches(t, problem+": predictions", e.Evaluation().Predictions, o.Evaluation().Predictions)
		for _, K := range e.grids() {
			a, err := e.EvaluateOn(t.Context(), K)
			noError(t, err)
			b, err := o.EvaluateOn(t.Context(), K)
			noError(t, err)
			equalBatches(t, problem+": predictions on another grid", a.Predictions, b.Predictions)
		}
		if err := o.Run(t.Context()); err != nil {
			t.Errorf("%s: %v", problem, err)
		}
	}
}

func equalBatches(t *testing.T, what string, a, b grid.Batch) {
	t.Helper()
	if a.Values() != b.Values() || a.Count != b.Count || !slices.Equal(a.Data, b.Data) {
		t.Errorf("%s: %d functions of %d values, %d of %d", what, a.Count, a.Values(), b.Count, b.Values())
	}
}

func TestContinueRefusesAnotherConfiguration(t *testing.T) {
	o := Options{Runs: t.TempDir(), Name: "x", Resume: true}
	e := begin(t, tiny(t), o)
	noError(t, e.Close())
	_, err := New(t.Context(), tiny(t, "seed=7"), o)
	filetest.Refused(t, "another seed", err, "seed=1 there, seed=7 here")
	e = begin(t, tiny(t), o)
	noError(t, e.Close())
}

// discarded discards a run. It returns the remaining files of its directory, nil if the directory is gone, and what
// became of the run.
func discarded(t *testing.T, e *Experiment) (left []string, fate string) {
	t.Helper()
	fate, err := e.Discard()
	noError(t, err)
	entries, err := os.ReadDir(e.Directory())
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	for _, entry := range entries {
		left = append(left, entry.Name())
	}
	return left, fate
}

// misled returns a run whose data files are missing.
func misled(t *testing.T) *Experiment {
	t.Helper()
	e := begin(t, tiny(t, "data.train_file=missing.npy"), Options{Runs: t.TempDir(), Name: "x"})
	if err := e.Run(t.Context()); err == nil {
		t.Error("data from a file that is missing")
	}
	return e
}

// An interruption while an unnamed run is taken up names that run, not the directory of all runs.
func TestInterruptionNamesTheUnfinishedRun(t *testing.T) {
	o := Options{Runs: t.TempDir(), Resume: true}
	e := begin(t, tiny(t), o)
	noError(t, e.Close())
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var partly *Interrupted
	if _, err := New(ctx, tiny(t), o); !errors.As(err, &partly) || partly.Path != e.Directory() {
		t.Errorf("%v is not of %s", err, e.Directory())
	}
}

// A run that another process completes before its creator has locked it is not computed again.
func TestCreatorResumesFromTheFilesOfOthers(t *testing.T) {
	created := begin(t, tiny(t), Options{})
	d, err := store.Open(t.Context(), stored(t, tiny(t), 1).Directory())
	noError(t, err)
	if created, err = created.resume(t.Context(), d); err != nil || !created.Complete() {
		t.Errorf("reached %v: %v", created.Reached(), err)
	}
}

func TestDiscardRemovesOnlyRunsWithNothingInThem(t *testing.T) {
	if left, fate := discarded(t, misled(t)); left != nil || !strings.Contains(fate, "was removed") {
		t.Errorf("left: %v; %s", left, fate)
	}
	e := begin(t, tiny(t), Options{Runs: t.TempDir(), Name: "x"})
	noError(t, e.Reach(t.Context(), Generating))
	if _, fate := discarded(t, e); !strings.Contains(fate, "stays") {
		t.Error(fate)
	}
	if _, err := store.Read(e.Directory()); err != nil {
		t.Error(err)
	}
}

// Discard keeps files that a user put into the directory of a run, and therefore the run as well. It also keeps a run
// of another process whose data cannot be read, because their disk may just not be mounted.
func TestDiscardKeepsDirectoriesOfOthers(t *testing.T) {
	made := misled(t)
	noError(t, made.Close())
	opened := reopened(t, made.Directory(), Options{})
	if left, fate := discarded(t, opened); len(left) != 5 || !strings.Contains(fate, "stays") {
		t.Errorf("left: %v; %s", left, fate)
	}
	for _, other := range []string{"notes.txt", ".git/config", ".mine.partial", "lock.txt"} {
		e := misled(t)
		path := filepath.Join(e.Directory(), other)
		noError(t, errors.Join(os.MkdirAll(filepath.Dir(path), 0o777),
			os.WriteFile(path, []byte("precious"), 0o644)))
		first, _, _ := strings.Cut(other, "/")
		left, fate := discarded(t, e)
		want := []string{store.ConfigFile, store.LockFile, store.ProgramFile, store.SumsFile, store.UnitsDirectory, first}
		if len(left) != len(want) ||
			!slices.Contains(left, store.ProgramFile) || !strings.Contains(fate, first) {
			t.Errorf("left: %v; %s", left, fate)
		}
		if text, err := os.ReadFile(path); err != nil || string(text) != "precious" {
			t.Errorf("%s: got %q, %v, want the user's file as it was", other, text, err)
		}
	}
}

// Discard keeps a run after a failed write, as the error promises.
func TestDiscardKeepsRunsThatCouldNotBeWritten(t *testing.T) {
	e := begin(t, tiny(t), Options{Runs: t.TempDir(), Name: "x"})
	obstacle := filepath.Join(e.Directory(), store.TrainFile)
	noError(t, os.Mkdir(obstacle, 0o777))
	if err := e.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "rfm run") {
		t.Errorf("got %v", err)
	}
	noError(t, os.Remove(obstacle))
	if _, fate := discarded(t, e); !strings.Contains(fate, "stays") {
		t.Error(fate)
	}
	e = reopened(t, e.Directory(), Options{})
	noError(t, e.Run(t.Context()))
}

func TestRemovedDirectoryIsSaidToBeGone(t *testing.T) {
	e := begin(t, tiny(t), Options{Runs: t.TempDir(), Name: "x"})
	noError(t, errors.Join(e.Reach(t.Context(), Generating), os.RemoveAll(e.Directory())))
	if err := e.Reach(t.Context(), Training); err == nil || !strings.Contains(err.Error(), "somebody has renamed or removed the directory") ||
		strings.Contains(err.Error(), "free some space") {
		t.Errorf("got %v", err)
	}
	if fate, err := e.Discard(); err != nil || fate != "" {
		t.Errorf("got %q, %v, want nothing to discard", fate, err)
	}
}

func TestStoredFilesAreTheDocumentedOnes(t *testing.T) {
	detector.Skip(t, detector.Stored)
	e := stored(t, tiny(t), 2)
	entries, err := os.ReadDir(e.Directory())
	noError(t, err)
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	if want := "SHA256SUMS config.toml errors.csv model.npz predictions-train.npy predictions.npy program.json report.json " +
		"report.md test.npy timings.json train.npy"; strings.Join(names, " ") != want {
		t.Errorf("files %v, want %s", names, want)
	}
	report, err := os.ReadFile(filepath.Join(e.Directory(), store.ReportFile))
	if err != nil || bytes.Contains(report, []byte("seconds")) || bytes.Contains(report, []byte(e.Directory())) {
		t.Errorf("the report depends on time or place: %s, %v", report, err)
	}
}

// Data taken over from another run are stored like generated ones, if that run has them on a fine enough grid.
func TestReusedDataAreStoredAsIfGenerated(t *testing.T) {
	detector.Skip(t, detector.Stored)
	from := stored(t, tiny(t, "evaluation.grid=65"), 2)
	c := tiny(t, "features.count=20", "train.grid=65")
	e := begin(t, c, Options{Workers: 2, Runs: t.TempDir(), Name: "x"})
	if !e.Reuse(from) {
		t.Fatal("the data were not taken over")
	}
	noError(t, e.Run(t.Context()))
	equalContents(t, "reused", contents(t, e.Directory()), contents(t, stored(t, c, 2).Directory()))

	e = begin(t, tiny(t, "train.grid=129"), Options{})
	if e.Reuse(from) {
		t.Error("data on K=65 were taken over for training on K=129")
	}
}
