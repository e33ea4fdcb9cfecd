package store

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rfm/solver/dataset/npy"
	"rfm/solver/grid"
)

// rowsOf are functions whose values count on from function to function.
func rowsOf(first, count, K int) grid.Batch {
	b := grid.NewBatch(grid.Torus, K, count)
	for i := range b.Data {
		b.Data[i] = float64(first*K + i)
	}
	return b
}

// pairsOf are rows of two columns.
func pairsOf(first, count int) Block {
	return Block{rowsOf(first, count, 3), rowsOf(-first-count, count, 3)}
}

// Shards are made in any order, by any number of writers, and read in the order of rows; a whole array takes their
// place.
func TestShardsBecomeAnArray(t *testing.T) {
	d := create(t, t.TempDir(), "x")
	others := Shards{d.Path(), d.Shards().key}
	if err := errors.Join(d.WriteShard(t.Context(), "a.npy", 4, pairsOf(4, 3)),
		d.WriteShard(t.Context(), "b-c.npy", 0, pairsOf(0, 1)),
		others.Write(t.Context(), "a.npy", 0, pairsOf(0, 2), pairsOf(2, 2)),
		others.Write(t.Context(), "a.npy", 4, pairsOf(4, 3))); err != nil {
		t.Fatal(err)
	}
	list, err := d.Shards().List("a.npy")
	if err != nil || len(list) != 2 || list[0].First != 0 || list[0].Count != 4 || list[1].First != 4 {
		t.Fatalf("%+v, %v", list, err)
	}
	if row, err := others.Row(list[1]); err != nil || !slices.Equal(row, []int{2, 3}) {
		t.Errorf("rows of shape %v, %v", row, err)
	}
	read := func() (rows []float64, shape []int) {
		t.Helper()
		shape, err := d.Manifest().ReadArray(t.Context(), d.Path(), "a.npy",
			func(_ int, values []float64) { rows = append(rows, values...) })
		if err != nil {
			t.Fatal(err)
		}
		return rows, shape
	}
	shards, shape := read()
	if !slices.Equal(shape, []int{7, 2, 3}) || len(shards) != 42 || shards[6] != 3 || shards[24] != 12 {
		t.Errorf("shape %v, %v", shape, shards)
	}
	if faults := Verify(d.Path()); len(faults) > 0 {
		t.Error(faults)
	}
	inputs, outputs := grid.NewBatch(grid.Torus, 3, 7), grid.NewBatch(grid.Torus, 3, 7)
	for i := range 7 {
		copy(inputs.At(i), shards[6*i:])
		copy(outputs.At(i), shards[6*i+3:])
	}
	if err := errors.Join(d.WriteArray(t.Context(), "a.npy", Block{inputs, outputs}),
		d.Commit(func(*Manifest) {})); err != nil {
		t.Fatal(err)
	}
	if list, err := d.Shards().List(""); err != nil || len(list) != 1 || list[0].Array != "b-c.npy" {
		t.Errorf("left: %+v, %v", list, err)
	}
	whole, shape := read()
	a, err := npy.ReadFile(d.File("a.npy"))
	if err != nil || !slices.Equal(a.Shape, shape) || !slices.Equal(a.Data, whole) || !slices.Equal(whole, shards) {
		t.Errorf("shape %v, %v, %v", a.Shape, whole, err)
	}
	closed(t, d)
}

// What is not whole, in another place or another run's is not taken for rows: it is named, and taken out of the run.
func TestDamagedShardsAreMadeAgain(t *testing.T) {
	for name, spoil := range map[string]func(path string) error{
		"flipped": func(path string) error {
			return change(path, func(text []byte) []byte { text[len(text)-9] ^= 4; return text })
		},
		"cut":    func(path string) error { return change(path, func(text []byte) []byte { return text[:len(text)-8] }) },
		"longer": func(path string) error { return change(path, func(text []byte) []byte { return append(text, 0) }) },
		"empty":  func(path string) error { return change(path, func([]byte) []byte { return nil }) },
		"moved": func(path string) error {
			return os.Rename(path, strings.Replace(path, "-000000000-", "-000000008-", 1))
		},
	} {
		d := create(t, t.TempDir(), "x")
		if err := errors.Join(d.WriteShard(t.Context(), "a.npy", 0, pairsOf(0, 2)),
			d.WriteShard(t.Context(), "a.npy", 2, pairsOf(2, 1))); err != nil {
			t.Fatal(err)
		}
		list, err := d.Shards().List("a.npy")
		if err != nil {
			t.Fatal(err)
		}
		if err := spoil(d.File(list[0].file)); err != nil {
			t.Fatal(err)
		}
		isData(t, errors.Join(Verify(d.Path())...), shardPrefix+"a-")
		path := closed(t, d)
		if d, err = Open(t.Context(), path, self, now); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if list, err := d.Shards().List(""); err != nil || len(list) != 1 || list[0].First != 2 {
			t.Errorf("%s: left %+v, %v", name, list, err)
		}
		if n := d.Notices(); len(n) != 1 || !strings.Contains(n[0], "made again") {
			t.Errorf("%s: notices %q", name, n)
		}
		closed(t, d)
	}
	d, other := create(t, t.TempDir(), "x"), Shards{t.TempDir(), "another configuration"}
	if err := other.Write(t.Context(), "a.npy", 0, pairsOf(0, 2)); err != nil {
		t.Fatal(err)
	}
	list, err := other.List("")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(other.path, list[0].file), d.File(list[0].file)); err != nil {
		t.Fatal(err)
	}
	isData(t, d.Shards().Read(t.Context(), list[0], func(int, []float64) {}), "another run's")
	closed(t, d)
}

func change(path string, f func([]byte) []byte) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return os.WriteFile(path, f(text), 0o644)
}
