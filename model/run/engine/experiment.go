// Package engine runs an experiment stage by stage (generate, train, evaluate). The screens and the line commands drive
// it and compute nothing themselves. An experiment in a directory can be interrupted at any moment and resumed to the
// same result.
package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"rfm/config"
	"rfm/model/run/reading"
	"rfm/model/run/store"
	"rfm/model/trained"
	"rfm/solver/base/fault"
	"rfm/solver/dataset"
)

// Options control the computation and where it is stored; they do not change results.
type Options struct {
	Workers int    // goroutines that compute; 0 means one for each available core
	Runs    string // directory of the stored run; empty: nothing is stored
	Name    string // of the stored run; empty: a new one, see store.Begin
	// Resume resumes the run called Name if it exists, without a name the unfinished run of the same configuration.
	Resume   bool
	Files    reading.Files // of the pairs, as far as they are open; the experiment closes them
	Rough    bool          // whether solutions need no verification, because they are for a preview
	Like     *Experiment   // whose parameters of the method take the place of a search, if it has a model; nil: none
	unitTime time.Duration // how long rows of a stored run are held back; 0 means unitTime
}

// An Experiment carries out a plan, stage by stage, and has what is known so far. Progress may be called at any time from any
// goroutine.
type Experiment struct {
	work
	learned
	evaluation *Evaluation // once the last stage is complete
	reached    int         // number of complete stages
}

// New returns the experiment of a configuration, see planFor. It computes nothing. The experiment is stored if the
// options say where, and then locks its directory; complete stages of a resumed run are restored. Errors are those of
// planFor, a *fault.Data if the run has another configuration or its directory cannot be made, and ctx.Err().
func New(ctx context.Context, c config.Config, o Options) (*Experiment, error) {
	p, err := planFor(ctx, c, o)
	if err != nil {
		return nil, err
	}
	if o.Runs == "" {
		e := carryOut(p, o)
		e.store.Notes = p.notes
		return e, nil
	}
	r, path, err := store.Begin(ctx, o.Runs, o.Name, o.Resume, p.Config, p.notes)
	if err != nil {
		return nil, errors.Join(interrupted(path, err), p.files.Close())
	}
	return carryOut(p, o).resume(ctx, r)
}

// Complete returns an experiment that is not stored, of a complete and valid configuration. It checks neither files nor
// memory.
func Complete(c config.Config, o Options) *Experiment { return carryOut(planOf(c, o), o) }

// carryOut returns the experiment of a plan, which is not stored.
func carryOut(p plan, o Options) *Experiment {
	s := &sink{
		store:    new(store.Run),
		unitTime: cmp.Or(o.unitTime, unitTime),
	}
	return &Experiment{work: work{plan: p, sink: s}}
}

// Reuse takes over the generated data of another experiment, if this one would generate the same, and reports whether
// it did. Generate then only draws the feature parameters. Call it before Generate.
func (e *Experiment) Reuse(from *Experiment) bool {
	if from.reached == 0 || e.Config.DataOnly() != from.Config.DataOnly() {
		return false
	}
	c := e.Config
	onGrids := func(pairs dataset.Pairs, gridOf func(dataGrid int) int, needed ...int) (dataset.Pairs, bool) {
		dataGrid := cmp.Or(c.Data.Grid, pairs.Inputs.Points)
		restricted, err := pairs.Restrict(gridOf(dataGrid))
		if err != nil { // the grid of the other experiment is too coarse
			return restricted, false
		}
		err = reading.CheckGrids("data", restricted.Inputs, needed...)
		return restricted, err == nil
	}
	train, ok := onGrids(from.train, c.TrainPairsGrid, c.Train.Grid)
	if !ok {
		return false
	}
	test, ok := onGrids(from.test, c.TestPairsGrid, c.Train.Grid, c.TestGrid())
	if !ok {
		return false
	}
	e.train = train
	e.test = test
	e.grouped = from.grouped
	e.reused = true
	return true
}

// Again runs an experiment of another configuration, not stored, up to a stage. It takes over the data of another
// one, which may be nil, if they would be the same. The options do not say where. Errors are those of New and of the stages.
func Again(ctx context.Context, c config.Config, from *Experiment, stage string, o Options) (*Experiment, error) {
	e, err := New(ctx, c, o)
	if err != nil {
		return nil, err
	}
	if from != nil {
		e.Reuse(from)
	}
	return e, e.Reach(ctx, stage)
}

// Reached returns the number of complete stages.
func (e *Experiment) Reached() int { return e.reached }

