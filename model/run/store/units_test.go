package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"rfm/model/run/machine"
	"rfm/solver/dataset/arraytest"
	"rfm/solver/dataset/filetest"
	"rfm/solver/space/grid"
)

// rowsOf returns functions whose values count on from function to function.
func rowsOf(first, count, K int) grid.Batch {
	b := grid.NewBatch(grid.Torus, K, count)
	for i := range b.Data {
		b.Data[i] = float64(first*K + i)
	}
	return b
}

// pairsOf returns rows of two columns.
func pairsOf(first, count int) Block {
	return Block{rowsOf(first, count, 3), rowsOf(-first-count, count, 3)}
}

// writeRows stores a unit of consecutive rows, from the first on.
func writeRows(u Units, array string, first int, rows Block) error {
	return u.Write(RowsName(array, first, rows.Count()), rows.Write)
}

// Units are made in any order, by any number of writers, and read in the order of rows; a product replaces them.
func TestUnitsBecomeAnArray(t *testing.T) {
	d := begin(t, t.TempDir(), "x")
	others := d.Units()
	noError(t, errors.Join(writeRows(d.Units(), "a.npy", 4, pairsOf(4, 3)),
		writeRows(d.Units(), "b-c.npy", 0, pairsOf(0, 1)),
		writeRows(others, "a.npy", 0, pairsOf(0, 4)),
		writeRows(others, "a.npy", 4, pairsOf(4, 3))))
	list, err := d.Units().Of("a.npy")
	if err != nil || len(list) != 2 || list[0].Name != RowsName("a.npy", 0, 4) || list[1].Name != RowsName("a.npy", 4, 3) {
		t.Fatalf("got %+v, %v, want the rows 0 to 3 and 4 to 6 of a.npy", list, err)
	}
	var units []float64
	for _, u := range list {
		a, err := d.Units().Read(t.Context(), u)
		if first, count := u.Rows(); err != nil || !slices.Equal(a.Shape, []int{count, 2, 3}) || first != len(units)/6 {
			t.Errorf("%s has shape %v, %v", u.Name, a.Shape, err)
		}
		units = append(units, a.Data...)
	}
	if len(units) != 42 || units[6] != 3 || units[24] != 12 {
		t.Error(units)
	}
	if faults := Verify(t.Context(), d.Path); len(faults) > 0 {
		t.Error(faults)
	}
	inputs, outputs := grid.NewBatch(grid.Torus, 3, 7), grid.NewBatch(grid.Torus, 3, 7)
	for i := range 7 {
		copy(inputs.At(i), units[6*i:])
		copy(outputs.At(i), units[6*i+3:])
	}
	put(t, d, Rows("a.npy", Block{inputs, outputs}))
	if list, err := d.Units().List(); err != nil || len(list) != 1 || list[0].array != "b-c.npy" {
		t.Errorf("left: %+v, %v", list, err)
	}
	a := arraytest.Read(t, d.File("a.npy"))
	if !slices.Equal(a.Shape, []int{7, 2, 3}) || !slices.Equal(a.Data, units) {
		t.Errorf("shape %v, %v", a.Shape, a.Data)
	}
	for count := range 8 {
		var rows Block
		err := d.ReadArray(t.Context(), "a.npy", func(shape []int) (Block, error) {
			rows = Block{grid.NewBatch(grid.Torus, shape[2], count), grid.NewBatch(grid.Torus, shape[2], count)}
			return rows, nil
		})
		if err != nil || !slices.Equal(rows[0].Data, inputs.Data[:3*count]) ||
			!slices.Equal(rows[1].Data, outputs.Data[:3*count]) {
			t.Errorf("the first %d rows are %v, %v", count, rows, err)
		}
	}
	for _, wrong := range []Block{pairsOf(0, 8), {rowsOf(0, 7, 3)}, {rowsOf(0, 7, 7)}} {
		err := d.ReadArray(t.Context(), "a.npy", func([]int) (Block, error) { return wrong, nil })
		if err == nil || !strings.Contains(err.Error(), "has shape (7, 2, 3)") {
			t.Errorf("%d rows of %d values: %v", wrong.Count(), wrong.Values(), err)
		}
	}
	closed(t, d)
}

