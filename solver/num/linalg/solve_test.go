// Solutions of shifted systems, by both ways, and their errors.

package linalg

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"rfm/solver/num/simd"
)

var solveOrders = []int{1, 2, 3, 5, 24, 25, 48, 49, 65, 150}

// geometric returns n eigenvalues from 1 down to 1/condition.
func geometric(n int, condition float64) []float64 {
	values := make([]float64, n)
	for i := range values {
		values[i] = math.Pow(condition, -float64(i)/float64(max(n-1, 1)))
	}
	return values
}

// solveTolerance is a generous multiple of the perturbation theory's n * condition * rounding unit.
func solveTolerance(n int, condition float64) float64 {
	return 50 * (float64(n) + 10) * condition * unit
}

func decompose(t *testing.T, s *Symmetric, workers int) *Spectral {
	t.Helper()
	return must(Decompose(context.Background(), s.Clone(), workers))
}

func TestFailingPivotIsNamed(t *testing.T) {
	everyLevel(t, func(t *testing.T, level simd.Level) {
		const n, pivot = 60, 53
		s := newSymmetricAt(level, n)
		for i := range n {
			s.Set(i, i, 2)
		}
		s.Set(pivot, pivot, -0.5)
		x, b := make([]float64, n), normal(n, 1)
		err := solveShifted(t.Context(), s, x, b, 0.125, 2)
		var failure *NotPositiveDefiniteError
		if !errors.As(err, &failure) || failure.Pivot != pivot || failure.Value != -0.375 || failure.Lambda != 0.125 {
			t.Errorf("error %v, want pivot %d with value -0.375", err, pivot)
		}
		if norm(x) != 0 {
			t.Error("the solution has changed")
		}
	})
}

func TestNonFiniteEntryIsNamed(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		s := NewSymmetric(40)
		s.AddDiagonal(1)
		s.Set(31, 7, bad)
		x := make([]float64, 40)
		_, err := Decompose(context.Background(), s.Clone(), 1)
		for _, err := range []error{err, solveShifted(context.Background(), s.Clone(), x, x, 1, 2)} {
			var failure *NonFiniteError
			if !errors.As(err, &failure) || failure.Row != 7 || failure.Col != 31 {
				t.Errorf("entry %v: error %v, want one about (7, 31)", bad, err)
			}
		}
	}
}

func TestScalingNearTheLimitsOfDoubles(t *testing.T) {
	everyLevel(t, func(t *testing.T, level simd.Level) {
		for _, exponent := range []int{-1000, -700, -300, 300, 700, 1000} {
			const n = 50
			s, want := withSpectrum(level, geometric(n, 100)), normal(n, 8)
			b := multiply(s, want)
			scale := math.Ldexp(1, exponent)
			s.Scale(scale)
			d := decompose(t, s, 1)
			for i := range want {
				want[i] = math.Ldexp(want[i], -exponent)
			}
			x := make([]float64, n)
			rank, err := d.SolveTruncated(x, b, 1e-10)
			if e := relative(x, want); err != nil || rank != n || !(e <= solveTolerance(n, 100)) {
				t.Errorf("2^%d: truncated solution of rank %d off by %.1e, error %v", exponent, rank, e, err)
			}
			if err := d.SolveShifted(x, b, 1e-12*scale); err != nil {
				t.Errorf("2^%d: %v", exponent, err)
			} else if e := relative(x, want); !(e <= 1e-9) {
				t.Errorf("2^%d: shifted solution off by %.1e", exponent, e)
			}
			if largest := d.Eigenvalues()[0]; !(math.Abs(largest/scale-1) <= 100*unit) {
				t.Errorf("2^%d: largest eigenvalue %v, want %v", exponent, largest, scale)
			}
		}
	})
}

func TestNonFiniteRightHandSideIsAnError(t *testing.T) {
	d := decompose(t, withSpectrum(simd.Active(), geometric(20, 10)), 1)
	b, x := normal(20, 1), make([]float64, 20)
	b[3] = math.NaN()
	_, err := d.SolveTruncated(x, b, 1e-12)
	var failure *UnsolvedError
	if !errors.As(err, &failure) || norm(x) != 0 {
		t.Errorf("error %v and solution %v, want an *UnsolvedError and no change", err, x)
	}
}

func TestOrderZero(t *testing.T) {
	s := NewSymmetric(0)
	s.RankUpdate(context.Background(), NewPanels(4, 0), 4, 2)
	if err := solveShifted(context.Background(), s.Clone(), nil, nil, 1, 2); err != nil {
		t.Error(err)
	}
	if rank, err := decompose(t, s, 2).SolveTruncated(nil, nil, 0); rank != 0 || err != nil {
		t.Errorf("rank %d and error %v", rank, err)
	}
}

func TestCholeskyDoesNotDependOnWorkers(t *testing.T) {
	everyLevel(t, func(t *testing.T, level simd.Level) {
		const n = choleskyColumns + 5*2*strip + 7 // several tasks of columns
		s, b := gram(level, normalPanels(2*n, n)), normal(n, 3)
		solve := func(workers int) []float64 {
			x := make([]float64, n)
			if err := solveShifted(t.Context(), s.Clone(), x, b, 1e-3, workers); err != nil {
				t.Fatal(err)
			}
			return x
		}
		want := solve(1)
		for _, workers := range []int{2, 3, 16} {
			if !slices.Equal(solve(workers), want) {
				t.Errorf("%d workers change the solution", workers)
			}
		}
	})
}
