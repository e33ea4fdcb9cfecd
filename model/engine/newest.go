// This file reads a pair of a run that another process computes.

package engine

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"slices"

	"rfm/model/report"
	"rfm/model/setup"
	"rfm/model/store"
	"rfm/solver/dataset"
)

// Newest returns the newest training pair of the run in the directory path while they are generated, later the first
// one; nil if none is stored. It takes no lock and writes nothing. Errors: *fault.Data, *config.Error, ctx's.
func Newest(ctx context.Context, path string) (*report.Sample, error) {
	e, err := join(path, Options{})
	if err != nil {
		return nil, err
	}
	units, err := e.store.Units().Of(store.TrainFile)
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
		if err != nil || len(a.Shape) <= e.Config.Dims() {
			return nil, err
		}
		pair := e.one(a.Shape)
		length := rowsOf(pair).Values()
		if len(a.Data) < length {
			return nil, nil
		}
		rowsOf(pair).Put(0, a.Data[len(a.Data)-length:])
		return e.sample(pair.Inputs, pair.Outputs), nil
	}
	if !e.store.Has(store.TrainFile) {
		return nil, nil
	}
	var pair dataset.Pairs
	err = e.store.ReadArray(ctx, store.TrainFile, func(shape []int) (store.Block, error) {
		pair = e.one(shape)
		return rowsOf(pair), nil
	})
	if err != nil {
		return nil, err
	}
	return e.sample(pair.Inputs, pair.Outputs), nil
}

// one returns a pair of zero functions on the grid of an array of pairs.
func (e *Experiment) one(shape []int) dataset.Pairs {
	return setup.NewPairs(e.Config, shape[max(0, len(shape)-e.Config.Dims())], 1)
}
