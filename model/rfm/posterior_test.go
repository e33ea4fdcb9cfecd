package rfm

import (
	"math"
	"slices"
	"testing"

	"rfm/model/linalg"
)

// Leverages of training points are the diagonal of the hat matrix: moving a value by t moves the prediction there by
// h t. Their sum is the trace that the eigenvalues of G give.
func TestLeveragesAreTheHatMatrix(t *testing.T) {
	const n, m, K, lambda = 6, 13, 17, 1e-3
	f, e, pairs := problem(t, n, m, K)
	normal, err := Accumulate(t.Context(), e, pairs, 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	posterior, err := normal.Posterior(t.Context(), e, lambda, 2)
	if err != nil {
		t.Fatal(err)
	}
	got, err := posterior.Leverages(t.Context(), pairs.Inputs, 2)
	if err != nil {
		t.Fatal(err)
	}
	again, err := posterior.Leverages(t.Context(), pairs.Inputs, 1)
	if err != nil || !slices.EqualFunc(got, again, slices.Equal[[]float64]) {
		t.Errorf("one worker finds something else, %v", err)
	}
	spectral, err := linalg.Decompose(t.Context(), normal.Gram(m), 1)
	if err != nil {
		t.Fatal(err)
	}
	sum, trace := 0.0, 0.0
	for _, h := range got {
		for _, v := range h {
			sum += v
		}
	}
	for _, v := range spectral.Eigenvalues() {
		trace += v / (v + lambda)
	}
	if math.Abs(sum-trace) > 1e-9*trace {
		t.Errorf("leverages sum to %.12g, the trace is %.12g", sum, trace)
	}
	value := func(i, x int, move float64) float64 {
		moved := pairs
		moved.Outputs.Data = slices.Clone(pairs.Outputs.Data)
		moved.Outputs.At(i)[x] += move
		s, err := accumulate(t, e, moved, 1).Fit(t.Context(), m, Regularisation{Lambda: lambda}, 1)
		if err != nil {
			t.Fatal(err)
		}
		u, err := predict(t.Context(), f, s.Alpha, pairs.Inputs, 1, nil)
		if err != nil {
			t.Fatal(err)
		}
		return u.At(i)[x]
	}
	for _, at := range [][2]int{{0, 3}, {4, 11}} {
		if want := value(at[0], at[1], 1) - value(at[0], at[1], 0); math.Abs(got[at[0]][at[1]]-want) > 1e-9 {
			t.Errorf("leverage %.12g, a prediction moves by %.12g", got[at[0]][at[1]], want)
		}
	}
}
