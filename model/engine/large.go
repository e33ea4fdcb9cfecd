// This file finds places for pairs and predictions that take more memory than they should.

package engine

import (
	"context"
	"os"

	"rfm/model/method"
	"rfm/model/rfm"
	"rfm/solver/dataset"
	"rfm/solver/grid"
	"rfm/solver/scratch"
)

// room is where the values of pairs go: into files beside the run's, or in the system's directory for temporary ones,
// if there are many; nil, which is memory, if there are not.
func (e *Experiment) room() dataset.Room {
	if e.scratch == nil {
		if !e.Config.OnDisk() {
			return nil
		}
		directory := e.Directory()
		if directory == "" {
			directory = os.TempDir()
		}
		e.scratch = scratch.New(directory)
	}
	return e.scratch.Float64s
}

// batch is count functions, all zero, on the grid of others. The error is a *fault.Data.
func (e *Experiment) batch(of grid.Batch, count int) (grid.Batch, error) {
	room := e.room()
	if room == nil {
		return of.Like(count), nil
	}
	data, err := room(of.Values() * count)
	return grid.BatchOf(of.Domain, of.Points, data), err
}

// predict is model.Predict, with a place for the predictions.
func (e *Experiment) predict(ctx context.Context, model rfm.Predictor, inputs grid.Batch, report func(added int)) (
	grid.Batch, error) {
	if e.room() == nil {
		return model.Predict(ctx, inputs, e.workers, report)
	}
	portion := method.Portion(inputs)
	predictions, err := e.batch(grid.Batch{Domain: e.train.Outputs.Domain, Points: inputs.Points}, inputs.Count)
	for first := 0; first < inputs.Count && err == nil; first += portion {
		var some grid.Batch
		count := min(portion, inputs.Count-first)
		if some, err = model.Predict(ctx, inputs.Range(first, count), e.workers, report); err == nil {
			copy(predictions.Range(first, count).Data, some.Data)
		}
	}
	return predictions, err
}
