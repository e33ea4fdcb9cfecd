package engine

import (
	"context"
	"sync/atomic"
	"time"

	"rfm/config"
	"rfm/model/machine"
	"rfm/model/setup"
	"rfm/solver/dataset"
	"rfm/solver/draw"
	"rfm/solver/grid"
	"rfm/solver/progress"
)

// TrainingPairs makes or reads the training pairs of a configuration, on the data grid: those that an experiment trains
// with. Test pairs are not made; of a file that has both, they are not kept. report may be nil. c must be complete and
// valid. Errors are Generate's.
func TrainingPairs(ctx context.Context, c config.Config, workers int, report progress.Func) (dataset.Pairs, error) {
	e := &Experiment{Config: c, workers: machine.Workers(workers), truth: setup.Truth(c)}
	if c.Data.TrainFile != "" {
		var pairs dataset.Pairs
		_, err := setup.ReadPairs(ctx, c, &pairs, nil)
		return pairs, err
	}
	made, began := atomic.Int64{}, time.Now()
	return e.generatePairs(ctx, draw.InputTrain, 0, c.Data.Train, c.Data.Grid, func(_ int, a, _ grid.Batch) {
		done := made.Add(int64(a.Count))
		if report != nil {
			report(progress.Progress{Stage: Generating.String(), Unit: "training pairs", Done: int(done), Total: c.Data.Train,
				Began: began, Now: time.Now()})
		}
	})
}
