// Package tune adapts the parameters of random features to training data: it searches for parameters with which a model
// of one part of the pairs predicts the other part best. It takes training pairs only, never test pairs.
//
// Few features on a coarse grid make evaluations cheap, and fixed draws and a fixed split make them comparable. Because
// the ranking may depend on these draws, the best few are scored again on fresh draws and other splits, with the
// configured number of features (up to 1024). The best by these scores is the result.
package tune

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"rfm/config"
	"rfm/model/machine"
	"rfm/solver/dataset"
	"rfm/solver/fault"
	"rfm/solver/parallel"
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
	// Report, if it is not nil, is called after every few evaluations from the goroutine that runs the search.
	Report func()

	known []row                             // evaluations of a stopped search, in their order
	keep  func(first int, rows []row) error // stores evaluations, the first of which has the given number; may be nil
}

// Tuner is one search.
type Tuner struct {
	start   config.Config
	options Options
	space   space
	problem problem
	clock   func() time.Time // time.Now, except in tests
	begun   time.Time
	unit    float64 // seconds of a cheapest evaluation, from the last ones; 0 before any
	rows    []row   // evaluations as they are stored; more than evaluations during a replay

	mutex       sync.Mutex
	evaluations []Evaluation

	snapshot atomic.Pointer[Snapshot]
}

// New prepares a search that improves the features of a configuration for the given training pairs, which are on the
// data grid. It panics if Options have no bound. Errors: a *config.Error if theta comes from a file, which leaves
// nothing to tune, a *fault.Data if there are too few pairs or no grid to search on.
func New(c config.Config, pairs dataset.Pairs, o Options) (*Tuner, error) {
	if o.Evaluations <= 0 && o.Time <= 0 {
		panic("tune: a search without a bound")
	}
	if c.Features.ThetaFile != "" {
		return nil, &config.Error{Key: "features.theta_file", Value: c.Features.ThetaFile,
			Problem: "leaves nothing to tune: theta is given", Suggestion: "leave it out"}
	}
	p, err := newProblem(c, pairs, o.Seed)
	if err != nil {
		return nil, err
	}
	t := &Tuner{start: c.WithSplit(), options: o, space: newSpace(c), problem: p, clock: time.Now, rows: o.known}
	t.publish()
	return t, nil
}

// checkMemory refuses a search for a complete configuration that needs more memory than is available: the training
// pairs of that experiment, no test pairs, and at most its features. The error is a *fault.Data.
func checkMemory(c config.Config) error {
	c.Data.Test, c.Features.Pool = 1, 0
	return machine.CheckBytes("this search", c.Cost().Bytes, "lower data.train, data.grid or features.count")
}

// Run searches until the bound is reached or ctx ends, and returns the best result so far, after the end of ctx with
// ctx's error. Other errors: a *fault.Data if an output is zero. It must be called only once.
func (t *Tuner) Run(ctx context.Context) (Result, error) {
	t.begun = t.clock()
	bounded := ctx
	if t.options.Time > 0 {
		var cancel context.CancelFunc
		bounded, cancel = context.WithTimeout(ctx, t.options.Time-seconds(t.previous()))
		defer cancel()
	}
	err := t.search(bounded)
	if ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
		err = nil
	}
	t.publish()
	return t.result(), err
}

// Evaluations returns a copy of all evaluations so far; it may be called at any time, from any goroutine.
func (t *Tuner) Evaluations() []Evaluation {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	return slices.Clone(t.evaluations)
}

// Snapshot returns the progress of the search; it may be called at any time, from any goroutine.
func (t *Tuner) Snapshot() *Snapshot { return t.snapshot.Load() }

// evaluate makes evaluations in parallel, or finds those that a resumed search has made already. The results are in the
// order of the requests. After an error it records none of the new ones.
func (t *Tuner) evaluate(ctx context.Context, requests []request) ([]Evaluation, error) {
	first := len(t.evaluations)
	known := t.rows[first:min(len(t.rows), first+len(requests))]
	results := make([]Evaluation, len(requests))
	for i, r := range known {
		if !r.answers(requests[i]) {
			return nil, &fault.Data{Where: "stored search",
				What: fmt.Sprintf("evaluation %d is not the one that the search makes there", first+i),
				Do:   "resume with the program and on the kind of processor that began, or start the search again"}
		}
		results[i] = requests[i].evaluated(scores(r[5:]))
	}
	begin, fresh := t.clock(), results[len(known):]
	outer := max(1, min(t.options.Workers, len(fresh)))
	inner := max(1, t.options.Workers/outer)
	err := parallel.For(ctx, outer, len(fresh), func(_, i int) error {
		r := requests[len(known)+i]
		trial, err := t.problem.trial(r)
		var s scores
		if err == nil {
			s, err = trial.score(ctx, t.configuration(r.Place), inner)
		}
		fresh[i] = r.evaluated(s)
		return err
	})
	if err != nil {
		return nil, err
	}
	t.mutex.Lock()
	t.evaluations = append(t.evaluations, results...)
	t.mutex.Unlock()
	if len(fresh) == 0 {
		return results, nil
	}
	t.unit = t.clock().Sub(begin).Seconds() / t.problem.cost(requests[len(known):])
	took := t.elapsed()
	for _, e := range fresh {
		t.rows = append(t.rows, e.row(took))
	}
	t.publish()
	if t.options.keep != nil {
		err = t.options.keep(first+len(known), t.rows[first+len(known):])
	}
	if t.options.Report != nil {
		t.options.Report()
	}
	return results, err
}

// configuration returns the initial configuration with the parameters of a place, or unchanged if place is nil.
func (t *Tuner) configuration(p *Place) config.Config {
	if p == nil {
		return t.start
	}
	return t.space.configuration(t.start, *p)
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// previous returns the seconds before the search was resumed.
func (t *Tuner) previous() float64 {
	if known := t.options.known; len(known) > 0 {
		return known[len(known)-1].seconds()
	}
	return 0
}

// elapsed returns the seconds of the search, in all sessions.
func (t *Tuner) elapsed() float64 { return t.previous() + t.clock().Sub(t.begun).Seconds() }
