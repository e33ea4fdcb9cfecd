package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"rfm/config"
	"rfm/model/learn/rfm"
	"rfm/model/run/machine"
	"rfm/model/run/store"
	"rfm/solver/base/fault"
	"rfm/solver/base/progress"
	"rfm/solver/dataset/arraytest"
	"rfm/solver/dataset/filetest"
	"rfm/solver/dataset/npy"
	"rfm/solver/num/simd"
)

// begun returns a run of a preset with assignments; no stage is computed.
func begun(t *testing.T, root, name, preset string, assignments ...string) string {
	t.Helper()
	e := created(t, root, name, preset, assignments...)
	noError(t, e.Close())
	return e.Directory()
}

func created(t *testing.T, root, name, of string, assignments ...string) *Experiment {
	t.Helper()
	c := preset(t, of, append([]string{"evaluation.baselines=no"}, assignments...)...)
	return begin(t, c, Options{Workers: 2, Runs: root, Name: name})
}

// whole returns a run of one process.
func whole(t *testing.T, preset string, assignments ...string) string {
	t.Helper()
	e := created(t, t.TempDir(), "whole", preset, assignments...)
	noError(t, e.Run(t.Context()))
	return e.Directory()
}

// splittable is assignments for a run of some hundredths of a second.
var splittable = []string{"data.train=40", "data.test=12", "data.grid=65", "train.grid=33", "features.count=77",
	"equation.tolerance=1e-4"}

func planned(t *testing.T, path string, width int) {
	t.Helper()
	e, err := join(path, Options{Workers: 1})
	if err == nil {
		_, err = e.divide(t.Context(), width, 16)
	}
	noError(t, err)
}

// impatient are workers with a short patience.
var impatient = store.Workers{Beat: 20 * time.Millisecond, Patience: time.Second}

// workOn computes units of a run with a short patience.
func workOn(ctx context.Context, path string) error {
	return Work(ctx, path, Options{Workers: 1}, impatient)
}

// finish completes a split run.
func finish(t *testing.T, path string) {
	t.Helper()
	noError(t, workOn(t.Context(), path))
	noError(t, merged(t, path))
}

// same fails unless the files of two complete runs are equal, but for the program and times.
func same(t *testing.T, name, a, b string) {
	t.Helper()
	equalContents(t, name, contents(t, b), contents(t, a))
}

// Several concurrent workers and bands of several widths give the files of a run on one machine.
func TestSplitRunsAreRuns(t *testing.T) {
	for _, c := range []struct {
		name, preset string
		assignments  []string
	}{
		{"Burgers", "burgers", splittable},
		{"odd grid", "burgers", append(slices.Clone(splittable), "data.grid=61", "train.grid=31")},
		{"tuned", "burgers-tuned", splittable},
		{"centred mean, bias", "burgers", append(slices.Clone(splittable), "features.mean=remove", "features.bias=0.2",
			"train.offset=yes")},
		{"leave-one-out", "burgers", append(slices.Clone(splittable), "train.choice=loo")},
		{"pool", "burgers", append(slices.Clone(splittable), "features.count=30", "features.pool=77")},
		{"some rows", "burgers", append(slices.Clone(splittable), "train.rows=8")},
		{"Darcy", "darcy", []string{"data.train=9", "data.test=4", "data.grid=33", "train.grid=9", "features.count=53"}},
		{"three sweeps", "darcy", []string{"data.train=9", "data.test=4", "data.grid=17", "train.grid=9", "features.count=29",
			"features.sweeps=3"}},
	} {
		root, whole := t.TempDir(), whole(t, c.preset, c.assignments...)
		for _, width := range []int{rfm.TileUnit, 2 * rfm.TileUnit} {
			if width > rfm.TileUnit && (testing.Short() || c.name != "Burgers" && c.name != "Darcy") {
				break // tiles do not contain the program
			}
			path := begun(t, root, "split-"+string(rune('a'+width/24)), c.preset, c.assignments...)
			planned(t, path, width)
			var group sync.WaitGroup
			for range 3 {
				group.Go(func() {
					if err := workOn(t.Context(), path); err != nil {
						t.Errorf("%s: %v", c.name, err)
					}
				})
			}
			group.Wait()
			finish(t, path)
			same(t, c.name, whole, path)
		}
	}
}

