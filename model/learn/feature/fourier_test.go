package feature

import (
	"context"
	"math"
	"testing"

	"rfm/solver/golden"
	"rfm/solver/golden/goldentest"
	"rfm/solver/num/activation"
	"rfm/solver/num/linalg"
	"rfm/solver/space/grid"
)

// fieldTolerance: same formula, other code, so only rounding may differ.
const fieldTolerance = 1e-12

func paperFeatures(t testing.TB, theta grid.Batch, m int) Spectral {
	t.Helper()
	elu, ok := activation.ByName("elu")
	if !ok {
		t.Fatal("no elu")
	}
	return Spectral{Filter: Filter{Delta: 0.0025, Beta: 4}, Activation: elu, Gain: 1024, M: m, Theta: theta}
}

func on(t testing.TB, f Spectral, K int) *spectralEvaluator {
	return must(f.On(context.Background(), K, 2)).(*spectralEvaluator)
}

// prepare returns Prepare, which has no errors here.
func prepare(e Evaluator, inputs grid.Batch) []float64 { return must(e.Prepare(inputs)) }

// matrix evaluates the feature matrix of one sample through the training path; row x, column j.
func matrix(e *spectralEvaluator, a grid.Batch, y []float64) (*linalg.Panels, []float64) {
	p, rhs := linalg.NewPanels(e.Points(), e.Count()), make([]float64, e.Count())
	spectrum := prepare(e, a)
	train := e.NewTrainer()
	for g := range Groups(e.count) {
		train(p, 0, g, spectrum, y, rhs)
	}
	return p, rhs
}

func difference(got, want []float64) float64 {
	return math.Sqrt(grid.Torus.Distance2(got, want) / grid.Torus.Inner(want, want))
}

func TestFeaturesAreTheGoldenOnes(t *testing.T) {
	a, theta, want := golden.Functions(goldentest.Burgers("a")), golden.Functions(goldentest.Burgers("theta")),
		goldentest.Burgers("features_first4")
	m, K := theta.Count, theta.Values()
	e := on(t, paperFeatures(t, theta, m), K)
	for i := range 4 {
		p, _ := matrix(e, a.Range(i, 1), make([]float64, K))
		spectrum := prepare(e, a.Range(i, 1))
		for j := range m {
			w := want.Data[(i*m+j)*K : (i*m+j+1)*K]
			column := make([]float64, K)
			for x := range K {
				column[x] = p.Panel(j / 4)[4*(x%(K-1))+j%4]
			}
			if d := difference(column, w); d > fieldTolerance {
				t.Errorf("training path, input %d, feature %d: relative difference %.2g", i, j, d)
			}
			if d := difference(e.values(j, spectrum), w); d > fieldTolerance {
				t.Errorf("Values, input %d, feature %d: relative difference %.2g", i, j, d)
			}
		}
	}
}

// must returns the value of a call that cannot fail.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
