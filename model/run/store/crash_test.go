package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"rfm/config"
	"rfm/solver/base/fault"
	"rfm/solver/base/files"
	"rfm/solver/base/files/crash"
	"rfm/solver/base/parallel/detector"
)

// compute makes or resumes a run as the engine does, in a few steps: pairs in units, a model from tiles, reports. The
// content of each file follows from its name.
func compute(ctx context.Context, c config.Config) (path string, err error) {
	r, path, err := Begin(ctx, "runs", "x", true, c, nil)
	if err != nil {
		return path, err
	}
	if err := steps(ctx, r); err != nil {
		return path, errors.Join(err, r.Close())
	}
	return path, r.Close()
}

func steps(ctx context.Context, r *Run) error {
	product := func(name string) files.File { return text(name, "the content of "+name) }
	if !r.Has(TestFile) {
		if err := makeUnits(ctx, r, TrainFile); err != nil {
			return err
		}
		if err := r.Put(product(TrainFile), product(TestFile)); err != nil {
			return err
		}
	}
	if !r.Has(ModelFile) {
		if err := makeUnits(ctx, r, "sums.npy"); err != nil {
			return err
		}
		if err := r.Put(product(ModelFile)); err != nil {
			return err
		}
	}
	if r.Complete() {
		return nil
	}
	return r.Put(product(TestPredictionsFile), product(TrainPredictionsFile), product(ErrorsFile),
		text(ReportFile, `{"test":{"expected_relative":0.125}}`))
}

// makeUnits makes the missing ones of three units of an array, and reads all.
func makeUnits(ctx context.Context, r *Run, array string) error {
	var units []Unit
	for i := range 3 {
		units = append(units, Unit{Name: RowsName(array, 2*i, 2), Make: func(context.Context) (func(io.Writer) error, error) {
			return pairsOf(2*i, 2).Write, nil
		}})
	}
	if err := r.Units().Do(ctx, units, Workers{}); err != nil {
		return err
	}
	list, err := r.Units().Of(array)
	if err == nil && len(list) != 3 {
		err = fmt.Errorf("%d units of %s", len(list), array)
	}
	for _, u := range list {
		if err == nil {
			_, err = r.Units().Read(ctx, u)
		}
	}
	return err
}

// contents returns the products of the run at a path by name, all other names below its root with an empty text.
func contents(t *testing.T, path string) map[string]string {
	t.Helper()
	r, err := Read(path)
	noError(t, err)
	all := map[string]string{}
	for name := range r.Sums {
		text, err := r.ReadFile(t.Context(), name)
		noError(t, err)
		all[name] = string(text)
	}
	for _, directory := range []string{path, filepath.Dir(path)} {
		entries, err := files.ReadDir(directory)
		noError(t, err)
		for _, e := range entries {
			all[e.Name()] += ""
		}
	}
	return all
}

// honest fails the test if a run that calls itself complete and intact has other content than want.
func honest(t *testing.T, when, path string, want map[string]string) {
	t.Helper()
	r, err := Read(path)
	if err != nil {
		if !errors.Is(err, crash.ErrOff) && !fault.BlamesInput(err) {
			t.Errorf("%s: %v", when, err)
		}
		return
	}
	if faults := Verify(t.Context(), path); len(faults) > 0 {
		t.Errorf("%s: a run that is only unfinished is called damaged: %v", when, faults)
	}
	for name := range r.Sums {
		if text, err := r.ReadFile(t.Context(), name); err != nil || string(text) != want[name] {
			t.Errorf("%s: %s is %q, %v, want %q", when, name, text, err, want[name])
		}
	}
}

