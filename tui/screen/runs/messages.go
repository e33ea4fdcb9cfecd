package runs

import "rfm/model/show/compare"

// The messages of the screen of runs. Each names the runs that it is about: once others are wanted it is stale, and nothing
// happens.
type (
	// lingered says that a run has been selected for a moment, so that its details are wanted.
	lingered struct{ on wanted }

	// looked are the details of a run.
	looked struct {
		on    wanted
		found detail
	}

	// compared is a comparison of marked runs.
	compared struct {
		paths []string
		of    compare.Comparison
		err   error
	}

	// observed is the state of a run that other processes compute.
	observed struct {
		by  *watching
		now reading
	}
)
