// Tests of options that the feature maps of the paper do not have: bias, mean removal, selection.

package feature

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"rfm/model/activation"
	"rfm/model/linalg"
	"rfm/solver/draw"
	"rfm/solver/grf"
	"rfm/solver/grid"
	"rfm/solver/parallel/detector"
)

// options returns the feature maps with m features on K points that have a bias, no mean, or both.
func options(t testing.TB, m, K int) map[string]Spectral {
	t.Helper()
	biased := paperFeatures(t, must(Draw(context.Background(), grf.Periodic{Tau: 5, Alpha: 2}, 3, m, 1, K, 2)), m)
	biased.Activation, _ = activation.ByName("softplus")
	centred, both := biased, biased
	biased.Bias, both.Bias = DrawBias(0.8, 3, m), DrawBias(0.8, 3, m)
	centred.Centred, both.Centred = true, true
	return map[string]Spectral{"biased": biased, "centred": centred, "biased and centred": both}
}

// shifted returns a random input with a mean.
func shifted(K int) grid.Batch {
	a := grid.NewBatch(grid.Torus, K, 1)
	grf.NewSampler(grf.Periodic{Tau: 7, Alpha: 2.5}, K).Draw(a, 3, draw.InputTrain, 0)
	for x := range a.Data {
		a.Data[x] += 2
	}
	return a
}

func TestOptionsFollowTheDefinitionInAllPaths(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	const m, vectors = 11, 3
	for _, K := range []int{17, 33, 129, 25} {
		a, y := shifted(K), shifted(K).Data
		for name, f := range options(t, m, K) {
			e := on(t, f, K)
			spectrum, s, N := prepare(e, a), e.newScratch(), e.Points()
			features, rhs := matrix(e, a, y)
			weights, many := make([]float64, GroupSize*e.Groups()), make([]float64, GroupSize*e.Groups()*vectors)
			sums, sumsMany, want := make([]float64, 4*N), make([]float64, vectors*N), make([]float64, K)
			for j := range m {
				weights[j] = math.Sin(float64(j + 1))
				for q := range vectors {
					many[j/4*4*vectors+4*q+j%4] = float64(q+1) * weights[j]
				}
				phi := direct(f, j, a.At(0))
				for x, v := range phi {
					want[x] += weights[j] * v
				}
				column := make([]float64, K)
				for x := range column {
					column[x] = features.Panel(j / 4)[4*(x%N)+j%4]
				}
				what := fmt.Sprintf("%s, K=%d, feature %d", name, K, j)
				expectClose(t, what+" by Train", column, phi, fieldTolerance)
				expectClose(t, what+" by Values", e.values(j, spectrum), phi, fieldTolerance)
				// a sum that cancels
				expectClose(t, what+", right-hand side", []float64{rhs[j] / float64(N)}, []float64{grid.Torus.Inner(y, phi)},
					10*fieldTolerance)
			}
			for g := range e.Groups() {
				e.accumulate(sums, g, spectrum, weights[GroupSize*g:GroupSize*(g+1)], s)
				e.combine(sumsMany, g, g+1, spectrum, many[GroupSize*vectors*g:GroupSize*vectors*(g+1)], vectors, s)
			}
			u := make([]float64, K)
			for x := range N {
				u[x] = sums[4*x] + sums[4*x+1] + sums[4*x+2] + sums[4*x+3]
			}
			e.complete(u)
			expectClose(t, fmt.Sprintf("%s, K=%d, Predict", name, K), u, want, fieldTolerance)
			for q := range vectors {
				linalg.Combined(u[:N], sumsMany, q, vectors)
				e.complete(u)
				for x := range u {
					u[x] /= float64(q + 1)
				}
				expectClose(t, fmt.Sprintf("%s, K=%d, PredictMany %d", name, K, q), u, want, fieldTolerance)
			}
		}
	}
}

func TestCentredFeaturesHaveMeanZero(t *testing.T) {
	const m, K = 9, 65
	a := shifted(K)
	for name, f := range options(t, m, K) {
		if !f.Centred {
			continue
		}
		e := on(t, f, K)
		for j := range m {
			// rounding of 64 values below 1
			if mean := grid.Torus.Inner(e.values(j, prepare(e, a)), ones(K)); math.Abs(mean) > 1e-15 {
				t.Errorf("%s: feature %d has mean %g", name, j, mean)
			}
		}
	}
}

func TestBiasOfZeroChangesNoBit(t *testing.T) {
	const m, K = 11, 65
	f := paperFeatures(t, must(Draw(context.Background(), grf.Periodic{Tau: 5, Alpha: 2}, 1, m, 1, K, 2)), m)
	if DrawBias(0, 1, m) != nil {
		t.Error("biases of deviation 0 are not nil")
	}
	a, zero := must(Draw(context.Background(), grf.Periodic{Tau: 7, Alpha: 2.5}, 1, 1, 1, K, 2)).Range(0, 1), f
	zero.Bias = make([]float64, f.Theta.Count)
	e, z := on(t, f, K), on(t, zero, K)
	for j := range m {
		if !slices.Equal(e.values(j, prepare(e, a)), z.values(j, prepare(z, a))) {
			t.Errorf("feature %d differs", j)
		}
	}
}

func TestMoreFeaturesKeepTheFirstWithOptions(t *testing.T) {
	const K = 65
	a := shifted(K)
	few, many := options(t, 11, K), options(t, 40, K)
	for name := range few {
		e, all := on(t, few[name], K), on(t, many[name], K)
		for _, j := range []int{0, 8, 10} {
			if !slices.Equal(e.values(j, prepare(e, a)), all.values(j, prepare(all, a))) {
				t.Errorf("%s: feature %d of 11 is not feature %d of 40", name, j, j)
			}
		}
	}
}

func TestSelectedFeaturesAreThoseOfThePool(t *testing.T) {
	const m, K = 21, 65
	a, indices := shifted(K), []int{17, 3, 20, 0, 4, 11, 8, 9, 1}
	for name, f := range options(t, m, K) {
		pool, chosen := on(t, f, K), on(t, f.selected(indices), K)
		if chosen.Count() != len(indices) {
			t.Fatalf("%s: %d features", name, chosen.Count())
		}
		for i, j := range indices {
			expectClose(t, fmt.Sprintf("%s: feature %d of the pool", name, j), chosen.values(i, prepare(chosen, a)),
				pool.values(j, prepare(pool, a)), fieldTolerance)
		}
	}
}

func TestBiasesAreNormalWithTheDeviation(t *testing.T) {
	const m, deviation = 4096, 0.8
	sum, square := 0.0, 0.0
	for _, b := range DrawBias(deviation, 1, m) {
		sum, square = sum+b, square+b*b
	}
	mean, variance := sum/m, square/m
	// four standard errors
	if math.Abs(mean) > 4*deviation/math.Sqrt(m) || math.Abs(variance/(deviation*deviation)-1) > 4*math.Sqrt(2./m) {
		t.Errorf("mean %g, variance %g", mean, variance)
	}
}
