package rfm

import (
	"math"
	"testing"

	"rfm/solver/grid"
)

// An operator that is a model of the features plus a function of x alone is learned exactly, which it is not without Centre.
func TestCentredTrainingFindsAnAddedFunction(t *testing.T) {
	const n, m, K = 40, 8, 33
	f, e, pairs := problem(t, n, m, K)
	alpha := make([]float64, m)
	for j := range alpha {
		alpha[j] = float64(j%3) - 1.2
	}
	model := Model{Features: f, Alpha: alpha}
	outputs, err := model.Predict(t.Context(), pairs.Inputs, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	mean := grid.NewBatch(1, K)
	for i := range n {
		for x := range K {
			outputs.At(i)[x] += math.Cos(4 * math.Pi * float64(x) / (K - 1))
			mean.Data[x] += outputs.At(i)[x] / n
		}
	}
	for i := range n {
		for x := range K {
			outputs.At(i)[x] -= mean.Data[x]
		}
	}
	pairs.Outputs = outputs
	centre, err := Centre(t.Context(), e, pairs, 2)
	if err != nil {
		t.Fatal(err)
	}
	normal, err := Accumulate(t.Context(), centre, pairs, 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := normal.Fit(m, Regularisation{Rcond: rcond}, 1)
	if err != nil {
		t.Fatal(err)
	}
	if d := relative(s.Alpha, alpha); d > alphaTolerance {
		t.Errorf("coefficients differ by %.2g", d)
	}
	plain, err := accumulate(t, e, pairs, 2).Fit(m, Regularisation{Rcond: rcond}, 1)
	if err != nil {
		t.Fatal(err)
	}
	if d := relative(plain.Alpha, alpha); d < 1e-3 {
		t.Errorf("without Centre they differ by %.2g only: the test shows nothing", d)
	}
}

func TestCentredFeaturesHaveMeanZero(t *testing.T) {
	_, e, pairs := problem(t, 20, 11, 33)
	centre, err := Centre(t.Context(), e, pairs, 2)
	if err != nil {
		t.Fatal(err)
	}
	again, err := Centre(t.Context(), centre, pairs, 1)
	if err != nil {
		t.Fatal(err)
	}
	for p := range again.(centred).mean.Count() {
		for x, v := range again.(centred).mean.Panel(p) {
			if 4*p+x%4 < e.Count() && math.Abs(v) > sumTolerance {
				t.Fatalf("panel %d, value %d: mean %g", p, x, v)
			}
		}
	}
}
