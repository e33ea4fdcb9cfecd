package pairs

import (
	"math"
	"slices"
	"strings"
	"testing"

	"rfm/solver/dataset"
	"rfm/solver/dataset/filetest"
	"rfm/solver/dataset/npy"
)

// Pairs are left out of arrays with axes in any order, and the others are read as if they were alone.
func TestPairsAreLeftOut(t *testing.T) {
	const count, points = 7, 9
	whole := dataset.Pairs{Inputs: waves(count, points, 0), Outputs: waves(count, points, 1)}
	whole.Inputs.At(1)[3] = math.NaN()
	whole.Outputs.At(4)[0], whole.Outputs.At(4)[points-1] = math.Inf(-1), math.Inf(-1)
	clear(whole.Outputs.At(5))
	clear(whole.Outputs.At(1)) // counted once
	clear(whole.Inputs.At(2))  // which may be zero
	for _, shape := range []pattern{"xns", "nsx", "nxs", "snx", "sxn"} {
		file := writeArray(t, arranged(shape, whole, points))
		source := Source{File: file, Endpoint: true, Skip: true, Layout: shape.layout()}
		info, err := StatPairs(t.Context(), source, 1)
		if err != nil || info.Count != 4 || !strings.Contains(info.Skipped,
			"3 of 7 pairs left out (data.skip): 2 with values that are not finite, 1 with") {
			t.Errorf("%s: %d pairs, %q, %v", shape, info.Count, info.Skipped, err)
		}
		if got, err := ReadChosen(t.Context(), source, 1, []int{2, 0}); err != nil || !equal(got, whole.Take([]int{3, 0})) {
			t.Errorf("%s: got %v, %v, want the pairs 3 and 0 of all", shape, got, err)
		}
	}
}

// Pairs with several channels are left out if any of their arrays is unusable.
func TestPairsWithChannelsAreLeftOut(t *testing.T) {
	const n, K = 7, 17
	arrays := func() map[string]npy.Array {
		wave := func(p []int) float64 { return value(p[0], 0, float64(p[1]%(K-1))/(K-1)) }
		return map[string]npy.Array{"a": filled(wave, n, K, 2), "u": filled(wave, n, K, 1), "v": filled(wave, n, K),
			"p": filled(func(p []int) float64 { return float64(p[0] * p[1]) }, n, 2)}
	}
	spoilt := arrays()
	spoilt["a"].Data[1*2*K+5] = math.NaN()
	spoilt["p"].Data[2*2+1] = math.Inf(1)
	for x := range K { // a constant input is usable as long as v moves
		spoilt["u"].Data[3*K+x], spoilt["u"].Data[5*K+x], spoilt["v"].Data[5*K+x] = 0, 0, 0
	}
	source := Source{Input: "a,p", Output: "u,v", Endpoint: true, Skip: true}
	source.File = saved(t, spoilt)
	info, err := StatPairs(t.Context(), source, 1)
	const says = "3 of 7 pairs left out (data.skip): 2 with values that are not finite, 1 with outputs that are " +
		"zero; the first is pair 1, counted from 0"
	if err != nil || info.Count != 4 || info.Skipped != says {
		t.Errorf("%d pairs, %q, %v", info.Count, info.Skipped, err)
	}
	got, err := ReadChosen(t.Context(), source, 1, []int{3, 1})
	noError(t, err)
	source.File, source.Skip = saved(t, arrays()), false
	want, err := ReadChosen(t.Context(), source, 1, []int{6, 3})
	noError(t, err)
	clear(want.Outputs.Of(1, 0)) // the first channel of pair 3
	if !slices.Equal(got.Inputs.Data, want.Inputs.Data) || !slices.Equal(got.Outputs.Data, want.Outputs.Data) {
		t.Errorf("inputs %v, outputs %v", got.Inputs.Data, got.Outputs.Data)
	}
}

// The error of an unusable pair names its number in the file, and the key that leaves it out.
func TestPairsThatCannotBeUsedNameTheKey(t *testing.T) {
	whole := dataset.Pairs{Inputs: waves(6, 9, 0), Outputs: waves(6, 9, 1)}
	whole.Inputs.At(1)[3] = math.NaN()
	clear(whole.Outputs.At(4))
	for _, says := range []string{"function 1 has the value NaN at grid point 3 of 9; repair this function, or leave such " +
		"pairs out with data.skip = both", "function 4 is zero, so it has no relative error; leave such pairs out with " +
		"data.skip = both"} {
		_, err := ReadPairs(t.Context(), Source{File: writeArray(t, arranged("nsx", whole, 9)), Endpoint: true}, 0)
		filetest.Refused(t, "pairs", err, says)
		whole.Inputs.At(1)[3] = 1
	}
	zero := npy.Array{Shape: []int{6, 2, 9}, Data: make([]float64, 6*2*9)}
	_, err := ReadPairs(t.Context(), Source{File: writeArray(t, zero), Endpoint: true, Skip: true}, 0)
	if err == nil || !strings.Contains(err.Error(), "has no pairs") {
		t.Errorf("of a file of zeros: %v", err)
	}
}
