package sweep

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"rfm/config"
	"rfm/model/run/engine"
	"rfm/model/run/store"
	"rfm/solver/base/fault"
	"rfm/solver/dataset/filetest"
)

var noError = filetest.NoError

// smallSweep returns a configuration of some hundredths of a second.
func smallSweep(t *testing.T) config.Config {
	t.Helper()
	c, err := config.PresetByName("quick")
	noError(t, err)
	noError(t, config.Assign(&c, "data.train=12", "data.test=6", "data.grid=65", "train.grid=17", "features.count=8",
		"equation.tolerance=1e-4", "evaluation.baselines=no"))
	return c
}

func axes(t *testing.T, c config.Config, texts ...string) []Axis {
	t.Helper()
	var all []Axis
	for _, text := range texts {
		a, err := ParseAxis(c, text)
		noError(t, err)
		all = append(all, a)
	}
	return all
}

func begin(t *testing.T, root string, c config.Config, texts ...string) *Sweep {
	t.Helper()
	s, err := Begin(root, "s", c, axes(t, c, texts...))
	noError(t, err)
	return s
}

// compute computes groups and lists the computed cells.
func compute(t *testing.T, s *Sweep, groups [][]Cell, computed *[]string) Done {
	t.Helper()
	did, err := s.Run(t.Context(), groups, engine.Options{Workers: 1}, func(ctx context.Context, c Cell,
		e *engine.Experiment) error {
		*computed = append(*computed, c.Name)
		return e.Run(ctx)
	}, func(string) {})
	noError(t, err)
	return did
}

