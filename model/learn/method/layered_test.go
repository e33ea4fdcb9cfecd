package method

import (
	"math"
	"strings"
	"testing"

	"rfm/config"
	"rfm/model/trained/codec"
	"rfm/solver/base/fault"
)

// chains is the method that is tested here.
var (
	starting = Starts{kernelMethod, equivariantMethod, shearedMethod}
	seconds  = []Method{linearMethod, kernelMethod, equivariantMethod}
	chains   = newLayersMethod(starting, seconds)
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
	plain := must(equivariantMethod.Train(t.Context(), train, o))
	o.Known = []Operator{plain}
	learned := must(chains.Train(t.Context(), train, o))
	u := predict(t, learned, test.Inputs)
	if before, after := relative(t, plain, test), relative(t, learned, test); !(after < 0.3*before) ||
		!(learned.LeaveOneOut() < 4*after) {
		t.Errorf("%v: error %g, leave-one-out %g; kernel: %g", learned, after, learned.LeaveOneOut(), before)
	}
	expectNear(t, "translated", predict(t, learned, shift(test.Inputs)), shift(u))
}

// Layers of other pairs begin like those that they are like: with a kernel of the same parameters, or without one, and
// no search changes either.
func TestLayersLikeOthersBeginAlike(t *testing.T) {
	pairs, o := burgersFronts(40, 32, 0.3, 1), Options{Workers: 2, Seed: 1}
	for i, v := range pairs.Inputs.Data {
		pairs.Outputs.Data[i] += 0.3 * math.Sin(4*v)
	}
	kernel := must(equivariantMethod.Train(t.Context(), pairs, o)).(*Equivariant)
	kernel.Length *= 1.01 // which no search finds
	for symmetry, first := range map[string]Operator{"": kernel, config.Reflection: nil} {
		o.Symmetry, o.Like = symmetry, averaged(&Layered{place: placeOf(pairs), Placed: true, First: first}, symmetry)
		learned := core(must(chains.Train(t.Context(), pairs, o))).(*Layered)
		if !learned.Placed || (learned.First == nil) != (first == nil) {
			t.Fatalf("%v begins with %v, placed %t", learned, learned.First, learned.Placed)
		}
		if first != nil && learned.First.(*Equivariant).Length != kernel.Length {
			t.Errorf("begins with the length %g, want %g", learned.First.(*Equivariant).Length, kernel.Length)
		}
	}
}

// Layers end early where other methods are far better, and where they gain nothing.
func TestLayersEndWhereOthersAreBetter(t *testing.T) {
	pairs := burgersFronts(20, 32, 0.1, 3)
	least := 1e-9
	_, err := chains.Train(t.Context(), pairs, Options{Workers: 1, Looked: &least})
	if !fault.BlamesInput(err) || !strings.Contains(err.Error(), "first look") {
		t.Errorf("error %v", err)
	}
}

// Layers learn local laws of several channels: (a, b) -> (sin(2 a), 1000 a b).
func TestLayersLearnSeveralChannels(t *testing.T) {
	pairs := shifted(40, 17)
	for i := range pairs.Count() {
		for x, a := range pairs.Inputs.Of(i, 0) {
			pairs.Outputs.Of(i, 0)[x] = math.Sin(8 * a)
			pairs.Outputs.Of(i, 1)[x] = 1000 * a * pairs.Inputs.Of(i, 1)[x]
		}
	}
	training, test := pairs.Range(0, 30), pairs.Range(30, 10)
	kernel := must(kernelMethod.Train(t.Context(), training, Options{Workers: 2}))
	l := must(chains.Train(t.Context(), training, Options{Workers: 2, Known: []Operator{kernel}}))
	before, after := channelErrors(t, kernel, test), channelErrors(t, l, test)
	for d := range 2 {
		if !(after[d] < 0.3*before[d]) {
			t.Errorf("channel %d: error %g, of the kernel %g", d+1, after[d], before[d])
		}
	}
	expectNear(t, "the model read", predict(t, reread(t, l, codec.Kinds{"layer": new(Layered), "equivariant": new(Equivariant), "scaled": new(scaled)}), test.Inputs), predict(t, l, test.Inputs))
}
