package rfm

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"rfm/model/learn/feature"
	"rfm/model/learn/score"
	"rfm/solver/base/draw"
	"rfm/solver/base/fault"
	"rfm/solver/dataset"
	"rfm/solver/golden"
	"rfm/solver/golden/goldentest"
	"rfm/solver/num/activation"
	"rfm/solver/space/grf"
	"rfm/solver/space/grid"
)

const (
	sumTolerance   = 1e-12 // Gram matrix and right-hand side: rounding only
	alphaTolerance = 1e-9  // rounding times the condition number of the golden system
	errorTolerance = 1e-9
	rcond          = 1e6 * 0x1p-52
)

func elu() activation.Func { f, _ := activation.ByName("elu"); return f }

func goldenProblem(t testing.TB) (f feature.Spectral, e feature.Evaluator, train, test dataset.Pairs) {
	t.Helper()
	theta := golden.Functions(goldentest.Burgers("theta"))
	f = feature.Spectral{Filter: feature.Filter{Delta: 0.0025, Beta: 4}, Activation: elu(), Gain: 1024, M: theta.Count,
		Theta: theta}
	e = must(f.On(context.Background(), theta.Points, 2))
	all := dataset.Pairs{Inputs: golden.Functions(goldentest.Burgers("a")),
		Outputs: golden.Functions(goldentest.Burgers("u"))}
	return f, e, all.Range(0, 12), all.Range(12, 8)
}

func relative(got, want []float64) float64 {
	var d, n float64
	for i := range want {
		d += (got[i] - want[i]) * (got[i] - want[i])
		n += want[i] * want[i]
	}
	return math.Sqrt(d / n)
}

// predict evaluates the model of features with coefficients.
func predict(ctx context.Context, features feature.Map, alpha []float64, inputs grid.Batch, workers int,
	progress func(int)) (grid.Batch, error) {
	model, err := features.Trained(ctx, alpha, workers)
	if err != nil {
		return grid.Batch{}, err
	}
	return model.Predict(ctx, alpha, inputs, workers, progress)
}

// sums returns the normal equations of some rows of every sample.
func sums(t testing.TB, e feature.Evaluator, pairs dataset.Pairs, rows Rows, centred bool, workers int) *Normal {
	t.Helper()
	normal := NewNormal(e.Count())
	normal.Rows, normal.Offset = rows, centred
	if err := normal.Accumulate(t.Context(), e, pairs, workers, nil, nil); err != nil {
		t.Fatal(err)
	}
	return normal
}

func accumulate(t testing.TB, e feature.Evaluator, pairs dataset.Pairs, workers int) *Normal {
	t.Helper()
	return sums(t, e, pairs, Rows{}, false, workers)
}

func oscillating(m int) []float64 {
	alpha := make([]float64, m)
	for j := range alpha {
		alpha[j] = math.Sin(float64(1 + j*j))
	}
	return alpha
}

func TestGoldenExperiment(t *testing.T) {
	f, e, train, test := goldenProblem(t)
	normal := accumulate(t, e, train, 2)
	if d := relative(normal.Gram(f.M).Dense(), goldentest.Burgers("gram").Data); d > sumTolerance {
		t.Errorf("Gram matrix: relative difference %.2g", d)
	}
	if d := relative(normal.RHS, goldentest.Burgers("rhs").Data); d > sumTolerance {
		t.Errorf("right-hand side: relative difference %.2g", d)
	}
	want := goldentest.Burgers("errors").Data
	check := func(name string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > errorTolerance*want {
			t.Errorf("%s: %.12g, want %.12g", name, got, want)
		}
	}
	for _, c := range []struct {
		name   string
		lambda float64
	}{{"alpha_lambda0", 0}, {"alpha_lambda1e3", 1e-3}} {
		s := must(normal.Fit(context.Background(), f.M, Regularisation{Lambda: c.lambda, Rcond: rcond}, 2))
		if d := relative(s.Alpha, goldentest.Burgers(c.name).Data); d > alphaTolerance {
			t.Errorf("%s: relative difference %.2g", c.name, d)
		}
		measure := func(p dataset.Pairs) score.Errors {
			u := must(predict(t.Context(), f, s.Alpha, p.Inputs, 2, nil))
			if c.lambda == 0 && p.Count() == test.Count() {
				if d := relative(u.Data, goldentest.Burgers("pred_test").Data); d > alphaTolerance {
					t.Errorf("predictions: relative difference %.2g", d)
				}
			}
			return must(score.Measure(u, p.Outputs))
		}
		onTrain, onTest := measure(train), measure(test)
		if c.lambda == 0 {
			check("train error", onTrain.ExpectedRelative, want[0])
			check("train Bochner error", onTrain.Bochner, want[1])
			check("test error", onTest.ExpectedRelative, want[2])
			check("test Bochner error", onTest.Bochner, want[3])
		} else {
			check("test error, lambda = 1e-3", onTest.ExpectedRelative, want[4])
			check("test Bochner error, lambda = 1e-3", onTest.Bochner, want[5])
		}
	}
}

// problem makes a training set whose last block is incomplete.
func problem(t testing.TB, n, m, K int) (feature.Spectral, feature.Evaluator, dataset.Pairs) {
	t.Helper()
	f := feature.Spectral{Filter: feature.Filter{Delta: 0.0025, Beta: 4}, Activation: elu(), Gain: 1024, M: m,
		Theta: must(feature.Draw(context.Background(), grf.Measure{Tau: 5, Alpha: 2, Space: grid.Torus}, 1, m, K, 2))}
	e := must(f.On(context.Background(), K, 2))
	pairs := dataset.Pairs{Inputs: grid.NewBatch(grid.Torus, K, n), Outputs: grid.NewBatch(grid.Torus, K, n)}
	sampler := grf.Measure{Tau: 7, Alpha: 2.5, Space: grid.Torus}.On(K)
	sampler.Draw(pairs.Inputs, 1, draw.InputTrain, 0)
	for i, a := range pairs.Inputs.Data { // an arbitrary nonlinear map
		pairs.Outputs.Data[i] = a*a - a/3
	}
	return f, e, pairs
}

