// Access to symmetric matrices, and combinations of features.

package linalg

import (
	"context"
	"math"
	"slices"
	"testing"

	"rfm/solver/base/parallel/detector"
	"rfm/solver/num/simd"
)

func TestEntriesCopiesAndSums(t *testing.T) {
	s := symmetricFromDense(2, []float64{1, 2, 2, 3})
	c := s.Leading(2)
	s.Set(1, 0, 5)
	s.Scale(2)
	s.AddDiagonal(0.5)
	if want := []float64{2.5, 10, 10, 6.5}; !slices.Equal(s.Dense(), want) || s.At(0, 1) != s.At(1, 0) {
		t.Errorf("2 S + I/2 is %v, want %v", s.Dense(), want)
	}
	if want := []float64{1, 2, 2, 3}; !slices.Equal(c.Dense(), want) || !slices.Equal(c.Leading(1).Dense(), want[:1]) {
		t.Errorf("the copy is %v, want %v", c.Dense(), want)
	}
}

func TestOtherDimensionsPanic(t *testing.T) {
	ctx, f, s, x := context.Background(), NewPanels(10, 5), NewSymmetric(3), make([]float64, 8)
	s.AddDiagonal(1)
	d := decompose(t, s, 1)
	for what, call := range map[string]func(){
		"an index out of range":                        func() { s.At(1, 3) },
		"a rank update of another order":               func() { NewSymmetric(6).RankUpdate(ctx, f, 10, 1) },
		"too many rows":                                func() { NewSymmetric(5).RankUpdate(ctx, f, 11, 1) },
		"a combination of half a row":                  func() { Combine(x[:2], x[:6], x[:4]) },
		"a combination with a short output":            func() { Combine(x[:1], x, x[:4]) },
		"a combination with too few coefficients":      func() { Combine(x[:2], x, x[:3]) },
		"a factor and a short right-hand side":         func() { solveShifted(t.Context(), s.Clone(), x[:3], x[:2], 1, 2) },
		"a decomposition and a solution that is short": func() { d.SolveTruncated(x[:2], x[:3], 1) },
	} {
		mustPanic(t, what, call)
	}
}

func TestCombineIsItsDefinition(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	everyLevel(t, func(t *testing.T, level simd.Level) {
		for _, rows := range []int{0, 1, 3, 7, 8, 9, 16, 65} {
			panel, alpha, out := normal(4*rows, 1), normal(4, 2), normal(rows, 3)
			want := slices.Clone(out)
			for r := range rows {
				for l := range 4 {
					want[r] += alpha[l] * panel[4*r+l]
				}
			}
			kernels{level}.combine(out, panel, alpha)
			for i := range out {
				if !(math.Abs(out[i]-want[i]) <= 16*unit*(10+math.Abs(want[i]))) {
					t.Fatalf("%d rows: value %d is %v, want %v", rows, i, out[i], want[i])
				}
			}
		}
	})
}

// Vectors of every length around the unrolling of the kernels, which do not start on a vector boundary.
func TestVectorKernelsAgreeWithPureGo(t *testing.T) {
	const tolerance = 200 * unit
	near := func(x, y float64) bool { return math.Abs(x-y) <= tolerance*(10+math.Abs(y)) }
	for _, level := range levels()[1:] {
		k := kernels{level}
		for n := range 45 {
			x, y := normal(n+1, 2)[1:], normal(n, 3)
			if got, want := k.dot(x, y), dotGeneric(x, y); !near(got, want) {
				t.Errorf("dot of length %d is %v, want %v", n, got, want)
			}
			sum, want := slices.Clone(y), slices.Clone(y)
			k.axpy(0.7, x, sum)
			axpyGeneric(0.7, x, want)
			for i := range n {
				if !near(sum[i], want[i]) {
					t.Errorf("length %d: entry %d is %v; want %v", n, i, sum[i], want[i])
				}
			}
		}
	}
}