// Functions in files are read by every worker.
func TestOwnDataAreSplit(t *testing.T) {
	root := t.TempDir()
	data := created(t, root, "data", "burgers", splittable...)
	noError(t, data.Reach(t.Context(), Generating))
	file := filepath.Join(t.TempDir(), "pairs.npy")
	text, err := os.ReadFile(filepath.Join(data.Directory(), "train.npy"))
	if err == nil {
		err = errors.Join(os.WriteFile(file, text, 0o644), data.Close())
	}
	noError(t, err)
	own := []string{"data.train_file=" + file, "data.layout=functions-first", "features.count=50", "train.method=features"}
	whole := created(t, root, "whole", "functions", own...)
	if err := whole.Run(t.Context()); err != nil {
		t.Skip("this layout is not read: ", err)
	}
	path := begun(t, root, "split", "functions", own...)
	planned(t, path, rfm.TileUnit)
	finish(t, path)
	same(t, "functions", whole.Directory(), path)
}

// claims returns the directory of the claims of a run.
func claims(t *testing.T, path string) string {
	t.Helper()
	directory := filepath.Join(path, store.ClaimsDirectory)
	noError(t, os.MkdirAll(directory, 0o777))
	return directory
}

func TestAFrozenProcessIsOvertaken(t *testing.T) {
	path := begun(t, t.TempDir(), "x", "burgers", splittable...)
	planned(t, path, rfm.TileUnit)
	claim := filepath.Join(claims(t, path), tileName(rfm.Tiles(77, rfm.TileUnit)[3])+".0") // without beats
	noError(t, os.WriteFile(claim, []byte("process 7\n"), 0o644))
	w := impatient
	w.Patience = 100 * time.Millisecond
	noError(t, Work(t.Context(), path, Options{Workers: 1}, w))
	if run := store.NewEntry(path); !run.Run.Merges() || len(run.Working) > 0 {
		t.Errorf("%+v", run)
	}
	finish(t, path)
	before := snapshot(t, path)
	late := func(w io.Writer) error { return nil }
	if p, err := join(path, Options{}); err != nil ||
		p.store.Units().Write("sums-000000+000024-000000+000024", late) == nil {
		t.Errorf("a late tile was written into a complete run, %v", err)
	}
	if after := snapshot(t, path); after != before {
		t.Errorf("the complete run was changed: %s, then %s", before, after)
	}
}

// snapshot returns the names and sizes of the files of a run.
func snapshot(t *testing.T, path string) string {
	t.Helper()
	var all strings.Builder
	err := filepath.Walk(path, func(name string, info os.FileInfo, err error) error {
		if err == nil {
			all.WriteString(name + info.ModTime().String() + "\n")
		}
		return err
	})
	noError(t, err)
	return all.String()
}

// complete returns a split run that lacks only the merge.
func complete(t *testing.T) (path string) {
	t.Helper()
	path = begun(t, t.TempDir(), "x", "burgers", splittable...)
	planned(t, path, 2*rfm.TileUnit)
	noError(t, workOn(t.Context(), path))
	return path
}

// merged returns the error of completing a run.
func merged(t *testing.T, path string) error {
	t.Helper()
	e, err := Open(t.Context(), path, Options{Workers: 1})
	if err != nil {
		return err
	}
	return errors.Join(e.Run(t.Context()), e.Close())
}

func TestEveryDamageOfTilesAndOfTheSplitIsNamed(t *testing.T) {
	whole, path := whole(t, "burgers", splittable...), complete(t)
	damage := func(name string, at int, read func() error) {
		t.Helper()
		text, err := os.ReadFile(name)
		noError(t, err)
		spoiled := slices.Clone(text)
		spoiled[at%len(text)] ^= 1 << (at % 8)
		noError(t, os.WriteFile(name, spoiled, 0o644))
		filetest.Refused(t, fmt.Sprintf("byte %d of %s", at, name), read(), filepath.Base(name))
		noError(t, os.WriteFile(name, text, 0o644))
	}
	for at := 0; at < 2000; at += 17 {
		damage(filepath.Join(path, store.ProgramFile), at, func() error { _, err := store.Read(path); return err })
	}
	units, err := filepath.Glob(filepath.Join(path, store.UnitsDirectory, "*.npy"))
	if err != nil || len(units) != 3+3+1 {
		t.Fatal(units, err)
	}
	for _, unit := range units {
		info, err := os.Stat(unit)
		noError(t, err)
		for at := 0; at < int(info.Size()); at += 1009 {
			damage(unit, at, func() error { return errors.Join(store.Verify(t.Context(), path)...) })
		}
	}
	for _, unit := range units { // harmless: damaged units are made again
		text, err := os.ReadFile(unit)
		if err == nil {
			text[len(text)-9] ^= 4
			err = os.WriteFile(unit, text, 0o644)
		}
		noError(t, err)
	}
	e, err := Open(t.Context(), path, Options{Workers: 1})
	if err == nil {
		err = e.Run(t.Context())
	}
	if err != nil || len(e.Notices()) != len(units) {
		t.Fatalf("got the notices %q, %v, want %d", e.Notices(), err, len(units))
	}
	same(t, "after damage", whole, path)
}