// Features with all options find the model that made the data. The tolerance is rounding times the condition number of
// the system, which is 12000 at most.
func TestTrainingFindsTheModelThatMadeTheData(t *testing.T) {
	const m, recovered = 13, 1e-11
	for _, d := range []grid.Domain{grid.Torus, grid.Square} {
		f, _, pairs := problem(t, 8, m, 65)
		inputs := pairs.Inputs
		if d == grid.Square {
			measure := grf.Measure{Tau: 10, Alpha: 2, Axis: math.Sqrt2, Space: grid.Square}
			f.Filter, f.Gain = feature.Filter{Delta: 0.05, Beta: 2}, 300
			f.Theta = must(feature.Draw(t.Context(), measure, 1, m, 33, 2))
			inputs = grid.NewBatch(d, 17, 6)
			measure.Tau = 5
			measure.On(17).Draw(inputs, 1, draw.InputTrain, 0)
		}
		for _, options := range []string{"plain", "biased", "biased and centred"} {
			if options != "plain" {
				f.Bias = feature.DrawBias(0.7, 1, m)
			}
			f.Centred = options == "biased and centred"
			want := must(predict(t.Context(), f, oscillating(m), inputs, 2, nil))
			e := must(f.On(t.Context(), inputs.Points, 2))
			normal := accumulate(t, e, dataset.Pairs{Inputs: inputs, Outputs: want}, 2)
			alpha := must(normal.Fit(t.Context(), m, Regularisation{Rcond: rcond}, 1)).Alpha
			if d := relative(must(predict(t.Context(), f, alpha, inputs, 1, nil)).Data, want.Data); !(d < recovered) {
				t.Errorf("%s: relative difference %.2g", options, d)
			}
		}
	}
}

func TestCancelledWorkStops(t *testing.T) {
	f, e, pairs := problem(t, 100, 16, 65)
	ctx, cancel := context.WithCancel(t.Context())
	err := NewNormal(e.Count()).Accumulate(ctx, e, pairs, 2, nil, func(int) { cancel() })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("training: %v", err)
	}
	if _, err = predict(ctx, f, make([]float64, 16), pairs.Inputs, 2, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("prediction: %v", err)
	}
}

func TestOverflowIsANumericalError(t *testing.T) {
	f, _, pairs := problem(t, 10, 16, 33)
	f.Gain = 1e300
	e := must(f.On(context.Background(), 33, 2))
	for _, lambda := range []float64{0, 1e-3} {
		_, err := accumulate(t, e, pairs, 1).Fit(context.Background(), 16, Regularisation{Lambda: lambda, Rcond: rcond}, 1)
		var numerical *fault.Numerical
		if !errors.As(err, &numerical) {
			t.Errorf("lambda=%g: %v", lambda, err)
		}
	}
}

func TestMeasure(t *testing.T) {
	truth := grid.BatchOf(grid.Torus, 3, []float64{1, -1, 1, 2, -2, 2, 1, -1, 1, 4, -4, 4})
	got := grid.BatchOf(grid.Torus, 3, []float64{1.1, -1.1, 1.1, 2, -2, 2, 1.3, -1.3, 1.3, 5, -5, 5})
	e := must(score.Measure(got, truth))
	near := func(name string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-14 {
			t.Errorf("%s = %g, want %g", name, got, want)
		}
	}
	near("expected relative", e.ExpectedRelative, (0.1+0+0.3+0.25)/4)
	near("Bochner", e.Bochner, math.Sqrt((0.01+0+0.09+1)/(1+4+1+16)))
	near("median", e.Median(), (0.1+0.25)/2)
	near("max", e.Max(), 0.3)
	if !slices.Equal(e.Ranking(), []int{1, 0, 3, 2}) {
		t.Errorf("ranking %v", e.Ranking())
	}
	truth.Data = make([]float64, 12)
	var data *fault.Data
	if _, err := score.Measure(got, truth); !errors.As(err, &data) {
		t.Errorf("zero output: %v", err)
	}
}

func BenchmarkTraining(b *testing.B) {
	const n, m, K = 32, 1024, 1025
	_, e, pairs := problem(b, n, m, K)
	for _, workers := range []int{1, 2} {
		b.Run(map[int]string{1: "one worker", 2: "two workers"}[workers], func(b *testing.B) {
			for b.Loop() {
				accumulate(b, e, pairs, workers)
			}
			flops := float64(n) * (K - 1) * m * (m + 1)
			b.ReportMetric(flops*float64(b.N)/b.Elapsed().Seconds()/1e9, "GF/s")
		})
	}
}

func BenchmarkPrediction(b *testing.B) {
	for _, K := range []int{129, 1025} {
		const n, m = 16, 1024
		_, e, pairs := problem(b, n, m, K)
		for _, vectors := range []int{1, 16, 64} {
			alphas := slices.Repeat([][]float64{make([]float64, m)}, vectors)
			b.Run(fmt.Sprintf("K=%d/%d vectors", K, vectors), func(b *testing.B) {
				for b.Loop() {
					if _, err := e.Predict(b.Context(), alphas, pairs.Inputs, 1, nil); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(b.Elapsed().Seconds()*1e6/float64(b.N)/n/m, "us/feature")
			})
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
