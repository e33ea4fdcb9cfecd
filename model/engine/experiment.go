// Package engine runs an experiment stage by stage (generate, train, evaluate). The screens and the line commands drive
// it and compute nothing themselves. An experiment in a directory can be interrupted at any moment and resumed to the
// same result.
package engine

import (
	"cmp"
	"context"
	"time"

	"rfm/config"
	"rfm/model/feature"
	"rfm/model/machine"
	"rfm/model/setup"
	"rfm/model/store"
	"rfm/model/trained"
	"rfm/solver/dataset"
	"rfm/solver/truth"
)

// Options control the computation; they do not change results.
type Options struct {
	Workers  int           // goroutines that compute; 0 means one for each available core
	unitTime time.Duration // least time between two writes of rows of a stored run; 0 means unitTime
}

// Experiment is a configuration and the results of its stages. The stages are called one after another; Progress may be
// called at any time from any goroutine.
type Experiment struct {
	Config config.Config

	workers  int
	tracker  tracker
	truth    truth.Operator   // nil if all pairs come from files
	store    *store.Directory // nil if the experiment is not stored
	unitTime time.Duration    // least time between two writes of rows
	notes    []string         // sentences on assumptions about files
	changed  []string         // names of files that have changed since pairs were read from them

	reached     Stage       // the last complete stage; Idle if none is
	features    feature.Map // as drawn, once the first stage is complete
	train, test dataset.Pairs
	reused      bool // train and test come from another experiment; see Reuse
	model       trained.Model
	learning    *trainer // see trainer()
	grouped     string   // a sentence on the groups of the training pairs; empty if all are independent
	evaluation  *Evaluation
	seconds     [3]float64 // wall time of the stages, summed over all sessions
	processor   [3]float64 // processor time of the stages in this session
	stop        func()     // stores the times of the current stage
}

// Seconds is a time of each stage.
type Seconds = machine.Seconds

// New checks the configuration, also against the machine's memory. It computes nothing, and the experiment is not
// stored. Errors are *config.Error, a *fault.Data if files are not usable or the memory does not suffice, and ctx's.
func New(ctx context.Context, c config.Config, o Options) (*Experiment, error) {
	c, notes, err := setup.Complete(ctx, c)
	if err != nil {
		return nil, err
	}
	e, err := Unchecked(c, o)
	if err == nil {
		err = machine.CheckMemory(c)
	}
	if err != nil {
		return nil, err
	}
	e.notes = notes
	return e, nil
}

// Unchecked returns an experiment of a complete configuration. It checks neither files nor memory. The error is a
// *config.Error.
func Unchecked(c config.Config, o Options) (*Experiment, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	return &Experiment{Config: c, workers: machine.Workers(o.Workers), truth: setup.Truth(c),
		unitTime: cmp.Or(o.unitTime, unitTime)}, nil
}

// Reuse takes over the generated data of another experiment, if this one would generate the same, and reports whether
// it did. Generate then only draws the feature parameters. Call it before Generate.
func (e *Experiment) Reuse(from *Experiment) bool {
	if from.reached < Generating || e.Config.DataOnly() != from.Config.DataOnly() {
		return false
	}
	for _, pairs := range []dataset.Pairs{from.train, from.test} { // the grid of the other experiment may be too coarse
		if setup.CheckGrids("data", pairs.Inputs, e.Config) != nil {
			return false
		}
		if e.Config.Data.Grid > 0 {
			if _, err := pairs.Range(0, 1).Restrict(e.Config.PairsGrid(e.Config.Data.Grid)); err != nil {
				return false
			}
		}
	}
	// files are read again: their grids must fit the new ones
	e.train, e.test, e.grouped, e.reused = from.train, from.test, from.grouped, true
	return true
}

// Reached returns the last complete stage: Idle, Generating, Training or Evaluating.
func (e *Experiment) Reached() Stage { return e.reached }

// Pairs returns the training and test pairs on config.Config.PairsGrid, once Generate has succeeded.
func (e *Experiment) Pairs() (train, test dataset.Pairs) { return e.train, e.test }

// grids returns the grids on which the pairs are available, named as in the configuration, ascending. It returns nil
// before Generate has succeeded.
func (e *Experiment) grids() []int {
	if e.reached < Generating {
		return nil
	}
	return e.Config.Grids(max(e.Config.Data.Grid, e.test.Inputs.Points))
}

// Model returns the trained model, once Train has succeeded.
func (e *Experiment) Model() trained.Model { return e.model }

// Seconds returns the wall time of the stages so far, in all sessions.
func (e *Experiment) Seconds() Seconds { return machine.SecondsOf(e.seconds) }

// Evaluation returns the result of the last stage; nil before that stage has succeeded.
func (e *Experiment) Evaluation() *Evaluation { return e.evaluation }
