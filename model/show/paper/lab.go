// This file generates the pairs of a problem, and trains and tests many coefficient vectors in one pass over the
// features.

package paper

import (
	"context"
	"fmt"
	"runtime"
	"slices"

	"rfm/config"
	"rfm/model/learn/feature"
	"rfm/model/learn/rfm"
	"rfm/model/learn/score"
	"rfm/model/run/setup"
	"rfm/solver/base/draw"
	"rfm/solver/dataset"
	"rfm/solver/pde/truth"
	"rfm/solver/space/grid"
)

// halves are the times of the outputs of Burgers' equation: multiples of the time step T = 0.5 of Table 4.1.
var halves = [...]float64{0.5, 1, 1.5, 2}

// darcyStored is the largest number of points along an axis of the stored fields. Fields on the finest grid would not
// all fit in memory: they are generated again, trainingBlock training pairs at a time.
const (
	darcyStored   = 129
	trainingBlock = 16
)

// lab is a problem at the sizes of a plan, with its pairs and the models trained with n of them.
type lab struct {
	plan
	workers         int
	tracker         *tracker
	stored          int // points along an axis of the grid of the stored pairs
	horizon         int // index of the output time of all studies except the semigroup study
	portion         int // test pairs that are predicted at a time
	training, tests samples
	alphas          map[string][][]float64 // see alpha
}

// samples are inputs with their outputs at some times: those of Burgers' equation come from one trajectory each.
type samples struct {
	wanted  truth.Wanted
	inputs  grid.Batch
	outputs []grid.Batch
}

// newLab generates the training and test pairs of a plan.
func newLab(ctx context.Context, p plan, seed uint64, workers int, t *tracker) (*lab, error) {
	p.base.Seed = seed
	l := &lab{
		plan:    p,
		workers: workers,
		tracker: t,
		alphas:  map[string][][]float64{},
	}
	l.training.wanted.Purpose = draw.InputTrain
	l.training.wanted.Count = p.base.Data.Train
	l.tests.wanted.Purpose = draw.InputTest
	l.tests.wanted.Count = p.base.Data.Test
	if p.base.Problem == config.Darcy {
		l.stored = min(p.base.Data.Grid, darcyStored)
		l.portion = 50
	} else {
		l.stored = p.base.Data.Grid
		l.portion = 250
		l.horizon = 1
		l.training.wanted.Times = halves[:l.horizon+1]
		l.tests.wanted.Times = halves[:]
	}
	t.begin("solutions", p.base.Data.Train+p.base.Data.Test)
	for _, s := range []*samples{&l.training, &l.tests} {
		w := s.wanted
		w.Points = l.stored
		advance := func(_ int, inputs, _ grid.Batch) {
			t.Advance(inputs.Count)
		}
		var err error
		s.inputs, s.outputs, err = truth.Generate(ctx, setup.Truth(l.base), w, workers, advance)
		if err != nil {
			return nil, err
		}
	}
	return l, nil
}

// pairs returns count pairs on a grid, starting at index first, with the outputs at a time.
func (l *lab) pairs(ctx context.Context, s *samples, time, points, first, count int) (dataset.Pairs, error) {
	if points <= l.stored {
		stored := dataset.Pairs{Inputs: s.inputs, Outputs: s.outputs[time]}
		return stored.Range(first, count).Restrict(points)
	}
	runtime.GC() // frees the fields of the last call first: the heap must not grow to twice its size
	w := s.wanted
	w.First = first
	w.Count = count
	return dataset.Generate(ctx, setup.Truth(l.base), w, l.workers, nil)
}

// features returns the first m features on a grid.
func (l *lab) features(ctx context.Context, m, points int) (feature.Evaluator, error) {
	return featuresOn(ctx, l.base, m, points, l.workers)
}

// featuresOn returns the first m features of an experiment on a grid.
func featuresOn(ctx context.Context, c config.Config, m, points, workers int) (feature.Evaluator, error) {
	features, err := feature.New(ctx, setup.Features(c), m, c.Data.Grid, workers)
	if err != nil {
		return nil, err
	}
	return features.On(ctx, points, workers)
}

// models are models that are trained together: one for each number of pairs and each number of features.
type models struct {
	ns []int // pairs, ascending
	ms []int // features
}

// of returns the position of the model of n pairs and m features among all.
func (m models) of(pairs, features int) int {
	i := slices.Index(m.ns, pairs)
	j := slices.Index(m.ms, features)
	return i*len(m.ms) + j
}

