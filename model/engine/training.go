package engine

import (
	"context"

	"rfm/config"
	"rfm/model/machine"
	"rfm/model/setup"
	"rfm/solver/dataset"
	"rfm/solver/draw"
	"rfm/solver/grid"
)

// TrainingPairs makes or reads the training pairs of a configuration, on the data grid: those that an experiment trains
// with. Test pairs are not made; of a file that has both, they are not kept. report (which may be nil) is told the
// number of pairs that were added. c must be complete and valid. Errors are Generate's.
func TrainingPairs(ctx context.Context, c config.Config, workers int, report func(added int)) (dataset.Pairs, error) {
	e := &Experiment{Config: c, workers: machine.Workers(workers), truth: setup.Truth(c)}
	if c.Data.TrainFile != "" {
		var pairs dataset.Pairs
		err := setup.ReadPairs(ctx, c, &pairs, nil)
		return pairs, err
	}
	return e.generatePairs(ctx, draw.InputTrain, 0, c.Data.Train, c.Data.Grid, func(_ int, a, _ grid.Batch) {
		if report != nil {
			report(a.Count)
		}
	})
}