// Whenever a worker is asked to stop, it gives its unit back, and the next one resumes at once and produces the same
// bytes.
func TestWorkersThatStopAtEveryUnitCostOnlyTime(t *testing.T) {
	assignments := append(slices.Clone(splittable), "data.train=200")
	whole, path := whole(t, "burgers", assignments...), begun(t, t.TempDir(), "split", "burgers", assignments...)
	planned(t, path, 2*rfm.TileUnit)
	stops := 0
	for limit := 1; ; limit++ { // each worker stops one unit later than the one before
		ctx, cancel := context.WithCancel(t.Context())
		w, reports := store.Workers{Patience: time.Hour}, 0
		w.Report = func(progress.Progress) {
			if reports++; reports == limit {
				cancel()
			}
		}
		err := Work(ctx, path, Options{Workers: 1}, w)
		cancel()
		if err == nil {
			break
		}
		if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		stops++
	}
	if stops < 4 {
		t.Errorf("stopped %d times", stops)
	}
	finish(t, path)
	same(t, "after stops", whole, path)
}

// Processors share a run if their last digits agree. Others are refused with a message that says how to make them
// agree.
func TestOtherProcessorsAreMeasured(t *testing.T) {
	if os.Getenv(machine.InstructionsVariable) != "" {
		t.Skip("this process may be the one with other last digits")
	}
	whole, path := whole(t, "burgers", splittable...), begun(t, t.TempDir(), "split", "burgers", splittable...)
	planned(t, path, rfm.TileUnit)
	var group sync.WaitGroup
	for _, level := range []string{"", "avx2", "off"} {
		group.Go(func() {
			cmd := Start(t, "work", path, "RFM_SIMD="+level)
			err := cmd.Wait()
			out := cmd.Stderr.(*bytes.Buffer).String()
			differs := level == "off" && strings.HasPrefix(machine.Instructions(), "AVX") ||
				level == "avx2" && machine.Instructions() == simd.AVX512.String()
			if (err != nil) != differs || differs && !strings.Contains(out, "computes other last digits") ||
				differs && !strings.Contains(out, "split the run again with RFM_SIMD=avx2") {
				t.Errorf("RFM_SIMD=%s: %v: %s", level, err, out)
			}
		})
	}
	group.Wait()
	finish(t, path)
	same(t, "processors", whole, path)
}

// rewrite makes the first unit with the given prefix again, with other values.
func rewrite(t *testing.T, path, begin string, remove bool, change func(values []float64)) {
	t.Helper()
	p, err := join(path, Options{})
	noError(t, err)
	names, err := filepath.Glob(filepath.Join(path, store.UnitsDirectory, begin+"*"))
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	a := arraytest.Read(t, names[0])
	change(a.Data)
	name := filepath.Base(names[0])
	name = name[:strings.LastIndex(name, "-")]
	if remove {
		err = os.Remove(names[0])
	}
	write := func(w io.Writer) error { return npy.Write(w, a) }
	noError(t, errors.Join(err, p.store.Units().Write(name, write)))
}

// Impossible sums are found even if their checksums are right, and so is the same tile with other bits.
func TestForgedTilesAreFound(t *testing.T) {
	for want, other := range map[string]func(values []float64){
		"cannot be right": func(values []float64) { values[500] = 1e9 },
		"has other bits":  func(values []float64) { values[0] = math.Nextafter(values[0], 1) },
	} {
		path := complete(t)
		rewrite(t, path, "sums-000000+000048-000048", want != "has other bits", other)
		var unsound *fault.Unsound
		if err := merged(t, path); !errors.As(err, &unsound) || !strings.Contains(err.Error(), want) {
			t.Error(err)
		}
	}
}

