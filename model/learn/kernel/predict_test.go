package kernel

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"rfm/model/learn/expansion"
	"rfm/model/learn/methodtest"
	"rfm/solver/base/parallel/detector"
	"rfm/solver/space/grid"
)

// Products of matrices lose no digits, even where an input is next to one of the training inputs.
func TestPredictionsOfKernelRidgeAreSumsOverDistances(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	pairs := methodtest.Noisy(grid.Square, 9, 300)
	for _, profile := range profiles {
		for _, describe := range []expansion.Description{expansion.NewPrincipal, expansion.NewFrequencies} {
			p := methodtest.Must(newKernelProblem(t.Context(), pairs, describe, "", 2))
			q := Parameters{Profile: profile, Modes: len(p.inputs.Variances), Length: 0.7, Ridge: 1e-4}
			if p.inputs.Frequencies != nil {
				q.Cutoff, q.Decay = 2, 1
			}
			k := methodtest.Must(p.fit(t.Context(), q, 2))
			inputs := pairs.Inputs.Clone()
			for i, v := range methodtest.Noisy(grid.Square, 9, 301).Outputs.Data[81:] {
				inputs.Data[i] += math.Pow(10, -float64(i/81%12)) * v
			}
			got, points, c := methodtest.Predict(t, k, inputs), k.Coordinates, methodtest.Dense(k.Coefficients)
			var z mat.Dense
			z.Mul(mat.NewDense(inputs.Count, 81, inputs.Plus(-1, k.Mean).Data), methodtest.Dense(k.Components))
			for i := range inputs.Count {
				want := make([]float64, 81)
				for j := range 300 {
					distance := floats.Distance(z.RawRowView(i), points.RawRowView(j), 2)
					floats.AddScaled(want, kernelAt(profile, distance), c.RawRowView(j))
				}
				if e := floats.Distance(got.At(i), want, 2) / floats.Norm(want, 2); !(e <= 1e-12) {
					t.Fatalf("%v, input %d: relative difference %.2g", profile, i, e)
				}
			}
		}
	}
}

// A prediction depends neither on the number of workers nor on other inputs.
func TestPredictionsOfKernelRidgeDoNotDependOnWorkersOrOtherInputs(t *testing.T) {
	p := methodtest.Must(newKernelProblem(t.Context(), methodtest.Noisy(grid.Square, 5, 70), expansion.NewFrequencies, "", 2))
	k := methodtest.Must(p.fit(t.Context(), Parameters{Modes: 25, Cutoff: 2, Length: 1, Ridge: 1e-3}, 2))
	methodtest.PredictsAlike(t, "kernel", k)
}

func BenchmarkKernel(b *testing.B) {
	for name, domain := range map[string]grid.Domain{"33x33": grid.Square, "129": grid.Interval} {
		points := 33
		if domain.Dims == 1 {
			points = 129
		}
		pairs := methodtest.Noisy(domain, points, 1024)
		p := methodtest.Must(newKernelProblem(b.Context(), pairs, expansion.NewFrequencies, "", 2))
		q := Parameters{Modes: len(p.inputs.Variances), Cutoff: 2, Decay: 1, Length: 1, Ridge: 1e-3}
		methodtest.BenchmarkPredictions(b, name, methodtest.Must(p.fit(b.Context(), q, 2)), pairs.Inputs)
	}
}
