// Package tune adapts the parameters of random features to training data: it searches for parameters with which a model
// of one part of the pairs predicts the other part best. It takes training pairs only, never test pairs.
//
// The search is differential evolution (Storn & Price 1997) over all parameters, choices among them. Few features on a
// coarse grid make evaluations cheap, and fixed draws and a fixed split make them comparable. Because the ranking may
// depend on these draws, the best few are scored again on fresh draws and other splits, with the configured number of
// features (up to 1024). The best by these scores is the result.
package tune

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"rfm/config"
	"rfm/model/run/engine"
	"rfm/model/run/machine"
	"rfm/model/run/reading"
	"rfm/solver/base/fault"
	"rfm/solver/base/progress"
	"rfm/solver/dataset"
)

// Options bound a search and configure its computation.
type Options struct {
	// Evaluations bounds the search before the best are scored again, in evaluations of the cheapest kind: one with twice
	// the features counts four times. 0 is no bound.
	Evaluations int
	// Time bounds the whole search, including the time before it was resumed: evaluations not complete by then are given
	// up. 0 is no bound. At least one of the two bounds is needed. With Evaluations alone the result is a function of the
	// configuration, the pairs and Seed.
	Time time.Duration
	// Seed is the root of the search's random streams.
	Seed uint64
	// Workers is the number of goroutines that compute; it does not change the result.
	Workers int

	report func() // called after every few evaluations; may be nil
}

// Session is one search, which may be stopped and resumed. A search that is kept survives the program: its evaluations
// are units in a directory. While one goroutine works on it, others may only call Made, Snapshot and Evaluations.
type Session struct {
	Asked    config.Config // the initial configuration; files may leave its sizes open
	Files    reading.Files // of the pairs, as far as they are open
	Complete config.Config // with the sizes from the files
	Ended    bool          // rescoring is complete: the search was not only stopped

	file    string                            // of the result, next to the directory of the search; empty: not kept
	making  atomic.Pointer[engine.Experiment] // that makes the pairs
	pairs   dataset.Pairs                     // once they are made
	options Options
	start   config.Config // Complete, with the seed that splits files
	space   []dimension
	problem problem
	clock   func() time.Time // time.Now, except in tests
	begun   time.Time        // of this sitting
	before  float64          // seconds of the sittings before
	unit    float64          // seconds of a cheapest evaluation, from the last ones; 0 before any

	mutex       sync.Mutex
	evaluations []Evaluation
	records     []record // evaluations as they are stored; more than evaluations during a replay

	snapshot atomic.Pointer[Snapshot]
}

// Check completes the configuration and checks it. The error is a *config.Error or a *fault.Data.
func (s *Session) Check(ctx context.Context) (err error) {
	s.Complete, _, err = s.Files.Complete(ctx, s.Asked)
	if err != nil {
		return err
	}
	c := s.Complete // the search has no test pairs, and at most the features of the experiment
	c.Data.Test = 1
	c.Features.Pool = 0
	return machine.CheckBytes("this search", c.Cost().Bytes, "lower data.train, data.grid or features.count")
}

// Obtain checks the configuration and makes the training pairs, unless they exist. The experiment from, which may be
// nil, lends its pairs if they are the same on the same grid. The error is Check's or that of engine's.
func (s *Session) Obtain(ctx context.Context, from *engine.Experiment, workers int) error {
	if s.pairs.Count() > 0 {
		return nil
	}
	if err := s.Check(ctx); err != nil {
		return err
	}
	own := engine.Complete(s.Complete, engine.Options{Workers: workers, Files: s.Files})
	s.Files = reading.Files{} // own closes them
	if from != nil && own.Reuse(from) {
		s.pairs, _ = own.Pairs()
		return own.Close()
	}
	s.making.Store(own)
	var err error
	s.pairs, err = own.TrainingPairs(ctx)
	return err
}

// Made returns the number of training pairs made so far.
func (s *Session) Made() progress.Progress {
	e := s.making.Load()
	if e != nil && e.Progress().Stage != "" {
		return e.Progress().Progress
	}
	return progress.Progress{Unit: "training pairs", Total: s.Asked.Data.Train}
}

// Begin prepares the search with the training pairs, to start or to resume; done is the number of models that were
// tried before. It panics if Options have no bound. Errors: a *config.Error if theta comes from a file, which leaves
// nothing to tune, a *fault.Data if there are too few pairs, no grid to search on, or no directory for the search.
func (s *Session) Begin(o Options) (done int, err error) {
	if o.Evaluations <= 0 && o.Time <= 0 {
		panic("tune: a search without a bound")
	}
	given := s.Complete.Features.ThetaFile
	if given != "" {
		return 0, &config.Error{
			Key:        "features.theta_file",
			Value:      given,
			Problem:    "leaves nothing to tune: theta is given",
			Suggestion: "leave it out",
		}
	}
	if s.file != "" {
		err := os.Mkdir(s.Directory(), 0o777)
		if err != nil && !errors.Is(err, fs.ErrExist) {
			return 0, fault.Unwritten(s.Directory(), err, "or choose another --out")
		}
	}
	s.problem, err = newProblem(s.Complete, s.pairs, o.Seed)
	if err != nil {
		return 0, err
	}
	s.options = o
	s.start = s.Complete.WithSplit()
	s.space = newSpace(s.Complete)
	s.clock = time.Now
	s.begun = time.Time{}
	s.unit = 0
	s.evaluations = nil // those of earlier sittings are replayed from their records
	s.before = 0
	done = len(s.records)
	if done > 0 {
		s.before = s.records[done-1].seconds
	}
	s.publish()
	return done, nil
}

// Run searches until the bound is reached or ctx ends, and returns the best result so far, after the end of ctx with
// ctx.Err() error. Other errors: a *fault.Data if evaluations cannot be stored. Begin precedes every call.
func (s *Session) Run(ctx context.Context) (Result, error) {
	s.begun = s.clock()
	bounded := ctx
	if s.options.Time > 0 {
		var cancel context.CancelFunc
		bounded, cancel = context.WithTimeout(ctx, s.options.Time-seconds(s.before))
		defer cancel()
	}
	err := s.search(bounded)
	if ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
		err = nil
	}
	s.publish()
	s.Ended = err == nil
	return s.result(), err
}

// Adopt returns configuration c with the features that the search has found, and the core time of the search.
func (s *Session) Adopt(c, found config.Config) config.Config {
	c = Adopt(c, found)
	now := s.Snapshot()
	if now != nil {
		cores := float64(max(1, s.options.Workers))
		c.Train.Searched += now.Elapsed.Seconds() * cores
	}
	return c
}

// Adopt returns a configuration with the features and the ridge of another one of the same problem, but its own number
// of features and pool. If both take their pairs from one file, it is split as for the search: another seed must not
// test on pairs that the search has seen.
func Adopt(c, from config.Config) config.Config {
	for _, k := range c.Keys() {
		if !k.Tuned {
			continue
		}
		err := k.Set(&c, k.Text(from))
		if err != nil {
			panic("tune: " + err.Error()) // a valid configuration has valid values
		}
	}
	if c.Data.Split == 0 && c.Data.TrainFile == from.Data.TrainFile {
		c.Data.Split = from.Data.Split
	}
	return c
}

// Snapshot returns the progress of the search; nil before its start.
func (s *Session) Snapshot() *Snapshot { return s.snapshot.Load() }

// Evaluations returns all evaluations so far; it may be called at any time.
func (s *Session) Evaluations() []Evaluation {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return slices.Clone(s.evaluations)
}