// A power failure at any sync, whatever of the rest has reached the disk, leaves a run that is honest about its state
// and resumes to the same content.
func TestPowerFailureAtEverySync(t *testing.T) {
	detector.Skip(t, detector.Stored)
	c := configuration(t)
	first := new(crash.Memory)
	defer files.Replace(first)()
	path, err := compute(t.Context(), c)
	noError(t, err)
	want, syncs := contents(t, path), first.Syncs()
	if syncs < 20 || len(want) < 10 {
		t.Fatalf("%d syncs, %d files", syncs, len(want))
	}
	chances := uint64(12)
	if testing.Short() {
		chances = 3
	}
	for last := 1; last <= syncs; last++ {
		for seed := range chances {
			m := new(crash.Memory)
			m.FailAt(last)
			restore := files.Replace(m)
			if _, err := compute(t.Context(), c); !errors.Is(err, crash.ErrOff) {
				t.Errorf("sync %d: %v", last, err)
			}
			restore()
			restore = files.Replace(m.After(rand.New(rand.NewPCG(uint64(last), seed))))
			when := fmt.Sprintf("power failure at sync %d, chance %d", last, seed)
			honest(t, when, path, want)
			if _, err := compute(t.Context(), c); err != nil {
				t.Errorf("%s: %v", when, err)
			} else {
				for name, text := range contents(t, path) {
					if expected, known := want[name]; text != expected || !known && !files.Temporary(name) {
						t.Errorf("%s: %s is %q, want %q", when, name, text, expected)
					}
				}
			}
			restore()
		}
	}
}

// An error of the operating system at any operation is told, with the file, or has no effect. Nothing that was finished
// is lost, and the same command completes the run.
func TestErrorsAtEveryOperation(t *testing.T) {
	detector.Skip(t, detector.Stored)
	c := configuration(t)
	counting := &crash.Injector{System: new(crash.Memory)}
	restore := files.Replace(counting)
	path, err := compute(t.Context(), c)
	noError(t, err)
	want, operations := contents(t, path), counting.Count()
	restore()
	if operations < 200 {
		t.Fatalf("%d operations", operations)
	}
	step := 1
	if testing.Short() {
		step = 5
	}
	for number := 1; number <= operations; number += step {
		for _, cause := range []syscall.Errno{syscall.EIO, syscall.ENOSPC, syscall.EMFILE} {
			memory, what := new(crash.Memory), ""
			restore := files.Replace(&crash.Injector{System: memory, Fail: func(n int, operation, name string) error {
				if n != number {
					return nil
				}
				what = operation + " of " + name
				return cause
			}})
			_, err := compute(t.Context(), c)
			restore()
			restore = files.Replace(memory)
			when := fmt.Sprintf("%v at operation %d, %s", cause, number, what)
			if err != nil && (!fault.BlamesInput(err) || strings.Contains(err.Error(), "damaged")) {
				t.Errorf("%s: %v", when, err)
			}
			if err == nil || exists(path) {
				honest(t, when, path, want)
			}
			if _, err := compute(t.Context(), c); err != nil {
				t.Errorf("%s, then: %v", when, err)
			} else if got := contents(t, path); len(got) != len(want) {
				for name := range got {
					if _, known := want[name]; !known && !files.Temporary(name) {
						t.Errorf("%s: %s is left", when, name)
					}
				}
			}
			restore()
		}
	}
}

// When a run is resumed, no error of the operating system removes a unit.
func TestErrorsRemoveNoUnits(t *testing.T) {
	detector.Skip(t, detector.Stored)
	c := configuration(t)
	make := func() *crash.Memory {
		m := new(crash.Memory)
		defer files.Replace(m)()
		r, _, err := Begin(t.Context(), "runs", "x", true, c, nil)
		noError(t, err)
		noError(t, makeUnits(t.Context(), r, TrainFile))
		noError(t, r.Close())
		return m
	}
	names := func() (all []string) {
		list, err := Units{Path: "runs/x/units"}.List()
		noError(t, err)
		for _, u := range list {
			all = append(all, u.file)
		}
		return all
	}
	open := func(m *crash.Memory, fail func(int, string, string) error) (operations int, err error) {
		i := &crash.Injector{System: m, Fail: fail}
		defer files.Replace(i)()
		r, err := Open(t.Context(), "runs/x")
		if err == nil {
			err = r.Close()
		}
		return i.Count(), err
	}
	m := make()
	operations, err := open(m, nil)
	noError(t, err)
	restore := files.Replace(m)
	want := names()
	restore()
	for number := 1; number <= operations; number++ {
		for _, cause := range []syscall.Errno{syscall.EIO, syscall.EMFILE, syscall.EACCES, syscall.ESTALE} {
			m := make()
			_, err := open(m, func(n int, _, _ string) error {
				if n == number {
					return cause
				}
				return nil
			})
			restore := files.Replace(m)
			if got := names(); !slices.Equal(got, want) {
				t.Errorf("%v at operation %d (%v): left %v, want %v", cause, number, err, got, want)
			}
			restore()
		}
	}
}

