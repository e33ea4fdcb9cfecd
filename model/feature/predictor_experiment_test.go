// A whole Darcy experiment, as a test of the error and as a benchmark: go test -bench 'Darcy|Predictor' ./model/feature

package feature

import (
	"context"
	"fmt"
	"math"
	"testing"
	"time"

	"rfm/model/linalg"
	"rfm/solver/darcy"
	"rfm/solver/dataset"
	"rfm/solver/draw"
	"rfm/solver/grf"
	"rfm/solver/grid"
	"rfm/solver/parallel"
	"rfm/solver/truth"
)

const benchmarkWorkers = 2

// paperPairs returns pairs of the paper's operator on r x r points, solved on R x R.
func paperPairs(t testing.TB, purpose draw.Purpose, count, r, R int) dataset.Pairs {
	t.Helper()
	pairs, err := dataset.Generate(context.Background(), darcy.Problem{Input: grf.Neumann{Tau: 3, Alpha: 2,
		Axis: grf.AxisComputed},
		Level: darcy.LevelSet{Plus: 12, Minus: 3}, Equation: darcy.Paper(), Points: R, Seed: 1}.Operator(),
		truth.Wanted{Purpose: purpose, Count: count, Points: r}, benchmarkWorkers, nil)
	if err != nil {
		t.Fatal(err)
	}
	return pairs
}

// sums adds up the normal equations sample by sample, on two workers.
func sums(t testing.TB, e *predictorEvaluator, pairs dataset.Pairs) (gram *linalg.Symmetric, rhs []float64) {
	t.Helper()
	m := e.Count()
	features, gram, rhs := linalg.NewPanels(e.Points(), m), linalg.NewSymmetric(m), make([]float64, m)
	scratches := [benchmarkWorkers]*predictorScratch{e.NewScratch(), e.NewScratch()}
	for i := range pairs.Count() {
		input, err := e.Prepare(pairs.Inputs.Range(i, 1))
		if err != nil {
			t.Fatal(err)
		}
		target := e.Targets(pairs.Outputs.Range(i, 1))
		err = parallel.For(context.Background(), benchmarkWorkers, e.Groups(), func(worker, g int) error {
			e.train(features, 0, g, input, target, rhs, scratches[worker])
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		gram.RankUpdate(features, e.Points(), benchmarkWorkers)
	}
	gram.Scale(e.Weight() / float64(m))
	for j := range rhs {
		rhs[j] *= e.Weight()
	}
	return gram, rhs
}

// coefficients fit the features to the pairs, with the paper's lambda.
func coefficients(t testing.TB, e *predictorEvaluator, pairs dataset.Pairs) []float64 {
	t.Helper()
	gram, alpha := sums(t, e, pairs)
	must(linalg.Factor(context.Background(), gram, 1e-8, 2)).Solve(alpha)
	return alpha
}

// relativeError returns the mean relative L2 error of predictions.
func relativeError(t testing.TB, model *collapsedEvaluator, pairs dataset.Pairs) float64 {
	t.Helper()
	u, s, sum := make([]float64, pairs.Inputs.Values()), model.NewScratch(), 0.0
	for i := range pairs.Count() {
		if err := model.Predict(u, pairs.Inputs.At(i), s); err != nil {
			t.Fatal(err)
		}
		sum += math.Sqrt(grid.Square.Distance2(u, pairs.Outputs.At(i)) /
			grid.Square.Inner(pairs.Outputs.At(i), pairs.Outputs.At(i)))
	}
	return sum / float64(pairs.Count())
}

// With 64 pairs, 128 features and solutions on 65 x 65 points the paper's method has errors of 5 to 7 percent, and
// almost the same ones on the other grids.
func TestSmallDarcyExperimentLearnsTheOperatorOnEveryGrid(t *testing.T) {
	const R = 65
	train, test := paperPairs(t, draw.InputTrain, 64, R, R), paperPairs(t, draw.InputTest, 40, R, R)
	restricted := func(p dataset.Pairs, r int) dataset.Pairs {
		coarse, err := p.Restrict(r)
		if err != nil {
			t.Fatal(err)
		}
		return coarse
	}
	p := paperPredictor(128, R)
	models, err := p.Collapse(t.Context(), benchmarkWorkers, coefficients(t, predictorOn(t, p, 33), restricted(train, 33)))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []int{17, 33, 65} {
		if e := relativeError(t, onGrid(t, models[0], r), restricted(test, r)); e < 0.03 || e > 0.1 {
			t.Errorf("trained on 33 x 33 points, the error on %d x %d is %.4f", r, r, e)
		}
	}
}

func BenchmarkDarcyExperiment(b *testing.B) {
	const R = 257
	for _, r := range []int{33, 65} {
		train, test := paperPairs(b, draw.InputTrain, 128, r, R), paperPairs(b, draw.InputTest, 200, r, R)
		for _, m := range []int{64, 128, 256} {
			b.Run(fmt.Sprintf("r=%d/m=%d", r, m), func(b *testing.B) {
				var relative float64
				var features, training time.Duration
				for b.Loop() {
					start := time.Now()
					e := predictorOn(b, paperPredictor(m, R), r)
					features = time.Since(start)
					model := e.Collapse(coefficients(b, e, train))
					training = time.Since(start) - features
					relative = relativeError(b, model, test)
				}
				b.ReportMetric(relative, "error")
				b.ReportMetric(features.Seconds(), "features-s")
				b.ReportMetric(training.Seconds(), "training-s")
			})
		}
	}
}

func BenchmarkPredictorTrainingGroup(b *testing.B) {
	for _, r := range []int{33, 257} {
		e, a := predictorOn(b, paperPredictor(GroupSize, r), r), permeabilities(1, r)
		features, rhs, s := linalg.NewPanels(e.Points(), GroupSize), make([]float64, GroupSize), e.NewScratch()
		input, err := e.Prepare(a)
		if err != nil {
			b.Fatal(err)
		}
		target := e.Targets(a)
		b.Run(fmt.Sprintf("r=%d", r), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				e.train(features, 0, 0, input, target, rhs, s)
			}
			b.ReportMetric(b.Elapsed().Seconds()*1e6/float64(b.N)/GroupSize, "us/feature")
		})
	}
}

func BenchmarkPredictorPrediction(b *testing.B) {
	for _, r := range []int{33, 257} {
		p, a := paperPredictor(256, r), permeabilities(1, r)
		models, err := p.Collapse(b.Context(), benchmarkWorkers, make([]float64, 256))
		if err != nil {
			b.Fatal(err)
		}
		e := onGrid(b, models[0], r)
		u, s := make([]float64, r*r), e.NewScratch()
		b.Run(fmt.Sprintf("r=%d", r), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := e.Predict(u, a.Data, s); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
