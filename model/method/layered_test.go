package method

import (
	"math"
	"strings"
	"testing"

	"rfm/solver/fault"
	"rfm/solver/grid"
)

// Layers learn a local law that kernels of whole functions do not, and commute with translations.
func TestLayersLearnALocalLaw(t *testing.T) {
	pairs := burgersFronts(50, 24, 0.1, 1)
	for i := range pairs.Count() {
		for x, v := range pairs.Inputs.At(i) {
			pairs.Inputs.At(i)[x] = 4 * v
			pairs.Outputs.At(i)[x] = math.Sin(8 * v)
		}
	}
	train, test := pairs.Range(0, 40), pairs.Range(40, 10)
	o := Options{Workers: 2, Seed: 1}
	plain, err := equivariantMethod.Train(t.Context(), train, o)
	if err != nil {
		t.Fatal(err)
	}
	learned, err := layersMethod.Train(t.Context(), train, o)
	if err != nil {
		t.Fatal(err)
	}
	relative := func(u grid.Batch) (e float64) {
		for i := range u.Count {
			v := test.Outputs.At(i)
			e += math.Sqrt(u.Domain.Distance2(u.At(i), v)) / u.Domain.Norm(v) / float64(u.Count)
		}
		return e
	}
	u := predict(t, learned, test.Inputs)
	if before, after := relative(predict(t, plain, test.Inputs)), relative(u); !(after < 0.3*before) ||
		!(learned.LeaveOneOut() < 4*after) {
		t.Errorf("%v: error %g, leave-one-out %g; kernel: %g", learned, after, learned.LeaveOneOut(), before)
	}
	moved := test.Inputs.Like(test.Count())
	for i := range test.Count() {
		for j := range 25 {
			moved.At(i)[j] = test.Inputs.At(i)[(j+5)%24]
		}
	}
	w := predict(t, learned, moved)
	for i := range test.Count() {
		for j := range 25 {
			if d := math.Abs(w.At(i)[j] - u.At(i)[(j+5)%24]); d > 1e-6 {
				t.Fatalf("translated: differs by %g", d)
			}
		}
	}
}

// Layers end early where other methods are far better, and where they gain nothing.
func TestLayersEndWhereOthersAreBetter(t *testing.T) {
	pairs := burgersFronts(20, 32, 0.1, 3)
	least := 1e-9
	_, err := layersMethod.Train(t.Context(), pairs, Options{Workers: 1, Looked: &least})
	if !fault.BlamesInput(err) || !strings.Contains(err.Error(), "first look") {
		t.Errorf("error %v", err)
	}
}
