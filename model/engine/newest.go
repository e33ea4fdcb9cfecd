// This file reads a pair of a run that another process computes.

package engine

import (
	"context"
	"fmt"

	"rfm/model/report"
	"rfm/model/setup"
	"rfm/model/store"
	"rfm/solver/dataset"
	"rfm/solver/dataset/npy"
)

// Newest returns the newest training pair of the run in the directory path while they are generated, later the first
// one; nil if none can be read. It takes no lock and writes nothing.
func Newest(ctx context.Context, path string) *report.Sample {
	e, err := join(path, Options{})
	if err != nil {
		return nil
	}
	var pair dataset.Pairs
	rows := func(shape []int) (store.Block, error) {
		at := len(shape) - e.Config.Dims()
		if at < 1 {
			return nil, fmt.Errorf("an array of shape %v has no pairs", shape)
		}
		pair = setup.NewPairs(e.Config, shape[at], 1)
		return rowsOf(pair), nil
	}
	units, _ := e.store.Units().Of(store.TrainFile)
	if len(units) == 0 {
		err = e.store.ReadArray(ctx, store.TrainFile, rows)
	} else {
		var last npy.Array
		var row store.Block
		if last, err = e.store.Units().Read(units[len(units)-1]); err == nil { // they may be joined meanwhile
			row, err = rows(last.Shape)
		}
		if err == nil {
			row.Put(0, last.Data[max(0, len(last.Data)-row.Values()):])
		}
	}
	if err != nil {
		return nil
	}
	return e.sample(pair.Inputs, pair.Outputs)
}
