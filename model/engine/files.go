// This file names the files of a run that other packages read.

package engine

import "rfm/model/store"

// Names of the products of a run.
const (
	TrainFile            = store.TrainFile
	TestFile             = store.TestFile
	ModelFile            = store.ModelFile // see package trained
	TrainPredictionsFile = store.TrainPredictionsFile
	TestPredictionsFile  = store.TestPredictionsFile
	ErrorsFile           = "errors.csv"     // columns set, index, relative_error
	ReportFile           = store.ReportFile // a Result
	MarkdownFile         = "report.md"
	TimingsFile          = "timings.json" // Seconds, workers, rivals
	thetaName            = "theta"        // followed by the extension of the original file
)
