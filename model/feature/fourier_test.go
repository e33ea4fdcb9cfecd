package feature

import (
	"context"
	"fmt"
	"math"
	"testing"

	"rfm/model/activation"
	"rfm/model/linalg"
	"rfm/solver/draw"
	"rfm/solver/golden"
	"rfm/solver/golden/goldentest"
	"rfm/solver/grf"
	"rfm/solver/grid"
	"rfm/solver/parallel/detector"
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
	for g := range e.Groups() {
		e.train(p, 0, g, spectrum, y, rhs, e.newScratch())
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

func TestFeaturesFollowTheDefinitionOnAnyGrid(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	for _, K := range []int{17, 25, 49, 129} {
		theta := must(Draw(context.Background(), grf.Periodic{Tau: 5, Alpha: 2}, 3, 11, 1, K, 2))
		a := grid.NewBatch(grid.Torus, K, 1)
		grf.NewSampler(grf.Periodic{Tau: 7, Alpha: 2.5}, K).Draw(a, 3, draw.InputTrain, 0)
		f := paperFeatures(t, theta, 11)
		for _, name := range activation.Names() {
			f.Activation, _ = activation.ByName(name)
			e := on(t, f, K)
			for _, j := range []int{0, 3, 4, 10} {
				if d := difference(e.values(j, prepare(e, a)), defined(f, j, a.At(0), K)); d > fieldTolerance {
					t.Errorf("K=%d, %s, feature %d: relative difference %.2g", K, name, j, d)
				}
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
		e := on(t, paperFeatures(t, must(Draw(context.Background(), grf.Periodic{Tau: 5, Alpha: 2}, 1, m, 1, K, 2)), m), K)
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

// kernel returns the empirical kernel (1/m) sum_j phi_j(a)(x) phi_j(a')(x) averaged over x.
func kernel(e *spectralEvaluator, a, b grid.Batch, first, m int) float64 {
	sum := 0.0
	sa, sb := prepare(e, a), prepare(e, b)
	for j := first; j < first+m; j++ {
		sum += grid.Torus.Inner(e.values(j, sa), e.values(j, sb))
	}
	return sum / float64(m)
}

// The features sample a kernel: its error falls as m^(-1/2) (section 2.3 of the paper).
func TestKernelErrorFallsAtTheMonteCarloRate(t *testing.T) {
	const K, total = 33, 16384
	inputs := grid.NewBatch(grid.Torus, K, 2)
	grf.NewSampler(grf.Periodic{Tau: 7, Alpha: 2.5}, K).Draw(inputs, 1, draw.InputTrain, 0)
	e := on(t, paperFeatures(t, must(Draw(context.Background(), grf.Periodic{Tau: 5, Alpha: 2}, 1, total, 1, K, 2)),
		total),
		K)
	a, b := inputs.Range(0, 1), inputs.Range(1, 1)
	limit := kernel(e, a, b, 0, total)
	deviation := func(m int) float64 { // root mean square over disjoint sets of m features
		sets, sum := 64, 0.0
		for s := range sets {
			d := kernel(e, a, b, s*m, m) - limit
			sum += d * d
		}
		return math.Sqrt(sum / float64(sets))
	}
	rate := math.Log(deviation(128)/deviation(8)) / math.Log(128./8)
	if math.Abs(rate+0.5) > 0.12 { // 64 sets give each deviation to 9%, which is 0.05 of the rate
		t.Errorf("error falls as m^%.3f", rate)
	}
}

func BenchmarkTrainingGroup(b *testing.B) {
	for _, K := range []int{129, 1025} {
		paper := paperFeatures(b, must(Draw(context.Background(), grf.Periodic{Tau: 5, Alpha: 2}, 1, 8, 1, K, 2)), 8)
		biased, centred := paper, paper
		biased.Bias, centred.Centred = DrawBias(0.8, 1, 8), true
		a := must(Draw(context.Background(), grf.Periodic{Tau: 7, Alpha: 2.5}, 1, 1, 1, K, 2)).Range(0, 1)
		for _, c := range []struct {
			name string
			f    Spectral
		}{{"paper", paper}, {"biased", biased}, {"centred", centred}} {
			e := on(b, c.f, K)
			p, rhs, s, spectrum := linalg.NewPanels(K-1, 8), make([]float64, 8), e.newScratch(), prepare(e, a)
			b.Run(fmt.Sprintf("K=%d/%s", K, c.name), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					e.train(p, 0, 0, spectrum, a.Data, rhs, s)
				}
				b.ReportMetric(b.Elapsed().Seconds()*1e6/float64(b.N)/GroupSize, "us/feature")
			})
		}
	}
}

func BenchmarkTrainingGroupOnTheSquare(b *testing.B) {
	for _, r := range []int{33, 65} {
		f := drawnOn(b, grid.Square, GroupSize, r-1)
		e, a := on(b, f, r), inputsOn(grid.Square, r, 1)
		p, rhs, input, target, s := linalg.NewPanels(r*r, GroupSize), make([]float64, GroupSize), prepare(e, a),
			e.Targets(a), e.newScratch()
		b.Run(fmt.Sprintf("r=%d", r), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				e.train(p, 0, 0, input, target, rhs, s)
			}
			b.ReportMetric(b.Elapsed().Seconds()*1e6/float64(b.N)/GroupSize, "us/feature")
		})
	}
}

// must returns the value of a call that cannot fail.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
