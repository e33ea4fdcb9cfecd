package store

import (
	"errors"
	"slices"
	"testing"

	"rfm/solver/dataset/npy"
	"rfm/solver/grid"
)

func rowsOf(first, count, K int) grid.Batch {
	b := grid.NewBatch(grid.Torus, K, count)
	for i := range b.Data {
		b.Data[i] = float64(first*K + i)
	}
	return b
}

// What is behind the rows of the last commit is cut off, and the complete array is one for NumPy.
func TestArraysGrowAcrossSessions(t *testing.T) {
	d := create(t, t.TempDir(), "x")
	grow := func() *Array {
		t.Helper()
		a, err := d.Grow("a.npy", 7, 2, 3)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	add := func(a *Array, first, count int) {
		t.Helper()
		u := rowsOf(first, count, 3)
		for i := range u.Data {
			u.Data[i] = -u.Data[i]
		}
		if err := errors.Join(a.Append(rowsOf(first, count, 3), u), a.Sync()); err != nil {
			t.Fatal(err)
		}
	}
	again := func() {
		t.Helper()
		path := closed(t, d)
		var err error
		if d, err = Open(t.Context(), path, self, now); err != nil {
			t.Fatal(err)
		}
	}
	a := grow()
	add(a, 0, 2)
	if err := d.Commit(func(*Manifest) {}); err != nil {
		t.Fatal(err)
	}
	add(a, 2, 1) // not committed
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	again()
	if _, rows, ok := d.Array("a.npy"); rows != 2 || !ok {
		t.Errorf("%d rows", rows)
	}
	if a = grow(); a.Rows() != 2 {
		t.Fatalf("%d rows", a.Rows())
	}
	add(a, 2, 5)
	if err := errors.Join(d.Commit(func(*Manifest) {}), a.Close()); err != nil {
		t.Fatal(err)
	}
	again()
	got, err := npy.ReadFile(d.File("a.npy"))
	if err != nil || !slices.Equal(got.Shape, []int{7, 2, 3}) {
		t.Fatalf("shape %v, %v", got.Shape, err)
	}
	err = d.ReadRows(t.Context(), "a.npy", func(row int, values []float64) {
		if !slices.Equal(values, got.Data[6*row:6*row+6]) || values[0] != float64(3*row) || values[4] != -float64(3*row+1) {
			t.Errorf("row %d: %v", row, values)
		}
	})
	if err != nil {
		t.Error(err)
	}
	if f, _ := d.Manifest().File("a.npy"); f.Growing {
		t.Error("complete, but growing")
	}
	_, err = d.Grow("a.npy", 8, 2, 3)
	isData(t, err, "[8 2 3] is expected")
	closed(t, d)
}