// A start of a run looks at the names of stored runs, and reads at most the configurations of unfinished ones.
func TestStartsReadFewFiles(t *testing.T) {
	m := new(crash.Memory)
	defer files.Replace(m)()
	c, other := configuration(t), configuration(t)
	other.Seed = 77
	const runs = 40
	for i := range runs {
		r, _, err := Begin(t.Context(), "runs", fmt.Sprintf("run%d", i), false, other, nil)
		noError(t, err)
		if i%4 > 0 {
			complete(t, r)
		}
		noError(t, r.Close())
	}
	counting := &crash.Injector{System: m}
	defer files.Replace(counting)()
	if found, err := Unfinished("runs", c); found != "" || err != nil {
		t.Errorf("found %s, %v", found, err)
	}
	if n := counting.Count("ReadDir"); n != 1 {
		t.Errorf("%d directories are read", n)
	}
	if n := counting.Count("OpenFile"); n > runs/4 {
		t.Errorf("%d files are read of %d runs, of which %d are unfinished", n, runs, runs/4)
	}
	if n := counting.Count(); n > 8*runs {
		t.Errorf("%d operations for %d runs", n, runs)
	}
	before := counting.Count()
	if found, err := Unfinished("runs"); filepath.Base(found) != "run36" || err != nil { // the last one
		t.Errorf("found %s, %v", found, err)
	}
	if n := counting.Count() - before; n > 8*runs {
		t.Errorf("%d operations for %d runs", n, runs)
	}
}

// A run that may not be read is in the list, with the reason, at the end.
func TestUnreadableRunsAreListed(t *testing.T) {
	m := new(crash.Memory)
	restore := files.Replace(m)
	defer restore()
	for _, name := range []string{"a", "b"} {
		r, _, err := Begin(t.Context(), "runs", name, false, configuration(t), nil)
		noError(t, err)
		noError(t, r.Close())
	}
	defer files.Replace(&crash.Injector{System: m, Fail: func(_ int, _, name string) error {
		if strings.HasPrefix(name, "runs/a/") {
			return syscall.EACCES
		}
		return nil
	}})()
	list, err := List("runs")
	if err != nil || len(list) != 2 || list[0].Name != "b" || list[1].Name != "a" ||
		list[1].State != ListedUnreadable || !strings.Contains(list[1].Faults[0], "permission denied") {
		t.Errorf("got %+v, %v, want b, then a, which cannot be read: permission denied", list, err)
	}
}

// What killed processes left behind while they made a run is removed when the next run is made. What a living process
// is making stays.
func TestRunsRemoveWhatKilledProcessesLeft(t *testing.T) {
	root := t.TempDir()
	path := filepath.Join(root, "x")
	left := filepath.Join(root, ".old.ABCDEFGH27.partial")
	noError(t, files.Mkdir(left))
	old := time.Now().Add(-time.Hour)
	err := files.Directory(path, func(hidden string) error {
		noError(t, changeTimes(old, left, hidden))
		closed(t, begin(t, root, "y"))
		if exists(left) || !exists(hidden) {
			t.Errorf("left by a killed process: %v; of a living one: %v", exists(left), exists(hidden))
		}
		return nil
	})
	noError(t, err)
}
