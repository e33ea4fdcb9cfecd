// Solutions by Cholesky factorisation and by the spectral decomposition.

package linalg

import (
	"errors"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"gonum.org/v1/gonum/mat"

	"rfm/solver/simd"
)

var solveOrders = []int{1, 2, 3, 4, 5, 23, 24, 25, 47, 48, 49, 64, 65, 100, 150}

// geometric returns n eigenvalues from 1 down to 1/condition.
func geometric(n int, condition float64) []float64 {
	values := make([]float64, n)
	for i := range values {
		values[i] = math.Pow(condition, -float64(i)/float64(max(n-1, 1)))
	}
	return values
}

// solveTolerance is a generous multiple of the perturbation theory's n * condition *
// rounding unit.
func solveTolerance(n int, condition float64) float64 {
	return 50 * (float64(n) + 10) * condition * unit
}

func decompose(t *testing.T, s *Symmetric, workers int) *Spectral {
	t.Helper()
	d, err := Decompose(s, workers)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestCholeskySolvesTheSystem(t *testing.T) {
	everyLevel(t, func(t *testing.T, level simd.Level) {
		for _, n := range solveOrders {
			const lambda, condition = 0.25, 1e4
			s := withSpectrum(level, geometric(n, condition))
			want := normal(n, 5)
			b := multiply(s, want)
			for i := range b {
				b[i] += lambda * want[i]
			}
			before := s.Dense()
			x := slices.Clone(b)
			if err := s.SolveShifted(x, x, lambda); err != nil {
				t.Fatal(err)
			}
			if d := relative(x, want); !(d <= solveTolerance(n, 1/lambda)) {
				t.Errorf("order %d: relative error %.1e", n, d)
			}
			if !slices.Equal(before, s.Dense()) {
				t.Errorf("order %d: the matrix has changed", n)
			}
		}
	})
}

func TestBothShiftedSolutionsAgree(t *testing.T) {
	everyLevel(t, func(t *testing.T, level simd.Level) {
		const n = 120
		s, b := withSpectrum(level, geometric(n, 1e16)), normal(n, 6)
		d := decompose(t, s, 2)
		for _, lambda := range []float64{1e-10, 1e-6, 1e-2, 1, 1e3} {
			x, y := make([]float64, n), make([]float64, n)
			if err := s.SolveShifted(x, b, lambda); err != nil {
				t.Fatal(err)
			}
			if err := d.SolveShifted(y, b, lambda); err != nil {
				t.Fatal(err)
			}
			if e := relative(y, x); !(e <= solveTolerance(n, 1+1/lambda)) {
				t.Errorf("lambda = %v: relative difference %.1e", lambda, e)
			}
		}
	})
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
		for method, solve := range map[string]func(dst, b []float64, lambda float64) error{
			"Cholesky": s.SolveShifted, "tridiagonal": decompose(t, s, 1).SolveShifted,
		} {
			err := solve(x, b, 0.125)
			var failure *NotPositiveDefiniteError
			if !errors.As(err, &failure) || failure.Pivot != pivot || failure.Value != -0.375 || failure.Lambda != 0.125 {
				t.Errorf("%s: error %v, want pivot %d with value -0.375", method, err, pivot)
			}
			if norm(x) != 0 {
				t.Errorf("%s: the solution has changed", method)
			}
		}
	})
}

func TestNonFiniteEntryIsNamed(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		s := NewSymmetric(40)
		s.AddDiagonal(1)
		s.Set(31, 7, bad)
		x := make([]float64, 40)
		_, err := Decompose(s, 1)
		for _, err := range []error{err, s.SolveShifted(x, x, 1)} {
			var failure *NonFiniteError
			if !errors.As(err, &failure) || failure.Row != 7 || failure.Col != 31 {
				t.Errorf("entry %v: error %v, want one about (7, 31)", bad, err)
			}
		}
	}
}

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

// The second difference matrix has the eigenvalues 2 - 2 cos(k pi/(n+1)).
func TestEigenvaluesOfSecondDifferences(t *testing.T) {
	const n = 300
	s := NewSymmetric(n)
	for i := range n {
		s.Set(i, i, 2)
		if i > 0 {
			s.Set(i-1, i, -1)
		}
	}
	for i, v := range decompose(t, s, 2).Eigenvalues() {
		if want := 2 - 2*math.Cos(float64(n-i)*math.Pi/(n+1)); !(math.Abs(v-want) <= 4*n*unit) {
			t.Errorf("eigenvalue %d is %v, want %v", i, v, want)
		}
	}
}

