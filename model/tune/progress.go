// This file defines the progress and the result of a search for display.

package tune

import (
	"cmp"
	"math"
	"slices"
	"time"

	"rfm/config"
)

// Snapshot is the progress of a search. It is immutable.
type Snapshot struct {
	Stage       Stage
	Evaluations int
	// spent part of the budget, in [0, 1]; rescoring comes after 1 if evaluations bound the search
	Done    float64
	Elapsed time.Duration // including the time before the search was resumed
	// error of the initial configuration, on the draws of the search; NaN at first
	Start float64
	Curve []Improvement // the best error so far
	// up to eight, the best first: with the scores of the search or, as soon as they exist, of rescoring
	Leaders []Leader
}

// An Improvement is an evaluation that was better than all earlier ones with the same number of features.
type Improvement struct {
	Evaluation int // its number, from 1
	Features   int // errors with different numbers of features cannot be compared
	Error      float64
}

// Result is the result of a search.
type Result struct {
	Config config.Config // the best configuration: the initial one, or one with new features and train.relative
	// it is better than the initial one on the fresh draws (without any, on the draws of the search)
	Improved bool
	Leaders  []Leader // all that were rescored, the best first
}

// publish stores a snapshot of the search for other goroutines.
func (t *Tuner) publish() {
	s := &Snapshot{Evaluations: len(t.evaluations), Start: math.NaN(),
		Elapsed: seconds(t.previous())}
	if !t.begun.IsZero() {
		s.Done, s.Elapsed = min(1, t.spent()), seconds(t.elapsed())
	}
	if last := len(t.evaluations); last > 0 {
		s.Stage = t.evaluations[last-1].Stage
	}
	lowest := map[int]float64{}
	for i, e := range t.evaluations {
		if e.Stage == Rescore {
			break
		}
		if e.Stage == Start {
			s.Start = e.Error
		}
		if low, ok := lowest[e.Features]; !ok || e.Error < low {
			lowest[e.Features] = e.Error
			s.Curve = append(s.Curve, Improvement{i + 1, e.Features, e.Error})
		}
	}
	if s.Leaders = t.rescored(t.evaluations); len(s.Leaders) == 0 {
		s.Leaders = t.found()
	}
	s.Leaders = s.Leaders[:min(candidates, len(s.Leaders))]
	t.snapshot.Store(s)
}

// found returns the best configurations of the search.
func (t *Tuner) found() []Leader {
	var leaders []Leader
	for _, p := range t.best(candidates) {
		var leader Leader
		for _, e := range t.evaluations {
			if e.Place.same(p) && e.Features >= leader.Features {
				leader = Leader{Config: t.withLambda(p, e.Relative), Features: e.Features, Error: e.Error}
			}
		}
		leaders = append(leaders, leader)
	}
	slices.SortStableFunc(leaders, func(a, b Leader) int {
		return cmp.Or(cmp.Compare(b.Features, a.Features), cmp.Compare(a.Error, b.Error))
	})
	return leaders
}

// result returns the best configuration so far.
func (t *Tuner) result() Result {
	r := Result{Config: t.start, Leaders: t.rescored(t.evaluations)}
	if len(r.Leaders) > 0 {
		if best := r.Leaders[0]; !best.Start {
			r.Config, r.Improved = best.Config, true
		}
		return r
	}
	s, lowest := t.Snapshot(), math.Inf(1)
	for _, e := range t.evaluations {
		if e.Place != nil && e.Features == t.problem.features {
			lowest = min(lowest, e.Error)
		}
	}
	if lowest < s.Start {
		r.Config, r.Improved = s.Leaders[0].Config, true
	}
	return r
}
