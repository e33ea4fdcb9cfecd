package local

import (
	"math"
	"math/rand/v2"
	"testing"

	"rfm/model/learn/methodtest"
	"rfm/model/learn/operator"
	"rfm/solver/base/parallel/detector"
	"rfm/solver/dataset"
	"rfm/solver/space/grid"
)

// localAndWhole returns functions on an interval, with outputs sin(2 a(x)) cos(2 pi x) plus the integral of
// 2 a(y) cos(4 pi y): a local law that depends on the place, and a number of the whole function, which no neighbourhood
// of a point tells.
func localAndWhole(count, points int, seed uint64) dataset.Pairs {
	r := rand.New(rand.NewPCG(seed, 9))
	p := dataset.Pairs{Inputs: grid.NewBatch(grid.Interval, points, count), Outputs: grid.NewBatch(grid.Interval, points, count)}
	weights := grid.Interval.Weights(points)
	for i := range count {
		a, u := p.Inputs.At(i), p.Outputs.At(i)
		integral := 0.0
		for k := range 8 {
			c := r.NormFloat64() / float64(1+k)
			for x := range a {
				a[x] += c * math.Cos(math.Pi*float64(k*x)/float64(points-1))
			}
		}
		for x, w := range weights {
			integral += 2 * w * a[x] * math.Cos(4*math.Pi*float64(x)/float64(points-1))
		}
		for x, v := range a {
			place := 2 * math.Pi * float64(x) / float64(points-1)
			u[x] = math.Sin(2*v)*math.Cos(place) + integral
		}
	}
	return p
}

// A local law plus an integral is learned as a sum: backfitting lowers the error of the layer alone, and
// the leave-one-out error is honest about it.
func TestSumsOfLocalAndWholeLawsAreBackfitted(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	train, test := localAndWhole(100, 33, 1), localAndWhole(60, 33, 2)
	training := &chainTraining{starts: starting, seconds: seconds, pairs: train, options: operator.Options{Workers: 2, Seed: 1}}
	layer, _, err := newLayering(train, nil, true, training.options).learn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s, gained, err := training.stack(t.Context(), layer)
	if err != nil || !gained {
		t.Fatalf("gained %t, %v", gained, err)
	}
	alone, sum := methodtest.Relative(t, layer, test), methodtest.Relative(t, s, test)
	if s.Rounds < 2 || !(sum < 0.75*alone) {
		t.Errorf("error %.3g in %d rounds, %.3g of the layer alone", sum, s.Rounds, alone)
	}
	if left := s.LeaveOneOut(); left < 0.6*sum || left > 1.6*sum {
		t.Errorf("leave-one-out error %.3g, error %.3g", left, sum)
	}
	// A sum that is to be like a given one has as many rounds, and about the same error.
	learned, err := training.like(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	again, ok := learned.Operator.(*Stacked)
	if !ok || again.Rounds != s.Rounds || methodtest.Relative(t, again, test) > 1.5*sum {
		t.Errorf("%v in the form of %v", learned, s)
	}
}

// With few pairs, the error that a chain reports for itself is that of five chains, each trained without a fifth of the
// pairs.
func TestErrorsOfFewPairsAreThoseOfFolds(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	train, test := localAndWhole(20, 17, 3), localAndWhole(100, 17, 4)
	training := &chainTraining{starts: starting, seconds: seconds, pairs: train, options: operator.Options{Workers: 2, Seed: 1}}
	layer, _, err := newLayering(train, nil, true, training.options).learn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := training.byFolds(t.Context(), layer); err != nil {
		t.Fatal(err)
	}
	sizes := operator.Norms(train.Outputs)
	if e := operator.MeanRelative(layer.Left, sizes); math.Abs(e-layer.Error) > methodtest.Rounding {
		t.Errorf("error %g of residuals of %g", layer.Error, e)
	}
	if e := methodtest.Relative(t, layer, test); layer.Error < 0.7*e || layer.Error > 2*e {
		t.Errorf("by folds %.3g, test error %.3g", layer.Error, e)
	}
}