// Partial, misplaced and foreign units are not read as rows: they are reported and removed from the run.
func TestDamagedUnitsAreMadeAgain(t *testing.T) {
	for name, spoil := range map[string]func(path string) error{
		"flipped": func(path string) error {
			return change(path, func(text []byte) []byte { text[len(text)-9] ^= 4; return text })
		},
		"cut":    func(path string) error { return change(path, func(text []byte) []byte { return text[:len(text)-8] }) },
		"longer": func(path string) error { return change(path, func(text []byte) []byte { return append(text, 0) }) },
		"empty":  func(path string) error { return change(path, func([]byte) []byte { return nil }) },
		"moved": func(path string) error {
			return os.Rename(path, strings.Replace(path, "-000000000+", "-000000008+", 1))
		},
	} {
		d := begin(t, t.TempDir(), "x")
		noError(t, errors.Join(writeRows(d.Units(), "a.npy", 0, pairsOf(0, 2)),
			writeRows(d.Units(), "a.npy", 2, pairsOf(2, 1))))
		list, err := d.Units().List()
		noError(t, err)
		noError(t, spoil(filepath.Join(d.Path, UnitsDirectory, list[0].file)))
		isData(t, errors.Join(Verify(t.Context(), d.Path)...), UnitsDirectory+"/a-")
		path := closed(t, d)
		if d, err = Open(t.Context(), path); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if list, err := d.Units().List(); err != nil || len(list) != 1 || list[0].Name != RowsName("a.npy", 2, 1) {
			t.Errorf("%s: left %+v, %v", name, list, err)
		}
		if n := d.Session; len(n) != 1 || !strings.Contains(n[0], "made again") {
			t.Errorf("%s: notices %q", name, n)
		}
		closed(t, d)
	}
	d, other := begin(t, t.TempDir(), "x"), Units{t.TempDir(), "another configuration"}
	noError(t, writeRows(other, "a.npy", 0, pairsOf(0, 2)))
	list, err := other.List()
	noError(t, err)
	noError(t, os.Rename(filepath.Join(other.Path, list[0].file), filepath.Join(d.Units().Path, list[0].file)))
	_, err = d.Units().Read(t.Context(), list[0])
	isData(t, err, "another run's")
	closed(t, d)
}

// Only missing units are made, each once, by any of the workers.
func TestDoMakesWhatIsMissing(t *testing.T) {
	for _, shared := range []bool{false, true} {
		d := begin(t, t.TempDir(), "x")
		noError(t, writeRows(d.Units(), "a.npy", 2, rowsBlock(2)))
		var made atomic.Int32
		var units []Unit
		for i := range 8 {
			units = append(units, Unit{Name: RowsName("a.npy", i, 1)})
			units[i].Make = func(context.Context) (func(io.Writer) error, error) {
				made.Add(1)
				return rowsBlock(i).Write, nil
			}
		}
		workers := 1
		if shared {
			workers = 3
		}
		var group sync.WaitGroup
		for range workers {
			group.Go(func() {
				if err := d.Units().Do(t.Context(), units, Workers{Shared: shared}); err != nil {
					t.Error(err)
				}
			})
		}
		group.Wait()
		list, err := d.Units().List()
		if err != nil || len(list) != 8 || made.Load() != 7 {
			t.Errorf("shared %v: %d units, %d made, %v", shared, len(list), made.Load(), err)
		}
		closed(t, d)
	}
}

func rowsBlock(i int) Block { return Block{rowsOf(i, 1, 3)} }

func change(path string, f func([]byte) []byte) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return os.WriteFile(path, f(text), 0o644)
}

// Of many processes that take over a claim simultaneously, only one gets it.
func TestAStaleClaimHasOneTaker(t *testing.T) {
	path := t.TempDir()
	noError(t, os.Mkdir(filepath.Join(path, ClaimsDirectory), 0o777))
	for round := range 50 {
		unit := fmt.Sprintf("unit-%d", round)
		dead, err := newClaims(path, Workers{Beat: time.Minute}).take(unit)
		if err != nil || dead == nil {
			t.Fatal(dead, err)
		}
		dead.stop() // it stops beating, and never ends
		takers := make([]*claims, 4)
		for i := range takers {
			takers[i] = newClaims(path, Workers{Patience: time.Nanosecond, Beat: time.Minute})
			if own, err := takers[i].take(unit); own != nil || err != nil { // the first look only records
				t.Fatal(own, err)
			}
		}
		time.Sleep(time.Millisecond)
		var group sync.WaitGroup
		var won atomic.Int32
		for _, c := range takers {
			group.Go(func() {
				if own, err := c.take(unit); err != nil {
					t.Error(err)
				} else if own != nil {
					won.Add(1)
					defer own.end(true)
				}
			})
		}
		group.Wait()
		if n := won.Load(); n != 1 {
			t.Fatalf("%d have taken over %s", n, unit)
		}
	}
}