func TestAxesAreRead(t *testing.T) {
	c := smallSweep(t)
	a, err := ParseAxis(c, "seed=1..3,7,2")
	if err != nil || a.Key != "seed" || !slices.Equal(a.Values, []string{"1", "2", "3", "7"}) {
		t.Errorf("got %+v, %v, want seed with the values 1, 2, 3, 7", a, err)
	}
	if a, err := ParseAxis(c, "count=1e1,10,20"); err != nil || a.Key != "features.count" ||
		!slices.Equal(a.Values, []string{"10", "20"}) {
		t.Errorf("got %+v, %v, want features.count with the values 10, 20", a, err)
	}
	for _, text := range []string{"seed", "seed=", "seed=3..1", "seed=1..x", "seed=0..100000", "nonsense=1",
		"features.count=0", "problem=burgers,darcy", "seed=1,,2"} {
		_, err := ParseAxis(c, text)
		var wrong *config.Error
		if !errors.As(err, &wrong) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestCellsAreTheRunsThemselves(t *testing.T) {
	root, c := t.TempDir(), smallSweep(t)
	s := begin(t, root, c, "seed=1,2", "features.count=8,12")
	var computed []string
	if did := compute(t, s, s.Groups(), &computed); did != (Done{}) || len(computed) != 4 {
		t.Fatalf("%+v, computed %v", did, computed)
	}
	for _, cell := range s.Cells() {
		e, err := engine.New(t.Context(), cell.Config, engine.Options{Workers: 2, Runs: root, Name: "alone-" + cell.Name})
		if err == nil {
			err = e.Run(t.Context())
		}
		noError(t, err)
		for _, name := range []string{"config.toml", "train.npy", "test.npy", "model.npz", "predictions.npy", "report.json",
			"errors.csv"} {
			a, err1 := os.ReadFile(filepath.Join(s.Directory, cell.Name, name))
			b, err2 := os.ReadFile(filepath.Join(e.Directory(), name))
			if err1 != nil || err2 != nil || !bytes.Equal(a, b) {
				t.Errorf("%s of %s is not what a run alone has: %v, %v", name, cell.Name, err1, err2)
			}
		}
	}
	computed = nil
	if compute(t, s, s.Groups(), &computed); len(computed) != 0 {
		t.Errorf("the second time: computed %v", computed)
	}
}

// The name of a sweep leaves out the groups of its keys where they are not needed.
func TestSweepsAreNamedByShortKeys(t *testing.T) {
	c, err := config.PresetByName("burgers")
	noError(t, err)
	s, err := Begin(t.TempDir(), "", c, axes(t, c, "nu=0.01,0.02", "data.train=8,16", "features.tau=1,2"))
	if noError(t, err); !strings.HasPrefix(filepath.Base(s.Directory), "burgers-by-nu-train-features.tau-") {
		t.Errorf("the sweep is %s", s.Directory)
	}
	header := strings.Join(s.Table(nil).Tables[0].Header, " ")
	if !strings.HasPrefix(header, "nu train features.tau runs ") {
		t.Errorf("the table has columns %s", header)
	}
}

// A preset of an equation gives sweeps and models its name.
func TestEquationsAreNamedByTheirPreset(t *testing.T) {
	c, err := config.PresetByName("heat")
	noError(t, err)
	noError(t, config.Assign(&c, "data.train=6", "data.test=3", "data.grid=33", "train.grid=17", "features.count=8",
		"evaluation.baselines=no"))
	s, err := Begin(t.TempDir(), "", c, axes(t, c, "seed=1"))
	noError(t, err)
	var computed []string
	compute(t, s, s.Groups(), &computed)
	e, err := engine.Open(t.Context(), filepath.Join(s.Directory, "seed=1"), engine.Options{Workers: 1})
	if noError(t, err); !strings.HasPrefix(filepath.Base(s.Directory), "heat-by-seed-") || e.Model().Problem != "heat" {
		t.Errorf("the sweep %s of the model of %s", s.Directory, e.Model().Problem)
	}
}

func TestDataAreMadeOnce(t *testing.T) {
	s := begin(t, t.TempDir(), smallSweep(t), "features.count=8,12,16", "seed=1,2")
	if groups := s.Groups(); len(groups) != 2 || len(groups[0]) != 3 {
		t.Fatalf("%d groups", len(s.Groups()))
	}
	var reused []string
	run := func() error {
		_, err := s.Run(t.Context(), s.Groups()[:1], engine.Options{Workers: 1}, func(ctx context.Context, c Cell,
			e *engine.Experiment) error {
			if e.Progress().Reused {
				reused = append(reused, c.Name)
			}
			return e.Run(ctx)
		}, func(string) {})
		return err
	}
	if err := run(); err != nil || len(reused) != 2 {
		t.Errorf("%v: %v have the data of others", err, reused)
	}
	noError(t, os.RemoveAll(filepath.Join(s.Directory, s.Groups()[0][1].Name)))
	reused = nil
	if err := run(); err != nil || len(reused) != 1 { // from a stored run
		t.Errorf("%v: %v have the data of others", err, reused)
	}
}

// Some of many cells fail: the table gives the errors, and a second pass computes only these cells.
func TestFailedCellsAreNamedAndTriedAgain(t *testing.T) {
	s := begin(t, t.TempDir(), smallSweep(t), "seed=1..20", "features.pool=0,4") // a pool of 4 cannot give 8 features
	keep := s.Groups()[:11]
	var computed []string
	if did := compute(t, s, keep, &computed); did.Failed != 11 || did.First == nil || len(computed) != 11 {
		t.Fatalf("%+v, computed %v", did, computed)
	}
	outcomes := s.Read()
	if count(outcomes, store.ListedComplete) != 11 || count(outcomes, failedCell) != 11 ||
		count(outcomes, notBegun) != 18 || len(outcomes) != 40 {
		t.Errorf("%d complete, %d failed, %d missing", count(outcomes, store.ListedComplete), count(outcomes, failedCell),
			count(outcomes, notBegun))
	}
	table := s.Table(outcomes)
	if notes := strings.Join(table.Notes, "\n"); !strings.Contains(notes,
		"seed=1,features.pool=4 failed: features.pool = 4 must be 0 or at least features.count") ||
		!strings.Contains(notes, "18 of 40 runs: not begun") {
		t.Error(notes)
	}
	if rows := table.Tables[0].Rows; len(rows) != 2 || rows[0][1] != "11 of 20" || rows[1][1] != "0 of 20" ||
		rows[1][2] != "-" {
		t.Errorf("%q", rows)
	}
	if lines := strings.Count(string(s.CSV(outcomes)), "\n"); lines != 41 {
		t.Errorf("%d lines of CSV", lines)
	}
	computed = nil
	if did := compute(t, s, keep, &computed); did.Failed != 11 || len(computed) != 0 {
		t.Errorf("again: %+v, computed %v", did, computed)
	}
}

func TestSweepsAreInterrupted(t *testing.T) {
	s := begin(t, t.TempDir(), smallSweep(t), "seed=1..3", "features.count=8,12")
	ctx, cancel := context.WithCancel(t.Context())
	_, err := s.Run(ctx, s.Groups(), engine.Options{Workers: 1}, func(ctx context.Context, c Cell,
		e *engine.Experiment) error {
		if err := e.Reach(ctx, engine.Generating); err != nil {
			return err
		}
		cancel()
		return e.Run(ctx)
	}, func(string) {})
	var partly *engine.Interrupted
	if !errors.As(err, &partly) {
		t.Fatalf("interrupted: %v", err)
	}
}

// A process that is killed after it has stored the last product of a cell leaves its units. The next one removes them.
func TestUnitsOfACompleteCellAreRemoved(t *testing.T) {
	s := begin(t, t.TempDir(), smallSweep(t), "seed=1")
	var computed []string
	compute(t, s, s.Groups(), &computed)
	left := filepath.Join(s.Directory, s.Cells()[0].Name, store.UnitsDirectory)
	noError(t, os.Mkdir(left, 0o777))
	compute(t, s, s.Groups(), &computed)
	if _, err := os.Stat(left); err == nil || len(computed) != 1 {
		t.Errorf("computed %v, the units are left: %v", computed, err)
	}
}

func TestSweepsGrowAndRefuseOthers(t *testing.T) {
	root, c := t.TempDir(), smallSweep(t)
	left := filepath.Join(root, "s", ".sweep.json.ABCDEFGH27.partial") // by a process that was killed as it began
	noError(t, errors.Join(os.Mkdir(filepath.Dir(left), 0o777), os.WriteFile(left, nil, 0o666)))
	begin(t, root, c, "seed=1,2")
	noError(t, os.Chtimes(left, time.Time{}, time.Now().Add(-2*time.Hour)))
	s := begin(t, root, c, "seed=2..4")
	if _, err := os.Stat(left); !errors.Is(err, os.ErrNotExist) {
		t.Error("the file of a process killed long ago is left")
	}
	if !slices.Equal(s.Axes[0].Values, []string{"1", "2", "3", "4"}) {
		t.Errorf("%v", s.Axes)
	}
	other := c
	other.Data.Train++
	refused := func(name string, c config.Config, texts ...string) {
		t.Helper()
		_, err := Begin(root, name, c, axes(t, c, texts...))
		var data *fault.Data
		var wrong *config.Error
		if !errors.As(err, &data) && !errors.As(err, &wrong) {
			t.Errorf("%s %v: %v", name, texts, err)
		}
	}
	refused("s", other, "seed=1")
	refused("s", c, "features.count=8")
	refused("../s", c, "seed=1")
	refused("x", c, "seed=1", "seed=2")
	refused("x", c, "seed=1..200", "features.count=1..100")
	noError(t, os.WriteFile(filepath.Join(s.Directory, store.SweepFile), []byte("{"), 0o644))
	refused("s", c, "seed=1")
	if _, err := Open(root); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// Processes that add values to one sweep simultaneously all succeed.
func TestSweepsGrowFromManySidesAtOnce(t *testing.T) {
	root, c := t.TempDir(), smallSweep(t)
	var group sync.WaitGroup
	for seed := range 8 {
		own := axes(t, c, fmt.Sprintf("seed=%d", seed+1))
		group.Go(func() {
			if _, err := Begin(root, "s", c, own); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	s, err := Open(filepath.Join(root, "s"))
	if err != nil || len(s.Cells()) != 8 {
		t.Errorf("%d cells: %v", len(s.Cells()), err)
	}
}
