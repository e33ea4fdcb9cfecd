// This file is the objective of the search: the error, on pairs that were left out, of a model with given parameters.

package tune

import (
	"context"
	"math"

	"rfm/config"
	"rfm/model/linalg"
	"rfm/model/rfm"
	"rfm/solver/dataset"
	"rfm/solver/fault"
	"rfm/solver/grid"
)

// relatives are the values of lambda, relative to the largest eigenvalue, that every evaluation tries.
var relatives = [...]float64{1e-15, 1e-14, 1e-13, 1e-12, 1e-11, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4}

// A trial is the setting of an evaluation: pairs, sizes and seed.
type trial struct {
	fit, validate dataset.Pairs // on the same grid
	features      int           // m
	theta         int           // K (fields: r) on which theta is drawn
	seed          uint64        // of theta and the bias
	rows          rfm.Rows      // the points that enter the sums
}

// scores are mean relative L2 errors on the validation pairs, one for each of relatives.
type scores [len(relatives)]float64

// score trains on one part of the pairs, with one decomposition for all of relatives, and predicts the other part in
// one pass. A model that does not exist, or is worse than the zero model, has the error 1 of the zero model. The error
// is ctx's, or a *fault.Data if a validation output is zero.
func (t trial) score(ctx context.Context, c config.Config, workers int) (s scores, err error) {
	for l := range s {
		s[l] = 1
	}
	predictions, err := t.predict(ctx, c, workers)
	switch {
	case fault.BlamesInput(err):
		return s, nil
	case err != nil:
		return s, err
	}
	for l, p := range predictions {
		if p.Count == 0 {
			continue
		}
		e, err := relativeError(p, t.validate.Outputs)
		if err != nil {
			return s, err
		}
		if e < 1 { // not NaN
			s[l] = e
		}
	}
	return s, nil
}

// predict returns the predictions of the models for all of relatives; the batch is empty where no model exists.
func (t trial) predict(ctx context.Context, c config.Config, workers int) ([]grid.Batch, error) {
	evaluator, err := t.draw(ctx, c, workers)
	if err != nil {
		return nil, err
	}
	normal := rfm.NewNormal(evaluator.Count())
	normal.Rows = t.rows
	if c.Train.Offset { // a function of x alone is fitted with the features, as training does
		normal.Means = rfm.NewMeans(evaluator)
	}
	if err := normal.Accumulate(ctx, evaluator, t.fit, workers, rfm.Watch{}); err != nil {
		return nil, err
	}
	spectral, err := linalg.Decompose(ctx, normal.Gram(t.features), workers)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, &fault.Numerical{Where: "trial of parameters", What: err.Error()}
	}
	var alphas [][]float64
	var solved []int
	for l, relative := range relatives {
		alpha := make([]float64, t.features)
		if _, err := spectral.SolveRelative(alpha, normal.RHS, relative); err == nil {
			alphas, solved = append(alphas, alpha), append(solved, l)
		}
	}
	all := make([]grid.Batch, len(relatives))
	if len(solved) == 0 {
		return all, nil
	}
	some, err := evaluator.Predict(ctx, alphas, t.validate.Inputs, workers, nil)
	if err != nil {
		return nil, err
	}
	if c.Train.Offset {
		fitted, err := evaluator.Predict(ctx, alphas, t.fit.Inputs, workers, nil)
		if err != nil {
			return nil, err
		}
		for i := range some {
			missed := t.fit.Outputs.Plus(-1, fitted[i].Mean()).Mean()
			some[i] = some[i].Plus(1, missed)
		}
	}
	for i, l := range solved {
		all[l] = some[i]
	}
	return all, nil
}

// relativeError returns the mean relative L2 error, possibly NaN. The error is a *fault.Data if an output is zero.
func relativeError(predictions, truth grid.Batch) (float64, error) {
	sum := 0.0
	for i := range truth.Count {
		norm := truth.Domain.Inner(truth.At(i), truth.At(i))
		if norm == 0 {
			return 0, &fault.Data{Where: "training outputs", What: "one is zero, so a relative error does not exist",
				Do: "leave this pair out"}
		}
		sum += math.Sqrt(truth.Domain.Distance2(predictions.At(i), truth.At(i)) / norm)
	}
	return sum / float64(truth.Count), nil
}

// least returns the smallest score and its lambda, relative to the largest eigenvalue.
func (s scores) least() (score, relative float64) {
	score = math.Inf(1)
	for l, v := range s {
		if v < score {
			score, relative = v, relatives[l]
		}
	}
	return score, relative
}
