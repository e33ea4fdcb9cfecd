package local

import (
	"context"
	"math"

	"rfm/model/learn/operator"
	"rfm/model/learn/ridge"
	"rfm/solver/base/draw"
)

// The values of parameters among which a search chooses, and where it may begin: with smooth laws and with rough ones. From
// one start alone it may end where a rough law is smoothed, and what that misses is ascribed to the ridge.
var (
	lawValues       = []float64{0.1, 0.25, 0.5, 1, 2}
	integralValues  = []float64{0.5, 1, 2, 4, 8}
	placeLengths    = []float64{0.03, 0.1, 0.3, 1}
	ratios          = []float64{0.1, 1, 10, 100, 1e3, 1e4}
	firstParameters = []Parameters{
		{
			Law:      Spread{Value: 0.5, Place: 0.3},
			Integral: Spread{Value: 1, Place: 0.1},
			Ratio:    10,
			Ridge:    1e-6,
		},
		{
			Law:      Spread{Value: 0.25, Place: 0.1},
			Integral: Spread{Value: 4, Place: 0.1},
			Ratio:    10,
			Ridge:    1e-6,
		},
		{
			Law:      Spread{Value: 1, Place: 0.03},
			Integral: Spread{Value: 4, Place: 0.03},
			Ratio:    100,
			Ridge:    1e-8,
		},
	}
)

// lookPointwise returns the parameters with the least leave-one-out error of some pairs at some points, and that error,
// +Inf without one. The error is one of training.
func (t *chainTraining) lookPointwise(ctx context.Context) (Parameters, float64, error) {
	some := t.pairs
	n := some.Count()
	if !t.seesPlaces() || n > mostPointwise {
		return Parameters{}, math.Inf(1), nil
	}
	if n > operator.LookPairs {
		order := draw.Permutation(t.options.Seed, operator.PurposeSearch, 0, n)
		some = some.Take(order[:operator.LookPairs])
	}
	f, ok := newLawFit(some, searchLawFeatures, searchPoints, t.options)
	if !ok {
		return Parameters{}, math.Inf(1), nil
	}
	ladders := []ridge.Ladder[Parameters]{
		ridge.Over(operator.Ridges[:], func(q *Parameters) *float64 { return &q.Ridge }),
		ridge.Over(ratios, func(q *Parameters) *float64 { return &q.Ratio }),
		ridge.Over(lawValues, func(q *Parameters) *float64 { return &q.Law.Value }),
		ridge.Over(placeLengths, func(q *Parameters) *float64 { return &q.Law.Place }),
		ridge.Over(integralValues, func(q *Parameters) *float64 { return &q.Integral.Value }),
		ridge.Over(placeLengths, func(q *Parameters) *float64 { return &q.Integral.Place }),
	}
	score := func(q Parameters) (float64, error) {
		s, err := f.solve(ctx, q)
		if err != nil {
			return 0, err
		}
		return s.error, nil
	}
	start := firstParameters[0]
	least := math.Inf(1)
	for _, q := range firstParameters {
		first, err := ridge.Search(q, nil, score)
		if err != nil {
			return Parameters{}, 0, err
		}
		if first.Score < least {
			least = first.Score
			start = q
		}
	}
	found, err := ridge.Search(start, ladders, score)
	return found.Best, found.Score, err
}