// A worker learns at any point that another process has completed its run, and leaves no claims there.
func TestWorkersOfACompleteRunAreTold(t *testing.T) {
	d := begin(t, t.TempDir(), "x")
	claims := d.File(ClaimsDirectory)
	units := []Unit{{Name: RowsName("a.npy", 0, 1), Make: func(context.Context) (func(io.Writer) error, error) {
		complete(t, d)
		noError(t, os.MkdirAll(claims, 0o700)) // as if this worker's claim had come while they were removed
		noError(t, os.WriteFile(filepath.Join(claims, numbered("a", 0)), nil, 0o600))
		return rowsBlock(0).Write, nil
	}}}
	for range 2 {
		if err := d.Units().Do(t.Context(), units, Workers{Shared: true}); !errors.Is(err, ErrComplete) {
			t.Errorf("%v", err)
		}
		if _, err := os.Stat(claims); err == nil {
			t.Errorf("claims are left in a complete run")
		}
	}
	closed(t, d)
}

// Files of others may be larger than the memory, without taking any room on the disk.
func TestFilesThatDoNotFitInMemoryAreRefused(t *testing.T) {
	if machine.AvailableMemory().Limit == "" {
		t.Skip("the memory is not known")
	}
	d := begin(t, t.TempDir(), "x")
	noError(t, writeRows(d.Units(), "a.npy", 0, pairsOf(0, 2)))
	put(t, d, text("errors.csv", ""))
	list, err := d.Units().List()
	noError(t, err)
	unit := filepath.Join(d.Units().Path, list[0].file)
	for path, read := range map[string]func() error{
		d.File("errors.csv"): func() error { _, err := d.ReadFile(t.Context(), "errors.csv"); return err },
		unit:                 func() error { _, err := d.Units().Read(t.Context(), list[0]); return err },
	} {
		if err := os.Truncate(path, 1<<42); err != nil {
			t.Skip(err)
		}
		if used := filetest.Allocated(func() { isData(t, read(), "are available under") }); used > 1<<20 {
			t.Errorf("%s: %d bytes are allocated", path, used)
		}
	}
	for _, name := range []string{ProgramFile, ConfigFile, SumsFile} {
		d := begin(t, t.TempDir(), "y")
		put(t, d, text("errors.csv", ""))
		noError(t, os.Truncate(d.File(name), 1<<28))
		if used := filetest.Allocated(func() { _, err = Read(d.Path) }); used > 1<<20 {
			t.Errorf("%s: %d bytes are allocated", name, used)
		}
		isData(t, err, "has more than")
	}
	const size = 64 << 20
	noError(t, os.Truncate(unit, size))
	used := filetest.Allocated(func() { err = d.sweep(t.Context()) })
	if err != nil || used > size/2 || exists(unit) {
		t.Errorf("a damaged unit takes %d bytes of memory, %v", used, err)
	}
}

// A process that is alone holds units back as long as another one will be made within the pause: if it is killed, the work
// of a pause is lost, or of a unit that takes longer.
func TestUnitsAreHeldBackForAPause(t *testing.T) {
	r := begin(t, t.TempDir(), "x")
	defer closed(t, r)
	now := time.Now()
	before := func(minutes int) time.Time { return now.Add(-time.Duration(minutes) * time.Minute) }
	for name, c := range map[string]struct {
		written, added int // minutes ago
		held           int
	}{
		"long before the pause is over":         {40, 10, 1},
		"the next unit would come after it":     {40, 30, 0},
		"the pause is over":                     {61, 1, 0},
		"a unit that takes longer than a pause": {90, 90, 0},
		"units that take no time are held back": {0, 0, 1},
	} {
		held := &heldBack{
			units:   r.Units(),
			pause:   time.Hour,
			written: before(c.written),
			added:   before(c.added),
		}
		noError(t, held.add(RowsName("a.npy", 0, 1), rowsBlock(0).Write))
		if got := len(held.writes); got != c.held {
			t.Errorf("%s: %d units are held back, want %d", name, got, c.held)
		}
	}
}
