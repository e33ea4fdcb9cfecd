// This file defines the progress and the result of a search for display.

package tune

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"rfm/config"
	"rfm/model/report"
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
	// up to eight and the start, the best first: with the scores of the search and the start last or, as soon as they
	// exist, with the scores of rescoring
	Leaders []Leader
}

// Gain returns the errors of the best configuration and of the start with the same number of features: on fresh draws
// if there are any, else on those of the search. NaN stands for errors that do not exist yet.
func (s *Snapshot) Gain() (best, start float64, fresh bool) {
	best, start = math.NaN(), s.Start
	for _, p := range s.Curve {
		if p.Features == s.Curve[0].Features {
			best = p.Error
		}
	}
	if len(s.Leaders[0].Rescored) == 0 {
		return best, start, false
	}
	for _, l := range slices.Backward(s.Leaders) {
		if l.Start {
			start = l.Mean()
		} else {
			best = l.Mean()
		}
	}
	return best, start, true
}

// Outcome describes the gain in words; better reports whether there is one.
func (s *Snapshot) Outcome() (text string, better bool) {
	best, start, fresh := s.Gain()
	switch {
	case math.IsNaN(best) || math.IsNaN(start):
		return "nothing to compare yet", false
	case best >= start:
		return "nothing better than the configuration as it was", false
	}
	where := "in the search"
	if fresh {
		where = "on fresh draws"
	}
	text = fmt.Sprintf("error %s %s, %s before", report.Error(best, 4), where, report.Error(start, 4))
	if m := s.Curve[0].Features; !fresh && m != s.Leaders[0].Features {
		text += fmt.Sprintf(", with m=%d", m)
	}
	return text, true
}

// An Improvement is an evaluation that was better than all earlier ones with the same number of features.
type Improvement struct {
	Evaluation int // its number, from 1
	Features   int // errors with different numbers of features cannot be compared
	Error      float64
}

// Result is the result of a search.
type Result struct {
	Config   config.Config // the best configuration: the initial one, or one with new features and train.relative
	Improved bool          // it is better than the initial one, see Snapshot.Gain
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
		s.Leaders = append(t.found(), Leader{Config: t.start, Start: true, Features: t.problem.features, Error: s.Start})
	}
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

// result returns the best configuration of the last snapshot.
func (t *Tuner) result() Result {
	s := t.Snapshot()
	if best, start, _ := s.Gain(); best < start {
		return Result{s.Leaders[0].Config, true}
	}
	return Result{Config: t.start}
}