func TestTridiagonalFormIsSimilar(t *testing.T) {
	everyLevel(t, func(t *testing.T, level simd.Level) {
		for _, n := range solveOrders {
			s := gram(level, normalPanels(n, n))
			d := decompose(t, s, 1)
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
	everyLevel(t, func(t *testing.T, level simd.Level) {
		for _, n := range solveOrders {
			for condition, rcond := range map[float64]float64{1e2: 1e-12, 1e8: 1e-12, 1e16: 2.2e-10} {
				s, b := withSpectrum(level, geometric(n, condition)), normal(n, 4)
				want, wantRank := pseudoInverse(t, s, b, rcond)
				x := make([]float64, n)
				rank, err := decompose(t, s, 2).SolveTruncated(x, b, rcond)
				if err != nil {
					t.Fatal(err)
				}
				if e := relative(x, want); rank != wantRank || !(e <= solveTolerance(n, min(condition, 1/rcond))) {
					t.Errorf("order %d, condition %v: rank %d and a relative difference of %.1e, want rank %d", n, condition, rank, e, wantRank)
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
	one := SymmetricFromDense(3, []float64{1, 2, 3, 2, 4, 6, 3, 6, 9}) // v v', v = (1, 2, 3)
	ones := SymmetricFromDense(2, []float64{0.5, 0.5, 0.5, 0.5})
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
		{"order 2", SymmetricFromDense(2, []float64{2, 1, 1, 2}), []float64{3, 0}, []float64{2, -1}, 2},
		{"exchange", SymmetricFromDense(2, []float64{0, 1, 1, 0}), []float64{1, 1}, []float64{1, 1}, 1},
		{"graded", diagonal(1, 1e-9, 1e-200), []float64{1, 1, 1}, []float64{1, 1e9, 0}, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := make([]float64, len(c.b))
			rank, err := decompose(t, c.s, 1).SolveTruncated(x, c.b, 1e-12)
			if err != nil {
				t.Fatal(err)
			}
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

func TestRepeatedEigenvaluesAreSolved(t *testing.T) {
	everyLevel(t, func(t *testing.T, level simd.Level) {
		values := make([]float64, 60)
		for i := range values {
			values[i] = []float64{5, 5, 1, 0}[i%4]
		}
		s, v := withSpectrum(level, values), normal(60, 3)
		b := multiply(s, v) // in the range of S
		x := make([]float64, 60)
		rank, err := decompose(t, s, 1).SolveTruncated(x, b, 1e-10)
		if err != nil || rank != 45 {
			t.Fatalf("rank %d and error %v, want rank 45", rank, err)
		}
		if e := relative(multiply(s, x), b); !(e <= solveTolerance(60, 5)) {
			t.Errorf("relative residual %.1e", e)
		}
	})
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

func TestDecompositionDoesNotDependOnWorkers(t *testing.T) {
	everyLevel(t, func(t *testing.T, level simd.Level) {
		s, b := gram(level, normalPanels(500, 450)), normal(450, 1)
		want := make([]float64, 450)
		decompose(t, s, 1).SolveTruncated(want, b, 1e-12)
		for _, workers := range []int{2, 3, 8} {
			x := make([]float64, 450)
			decompose(t, s, workers).SolveTruncated(x, b, 1e-12)
			if !slices.Equal(x, want) {
				t.Errorf("%d workers change the solution", workers)
			}
		}
	})
}

func TestSpectralIsSafeForConcurrentUse(t *testing.T) {
	s, b := withSpectrum(simd.Active(), geometric(80, 1e3)), normal(80, 2)
	d := decompose(t, s, 1)
	want := make([]float64, 80)
	d.SolveTruncated(want, b, 1e-12)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			x := make([]float64, 80)
			if _, err := d.SolveTruncated(x, b, 1e-12); err != nil || !slices.Equal(x, want) {
				t.Error("concurrent calls disturb each other")
			}
			if err := d.SolveShifted(x, b, 1); err != nil {
				t.Error(err)
			}
			d.Eigenvalues()
		})
	}
	group.Wait()
}

func TestNonFiniteRightHandSideIsAnError(t *testing.T) {
	d := decompose(t, withSpectrum(simd.Active(), geometric(20, 10)), 1)
	b, x := normal(20, 1), make([]float64, 20)
	b[3] = math.NaN()
	_, err := d.SolveTruncated(x, b, 1e-12)
	var failure *SolutionError
	if !errors.As(err, &failure) || norm(x) != 0 {
		t.Errorf("error %v and solution %v, want a *SolutionError and no change", err, x)
	}
}

func TestExhaustedIterationIsAnError(t *testing.T) {
	q := ql{budget: 1}
	err := q.block([]float64{2, 2, 2, 2, 2}, []float64{-1, -1, -1, -1, 0}, 0)
	var failure *ConvergenceError
	if !errors.As(err, &failure) || failure.Iterations != 1 {
		t.Errorf("error %v, want a *ConvergenceError after 1 iteration", err)
	}
}

func TestErrorsSayWhatToDo(t *testing.T) {
	for _, c := range []struct {
		err  error
		want []string
	}{
		{&NotPositiveDefiniteError{Pivot: 17, Value: -1e-18, Lambda: 1e-12}, []string{"not positive definite at pivot 17", "-1e-18", "lambda = 1e-12 is too small"}},
		{&NonFiniteError{Row: 3, Col: 4, Value: math.NaN()}, []string{"(3, 4)", "NaN", "finite"}},
		{&ConvergenceError{Index: 5, Iterations: 30}, []string{"eigenvalue 5", "30 QL iterations", "lambda"}},
		{&SolutionError{Index: 6, Value: math.Inf(1)}, []string{"component 6", "+Inf", "right-hand side"}},
	} {
		for _, part := range c.want {
			if !strings.Contains(c.err.Error(), part) {
				t.Errorf("message %q does not contain %q", c.err, part)
			}
		}
	}
}

func TestWrongLengthsPanic(t *testing.T) {
	s := NewSymmetric(3)
	s.AddDiagonal(1)
	d := decompose(t, s, 1)
	x := make([]float64, 3)
	mustPanic(t, "Cholesky with a short right-hand side", func() { s.SolveShifted(x, x[:2], 1) })
	mustPanic(t, "a short solution", func() { d.SolveShifted(x[:2], x, 1) })
	mustPanic(t, "a negative rcond", func() { d.SolveTruncated(x, x, -1) })
}

func TestOrderZero(t *testing.T) {
	s := NewSymmetric(0)
	s.RankUpdate(NewPanels(4, 0), 4, 2)
	if err := s.SolveShifted(nil, nil, 1); err != nil {
		t.Error(err)
	}
	if rank, err := decompose(t, s, 2).SolveTruncated(nil, nil, 0); rank != 0 || err != nil {
		t.Errorf("rank %d and error %v", rank, err)
	}
}
