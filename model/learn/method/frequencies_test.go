package method

import (
	"math"
	"testing"

	"rfm/solver/base/draw"
	"rfm/solver/dataset"
	"rfm/solver/space/grid"
)

// Waves are orthonormal by the quadrature of every domain, odd and even, and the lowest frequencies come first.
func TestWavesAreOrthonormal(t *testing.T) {
	for _, domain := range grid.Domains() {
		for points := 7; points <= 9; points++ {
			if !domain.Exists(points) {
				continue
			}
			functions := random(domain, points, 5)
			b := must(newFrequencies(t.Context(), functions, 2))
			_, modes := b.modes.Dims()
			for j := range modes {
				for k := range j + 1 {
					sum, want := 0.0, 0.0
					for x := range functions.Values() {
						sum += b.modes.At(x, j) * b.modes.At(x, k)
					}
					if j == k {
						want = 1
					}
					if math.Abs(sum-want) > rounding {
						t.Fatalf("%s on %d points: inner product of waves %d and %d is %g", domain.Name(), points, j, k, sum)
					}
				}
				if j > 0 && b.frequencies[j] < b.frequencies[j-1] {
					t.Errorf("%s: frequency %g after %g", domain.Name(), b.frequencies[j], b.frequencies[j-1])
				}
			}
		}
	}
}

// random returns functions of independent values.
func random(domain grid.Domain, points, count int) grid.Batch {
	b := grid.NewBatch(domain, points, count)
	for i := range count {
		f, source := b.At(i), draw.Stream(1, "waves-test", i)
		for x := range f {
			f[x] = source.NormFloat64()
		}
		if domain.Periodic {
			domain.Wrap(f)
		}
	}
	return b
}

// Where only low frequencies of rough inputs matter, the weights of frequencies are chosen, and are better than
// principal components, which cannot rank them.
func TestKernelFindsTheFrequenciesThatMatter(t *testing.T) {
	const K = 32
	domain := grid.Domain{Dims: 1, Cells: true}
	pairs := dataset.Pairs{Inputs: random(domain, K, 100), Outputs: grid.NewBatch(domain, K, 100)}
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
	k := must(kernelRidge(t.Context(), pairs.Range(0, 60), Options{Workers: 2}))
	components := must(newKernelProblem(t.Context(), pairs.Range(0, 60), newPrincipal, "", 2))
	_, score, err := components.choose(t.Context(), Parameters{Profile: matern, Modes: len(components.inputs.variances),
		Length: 1, Ridge: 1e-8}, components.ladders(), 2)
	if err != nil {
		t.Fatal(err)
	}
	if e := relative(t, k, pairs.Range(60, 40)); k.Cutoff == 0 || k.Error > score/2 || e > score/2 {
		t.Errorf("%v: leave-one-out error %.4f, test error %.4f; with principal components %.4f", k, k.Error, e, score)
	}
}
