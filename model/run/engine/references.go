// This file measures the baselines of a problem: the solver itself, and the first iterates of features.

package engine

import (
	"context"

	"gonum.org/v1/gonum/floats"

	"rfm/model/learn/feature"
	"rfm/model/learn/random"
	"rfm/model/run/setup"
	"rfm/model/trained/price"
)

// baselines returns the baselines of a problem on a grid before they are measured: the untrained iteration of
// predictor-corrector features, and the solver.
func (e *evaluating) baselines(K int) (all []baseline) {
	if e.Config.Map().Solves {
		once := e.untrained("untrained, once", 1)
		twice := e.untrained("untrained, twice", 2)
		all = append(all, once, twice)
	}
	if e.truth() == nil {
		return all
	}
	market := price.Market{
		Solver:  e.truth(),
		Pairs:   e.test,
		Grid:    K,
		Workers: e.workers,
	}
	full := func(ctx context.Context, _ *Evaluation) (Row, error) {
		offer, err := market.Full(ctx)
		return Row{Offer: offer}, err
	}
	equal := func(ctx context.Context, v *Evaluation) (Row, error) {
		modelError := func(pairs int) float64 {
			return floats.Sum(v.Test.Relative[:pairs]) / float64(pairs)
		}
		offer, isWhole, err := market.Equal(ctx, modelError)
		v.EqualUnfinished = !isWhole
		return Row{Offer: offer}, err
	}
	return append(all,
		baseline{FullSolve, full},
		baseline{EqualSolve, equal},
	)
}

// untrained returns the baseline of some corrections of predictor-corrector features: the part B(a) of every feature,
// without coefficients.
func (e *evaluating) untrained(name string, corrections int) baseline {
	measure := func(ctx context.Context, v *Evaluation) (Row, error) {
		features := feature.PredictorCorrectorOf(setup.Features(e.Config), feature.Pairs{}) // without theta, which B(a) does not need
		untrained := features.Untrained(corrections, v.Grid)
		return e.measured(ctx, v, Row{}, &random.Features{Map: untrained})
	}
	return baseline{name, measure}
}
