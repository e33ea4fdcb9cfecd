// This file reads a pair of a run that another process computes.

package engine

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"slices"

	"rfm/model/setup"
	"rfm/model/store"
	"rfm/solver/grid"
)

// Newest returns the newest training pair of the run in the directory path while they are generated, later the first
// one; nil if none is stored. It takes no lock and writes nothing. Errors: *fault.Data, *config.Error, ctx's.
func Newest(ctx context.Context, path string) (*Sample, error) {
	e, err := join(path, Options{})
	if err != nil {
		return nil, err
	}
	units, err := e.store.Units().Of(TrainFile)
	if err != nil {
		return nil, err
	}
	if len(units) > 0 {
		a, err := e.store.Units().Read(slices.MaxFunc(units, func(a, b store.Stored) int {
			first, _ := a.Rows()
			second, _ := b.Rows()
			return cmp.Compare(first, second)
		}))
		if errors.Is(err, fs.ErrNotExist) { // the process that computes the run has joined the units meanwhile
			return nil, nil
		}
		if err != nil || len(a.Shape) < 2 {
			return nil, err
		}
		return e.sample(a.Shape, a.Data[len(a.Data)-product(a.Shape[1:]):]), nil
	}
	shape, ok, err := e.store.Array(TrainFile)
	if !ok || err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var first []float64
	err = e.store.ReadArray(ctx, TrainFile, func(row int, values []float64) {
		if row == 0 {
			first = slices.Clone(values)
			stop()
		}
	})
	if first == nil {
		return nil, err
	}
	return e.sample(shape, first), nil
}

// sample returns a row of pairs of the given shape for display; nil if its length does not fit.
func (e *Experiment) sample(shape []int, row []float64) *Sample {
	pair := setup.NewPairs(e.Config, shape[len(shape)-e.Config.Dims()], 1)
	if len(row) != pair.Inputs.Values()+pair.Outputs.Values() {
		return nil
	}
	into([]grid.Batch{pair.Inputs, pair.Outputs})(0, row)
	return &Sample{Input: pair.Inputs.Of(0, 0), Truth: pair.Outputs.Of(0, 0),
		Side: sideOf(pair.Inputs.Domain, pair.Inputs.Points)}
}
