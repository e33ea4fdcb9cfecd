// Solutions by singular values against those known from the construction.

package linalg

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"rfm/solver/simd"
)

// reflected is a product of three random reflections of x, in one order or the other.
func reflected(x []float64, seed uint64, transposed bool) []float64 {
	y := slices.Clone(x)
	for k := range uint64(3) {
		if transposed {
			k = 2 - k
		}
		v := normal(len(x), seed+k)
		axpyGeneric(-2*dotGeneric(v, y)/dotGeneric(v, v), v, y)
	}
	return y
}

// withSingularValues is the matrix U diag V' in panels, of as many rows as columns: U and V have the seeds 20 and 30.
func withSingularValues(values []float64) *Panels {
	n := len(values)
	f := NewPanels(n, n)
	for j := range n {
		x := make([]float64, n)
		x[j] = 1
		x = reflected(x, 30, true)
		for k, v := range values {
			x[k] *= v
		}
		for i, v := range reflected(x, 20, false) {
			f.Panel(j / 4)[4*i+j%4] = v
		}
	}
	return f
}

// leastSquares factors (A, y) at a level, and is the decomposition of the factor of A with Q'y.
func leastSquares(t *testing.T, level simd.Level, a *Panels, y []float64) (*Singular, []float64) {
	t.Helper()
	r, z := factoredWith(level, a, y)
	d, err := DecomposeTriangular(context.Background(), r, len(z), 2)
	if err != nil {
		t.Fatal(err)
	}
	return d, z
}

// factoredWith is the factor of (A, y) at a level, and Q'y.
func factoredWith(level simd.Level, a *Panels, y []float64) (*Triangular, []float64) {
	n := a.Cols()
	both := NewPanels(a.Rows(), n+1)
	for p := range a.Count() {
		copy(both.Panel(p), a.Panel(p))
	}
	z := make([]float64, n)
	for i, v := range y {
		both.Panel(n / 4)[4*i+n%4] = v
	}
	r := factored(level, both)
	for i := range z {
		z[i] = r.Row(i)[n-i]
	}
	return r, z
}

func TestSingularValuesAreFoundToRounding(t *testing.T) {
	everyLevel(t, func(t *testing.T, level simd.Level) {
		for _, n := range []int{1, 2, 3, 5, 24, 49, 100} {
			want := geometric(n, 1e15)
			d, _ := leastSquares(t, level, withSingularValues(want), make([]float64, n))
			for k, v := range d.Values() {
				if !(math.Abs(v-want[k]) <= 20*float64(n+10)*unit) {
					t.Errorf("order %d: singular value %d is %v, want %v", n, k, v, want[k])
				}
			}
		}
	})
}

// The condition number of A'A is 1e22: beyond what its Gram matrix knows.
func TestRidgeSolutionDoesNotSquareTheConditionNumber(t *testing.T) {
	everyLevel(t, func(t *testing.T, level simd.Level) {
		const n, condition, relative = 120, 1e11, 1e-20
		sigma := geometric(n, condition)
		coefficients := normal(n, 4) // of x in the basis V, such that y is of moderate size
		y, x := make([]float64, n), make([]float64, n)
		for k, s := range sigma {
			y[k] = s * coefficients[k]
			x[k] = s * s / (s*s + relative) * coefficients[k]
		}
		y, want := reflected(y, 20, false), reflected(x, 30, false)
		r, z := factoredWith(level, withSingularValues(sigma), y)
		got := make([]float64, n)
		largest, err := r.LargestSquare(t.Context(), n)
		if err != nil || math.Abs(largest-1) > 1e-13 {
			t.Fatalf("largest eigenvalue %v, want 1, %v", largest, err)
		}
		if err := r.SolveShifted(t.Context(), got, z, relative*largest, 2); err != nil {
			t.Fatal(err)
		}
		tolerance := 10 * n * unit / math.Sqrt(relative) // perturbation theory: 1/sqrt(lambda), not 1/lambda
		if e := RelativeDistance(got, want); !(e <= tolerance) {
			t.Errorf("relative error %.1e, want at most %.1e", e, tolerance)
		}
	})
}

func TestTruncationCountsSquares(t *testing.T) {
	sigma := []float64{1, 0.5, 1e-3, 1e-9}
	d, z := leastSquares(t, simd.Active(), withSingularValues(sigma), reflected([]float64{1, 1, 1, 1}, 20, false))
	for rcond, want := range map[float64]int{0: 4, 1e-20: 4, 1e-17: 3, 1e-5: 2, 0.26: 1} {
		x := make([]float64, 4)
		rank, err := d.SolveTruncated(x, z, rcond)
		if err != nil || rank != want {
			t.Errorf("rcond %g: rank %d, want %d, %v", rcond, rank, want, err)
		}
		c := make([]float64, 4)
		for k := range want {
			c[k] = 1 / sigma[k]
		}
		if e := RelativeDistance(x, reflected(c, 30, false)); !(e <= 1e-5) {
			t.Errorf("rcond %g: relative error %.1e", rcond, e)
		}
	}
}

func TestFactorOfDeficientRank(t *testing.T) {
	const n, rank = 90, 40
	sigma := slices.Concat(geometric(rank, 100), make([]float64, n-rank))
	d, z := leastSquares(t, simd.Active(), withSingularValues(sigma), normal(n, 3))
	x := make([]float64, n)
	if got, err := d.SolveTruncated(x, z, 1e-20); err != nil || got != rank {
		t.Errorf("rank %d, want %d, %v", got, rank, err)
	}
	zero, z := factoredWith(simd.Active(), NewPanels(n, n), normal(n, 3))
	if largest, err := zero.LargestSquare(t.Context(), n); err != nil || largest != 0 {
		t.Errorf("zero matrix: largest eigenvalue %g, %v", largest, err)
	}
	if err := zero.SolveShifted(t.Context(), x, z, 1e-6, 1); err != nil || norm(x) != 0 {
		t.Errorf("zero matrix: %v, solution of length %g", err, norm(x))
	}
}

