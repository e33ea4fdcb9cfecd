// This file applies trained models of predictor-corrector features.

package rfm

import (
	"context"
	"fmt"

	"rfm/model/feature"
	"rfm/solver/grid"
	"rfm/solver/parallel"
)

// FlowModel is a trained model of predictor-corrector features. It belongs to no grid, and a prediction costs the same for
// every m.
type FlowModel struct {
	feature.Collapsed
}

// Predict evaluates F(a) for all inputs, fields on a closed square grid. progress (which may be nil) is called from worker
// goroutines with the number of finished predictions. Errors: a *fault.Data if the grid does not fit or an input is not
// positive, a *fault.Numerical, or ctx's.
func (m FlowModel) Predict(ctx context.Context, inputs grid.Batch, workers int, progress func(added int)) (grid.Batch, error) {
	e, err := m.On(inputs.Points)
	if err != nil {
		return grid.Batch{}, err
	}
	return eachField(ctx, inputs, workers, progress, func() func(dst, a []float64) error {
		s := e.NewScratch()
		return func(dst, a []float64) error { return e.Predict(dst, a, s) }
	})
}

// Sweep evaluates an untrained surrogate of predictor-corrector type (feature.Sweeps) for all inputs; the rest is as for
// FlowModel.Predict.
func Sweep(ctx context.Context, e *feature.Sweeps, sweeps int, inputs grid.Batch, workers int) (grid.Batch, error) {
	return eachField(ctx, inputs, workers, nil, func() func(dst, a []float64) error {
		s := e.NewScratch()
		return func(dst, a []float64) error { return e.Evaluate(dst, a, sweeps, s) }
	})
}

// eachField maps every input to an output; worker makes the map of one goroutine.
func eachField(ctx context.Context, inputs grid.Batch, workers int, progress func(added int), worker func() func(dst, a []float64) error) (grid.Batch, error) {
	outputs := inputs.Like(inputs.Count)
	maps := make([]func(dst, a []float64) error, max(1, workers))
	err := parallel.For(ctx, workers, inputs.Count, func(w, i int) error {
		if maps[w] == nil {
			maps[w] = worker()
		}
		if err := maps[w](outputs.At(i), inputs.At(i)); err != nil {
			return fmt.Errorf("input %d: %w", i, err)
		}
		if progress != nil {
			progress(1)
		}
		return nil
	})
	if err != nil {
		return grid.Batch{}, err
	}
	return outputs, nil
}
