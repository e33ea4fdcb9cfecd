// This file names the files of a run that other packages read.

package engine

import "rfm/model/store"

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
