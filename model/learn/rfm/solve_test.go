package rfm

import (
	"context"
	"math"
	"slices"
	"testing"
)

func fit(t testing.TB, n *Normal, m int, r Regularisation) Solution {
	t.Helper()
	return must(n.Fit(context.Background(), m, r, 2))
}

func TestRelativeLambdaIsAFractionOfTheLargestEigenvalue(t *testing.T) {
	const m, fraction = 30, 1e-5
	_, e, pairs := problem(t, 40, m, 33)
	normal := accumulate(t, e, pairs, 1)
	s := fit(t, normal, m, Regularisation{Relative: fraction})
	if want := fraction * s.Eigenvalues[0]; math.Abs(s.Lambda-want) > 1e-14*want {
		t.Errorf("lambda = %g, want %g", s.Lambda, want)
	}
	absolute := fit(t, normal, m, Regularisation{Lambda: s.Lambda})
	if d := relative(s.Alpha, absolute.Alpha); d > 1e-9 {
		t.Errorf("relative difference %.1g", d)
	}
}

// More features than the data determine: G is singular, and Cholesky would fail.
func TestRelativeLambdaServesDownToRounding(t *testing.T) {
	const m = 100
	f, e, pairs := problem(t, 4, m, 17)
	normal := accumulate(t, e, pairs, 1)
	for _, fraction := range []float64{1e-15, 1e-12} {
		s := fit(t, normal, m, Regularisation{Relative: fraction})
		u := must(predict(t.Context(), f, s.Alpha, pairs.Inputs, 1, nil))
		if d := relative(u.Data, pairs.Outputs.Data); d > 1e-3 {
			t.Errorf("relative lambda %g: training error %.1g of an interpolating model", fraction, d)
		}
	}
}

func TestSubsetIsTheSumsOfItsFeatures(t *testing.T) {
	f, e, pairs := problem(t, 20, 16, 33)
	chosen := []int{11, 2, 7}
	part := accumulate(t, e, pairs, 1).Subset(chosen)
	few := f
	few.M, few.Theta = len(chosen), few.Theta.First(8)
	few.Theta.Data = slices.Clone(few.Theta.Data)
	for k, j := range chosen {
		copy(few.Theta.At(k), f.Theta.At(j))
	}
	evaluator := must(few.On(context.Background(), 33, 2))
	want := accumulate(t, evaluator, pairs, 1)
	if d := relative(part.Sums.Dense(), want.Sums.Dense()); d > sumTolerance {
		t.Errorf("S: relative difference %.1g", d)
	}
	if d := relative(part.RHS, want.RHS); d > sumTolerance {
		t.Errorf("b: relative difference %.1g", d)
	}
}

func TestSelectionLowersTheTrainingError(t *testing.T) {
	const pool, count = 40, 12
	_, e, pairs := problem(t, 30, pool, 33)
	normal := accumulate(t, e, pairs, 1)
	features, err := normal.Select(context.Background(), count, 2)
	if err != nil || len(features) != count {
		t.Fatalf("%d features, %v", len(features), err)
	}
	// With beta = alpha/m, the sum of squares falls by b'beta: more for the choice than for the first features.
	fall := func(features []int) (sum float64) {
		part := normal.Subset(features)
		for j, a := range fit(t, part, count, Regularisation{}).Alpha {
			sum += part.RHS[j] * a / count
		}
		return sum
	}
	first := make([]int, count)
	for j := range first {
		first[j] = j
	}
	if chosen, other := fall(features), fall(first); chosen <= other {
		t.Errorf("the sum of squares falls by %g, by %g with the first features", chosen, other)
	}
}

// The end of a context is not reported as a numerical fault, in any solve.
func TestSolvesEndWithTheirContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, e, pairs, _ := goldenProblem(t)
	normal := accumulate(t, e, pairs, 1)
	m := e.Count()
	for _, r := range []Regularisation{{Lambda: 1e-3}, {Relative: 1e-9}, {Rcond: rcond}} {
		if _, err := normal.Fit(ctx, m, r, 2); err != context.Canceled {
			t.Errorf("%v: error %v", r, err)
		}
	}
	if _, err := normal.Select(ctx, m/2, 2); err != context.Canceled {
		t.Errorf("Select: error %v", err)
	}
	if _, _, err := HeldOut(ctx, e, pairs, true, m, [][]int{{0}}, 2, nil); err != context.Canceled {
		t.Errorf("HeldOut: error %v", err)
	}
}
