// This file chooses what training chooses by itself: features out of a pool, lambda, the function of x that all outputs
// have in common.

package engine

import (
	"context"
	"slices"

	"rfm/config"
	"rfm/model/feature"
	"rfm/model/method"
	"rfm/model/rfm"
	"rfm/solver/dataset"
	"rfm/solver/draw"
	"rfm/solver/grid"
	"rfm/solver/resample"
)

// solve chooses features out of the pool if there is one, lambda if it is not given, and computes the coefficients.
func (e *Experiment) solve(ctx context.Context, features feature.Map, evaluator feature.Evaluator, pairs dataset.Pairs,
	normal *rfm.Normal) (outcome, error) {
	c := e.Config
	found, r := outcome{features: features}, e.regularisation()
	pool := c.Features.Pool > c.Features.Count
	if c.Train.Choice == config.LeaveOneOut {
		loo, err := e.chooseLambda(ctx, features, evaluator, pairs, normal, pool)
		if err != nil {
			return outcome{}, err
		}
		found.loo, r = &loo, loo.Regularisation()
		e.tracker.begin(Solving, "", 0)
	}
	if pool {
		chosen, err := normal.Select(ctx, c.Features.Count, e.workers)
		if err != nil {
			return outcome{}, err
		}
		found.features = features.Select(chosen.Features)
		normal = normal.Subset(chosen.Features)
	}
	var err error
	found.solution, err = normal.Finish(ctx, r, e.workers)
	if found.loo != nil && !pool { // what chose features by held-out pairs trained on fewer than there are
		found.solution.LeaveOneOut = found.loo.Error[found.loo.Best]
	}
	return found, err
}

const (
	// leftOut is the number of functions that are left out in turn to choose lambda; more make the choice hardly better.
	leftOut = 256
	// parts is the number of parts of the pairs of which some are held out in turn if features are chosen, too.
	parts = 5
)

// chooseLambda finds the lambda with the least error for pairs on the training grid that are left out one by one, with
// normal equations of its own if that grid is finer than it need be. If features are chosen from a pool, the choice has
// to be made again without the pairs that measure it, and parts of the pairs are held out instead.
func (e *Experiment) chooseLambda(ctx context.Context, features feature.Map, evaluator feature.Evaluator,
	pairs dataset.Pairs, normal *rfm.Normal, pool bool) (rfm.LOO, error) {
	coarse := e.Config.CoarseGrid(e.Config.Train.Grid)
	other := coarse != e.Config.Train.Grid
	if other {
		var err error
		if evaluator, err = features.On(ctx, coarse, e.workers); err != nil {
			return rfm.LOO{}, err
		}
		if pairs, err = pairs.Restrict(coarse); err != nil {
			return rfm.LOO{}, err
		}
	}
	// Files may be sorted, so the pairs to leave out are drawn.
	order := draw.Permutation(e.Config.Seed, draw.LeftOut, pairs.Count())
	if pool {
		folds := heldOut(order)
		e.tracker.begin(Choosing, "folds", len(folds))
		return rfm.HeldOut(ctx, evaluator, pairs, e.Config.Train.Offset, e.Config.Features.Count, folds, rfm.RelativePath(),
			e.workers, func(done int) {
				e.tracker.advance(min(1, done))
			})
	}
	if other {
		normal = rfm.NewNormal(evaluator.Count())
		if e.Config.Train.Offset {
			normal.Means = rfm.NewMeans(evaluator)
		}
		if err := normal.Accumulate(ctx, evaluator, pairs, e.workers, rfm.Watch{}); err != nil {
			return rfm.LOO{}, err
		}
	}
	some := order[:min(len(order), leftOut)]
	slices.Sort(some)
	e.tracker.begin(Choosing, "samples", len(some))
	seen := 0
	return rfm.LeaveOneOut(ctx, evaluator, pairs.Take(some), normal, rfm.RelativePath(), e.workers, func(samples int) {
		e.tracker.advance(samples - seen)
		seen = samples
	})
}

// heldOut is parts of the pairs, as many as have leftOut pairs together, if that many there are.
func heldOut(order []int) [][]int {
	n, count := len(order), min(parts, len(order))
	var folds [][]int
	for f, held := 0, 0; f < count && held < leftOut; f++ {
		folds = append(folds, order[f*n/count:(f+1)*n/count])
		held += len(folds[f])
	}
	return folds
}

// offsetPoints and offsetSide bound the grid on which the fitted function of x is found. What the model has of it is
// smooth, as sums of features over many inputs are.
const offsetPoints, offsetSide = 129, 65

// missed is the mean over the training pairs of what a model misses, the fitted function of x, on the grid on which a
// run keeps its pairs, so that nothing depends on whether there is one. The mean of the outputs is exact there, that of
// predictions is interpolated from a coarser grid that contains the training grid.
func (e *Experiment) missed(ctx context.Context, model method.Operator) ([]float64, error) {
	finest, from := e.train.Inputs.Points, e.Config.Train.Grid
	if e.store == nil {
		finest = e.keptGrid(finest)
	}
	bound := offsetPoints
	if e.Config.Dims() == 2 {
		bound = offsetSide
	}
	for _, K := range e.Config.Grids(finest) {
		if e.Config.Contains(K, e.Config.Train.Grid) && K <= max(bound, from) {
			from = K
		}
	}
	pairs, err := e.train.Restrict(from)
	if err != nil {
		return nil, err
	}
	predictions, err := model.Predict(ctx, pairs.Inputs, e.workers, nil)
	if err != nil {
		return nil, err
	}
	mean := grid.BatchOf(predictions.Domain, predictions.Points, predictions.Mean())
	if from != finest {
		if mean, err = resample.To(mean, finest); err != nil {
			return nil, err
		}
	}
	outputs, err := e.train.Outputs.Restrict(finest)
	if err != nil {
		return nil, err
	}
	return outputs.Plus(-1, mean.Data).Mean(), nil
}
