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
}

// Tuner is one search.
type Tuner struct {
	start    config.Config
	options  Options
	space    space
	problem  problem
	clock    func() time.Time // time.Now, except in tests
	begun    time.Time
	previous float64 // seconds before the search was resumed
	next     int     // evaluations requested so far; fewer than are known during a replay
	unit     float64 // seconds of a cheapest evaluation, from the last ones; 0 before any

	mutex sync.Mutex
	state State

	snapshot atomic.Pointer[Snapshot]
}

// New prepares a search that improves the features of a configuration for the given training pairs, which are on the
// data grid. It panics if Options have no bound. Errors: a *config.Error if theta comes from a file, which leaves
// nothing to tune, a *fault.Data if there are too few pairs or no grid to search on.
func New(c config.Config, pairs dataset.Pairs, o Options) (*Tuner, error) {
	return resumeFrom(State{Version: stateVersion, Config: string(c.TOML()), Seed: o.Seed, Pairs: pairs.Count()}, pairs,
		o)
}

// resumeFrom continues a search from its state. pairs must be those of the search; the seed is the state's. Errors are
// those of New, and a *fault.Data if the number of pairs differs.
func resumeFrom(state State, pairs dataset.Pairs, o Options) (*Tuner, error) {
	if o.Evaluations <= 0 && o.Time <= 0 {
		panic("tune: a search without a bound")
	}
	c, err := config.Parse([]byte(state.Config))
	if err != nil {
		return nil, err
	}
	if c.Features.ThetaFile != "" {
		return nil, &config.Error{Key: "features.theta_file", Value: c.Features.ThetaFile,
			Problem: "leaves nothing to tune: theta is given", Suggestion: "leave it out"}
	}
	if pairs.Count() != state.Pairs {
		return nil, &fault.Data{Where: "training pairs", What: fmt.Sprintf("are %d, the search that is resumed had %d",
			pairs.Count(), state.Pairs), Do: "use the same data"}
	}
	o.Seed = state.Seed
	p, err := newProblem(c, pairs, state.Seed)
	if err != nil {
		return nil, err
	}
	t := &Tuner{start: c.WithSplit(), options: o, space: newSpace(c), problem: p, clock: time.Now, previous: state.Seconds,
		state: state}
	t.state.Evaluations = append([]Evaluation(nil), state.Evaluations...)
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
		bounded, cancel = context.WithTimeout(ctx, t.options.Time-seconds(t.previous))
		defer cancel()
	}
	err := t.search(bounded)
	spent := t.elapsed()
	if ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
		spent = max(spent, t.options.Time.Seconds()) // even if the rest was too short: a resumed search is over, too
		err = nil
	}
	t.mutex.Lock()
	t.state.Seconds = spent
	t.mutex.Unlock()
	t.publish()
	return t.result(), err
}

// State returns a copy of all evaluations so far; it may be called at any time, from any goroutine.
func (t *Tuner) State() State {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	s := t.state
	s.Evaluations = append([]Evaluation(nil), s.Evaluations...)
	return s
}

// Snapshot returns the progress of the search; it may be called at any time, from any goroutine.
func (t *Tuner) Snapshot() *Snapshot { return t.snapshot.Load() }

// request is a requested evaluation.
type request struct {
	stage    Stage
	place    *Place
	features int
	draw     int
}

// evaluate makes evaluations in parallel, or finds those that a resumed search has made already. The results are in the
// order of the requests. After an error it records none of the new ones.
func (t *Tuner) evaluate(ctx context.Context, requests []request) ([]Evaluation, error) {
	known := 0
	for known < len(requests) && t.next+known < len(t.state.Evaluations) {
		e, r := t.state.Evaluations[t.next+known], requests[known]
		if e.Stage != r.stage || e.Features != r.features || e.Draw != r.draw || !e.Place.same(r.place) {
			return nil, &fault.Data{Where: "state of the search",
				What: fmt.Sprintf("evaluation %d is not the one that the search makes there", t.next+known),
				Do:   "resume with the program and on the kind of processor that began, or start the search again"}
		}
		known++
	}
	begin := t.clock()
	fresh := make([]Evaluation, len(requests)-known)
	outer := max(1, min(t.options.Workers, len(fresh)))
	inner := max(1, t.options.Workers/outer)
	err := parallel.For(ctx, outer, len(fresh), func(_, i int) error {
		var err error
		fresh[i], err = t.score(ctx, requests[known+i], inner)
		return err
	})
	if err != nil {
		return nil, err
	}
	t.mutex.Lock()
	t.state.Evaluations = append(t.state.Evaluations, fresh...)
	t.state.Seconds = t.elapsed()
	t.mutex.Unlock()
	if len(fresh) > 0 {
		t.unit = t.clock().Sub(begin).Seconds() / t.problem.cost(requests[known:])
	}
	first := t.next
	t.next += len(requests)
	if len(fresh) > 0 {
		t.publish()
		if t.options.Report != nil {
			t.options.Report()
		}
	}
	return t.state.Evaluations[first:t.next], nil
}

// score makes one evaluation.
func (t *Tuner) score(ctx context.Context, r request, workers int) (Evaluation, error) {
	trial, err := t.problem.trial(r)
	if err != nil {
		return Evaluation{}, err
	}
	s, why, err := trial.score(ctx, t.configuration(r.place), workers)
	if err != nil {
		return Evaluation{}, err
	}
	e := Evaluation{Stage: r.stage, Place: r.place, Features: r.features, Draw: r.draw, Failure: why}
	e.Error, e.Relative = s.least()
	if r.stage == Rescore {
		e.Errors = s[:]
	}
	return e, nil
}

// configuration returns the initial configuration with the parameters of a place, or unchanged if place is nil.
func (t *Tuner) configuration(p *Place) config.Config {
	if p == nil {
		return t.start
	}
	return t.space.configuration(t.start, *p)
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

func (t *Tuner) elapsed() float64 { return t.previous + t.clock().Sub(t.begun).Seconds() }
