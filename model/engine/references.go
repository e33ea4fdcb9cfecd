// This file measures baselines without training: the solver itself, and the first iterates of features.

package engine

import (
	"context"
	"errors"

	"gonum.org/v1/gonum/floats"

	"rfm/model/feature"
	"rfm/model/price"
	"rfm/model/rfm"
	"rfm/solver/fault"
	"rfm/solver/grid"
)

// references returns the baselines of a problem: the untrained iteration of predictor-corrector features, for Darcy
// flow a blend of two solves, and the solver on the evaluation's grid.
func (e *Experiment) references(ctx context.Context, v *Evaluation) ([]Rival, error) {
	var list []Rival
	if e.Config.Map().Solves {
		sweeps, err := e.untrained(ctx, v)
		if err != nil {
			return nil, err
		}
		list = sweeps
	}
	if e.truth == nil {
		return list, nil
	}
	blended, err := e.blended(ctx, v)
	if err != nil {
		return nil, err
	}
	list = append(list, blended...)
	market := price.Market{Solver: e.truth, Pairs: e.test, Grid: v.Grid, Workers: e.workers}
	full, err := market.Full(ctx)
	switch {
	case refused(err): // the grid does not resolve the solution: no comparison is possible
	case err != nil:
		return nil, err
	default:
		list = append(list, solverRival(FullSolve, full))
	}
	equal, ok, err := market.Equal(ctx, func(pairs int) float64 {
		return floats.Sum(v.Test.Relative[:pairs]) / float64(pairs)
	})
	if err != nil {
		return nil, err
	}
	if ok {
		list = append(list, solverRival(EqualSolve, equal))
	}
	return list, nil
}

// refused reports whether the error comes from a solver that did not converge.
func refused(err error) bool {
	var numerical *fault.Numerical
	return errors.As(err, &numerical)
}

// solverRival returns an offer of a solver as a baseline.
func solverRival(name string, o price.Offer) Rival {
	return Rival{Name: name, Error: o.Error, Seconds: o.Seconds, Tolerance: o.Tolerance, Together: o.Together,
		Alone: o.Alone, Grid: o.Grid}
}

// untrainedNames are the names of one sweep of untrained features, and of two.
var untrainedNames = [...]string{"untrained, once", "untrained, twice"}

// iteration predicts with untrained features, which have no coefficients.
type iteration struct{ feature.Trained }

// Predict implements rfm.Predictor.
func (i iteration) Predict(ctx context.Context, inputs grid.Batch, workers int, report func(int)) (grid.Batch, error) {
	return i.Trained.Predict(ctx, nil, inputs, workers, report)
}

// untrained returns one correction, the part B(a) of every feature, and two.
func (e *Experiment) untrained(ctx context.Context, v *Evaluation) ([]Rival, error) {
	var list []Rival
	for count := 1; count <= 2; count++ {
		sweeps := feature.PredictorCorrectorOf(e.Config, nil).Untrained(count, v.Grid)
		r, err := e.rival(ctx, v, Rival{Name: untrainedNames[count-1]}, iteration{sweeps})
		if err != nil {
			return nil, err
		}
		list = append(list, r)
	}
	return list, nil
}

// rival measures a baseline on the test pairs: its error, and the time of one evaluation on one core.
func (e *Experiment) rival(ctx context.Context, v *Evaluation, r Rival, p rfm.Predictor) (Rival, error) {
	var err error
	if r.Error, err = e.testError(ctx, v, p); err != nil {
		return r, err
	}
	r.Seconds, err = price.Prediction(ctx, p, v.TestPairs.Inputs)
	return r, err
}

// testError returns the expected relative error of predictions of the test pairs.
func (e *Experiment) testError(ctx context.Context, v *Evaluation, p rfm.Predictor) (float64, error) {
	predictions, err := p.Predict(ctx, v.TestPairs.Inputs, e.workers, nil)
	if err != nil {
		return 0, err
	}
	measured, err := rfm.Measure(predictions, v.TestPairs.Outputs)
	return measured.ExpectedRelative, err
}
