// The triangular factor against the Gram matrix.

package linalg

import (
	"context"
	"fmt"
	"math"
	"testing"

	"rfm/solver/parallel/detector"
	"rfm/solver/simd"
)

func newTriangularAt(level simd.Level, n int) *Triangular {
	t := NewTriangular(n)
	t.level = level
	return t
}

// factored is the factor of f at the given level.
func factored(level simd.Level, f *Panels) *Triangular {
	t := newTriangularAt(level, f.Cols())
	if err := t.Update(context.Background(), f, f.Rows(), 1); err != nil {
		panic(err)
	}
	return t
}

func TestFactorHasTheGramMatrix(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	columns := []int{1, 2, 3, 4, 5, 23, 24, 25, 47, 48, 49, 72, 97, 150}
	if testing.Short() {
		columns = columns[:8]
	}
	everyLevel(t, func(t *testing.T, level simd.Level) {
		for _, n := range columns {
			for _, rows := range []int{1, 2, 30, factorRows, factorRows + 1, 2*factorRows + 77} {
				f := normalPanels(rows, n)
				r, want := factored(level, f), gram(level, f)
				tolerance := 40 * float64(rows+n) * unit // the entries of the Gram matrix are of the order of rows
				for i := range n {
					for j := i; j < n; j++ {
						sum := 0.0
						for k := range i + 1 {
							sum += r.Row(k)[i-k] * r.Row(k)[j-k]
						}
						if !(math.Abs(sum-want.At(i, j)) <= tolerance*float64(rows)) {
							t.Fatalf("%d x %d: entry (%d, %d) of R'R is %v, want %v", rows, n, i, j, sum, want.At(i, j))
						}
					}
				}
			}
		}
	})
}

func TestWorkersDoNotChangeTheFactor(t *testing.T) {
	f := normalPanels(700, 230)
	want := factored(simd.Active(), f)
	for _, workers := range []int{2, 5} {
		got := NewTriangular(230)
		if err := got.Update(context.Background(), f, 700, workers); err != nil {
			t.Fatal(err)
		}
		for i, v := range want.data {
			if got.data[i] != v {
				t.Fatalf("%d workers change entry %d", workers, i)
			}
		}
	}
}

func TestFactorGrowsWithRows(t *testing.T) {
	const n, rows = 60, 2*factorRows + 10
	f := normalPanels(rows, n)
	want, got := factored(simd.Active(), f), NewTriangular(n)
	first := NewPanels(factorRows, n)
	rest := NewPanels(rows-factorRows, n)
	for p := range f.Count() {
		copy(first.Panel(p), f.Panel(p))
		copy(rest.Panel(p), f.Panel(p)[4*factorRows:])
	}
	if err := got.Update(context.Background(), first, factorRows, 1); err != nil {
		t.Fatal(err)
	}
	if err := got.Update(context.Background(), rest, rows-factorRows, 1); err != nil {
		t.Fatal(err)
	}
	for i, v := range want.data {
		if got.data[i] != v {
			t.Fatalf("rows in two calls change entry %d", i)
		}
	}
}

func TestPaddingDoesNotChangeTheFactor(t *testing.T) {
	const n = 29
	f := normalPanels(40, n)
	want := factored(simd.Active(), f)
	for p := range f.Count() {
		for i := range f.Panel(p) {
			if 4*p+i%4 >= n {
				f.Panel(p)[i] = math.NaN()
			}
		}
	}
	got := factored(simd.Active(), f)
	for i := range n {
		for j, v := range want.Row(i) {
			if got.Row(i)[j] != v {
				t.Fatalf("entry (%d, %d) is %v, want %v", i, i+j, got.Row(i)[j], v)
			}
		}
	}
}

func BenchmarkFactor(b *testing.B) {
	const n, rows = 1024, 2048
	f := normalPanels(rows, n)
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("%d workers", workers), func(b *testing.B) {
			t := NewTriangular(n)
			for b.Loop() {
				if err := t.Update(context.Background(), f, rows, workers); err != nil {
					b.Fatal(err)
				}
			}
			reportRate(b, 2*float64(rows)*n*n)
		})
	}
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("rank update, %d workers", workers), func(b *testing.B) {
			s := NewSymmetric(n)
			for b.Loop() {
				s.RankUpdate(f, rows, workers)
			}
			reportRate(b, float64(rows)*n*n)
		})
	}
}