func TestFactorNearTheLimitsOfDoubles(t *testing.T) {
	const n = 30
	f, y := withSingularValues(geometric(n, 100)), normal(n, 5)
	r, z := factoredWith(simd.Active(), f, y)
	want, got := make([]float64, n), make([]float64, n)
	if err := r.SolveShifted(t.Context(), want, z, 1e-6, 1); err != nil {
		t.Fatal(err)
	}
	for _, exponent := range []int{-450, 450} {
		r := factored(simd.Active(), f)
		r.Scale(math.Ldexp(1, exponent))
		if largest, err := r.LargestSquare(t.Context(), n); err != nil ||
			math.Abs(math.Ldexp(largest, -2*exponent)-1) > 1e-13 {
			t.Errorf("2^%d: largest eigenvalue %v, %v", exponent, largest, err)
		}
		if err := r.SolveShifted(t.Context(), got, z, math.Ldexp(1e-6, 2*exponent), 1); err != nil {
			t.Fatal(err)
		}
		for i := range got {
			got[i] = math.Ldexp(got[i], exponent)
		}
		if e := RelativeDistance(got, want); !(e <= 1e-10) {
			t.Errorf("2^%d: relative difference %.1e", exponent, e)
		}
	}
}

func TestNonFiniteFactorIsNamed(t *testing.T) {
	r := NewTriangular(5)
	r.Row(2)[1] = math.Inf(1)
	var failure *NonFiniteError
	if _, err := DecomposeTriangular(context.Background(), r, 5, 1); !errors.As(err, &failure) || failure.Row != 2 ||
		failure.Col != 3 {
		t.Errorf("error %v, want one about (2, 3)", err)
	}
	if _, err := DecomposeTriangular(context.Background(), r, 3, 1); err != nil {
		t.Errorf("the leading block is finite: %v", err)
	}
}

func TestWorkersDoNotChangeSingularSolutions(t *testing.T) {
	const n = 600 // large enough to be shared
	r, z := factored(simd.Active(), normalPanels(n, n)), normal(n, 1)
	solution := func(workers int) []float64 {
		d, err := DecomposeTriangular(context.Background(), r, n, workers)
		if err != nil {
			t.Fatal(err)
		}
		x, y := make([]float64, n), make([]float64, n)
		if _, err := d.SolveTruncated(x, z, 1e-6); err != nil {
			t.Fatal(err)
		}
		if err := r.SolveShifted(t.Context(), y, z, 1e-6, workers); err != nil {
			t.Fatal(err)
		}
		return append(x, y...)
	}
	if !slices.Equal(solution(1), solution(3)) {
		t.Error("three workers change the solution")
	}
}

func BenchmarkSingular(b *testing.B) {
	const n = 1024
	r := factored(simd.Active(), withSingularValues(geometric(n, 1e14)))
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("%d workers", workers), func(b *testing.B) {
			for b.Loop() {
				if _, err := DecomposeTriangular(context.Background(), r, n, workers); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	z, x := normal(n, 1), make([]float64, n)
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("ridge, %d workers", workers), func(b *testing.B) {
			for b.Loop() {
				if err := r.SolveShifted(b.Context(), x, z, 1e-3, workers); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("largest", func(b *testing.B) {
		for b.Loop() {
			if _, err := r.LargestSquare(b.Context(), n); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// gonum's singular value decomposition truncated to a rank.
func gonumTruncated(r *Triangular, z []float64, rank int) []float64 {
	n := len(z)
	dense := mat.NewDense(n, n, nil)
	for i := range n {
		for j, v := range r.Row(i)[:n-i] {
			dense.Set(i, i+j, v)
		}
	}
	var svd mat.SVD
	if !svd.Factorize(dense, mat.SVDFull) {
		panic("no singular values")
	}
	x := mat.NewVecDense(n, nil)
	svd.SolveVecTo(x, mat.NewVecDense(n, z), rank)
	return x.RawVector().Data
}

// The two eigenvalues +-sigma of the doubled matrix differ by rounding, which at 1e-5 is some 1e-11 of them. A cut-off
// between them must keep the singular value or drop it, not half of it.
func TestCutOffNeverKeepsHalfASingularValue(t *testing.T) {
	const n = 12
	sigma := geometric(n, 1e10)
	for k := 2; k < n; k++ {
		d, z := leastSquares(t, simd.Active(), withSingularValues(sigma), normal(n, 7))
		r, _ := factoredWith(simd.Active(), withSingularValues(sigma), normal(n, 7))
		order := d.descending()
		plus, minus := d.values[order[k]], -d.values[order[2*n-1-k]]
		for _, cut := range []float64{plus, minus, (plus + minus) / 2, plus * (1 - 1e-9), plus * (1 + 1e-9)} {
			relative := cut / d.sigma(order, 0)
			x := make([]float64, n)
			rank, err := d.SolveTruncated(x, z, relative*relative)
			if err != nil || rank != k && rank != k+1 {
				t.Fatalf("singular value %d: rank %d, %v", k, rank, err)
			}
			// An error of 1e-16 in sigma is one of 1e-16/sigma in what it contributes.
			tolerance := 1e3 * unit / sigma[rank-1]
			if e := RelativeDistance(x, gonumTruncated(r, z, rank)); !(e <= tolerance) {
				t.Errorf("singular value %d, cut-off %g: differs from gonum's solution of rank %d by %.1e, want at most %.1e", k,
					cut, rank, e, tolerance)
			}
		}
	}
}