// Pairs that two machines compute with different bits are found, too: none of them is taken.
func TestForgedPairsAreFound(t *testing.T) {
	path := complete(t)
	rewrite(t, path, "train-", false, func(values []float64) { values[0] = math.Nextafter(values[0], 1) })
	var unsound *fault.Unsound
	if err := merged(t, path); !errors.As(err, &unsound) || !strings.Contains(err.Error(), "has other bits") {
		t.Error(err)
	}
}

func TestOtherProgramsAndMachinesAreRefused(t *testing.T) {
	path := begun(t, t.TempDir(), "x", "burgers", splittable...)
	planned(t, path, rfm.TileUnit)
	d, err := store.Read(path)
	noError(t, err)
	change := func(change func(*store.Run)) {
		t.Helper()
		change(&d)
		noError(t, d.Put())
	}
	change(func(m *store.Run) { m.Program.Version = "v0.0.1" })
	filetest.Refused(t, "another program", workOn(t.Context(), path), "was split by rfm v0.0.1")
	change(func(m *store.Run) {
		m.Program = machine.Program()
		m.Split = &store.Split{Width: m.Split.Width, Pairs: m.Split.Pairs, Canary: strings.Repeat("0", 64)}
	})
	var unsound *fault.Unsound
	if err := workOn(t.Context(), path); !errors.As(err, &unsound) {
		t.Error(err)
	}
}

func TestWhatCannotBeSplitIsRefused(t *testing.T) {
	var wrong *config.Error
	path := begun(t, t.TempDir(), "x", "burgers", append(slices.Clone(splittable), "train.method=linear")...)
	if _, err := Split(t.Context(), path, 0, Options{Workers: 1}); !errors.As(err, &wrong) ||
		!strings.Contains(err.Error(), "train.method") {
		t.Error(err)
	}
	path = begun(t, t.TempDir(), "x", "burgers", splittable...)
	if err := workOn(t.Context(), path); !errors.Is(err, os.ErrNotExist) &&
		!strings.Contains(err.Error(), "is not split") {
		t.Error(err)
	}
}

// While a worker merges, all units count as done.
func TestAMergeHasItsProgress(t *testing.T) {
	path := complete(t)
	e := reopened(t, path, Options{Workers: 1})
	for _, stage := range []string{Generating, Training} {
		noError(t, e.Reach(t.Context(), stage))
		if run := store.NewEntry(path); !run.Run.Merges() || run.Holder == nil {
			t.Errorf("after %v: %+v", stage, run)
		}
	}
	noError(t, e.Close())
}

// Bands are wide, to avoid repeated evaluation of features, unless the workers are many.
func TestBandsSuitWorkers(t *testing.T) {
	c := preset(t, "burgers")
	for _, want := range []struct{ m, rows, workers, bands int }{{96, 0, 0, 4}, {8192, 0, 4, 8}, {8192, 16, 4, 4},
		{8192, 16, 16, 8}, {32768, 0, 0, 16}, {32768, 0, 1000, 48}} {
		c.Features.Count, c.Train.Rows = want.m, want.rows
		width := defaultWidth(c, want.workers)
		if bands := (want.m + width - 1) / width; width%rfm.TileUnit != 0 || bands != want.bands {
			t.Errorf("%+v: %d bands of %d", want, bands, width)
		}
	}
}

// A complete run is neither split nor worked on, and contains no leftovers.
func TestCompleteRunsAreNotSplit(t *testing.T) {
	e := created(t, t.TempDir(), "x", "burgers", splittable...)
	noError(t, e.Run(t.Context()))
	_, err := Split(t.Context(), e.Directory(), 0, Options{Workers: 1})
	filetest.Refused(t, "a complete run", err, "is complete")
	if m, err := store.Read(e.Directory()); err != nil || m.Split != nil {
		t.Errorf("it is split all the same: %v", err)
	}
}

// Rows stored before the split, in units of other bounds, and the rows of workers form one array.
func TestUnitsOfOtherBoundsAreNotInTheWay(t *testing.T) {
	root := t.TempDir()
	whole := created(t, root, "whole", "burgers", splittable...)
	noError(t, whole.Run(t.Context()))
	path := begun(t, root, "x", "burgers", splittable...)
	p, err := join(path, Options{Workers: 1})
	noError(t, err)
	for _, size := range []int{8, 24} {
		noError(t, p.store.Units().Do(t.Context(), p.pairUnits(p.sides()[0], size)[:1], store.Workers{}))
	}
	planned(t, path, 2*rfm.TileUnit)
	noError(t, workOn(t.Context(), path))
	finish(t, path)
	same(t, "other bounds", whole.Directory(), path)
}