// Complete reports whether all stages are complete.
func (e *Experiment) Complete() bool { return e.reached == len(steps) }

// Pairs returns the training pairs on config.Config.TrainPairsGrid and the test pairs on TestPairsGrid, once they are
// generated.
func (e *Experiment) Pairs() (train, test dataset.Pairs) { return e.train, e.test }

// Model returns the trained model, once Train has succeeded.
func (e *Experiment) Model() trained.Model { return e.model }

// Seconds returns the wall time of the stages so far, in all sessions.
func (e *Experiment) Seconds() Seconds { return secondsOf(e.store.Seconds) }

// Choosing returns the part of the wall time of training that went into methods that were not chosen; 0 if none was
// chosen, or if it is not known.
func (e *Experiment) Choosing() float64 { return e.choosing }

// Evaluation returns the result of the last stage; nil before that stage has succeeded.
func (e *Experiment) Evaluation() *Evaluation { return e.evaluation }

// Interrupted reports that work ended with its context and that the finished work is stored. Open resumes it.
type Interrupted struct {
	Path    string // directory of the run
	Nothing bool   // no part was finished
	Err     error  // the context's error
}

func (i *Interrupted) Error() string {
	if i.Nothing {
		return "no part was finished yet; the run is in " + i.Path
	}
	return "the computed part is stored in " + i.Path
}

// Unwrap returns the context's error.
func (i *Interrupted) Unwrap() error { return i.Err }

// Open opens a run to resume it, or to read it if it is complete: then it takes no lock and changes nothing. It checks
// all files; complete stages are restored. Errors: *fault.Data for changed files, a run in use by another process
// (*store.InUse) and a directory that cannot be written; *config.Error; ctx.Err() is an *Interrupted.
func Open(ctx context.Context, path string, o Options) (*Experiment, error) {
	r, err := store.Open(ctx, path)
	if err != nil {
		return nil, interrupted(path, err)
	}
	c := r.Config
	err = c.Validate()
	if err == nil {
		err = checkMemory(c)
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", r.File(store.ConfigFile), err)
		return nil, errors.Join(err, r.Close())
	}
	return Complete(c, o).resume(ctx, r)
}

// resume attaches the directory of a run and restores the complete stages, also those of a run that this process has
// just created: another process may have opened it first.
func (e *Experiment) resume(ctx context.Context, r *store.Run) (*Experiment, error) {
	e.store = r
	for i := range r.Reached() {
		_, err := steps[i].work(e, ctx)
		if err != nil {
			return nil, errors.Join(interrupted(r.Path, err), e.Close())
		}
		e.reached = i + 1
		stored := r.Stages[i]
		e.tracker.begin(steps[i].stage, stored.Unit, stored.Total)
		e.tracker.Skip(stored.Total)
		e.tracker.finish()
	}
	return e, nil
}

// Close closes the files of the pairs and releases the lock of a stored experiment. Its results remain readable, but no
// stage can run.
func (e *Experiment) Close() error {
	return errors.Join(e.files.Close(), e.store.Close())
}

// Discard closes the experiment and removes a useless run; see store.Run.Discard. fate is empty without one.
func (e *Experiment) Discard() (fate string, err error) {
	fate, err = e.store.Discard()
	return fate, errors.Join(e.files.Close(), err)
}

// Made reports whether this process has made the directory of the run.
func (e *Experiment) Made() bool { return e.store.Made }

// Split reports whether the run is split among workers.
func (e *Experiment) Split() bool { return e.store.Split != nil }

// Notices returns sentences on surprising circumstances of the results: assumptions about files, changed files, several
// programs that computed them, a file system without locks.
func (e *Experiment) Notices() []string {
	return slices.Concat(e.store.Notes, e.changed(), e.store.Notices, e.store.Session)
}

// changed returns sentences on the files that have changed since pairs were read from them.
func (e *Experiment) changed() []string {
	if e.reached == 0 { // they are needed, and changed ones are refused
		return nil
	}
	return e.store.Changed()
}

// interrupted wraps err in an *Interrupted if it is the end of a context and the experiment is stored at a path.
func interrupted(path string, err error) error {
	ended := errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
	if path == "" || !ended {
		return err
	}
	var unstored *fault.Data
	if errors.As(err, &unstored) { // the last work may not be stored
		return err
	}
	run, unread := store.Read(path)
	return &Interrupted{
		Path:    path,
		Nothing: unread == nil && !run.Begun(),
		Err:     err,
	}
}
