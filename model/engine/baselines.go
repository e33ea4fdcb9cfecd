// This file compares the model with other methods that learn from the same pairs.

package engine

import (
	"context"
	"errors"
	"time"

	"rfm/config"
	"rfm/model/method"
	"rfm/model/rfm"
	"rfm/solver/fault"
)

// mostBaselinePairs bounds the number of training pairs with which there are baselines: kernel ridge regression takes time
// that grows with its third power.
const mostBaselinePairs = 2048

// baselines trains other methods on the training pairs on the evaluation's grid, and measures them on its test pairs. A method that does not work with these pairs is left out. Errors are ctx's, and a
// *fault.Data if the pairs do not fit the grid.
func (e *Experiment) baselines(ctx context.Context, v *Evaluation) ([]Rival, error) {
	if e.Config.Evaluation.Baselines == config.No || e.train.Count() > mostBaselinePairs {
		return nil, nil
	}
	training, err := e.train.Restrict(v.Grid)
	if err != nil {
		return nil, err
	}
	fits := []func() (method.Baseline, error){
		func() (method.Baseline, error) { return method.Linear(ctx, training, e.workers) },
		func() (method.Baseline, error) { return method.Kernel(ctx, training, e.workers) },
	}
	defer e.tracker.digress(Comparing, "methods", len(fits))()
	var rivals []Rival
	for _, fit := range fits {
		begin := time.Now()
		method, err := fit()
		seconds := time.Since(begin).Seconds()
		if err == nil {
			var rival Rival
			if rival, err = e.rival(ctx, method, v); err == nil {
				rival.Training = seconds
				rivals = append(rivals, rival)
			}
		}
		var data *fault.Data
		var numerical *fault.Numerical
		if ctx.Err() != nil || err != nil && !errors.As(err, &data) && !errors.As(err, &numerical) {
			return nil, errors.Join(ctx.Err(), err) // only what the pairs are to blame for is left out
		}
		e.tracker.advance(1)
	}
	return rivals, nil
}

// rival measures a method on the test pairs.
func (e *Experiment) rival(ctx context.Context, method method.Baseline, v *Evaluation) (Rival, error) {
	predictions, err := method.Predict(ctx, v.TestPairs.Inputs, e.workers, nil)
	if err != nil {
		return Rival{}, err
	}
	errors, err := rfm.Measure(predictions, v.TestPairs.Outputs)
	if err != nil {
		return Rival{}, err
	}
	seconds, err := timePrediction(ctx, method, v.TestPairs.Inputs)
	return Rival{Name: method.Name(), Error: errors.ExpectedRelative, Seconds: seconds}, err
}
