package tune

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"gonum.org/v1/gonum/floats"

	"rfm/config"
	"rfm/model/learn/rfm"
	"rfm/model/show/report"
)

// Snapshot is the progress of a search. It is immutable.
type Snapshot struct {
	Stage       Stage
	Evaluations int
	Features    int // m of the curve
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

// An Improvement is an evaluation that was better than all earlier ones. Those with more features are not compared.
type Improvement struct {
	Evaluation int // its number, from 1
	Error      float64
}

// A Leader is a configuration with its scores.
type Leader struct {
	Config   config.Config // with its best lambda
	Start    bool          // it is the initial configuration
	Features int           // m of the search's evaluation
	Error    float64       // in the search; NaN if it has none
	Rescored []float64     // errors on fresh draws, with that lambda
}

// Mean returns the mean of the errors on fresh draws, or NaN if there are none.
func (l Leader) Mean() float64 { return report.Mean(l.Rescored) }

// Gain returns the errors of the best configuration and of the start: on fresh draws if there are any, else on those of
// the search. NaN stands for errors that do not exist yet.
func (s *Snapshot) Gain() (best, start float64, fresh bool) {
	best = math.NaN()
	start = s.Start
	fresh = len(s.Leaders[0].Rescored) > 0
	if n := len(s.Curve); n > 0 {
		best = s.Curve[n-1].Error
	}
	for _, l := range slices.Backward(s.Leaders) {
		switch {
		case !fresh:
		case l.Start:
			start = l.Mean()
		default:
			best = l.Mean()
		}
	}
	return best, start, fresh
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
	where := fmt.Sprintf("m=%d in the search", s.Features)
	if fresh {
		where = "on fresh draws"
	}
	return fmt.Sprintf("error %s, was %s, %s", report.Error(best, 4), report.Error(start, 4), where), true
}

// Result is the result of a search.
type Result struct {
	Config   config.Config // the best configuration: the initial one, or one with new features and train.relative
	Improved bool          // it is better than the initial one, see Snapshot.Gain
}

// result returns the best configuration of the last snapshot.
func (s *Session) result() Result {
	now := s.snapshot.Load()
	if best, start, _ := now.Gain(); best < start {
		return Result{now.Leaders[0].Config, true}
	}
	return Result{Config: s.start}
}

// publish stores a snapshot of the search for other goroutines.
func (s *Session) publish() {
	now := &Snapshot{
		Evaluations: len(s.evaluations),
		Features:    s.problem.features,
		Start:       math.NaN(),
		Elapsed:     seconds(s.before),
	}
	if !s.begun.IsZero() {
		now.Done = min(1, s.spent())
		now.Elapsed = seconds(s.elapsed())
	}
	lowest := math.Inf(1)
	for i, e := range s.evaluations {
		now.Stage = e.Stage
		if e.Stage == Start {
			now.Start = e.Error
		}
		if e.Features == now.Features && e.Stage != Rescore && e.Error < lowest {
			lowest = e.Error
			now.Curve = append(now.Curve, Improvement{i + 1, e.Error})
		}
	}
	now.Leaders = s.leaders(s.best())
	s.snapshot.Store(now)
}

// leaders returns some places and the start with their scores: those on fresh draws only, by descending number of draws
// and then by mean error, if any has them; else by error.
func (s *Session) leaders(places []Place) (leaders []Leader) {
	rescored := len(s.evaluations) > 0 && s.evaluations[len(s.evaluations)-1].Stage == Rescore
	for _, p := range append(places, nil) {
		l := Leader{Start: p == nil, Error: math.NaN()}
		var sum scores
		var fresh []scores
		relative := 0.0
		for _, e := range s.evaluations {
			switch {
			case !slices.Equal(p, e.Place):
			case e.Stage == Rescore:
				fresh = append(fresh, e.scores)
				floats.Add(sum[:], e.scores[:])
			default:
				l.Features = e.Features
				l.Error = e.Error
				relative = e.Relative
			}
		}
		if rescored {
			if len(fresh) == 0 {
				continue
			}
			_, relative = sum.least()
		}
		for _, one := range fresh {
			l.Rescored = append(l.Rescored, one[slices.Index(rfm.Relatives[:], relative)])
		}
		l.Config = s.start
		if !l.Start || rescored {
			l.Config = s.withLambda(p, relative)
		}
		leaders = append(leaders, l)
	}
	if rescored {
		slices.SortStableFunc(leaders, func(a, b Leader) int {
			return cmp.Or(cmp.Compare(len(b.Rescored), len(a.Rescored)), cmp.Compare(a.Mean(), b.Mean()))
		})
	}
	return leaders
}

// withLambda returns the configuration of a place, with lambda relative to the largest eigenvalue.
func (s *Session) withLambda(p Place, relative float64) config.Config {
	c := configuration(s.space, s.start, p)
	c.Train.Lambda = 0
	if c.Train.Method == config.Best { // compares leave-one-out errors: training finds lambda again
		c.Train.Relative = 0
		c.Train.Choice = config.LeaveOneOut
		return c
	}
	c.Train.Relative = relative
	c.Train.Choice = config.Given
	c.Train.Method = config.RandomFeatures
	return c
}
