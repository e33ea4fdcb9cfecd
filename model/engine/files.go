// This file names the files of a run that other packages read, and makes pairs again that a run keeps on a coarser
// grid.

package engine

import (
	"context"

	"rfm/config"
	"rfm/model/setup"
	"rfm/model/store"
	"rfm/solver/dataset"
)

// Products of a run.
const (
	TrainFile            = store.TrainFile
	TestFile             = store.TestFile
	ModelFile            = store.ModelFile // package trained
	TrainPredictionsFile = store.TrainPredictionsFile
	TestPredictionsFile  = store.TestPredictionsFile
	ErrorsFile           = "errors.csv"     // set,index,relative_error
	ReportFile           = store.ReportFile // Result
	MarkdownFile         = "report.md"
	TimingsFile          = "timings.json" // Seconds, and more
	thetaName            = "theta"        // with the extension of the file that it was copied from
)

// Regenerate makes the pairs of a complete configuration again, as far as they come from files reads them again, on the
// grid K (r), which the data grid contains. A run may have them on a coarser grid only. Errors are those of Generate.
func Regenerate(ctx context.Context, c config.Config, K, workers int) (train, test dataset.Pairs, err error) {
	e := &Experiment{Config: c, workers: workers, truth: setup.Truth(c)}
	sides := e.sides()
	if _, err := e.read(ctx, sides); err != nil {
		return dataset.Pairs{}, dataset.Pairs{}, err
	}
	for _, s := range sides {
		if s.file == "" {
			*s.pairs, err = e.generatePairs(ctx, s.purpose, 0, s.count, K, nil)
		} else {
			*s.pairs, err = s.pairs.Restrict(K)
		}
		if err != nil {
			return dataset.Pairs{}, dataset.Pairs{}, err
		}
	}
	return e.train, e.test, nil
}
