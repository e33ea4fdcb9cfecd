// This file finds the coarsest grid that is fine enough for a model's predictions.

package trained

import (
	"context"

	"rfm/model/learn/feature"
	"rfm/model/learn/random"
	"rfm/model/learn/score"
	"rfm/solver/dataset"
	"rfm/solver/space/grid"
	"rfm/solver/space/resample"
)

// mostTried is the number of pairs that decide which grid carries the outputs.
const mostTried = 64

// Coarsen returns the model that predicts on the coarsest grid that carries its outputs, and interpolates: predictions
// for the first training inputs change by at most share of the model's error, the larger one of its mean relative error
// on these pairs and of its leave-one-out error. If no such grid exists it returns the model unchanged. Errors are
// those of Predict.
func (m Model) Coarsen(ctx context.Context, pairs dataset.Pairs, share float64, workers int) (Model, error) {
	pairs = pairs.Range(0, min(pairs.Count(), mostTried))
	fine, err := m.Predict(ctx, pairs.Inputs, workers, nil)
	if err != nil {
		return m, err
	}
	own, err := score.Measure(fine, pairs.Outputs)
	if err != nil {
		return m, err
	}
	most := share * max(own.ExpectedRelative, m.Operator.LeaveOneOut())
	for _, points := range coarser(m.Domain(), pairs.Inputs.Points) {
		coarse, err := m.on(points)
		if err != nil {
			return m, err
		}
		predictions, err := coarse.Predict(ctx, pairs.Inputs, workers, nil)
		if ctx.Err() != nil {
			return m, ctx.Err()
		}
		if err != nil { // the grid is too coarse for the features, or makes inputs invalid
			continue
		}
		if changed, err := score.Measure(predictions, fine); err == nil && changed.ExpectedRelative <= most {
			return coarse, nil
		}
	}
	return m, nil
}

// on returns the model on a coarser grid. The random functions of features have no modes there that would alias.
func (m Model) on(points int) (Model, error) {
	m.Coarse = points
	f, ok := m.Operator.(*random.Features)
	if !ok {
		return m, nil
	}
	spectral, ok := f.Map.(*feature.Spectral)
	if !ok || spectral.Finest() <= points {
		return m, nil
	}
	low := *f
	var err error
	low.Map, err = spectral.Low(points)
	m.Operator = &low
	return m, err
}

// coarser returns the grids of 2^k and 3 2^k intervals that are coarser than a given one, ascending.
func coarser(domain grid.Domain, points int) []int {
	var all []int
	for n := 8; n < points; n *= 2 {
		for _, intervals := range []int{n, n + n/2} {
			coarse := intervals + points - domain.Intervals(points)
			if coarse < points && domain.Exists(coarse) {
				all = append(all, coarse)
			}
		}
	}
	return all
}

// coarsely predicts on the model's coarse grid.
func (m Model) coarsely(ctx context.Context, inputs grid.Batch, workers int, progress func(added int)) (grid.Batch,
	error) {
	low, err := resample.Low(inputs, m.Coarse)
	if err != nil {
		return grid.Batch{}, err
	}
	predictions, err := m.Operator.Predict(ctx, low, workers, progress)
	if err != nil {
		return grid.Batch{}, err
	}
	return resample.To(predictions, inputs.Points)
}