// train returns the coefficients of models on a grid with the paper's regularisation, in the order of models.of: of the
// first m features trained with the first n pairs. It makes one pass over the features.
func (l *lab) train(ctx context.Context, time, grid int, models models) (alphas [][]float64, err error) {
	e, err := l.features(ctx, slices.Max(models.ms), grid)
	if err != nil {
		return nil, err
	}
	sums := rfm.NewNormal(e.Count())
	first := 0 // pair that is not in the sums yet
	regularisation := rfm.Regularisation{
		Lambda: l.base.Train.Lambda,
		Rcond:  l.base.Train.Rcond,
	}
	l.tracker.begin("training samples", slices.Max(models.ns))
	for _, n := range models.ns {
		for first < n {
			next := n
			if grid > l.stored {
				next = min(n, first+trainingBlock)
			}
			pairs, err := l.pairs(ctx, &l.training, time, grid, first, next-first)
			if err != nil {
				return nil, err
			}
			part, err := l.sum(ctx, e, pairs)
			if err != nil {
				return nil, err
			}
			sums.Add(part)
			first = next
		}
		for _, m := range models.ms {
			solution, err := sums.Fit(ctx, m, regularisation, l.workers)
			if err != nil {
				return nil, err
			}
			alphas = append(alphas, solution.Alpha)
		}
	}
	return alphas, ctx.Err()
}

// sum returns the sums of the normal equations over pairs.
func (l *lab) sum(ctx context.Context, e feature.Evaluator, pairs dataset.Pairs) (*rfm.Normal, error) {
	sums := rfm.NewNormal(e.Count())
	seen := 0
	err := sums.Accumulate(ctx, e, pairs, l.workers, nil, func(samples int) {
		l.tracker.Advance(samples - seen)
		seen = samples
	})
	return sums, err
}

// alpha returns the coefficients of q.M features trained with q.N pairs on the grid q.Grid. It trains all models, of which
// this is one, once.
func (l *lab) alpha(ctx context.Context, models models, q quantity) (alpha []float64, err error) {
	key := fmt.Sprint(models.ns, models.ms, q.Grid)
	if l.alphas[key] == nil {
		l.alphas[key], err = l.train(ctx, l.horizon, q.Grid, models)
		if err != nil {
			return nil, err
		}
	}
	at := models.of(q.N, q.M)
	return l.alphas[key][at], nil
}

// relative returns the relative L2 errors of the test inputs on a grid, one list per coefficient vector of any length,
// in one pass over the features.
func (l *lab) relative(ctx context.Context, alphas [][]float64, grid int) ([][]float64, error) {
	longest := slices.MaxFunc(alphas, func(a, b []float64) int {
		return len(a) - len(b)
	})
	features, err := l.features(ctx, len(longest), grid)
	if err != nil {
		return nil, err
	}
	all := make([][]float64, len(alphas))
	count := l.base.Data.Test
	l.tracker.begin("test inputs", count)
	for first := 0; first < count; first += l.portion {
		portion := min(l.portion, count-first)
		pairs, err := l.pairs(ctx, &l.tests, l.horizon, grid, first, portion)
		if err != nil {
			return nil, err
		}
		predictions, err := features.Predict(ctx, alphas, pairs.Inputs, l.workers, nil)
		if err != nil {
			return nil, err
		}
		for q, p := range predictions {
			errors, err := score.Measure(p, pairs.Outputs)
			if err != nil {
				return nil, err
			}
			all[q] = append(all[q], errors.Relative...)
		}
		l.tracker.Advance(pairs.Count())
	}
	return all, ctx.Err()
}

// composition is the predictions of a composed model, with the solutions at the same time.
type composition struct {
	predictions grid.Batch // one for each test input
	truth       grid.Batch // likewise
	errors      score.Errors
}

// compositions trains Psi_T, T = 0.5, with n samples and m features on the training grid, and applies it to the test
// inputs and to its own predictions: Psi o Psi, ... are models for the other halves.
func (l *lab) compositions(ctx context.Context) (list []composition, err error) {
	K := l.base.Train.Grid
	one := models{
		ns: []int{l.n},
		ms: []int{l.m},
	}
	alphas, err := l.train(ctx, 0, K, one)
	if err != nil {
		return nil, err
	}
	model, err := l.features(ctx, l.m, K)
	if err != nil {
		return nil, err
	}
	l.tracker.begin("predictions", len(halves)*l.base.Data.Test)
	state, err := l.tests.inputs.Restrict(K)
	if err != nil {
		return nil, err
	}
	for j := range halves {
		next, err := model.Predict(ctx, alphas, state, l.workers, l.tracker.Advance)
		if err != nil {
			return nil, err
		}
		state = next[0] // of the one coefficient vector
		c := composition{predictions: state}
		c.truth, err = l.tests.outputs[j].Restrict(K)
		if err != nil {
			return nil, err
		}
		c.errors, err = score.Measure(state, c.truth)
		if err != nil {
			return nil, err
		}
		list = append(list, c)
	}
	return list, nil
}
