package kernel

import (
	"math"
	"testing"

	"rfm/model/learn/expansion"
	"rfm/model/learn/methodtest"
	"rfm/model/learn/operator"
	"rfm/solver/dataset"
	"rfm/solver/space/grid"
)

// Where only low frequencies of rough inputs matter, the weights of frequencies are chosen, and are better than
// principal components, which cannot rank them.
func TestKernelFindsTheFrequenciesThatMatter(t *testing.T) {
	const K = 32
	domain := grid.Domain{Dims: 1, Cells: true}
	pairs := dataset.Pairs{Inputs: methodtest.Random(domain, K, 100), Outputs: grid.NewBatch(domain, K, 100)}
	for i := range pairs.Count() {
		a, u := pairs.Inputs.At(i), pairs.Outputs.At(i)
		var mean, tilt float64
		for x, v := range a {
			mean += v / K
			tilt += v / K * math.Cos(math.Pi*(float64(x)+0.5)/K)
		}
		for x := range u {
			u[x] = 1 + mean*float64(x)/K + math.Sin(4*tilt)
		}
	}
	k := methodtest.Must(kernelRidge(t.Context(), pairs.Range(0, 60), operator.Options{Workers: 2}, MostExact)).Operator.(*KernelRidge)
	components := methodtest.Must(newKernelProblem(t.Context(), pairs.Range(0, 60), expansion.NewPrincipal, "", 2))
	_, score, err := components.choose(t.Context(), Parameters{Profile: matern, Modes: len(components.inputs.Variances),
		Length: 1, Ridge: 1e-8}, components.ladders(), 2)
	if err != nil {
		t.Fatal(err)
	}
	if e := methodtest.Relative(t, k, pairs.Range(60, 40)); k.Cutoff == 0 || k.Error > score/2 || e > score/2 {
		t.Errorf("%v: leave-one-out error %.4f, test error %.4f; with principal components %.4f", k, k.Error, e, score)
	}
}
