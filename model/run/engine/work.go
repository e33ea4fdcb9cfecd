// This file has what the stages take and make: each has the results of those before it.

package engine

import (
	"sync"
	"time"

	"rfm/model/run/reading"
	"rfm/model/run/store"
	"rfm/model/trained"
	"rfm/solver/dataset"
	"rfm/solver/space/points"
)

// A sink takes what the stages of an experiment make, and is told how far they are. Without a directory nothing is stored.
type sink struct {
	tracker   Tracker
	store     *store.Run    // with the notes and the times; without a path if nothing is stored
	unitTime  time.Duration // how long rows are held back
	processor [3]float64    // processor time of the stages in this session
}

// Directory returns the directory of the run; empty if nothing is stored.
func (s *sink) Directory() string { return s.store.Path }

// work is what all stages share: the plan, the data as soon as they are there, and where results go.
type work struct {
	plan
	*sink
	data
}

// data are the pairs and the features of a plan, which the first stage makes.
type data struct {
	train, test dataset.Pairs
	low         dataset.Pairs     // of low fidelity, on the training grid
	cloud       points.Cloud      // of functions at points of any geometry
	at          func() geometries // how functions are drawn; nil: on grids
	grouped     reading.Groups    // of the training pairs
	reused      bool              // train and test come from another experiment; see Experiment.Reuse
	learning    *trainer          // of methods on the training pairs, with the features
}

// geometries returns how functions are drawn.
func (d *data) geometries() geometries {
	if d.at == nil {
		return geometries{}
	}
	return d.at()
}

// setCloud sets the points of functions at points of any geometry.
func (d *data) setCloud(cloud points.Cloud) {
	d.cloud = cloud
	d.at = sync.OnceValue(func() geometries { return geometriesOf(cloud) })
}

// learned is the model of a plan, which the second stage makes of the data.
type learned struct {
	model    trained.Model
	suspects suspects // training pairs that may be wrong
	choosing float64  // seconds of training that the choice of the method took; 0 if unknown
}

// evaluating measures a model: the third stage.
type evaluating struct {
	work
	learned
}
