// Solutions by singular values against those known from the construction.

package linalg

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

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

// leastSquares factors (A, y) at a level, and is the factor of A with Q'y.
func leastSquares(t *testing.T, level simd.Level, a *Panels, y []float64) (*Singular, []float64) {
	t.Helper()
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
	d, err := DecomposeTriangular(context.Background(), r, n, 2)
	if err != nil {
		t.Fatal(err)
	}
	return d, z
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
		d, z := leastSquares(t, level, withSingularValues(sigma), y)
		got := make([]float64, n)
		lambda, err := d.SolveRelative(got, z, relative)
		if err != nil || math.Abs(lambda/relative-1) > 1e-10 {
			t.Fatalf("lambda %g, %v", lambda, err)
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
	zero, _ := leastSquares(t, simd.Active(), NewPanels(n, n), normal(n, 3))
	if lambda, err := zero.SolveRelative(x, z, 1e-6); err != nil || lambda != 0 || norm(x) != 0 {
		t.Errorf("zero matrix: lambda %g, %v, solution of length %g", lambda, err, norm(x))
	}
}

func TestFactorNearTheLimitsOfDoubles(t *testing.T) {
	const n = 30
	f, y := withSingularValues(geometric(n, 100)), normal(n, 5)
	d, z := leastSquares(t, simd.Active(), f, y)
	want, got := make([]float64, n), make([]float64, n)
	if err := d.SolveShifted(want, z, 1e-6); err != nil {
		t.Fatal(err)
	}
	for _, exponent := range []int{-450, 450} {
		r := factored(simd.Active(), f)
		r.Scale(math.Ldexp(1, exponent))
		scaled, err := DecomposeTriangular(context.Background(), r, n, 1)
		if err != nil {
			t.Fatal(err)
		}
		if err := scaled.SolveShifted(got, z, math.Ldexp(1e-6, 2*exponent)); err != nil {
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
	if _, err := DecomposeTriangular(context.Background(), r, 5, 1); !errors.As(err, &failure) || failure.Row != 2 || failure.Col != 3 {
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
		x := make([]float64, n)
		if err := d.SolveShifted(x, z, 1e-6); err != nil {
			t.Fatal(err)
		}
		return x
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
	d, err := DecomposeTriangular(context.Background(), r, n, 2)
	if err != nil {
		b.Fatal(err)
	}
	z := normal(n, 1)
	b.Run("next lambda", func(b *testing.B) {
		for b.Loop() {
			if err := d.SolveShifted(z, z, 1e-3); err != nil {
				b.Fatal(err)
			}
		}
	})
}
