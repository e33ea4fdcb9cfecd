package feature

import (
	"context"
	"math"
	"testing"

	"rfm/model/activation"
	"rfm/model/linalg"
	"rfm/solver/golden"
	"rfm/solver/golden/goldentest"
	"rfm/solver/grf"
	"rfm/solver/grid"
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
	t.Helper()
	e := must(f.on(context.Background(), K, 2))
	return e
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

func TestFilterOfThePaper(t *testing.T) {
	f := Filter{Delta: 0.0025, Beta: 4}
	if f.AtFrequency(0) != 0 {
		t.Errorf("chi(0) = %g", f.AtFrequency(0))
	}
	if got, want := f.AtFrequency(1), 2*2*math.Pi*0.0025; math.Abs(got-want) > 1e-17 {
		t.Errorf("chi(1) = %g, want the rising branch %g", got, want)
	}
	r := 2 * math.Pi * 100 * 0.0025
	if got, want := f.AtFrequency(100), math.Pow(r+0.5, -4); got != want {
		t.Errorf("chi(100) = %g, want the falling branch %g", got, want)
	}
}

// Groups that m leaves incomplete must write their own columns and no others.
func TestIncompleteGroups(t *testing.T) {
	const K = 33
	a := must(golden.Functions(goldentest.Burgers("a")).Range(0, 1).Restrict(K))
	for m := 1; m <= 17; m++ {
		e := on(t, paperFeatures(t, must(Draw(context.Background(), grf.Periodic{Tau: 5, Alpha: 2}, 1, m, K, 2)), m), K)
		p, rhs := matrix(e, a, ones(K))
		for j := range m {
			values := e.values(j, prepare(e, a))
			sum := 0.0
			for x := range K - 1 {
				sum += p.Panel(j / 4)[4*x+j%4] - values[x]
			}
			if sum != 0 || math.Abs(rhs[j]/(K-1)-grid.Torus.Inner(values, ones(K))) > 1e-12 {
				t.Errorf("m=%d: column %d is off by %g, its right-hand side is %g", m, j, sum, rhs[j])
			}
		}
	}
}

func ones(n int) []float64 {
	y := make([]float64, n)
	for i := range y {
		y[i] = 1
	}
	return y
}

// must returns the value of a call that cannot fail.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
