// This file takes a search from its training pairs to its result, for the command and the interface.

package tune

import (
	"context"
	"sync/atomic"
	"time"

	"rfm/config"
	"rfm/model/engine"
	"rfm/model/setup"
	"rfm/solver/dataset"
	"rfm/solver/progress"
)

// Session is one search, which may be stopped and resumed; with a journal it survives the program. While one goroutine
// works on it, others may only call Made, Snapshot and State.
type Session struct {
	Asked    config.Config // the initial configuration; files may leave its sizes open
	Complete config.Config // with the sizes from the files
	Ended    bool          // rescoring is complete: the search was not only stopped

	pairs   dataset.Pairs                     // once they are made
	made    atomic.Pointer[progress.Progress] // of the training pairs
	tuner   atomic.Pointer[Tuner]
	state   State  // when it was stopped
	file    string // of the result, next to the journal; empty if nothing is kept
	kept    bool   // the journal is complete
	workers int    // of the search
}

// Check completes the configuration and checks it. The error is a *config.Error or a *fault.Data.
func (s *Session) Check(ctx context.Context) (err error) {
	if s.Complete, _, err = setup.Complete(ctx, s.Asked); err != nil {
		return err
	}
	if err = s.Complete.Validate(); err != nil {
		return err
	}
	return checkMemory(s.Complete)
}

// Obtain checks the configuration and makes the training pairs, unless they exist. The experiment from, which may be
// nil, lends its pairs if they are the same on the same grid. The error is Check's or that of engine.TrainingPairs.
func (s *Session) Obtain(ctx context.Context, from *engine.Experiment, workers int) error {
	if err := s.Check(ctx); err != nil || s.pairs.Count() > 0 {
		return err
	}
	if from != nil {
		own, err := engine.New(ctx, s.Complete, engine.Options{Workers: workers})
		if err == nil && own.Reuse(from) {
			s.pairs, _ = own.Pairs()
			return nil
		}
	}
	s.made.Store(nil)
	pairs, err := engine.TrainingPairs(ctx, s.Complete, workers, func(p progress.Progress) { s.made.Store(&p) })
	s.pairs = pairs
	return err
}

// Share takes over the training pairs of another search for the same data, on which no goroutine works.
func (s *Session) Share(from *Session) {
	a, b := s.Asked, from.Asked
	a.Features, a.Train, a.Evaluation = b.Features, b.Train, b.Evaluation
	if a == b && s.Asked.Train.Grid == from.Asked.Train.Grid && s.Asked.Evaluation.Grid == from.Asked.Evaluation.Grid {
		s.pairs = from.pairs
	}
}

// Made returns the number of training pairs made so far.
func (s *Session) Made() progress.Progress {
	if p := s.made.Load(); p != nil {
		return *p
	}
	return progress.Progress{Unit: "training pairs", Total: s.Asked.Data.Train}
}

// KeepBeside keeps the search in a journal next to the file for its result and loads an existing journal. The error is
// Journal.Load's.
func (s *Session) KeepBeside(file string) error {
	state, _, err := JournalOf(file).Load(s.Complete, s.Asked.Seed)
	if err == nil {
		s.file, s.state = file, state
	}
	return err
}

// KeepAs is KeepBeside with the file of FindJournal, unless the session has a file already.
func (s *Session) KeepAs(name string) error {
	if s.file != "" {
		return nil
	}
	file, state, err := FindJournal(name, s.Complete)
	if err == nil {
		s.file, s.state = file, state
	}
	return err
}

// Begin starts or resumes the search; done is the number of models that were tried before. Errors are those of New and
// Resume.
func (s *Session) Begin(o Options) (done int, err error) {
	s.workers = max(1, o.Workers)
	var tuner *Tuner
	if s.file != "" {
		stored := time.Now()
		o.Report = func() {
			if time.Since(stored) >= journalEvery {
				stored = time.Now()
				_ = JournalOf(s.file).Keep(tuner.State()) // the search continues; an error is reported at its end
			}
		}
	}
	if done = len(s.state.Evaluations); done > 0 {
		tuner, err = resumeFrom(s.state, s.pairs, o)
	} else {
		tuner, err = New(s.Complete, s.pairs, o)
	}
	if err == nil {
		s.state = tuner.State()
		s.tuner.Store(tuner)
	}
	return done, err
}

// Run searches as Tuner.Run does, and stores the evaluations in the journal.
func (s *Session) Run(ctx context.Context) (Result, error) {
	tuner := s.tuner.Load()
	result, err := tuner.Run(ctx)
	s.state, s.Ended = tuner.State(), err == nil
	if s.file != "" && len(s.state.Evaluations) > 0 {
		s.kept = s.Keep() == nil
	}
	return result, err
}

// Adopt returns configuration c with the features that the search has found, and the core time of the search.
func (s *Session) Adopt(c, found config.Config) config.Config {
	c = Adopt(c, found)
	c.Train.Searched += s.State().Seconds * float64(s.workers)
	return c
}

// Keep stores the search in its journal. The error is a *fault.Data.
func (s *Session) Keep() error { return JournalOf(s.file).Keep(s.state) }

// Forget removes the journal when the result is stored elsewhere or not wanted. The error is a *fault.Data.
func (s *Session) Forget() error {
	if s.file == "" {
		return nil
	}
	err := JournalOf(s.file).Remove()
	s.kept = s.kept && err != nil
	return err
}

// Snapshot returns the progress of the search; nil before its start.
func (s *Session) Snapshot() *Snapshot {
	if t := s.tuner.Load(); t != nil {
		return t.Snapshot()
	}
	return nil
}

// State returns all evaluations so far; it may be called at any time.
func (s *Session) State() State {
	if t := s.tuner.Load(); t != nil {
		return t.State()
	}
	return s.state
}

// Kept reports whether the journal is complete.
func (s *Session) Kept() bool { return s.kept }

// File returns the file for the result; empty if nothing is kept.
func (s *Session) File() string { return s.file }

// Journal returns the journal of the search.
func (s *Session) Journal() Journal { return JournalOf(s.file) }
