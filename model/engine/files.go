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

// Files of a run, besides its configuration and its manifest.
const (
	TrainFile = "train.npy" // pairs, (n, 2, K) or (n, 2, r, r)
	TestFile  = "test.npy"  // the same
	ModelFile = "model.npz" // package trained
	// the model's values of the training inputs on the test grid, (n, K) or (n, r, r)
	TrainPredictionsFile = "predictions-train.npy"
	TestPredictionsFile  = "predictions.npy" // of the test inputs
	ErrorsFile           = "errors.csv"      // set,index,relative_error
	ReportFile           = store.ReportFile  // Result
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
