// This file compares the model with other methods that learn from the same pairs.

package engine

import (
	"context"
	"errors"
	"time"

	"rfm/model/method"
	"rfm/model/rfm"
	"rfm/solver/dataset"
	"rfm/solver/fault"
)

// others trains the methods that the model is compared with on the same pairs, and measures them on the evaluation's
// test pairs. A method that does not work with these pairs, or takes long with so many, is left out. Errors are ctx's,
// and a *fault.Data if the pairs do not fit the grid.
func (e *Experiment) others(ctx context.Context, v *Evaluation) ([]Rival, error) {
	if !e.Config.Evaluation.Baselines {
		return nil, nil
	}
	training, err := e.train.Restrict(v.Grid)
	if err != nil {
		return nil, err
	}
	methods := method.All(training.Inputs.Domain)
	defer e.tracker.digress(Comparing, "methods", len(methods))()
	var rivals []Rival
	for _, m := range methods {
		if training.Count() <= m.Most {
			rival, err := e.learn(ctx, m, training, v)
			switch {
			case ctx.Err() != nil || err != nil && !blamesData(err):
				return nil, errors.Join(ctx.Err(), err)
			case err == nil:
				rivals = append(rivals, rival)
			}
		}
		e.tracker.advance(1)
	}
	return rivals, nil
}

// blamesData reports whether the pairs are to blame for an error.
func blamesData(err error) bool {
	var data *fault.Data
	var numerical *fault.Numerical
	return errors.As(err, &data) || errors.As(err, &numerical)
}

// learn trains a method and measures it on the test pairs.
func (e *Experiment) learn(ctx context.Context, m method.Method, training dataset.Pairs, v *Evaluation) (Rival, error) {
	begin := time.Now()
	operator, err := m.Train(ctx, training, method.Options{Workers: e.workers, Seed: e.Config.Seed})
	if err != nil {
		return Rival{}, err
	}
	rival := Rival{Name: m.Title, Training: time.Since(begin).Seconds()}
	predictions, err := operator.Predict(ctx, v.TestPairs.Inputs, e.workers, nil)
	if err != nil {
		return Rival{}, err
	}
	errors, err := rfm.Measure(predictions, v.TestPairs.Outputs)
	if err != nil {
		return Rival{}, err
	}
	rival.Error = errors.ExpectedRelative
	rival.Seconds, err = timePrediction(ctx, operator, v.TestPairs.Inputs)
	return rival, err
}
