// The rank-k update against its definition, and its bitwise reproducibility.

package linalg

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"rfm/solver/base/fault"
	"rfm/solver/base/parallel/detector"
	"rfm/solver/num/simd"
)

var (
	someOrders = []int{1, 4, 5, 11, 13, 24, 25, 97, 193}
	someRows   = []int{0, 1, 2, 3, 4, 5, 7, KC - 1, KC, KC + 1, 2*KC + 3}
)

// gramTolerance bounds the difference of two sums of rows+1 terms, relative to the sum of the moduli.
func gramTolerance(rows int) float64 { return 2 * float64(rows+2) * unit }

func TestRankUpdateIsItsDefinition(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	for _, n := range someOrders {
		f := normalPanels(someRows[len(someRows)-1], n)
		// Sums of products and of their moduli, continued from one number of rows to the next.
		sums, sizes := make([]float64, n*n), make([]float64, n*n)
		summed := 0
		row := make([]float64, n)
		for _, rows := range someRows {
			for ; summed < rows; summed++ {
				for j := range row {
					row[j] = entryOf(f, summed, j)
				}
				for i, v := range row {
					for j := i; j < n; j++ {
						sums[i*n+j] += v * row[j]
						sizes[i*n+j] += math.Abs(v * row[j])
					}
				}
			}
			for _, level := range levels() {
				s := newSymmetricAt(level, n)
				s.AddDiagonal(1)
				s.RankUpdate(context.Background(), f, rows, 1)
				for i := range n {
					for j := i; j < n; j++ {
						want, size := sums[i*n+j], sizes[i*n+j]+1
						if i == j {
							want++
						}
						if got := s.At(i, j); !(math.Abs(got-want) <= gramTolerance(rows)*size) {
							t.Fatalf("%v, order %d, %d rows: entry (%d, %d) is %v, want %v", level, n, rows, i, j, got, want)
						}
					}
				}
			}
		}
	}
}

func sameBits(t *testing.T, what string, got, want *Symmetric) {
	t.Helper()
	for i := range want.Order() {
		for j := i; j < want.Order(); j++ {
			if math.Float64bits(got.At(i, j)) != math.Float64bits(want.At(i, j)) {
				t.Fatalf("%s: entry (%d, %d) is %v, want %v", what, i, j, got.At(i, j), want.At(i, j))
			}
		}
	}
}

func TestGroupingOfRowsChangesNoBit(t *testing.T) {
	everyLevel(t, func(t *testing.T, level simd.Level) {
		const n = 53
		f := normalPanels(5*KC+19, n)
		want := gram(level, f)
		for _, group := range []int{KC, 2 * KC, 3 * KC} {
			s := newSymmetricAt(level, n)
			for first := 0; first < f.Rows(); first += group {
				rows := min(group, f.Rows()-first)
				part := NewPanels(group, n)
				for p := range part.Count() {
					copy(part.Panel(p), f.Panel(p)[4*first:4*(first+rows)])
				}
				s.RankUpdate(context.Background(), part, rows, 2)
			}
			sameBits(t, "grouped rows", s, want)
		}
	})
}

// Both sum the products of one entry in the order of the rows, with fused multiply-add.
func TestWideVectorsChangeNoBit(t *testing.T) {
	if simd.Active() < simd.AVX512 {
		t.Skip("needs AVX-512")
	}
	f := normalPanels(KC+9, 131)
	sameBits(t, "AVX-512", gram(simd.AVX512, f), gram(simd.AVX2, f))
}

func TestPaddingHasNoInfluence(t *testing.T) {
	everyLevel(t, func(t *testing.T, level simd.Level) {
		const n = 29
		f := normalPanels(40, n)
		want := gram(level, f)
		for p := range f.Count() {
			for i := range f.Panel(p) {
				if 4*p+i%4 >= n {
					f.Panel(p)[i] = math.NaN()
				}
			}
		}
		got := gram(level, f)
		sameBits(t, "padded with NaN", got, want)
		got.RankUpdate(context.Background(), f, 40, 1)
		want.RankUpdate(context.Background(), f, 40, 1)
		sameBits(t, "updated again", got, want)
		x := make([]float64, n)
		if _, err := decompose(t, got, 1).SolveTruncated(x, normal(n, 1), 1e-10); err != nil {
			t.Error(err)
		}
	})
}

func TestRankUpdateWithOneWorkerAllocatesNothing(t *testing.T) {
	detector.Skip(t, detector.Allocations)
	f, s := normalPanels(300, 100), NewSymmetric(100)
	if n := testing.AllocsPerRun(5, func() { s.RankUpdate(context.Background(), f, 300, 1) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestPanicOfAWorkerReachesTheCaller(t *testing.T) {
	err := share(t.Context(), 8, 3, func(i int) {
		if i == 5 {
			panic("task 5")
		}
	})
	var p *fault.Panic
	if !errors.As(err, &p) || p.Value != "task 5" {
		t.Errorf("error %v", err)
	}
}

// Blocks are small enough to keep many workers busy, even with few features, and no bit depends on their shape.
func TestUpdateHasABlockForEveryWorker(t *testing.T) {
	everyLevel(t, func(t *testing.T, level simd.Level) {
		const n, rows = 256, 300
		f := normalPanels(rows, n)
		want := gram(level, f)
		for _, shape := range blockShapes {
			got := newSymmetricAt(level, n)
			u := got.update(f, f, rows, 0)
			u.shape = shape
			for b := range u.blocks(u.shape) {
				u.block(b)
			}
			sameBits(t, fmt.Sprintf("blocks of %v", shape), got, want)
		}
		for _, workers := range []int{2, 4, 16} {
			got := newSymmetricAt(level, n)
			u := got.update(f, f, rows, 0)
			if err := u.run(t.Context(), workers); err != nil {
				t.Fatal(err)
			}
			sameBits(t, fmt.Sprintf("%d workers", workers), got, want)
			if blocks := u.blocks(u.shape); blocks < blocksPerWorker*workers {
				t.Errorf("%d blocks for %d workers", blocks, workers)
			}
		}
	})
}
