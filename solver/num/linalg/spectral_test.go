// The decomposition: eigenvalues, the tridiagonal form, truncation.

package linalg

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"rfm/solver/base/parallel/detector"
	"rfm/solver/num/simd"
)

func TestEigenvaluesAreGonums(t *testing.T) {
	everyLevel(t, func(t *testing.T, level simd.Level) {
		for _, n := range solveOrders {
			s := gram(level, normalPanels(n/2+1, n)) // rank deficient
			var e mat.EigenSym
			if !e.Factorize(mat.NewSymDense(n, s.Dense()), false) {
				t.Fatal("gonum fails")
			}
			want := e.Values(nil)
			slices.Reverse(want)
			for i, v := range decompose(t, s, 1).Eigenvalues() {
				if !(math.Abs(v-want[i]) <= 4*float64(n+2)*unit*want[0]) {
					t.Errorf("order %d: eigenvalue %d is %v, want %v", n, i, v, want[i])
				}
			}
		}
	})
}

// Entries so small that their squares are subnormal, or zero, do not spoil the eigenvalues.
func TestTinyEntriesDoNotMatter(t *testing.T) {
	const n = 60
	for exponent := -600; exponent <= -500; exponent++ {
		s := NewSymmetric(n)
		for i := range n {
			for j := range i {
				s.Set(i, j, math.Ldexp(math.Sin(float64(n*i+j)), exponent))
			}
			s.Set(i, i, float64(n-i))
		}
		for i, v := range decompose(t, s, 1).Eigenvalues() {
			if !(math.Abs(v-float64(n-i)) <= n*n*unit) {
				t.Fatalf("entries of 2^%d: eigenvalue %d is %v, want %d", exponent, i, v, n-i)
			}
		}
	}
}

func TestTridiagonalFormIsSimilar(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	everyLevel(t, func(t *testing.T, level simd.Level) {
		for _, n := range append(solveOrders, 97, 145, 333) {
			s := gram(level, normalPanels(n, n))
			d := decompose(t, s, 2)
			x := normal(n, 9)
			y := slices.Clone(x)
			d.applyQTransposed(y)
			ty := make([]float64, n)
			for i := range n {
				ty[i] += d.diagonal[i] * y[i]
				if i+1 < n {
					ty[i] += d.offDiagonal[i] * y[i+1]
					ty[i+1] += d.offDiagonal[i] * y[i]
				}
			}
			if e := math.Abs(norm(y)/norm(x) - 1); !(e <= 10*float64(n)*unit) {
				t.Errorf("order %d: Q'x is longer than x by a factor of 1 + %.1e", n, e)
			}
			d.applyQ(ty)
			if e := relative(ty, multiply(s, x)); !(e <= 100*float64(n)*unit) {
				t.Errorf("order %d: Q T Q' x differs from S x by %.1e", n, e)
			}
		}
	})
}

// pseudoInverse applies gonum's eigendecomposition, truncated, to b.
func pseudoInverse(t *testing.T, s *Symmetric, b []float64, rcond float64) (x []float64, rank int) {
	t.Helper()
	n := len(b)
	var e mat.EigenSym
	if !e.Factorize(mat.NewSymDense(n, s.Dense()), true) {
		t.Fatal("gonum fails")
	}
	values := e.Values(nil)
	var vectors mat.Dense
	e.VectorsTo(&vectors)
	x = make([]float64, n)
	for k, v := range values {
		if v <= rcond*values[n-1] {
			continue
		}
		rank++
		q := mat.Col(nil, k, &vectors)
		axpyGeneric(dotGeneric(q, b)/v, q, x)
	}
	return x, rank
}

func TestTruncatedSolutionIsThePseudoInverse(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	everyLevel(t, func(t *testing.T, level simd.Level) {
		for _, n := range solveOrders {
			for condition, rcond := range map[float64]float64{1e2: 1e-12, 1e8: 1e-12, 1e16: 2.2e-10} {
				s, b := withSpectrum(level, geometric(n, condition)), normal(n, 4)
				want, wantRank := pseudoInverse(t, s, b, rcond)
				x := make([]float64, n)
				rank := must(decompose(t, s, 2).SolveTruncated(x, b, rcond))
				if e := relative(x, want); rank != wantRank || !(e <= solveTolerance(n, min(condition, 1/rcond))) {
					t.Errorf("order %d, condition %v: rank %d and a relative difference of %.1e, want rank %d", n,
						condition, rank, e, wantRank)
				}
			}
		}
	})
}

