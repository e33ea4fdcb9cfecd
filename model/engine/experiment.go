// Package engine runs an experiment stage by stage (generate, train, evaluate) and is the only door between
// computation and people: the screens and the line commands both drive it, and neither computes anything itself. An
// experiment that is kept in a directory can be interrupted at any moment, and goes on from there to the same result.
package engine

import (
	"cmp"
	"context"
	"errors"
	"time"

	"rfm/config"
	"rfm/model/feature"
	"rfm/model/machine"
	"rfm/model/setup"
	"rfm/model/trained"
	"rfm/solver/dataset"
	"rfm/solver/truth"
)

// Options say how to compute; they do not change results.
type Options struct {
	Workers    int           // goroutines that compute; 0 is one for each available core
	Checkpoint time.Duration // least time between two checkpoints of a stored run; 0 is DefaultCheckpoint
}

// DefaultCheckpoint is the least time between two checkpoints. They also take less than a fiftieth of the time.
const DefaultCheckpoint = 5 * time.Second

// Experiment is one configuration on its way through the stages. The stages are called one after another; Progress
// may be called at any time from any goroutine.
type Experiment struct {
	Config config.Config

	workers   int
	tracker   tracker
	truth     truth.Operator // nil if pairs come from files only
	thetaFile string         // the run's copy of the file with theta, if there is one
	store     *kept          // nil if nothing is stored
	width     int            // of tiles of the sums, if many workers make them; 0: TileWidth
	notes     []string       // what was assumed about files, in words
	changed   []string       // which files are not what they were when pairs were read from them

	reached     Stage       // the last complete one; Idle if none is
	features    feature.Map // as they were drawn, once the first stage is complete
	train, test dataset.Pairs
	reused      bool // train and test come from another experiment
	model       trained.Model
	learning    *trainer // see trainer()
	grouped     string   // in words, the groups of the training pairs; empty if all are independent
	evaluation  *Evaluation
	seconds     Seconds
	watch       func() float64 // seconds of the stage under way
}

// Seconds is the wall time that the stages took, in all sessions.
type Seconds struct {
	Generate float64 `json:"generate"`
	Train    float64 `json:"train"`
	Evaluate float64 `json:"evaluate"`
}

// New checks the configuration, also against the machine's memory; nothing is computed yet, and nothing will be stored.
// Errors are *config.Error, a *fault.Data if files are not usable or the memory does not suffice, and ctx's.
func New(ctx context.Context, c config.Config, o Options) (*Experiment, error) {
	c, notes, err := setup.Complete(ctx, c)
	if err != nil {
		return nil, err
	}
	e, err := newExperiment(c, o)
	if err == nil {
		err = machine.CheckMemory(c)
	}
	if err != nil {
		return nil, err
	}
	e.notes = notes
	return e, nil
}

// newExperiment is an experiment of a complete configuration, whose files need not be there any more, whatever memory
// there is. The error is a *config.Error.
func newExperiment(c config.Config, o Options) (*Experiment, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	return &Experiment{Config: c, workers: machine.Workers(o.Workers), truth: setup.Truth(c)}, nil
}

// Reuse takes over the data of another experiment that has generated them, if this one would generate the same, and
// says whether it did: Generate then only draws the feature parameters. Call it before Generate.
func (e *Experiment) Reuse(from *Experiment) bool {
	if from.reached < Generating || e.Config.DataOnly() != from.Config.DataOnly() {
		return false
	}
	for _, pairs := range []dataset.Pairs{from.train, from.test} { // theirs may be too coarse a grid
		if setup.CheckGrids("data", pairs.Inputs, e.Config) != nil {
			return false
		}
		if e.Config.Data.Grid > 0 {
			if _, err := pairs.Range(0, 1).Restrict(e.Config.PairsGrid(e.Config.Data.Grid)); err != nil {
				return false
			}
		}
	}
	e.train, e.test, e.grouped, e.reused = from.train, from.test, from.grouped, true // files are read again: their grids must fit the new ones
	return true
}

// step is a stage: it leaves what it computes in the experiment and, if that is stored, in the run.
type step struct {
	stage   Stage
	work    func(*Experiment, context.Context) error
	seconds func(*Seconds) *float64
}

// steps are the stages in their order.
var steps = []step{
	{Generating, (*Experiment).generate, func(s *Seconds) *float64 { return &s.Generate }},
	{Training, (*Experiment).fit, func(s *Seconds) *float64 { return &s.Train }},
	{Evaluating, (*Experiment).evaluate, func(s *Seconds) *float64 { return &s.Evaluate }},
}

// Run goes through all stages that are not complete: generate makes or reads the pairs and draws the features, train
// finds the coefficients, evaluate measures errors on the configured grid and compares with other methods. Errors are
// *fault.Data for files and for data that do not fit, *fault.Numerical from solvers and solutions, ctx's, which is an
// *Interrupted if the run is stored. A stage that was interrupted goes on where it was, if it is stored, and a stage
// that is complete is not done again.
func (e *Experiment) Run(ctx context.Context) error { return e.Reach(ctx, Evaluating) }

// Reach is Run up to a stage: Generating, Training or Evaluating.
func (e *Experiment) Reach(ctx context.Context, last Stage) error {
	for _, s := range steps {
		if s.stage > last {
			break
		}
		if err := e.step(ctx, s); err != nil {
			return err
		}
	}
	return nil
}

func (e *Experiment) step(ctx context.Context, s step) error {
	if e.reached >= s.stage {
		return e.interrupted(ctx.Err())
	}
	seconds := s.seconds(&e.seconds)
	before, begin := *seconds, time.Now() // earlier sessions took some
	e.watch = func() float64 { return before + time.Since(begin).Seconds() }
	if err := s.work(e, ctx); err != nil {
		*seconds = e.watch()
		if err = e.interrupted(err); errors.As(err, new(*Interrupted)) {
			err = cmp.Or(e.put(), err)
		}
		return err
	}
	e.reached = s.stage
	e.tracker.finish()
	return nil
}

// Reached is the last complete stage: Idle, Generating, Training or Evaluating.
func (e *Experiment) Reached() Stage { return e.reached }

// Pairs are the training and test pairs, once Generate has succeeded, on config.Config.PairsGrid.
func (e *Experiment) Pairs() (train, test dataset.Pairs) { return e.train, e.test }

// grids lists the grids on which the pairs can be had, named as in the configuration, ascending; nil before Generate
// has succeeded.
func (e *Experiment) grids() []int {
	if e.reached < Generating {
		return nil
	}
	return e.Config.Grids(max(e.Config.Data.Grid, e.test.Inputs.Points))
}

// Model is the trained model, once Train has succeeded.
func (e *Experiment) Model() trained.Model { return e.model }

// Seconds is the time that the stages took so far.
func (e *Experiment) Seconds() Seconds { return e.seconds }

// Evaluation is the result of Evaluate, nil before it has succeeded.
func (e *Experiment) Evaluation() *Evaluation { return e.evaluation }