func TestSpecialMatricesAreSolved(t *testing.T) {
	diagonal := func(values ...float64) *Symmetric {
		s := NewSymmetric(len(values))
		for i, v := range values {
			s.Set(i, i, v)
		}
		return s
	}
	one := symmetricFromDense(3, []float64{1, 2, 3, 2, 4, 6, 3, 6, 9}) // v v', v = (1, 2, 3)
	ones := symmetricFromDense(2, []float64{0.5, 0.5, 0.5, 0.5})
	for _, c := range []struct {
		name string
		s    *Symmetric
		b, x []float64
		rank int
	}{
		{"order 1", diagonal(4), []float64{2}, []float64{0.5}, 1},
		{"zero of order 1", diagonal(0), []float64{2}, []float64{0}, 0},
		{"zero", NewSymmetric(5), []float64{1, 2, 3, 4, 5}, make([]float64, 5), 0},
		{"negative definite", diagonal(-1, -2), []float64{1, 2}, []float64{0, 0}, 0},
		{"identity", diagonal(1, 1, 1, 1), []float64{1, 2, 3, 4}, []float64{1, 2, 3, 4}, 4},
		{"diagonal with a zero", diagonal(4, 0, 2), []float64{2, 7, 3}, []float64{0.5, 0, 1.5}, 2},
		{"rank one", one, []float64{14, 28, 42}, []float64{1, 2, 3}, 1},
		{"projection", ones, []float64{1, 0}, []float64{0.5, 0.5}, 1},
		{"order 2", symmetricFromDense(2, []float64{2, 1, 1, 2}), []float64{3, 0}, []float64{2, -1}, 2},
		{"exchange", symmetricFromDense(2, []float64{0, 1, 1, 0}), []float64{1, 1}, []float64{1, 1}, 1},
		{"graded", diagonal(1, 1e-9, 1e-200), []float64{1, 1, 1}, []float64{1, 1e9, 0}, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := make([]float64, len(c.b))
			rank := must(decompose(t, c.s, 1).SolveTruncated(x, c.b, 1e-12))
			difference := make([]float64, len(x))
			for i := range x {
				difference[i] = x[i] - c.x[i]
			}
			if rank != c.rank || !(norm(difference) <= 8*unit*norm(c.x)) {
				t.Errorf("solution %v of rank %d, want %v of rank %d", x, rank, c.x, c.rank)
			}
		})
	}
}

func TestTridiagonalFormDoesNotDependOnWorkers(t *testing.T) {
	everyLevel(t, func(t *testing.T, level simd.Level) {
		const n = 250
		s := gram(level, normalPanels(n/4, n))
		want := must(tridiagonalise(t.Context(), s.Clone(), 1))
		for _, workers := range []int{2, 3, 8} {
			got := must(tridiagonalise(t.Context(), s.Clone(), workers))
			if !slices.Equal(got.diagonal, want.diagonal) || !slices.Equal(got.offDiagonal, want.offDiagonal) ||
				!slices.Equal(got.bandTau, want.bandTau) || !slices.Equal(got.chaseTau, want.chaseTau) {
				t.Errorf("%d workers change the tridiagonal form", workers)
			}
			for i, v := range want.reflectors.data {
				if row, col := i/want.reflectors.stride, i%want.reflectors.stride; col < n && got.reflectors.data[i] != v {
					t.Fatalf("%d workers change entry %d of row %d of the reflectors", workers, col, row)
				}
			}
		}
	})
}

func TestExhaustedIterationIsAnError(t *testing.T) {
	q := ql{budget: 1}
	err := q.block(context.Background(), []float64{2, 2, 2, 2, 2}, []float64{-1, -1, -1, -1, 0}, 0)
	var failure *UnsolvedError
	if !errors.As(err, &failure) || !strings.Contains(err.Error(), "in 1 QL iterations") {
		t.Errorf("error %v, want an *UnsolvedError after 1 iteration", err)
	}
}
