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
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"rfm/config"
	"rfm/model/rfm"
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

	report func()                            // called after every few evaluations; may be nil
	known  []row                             // evaluations of a stopped search, in their order
	keep   func(first int, rows []row) error // stores evaluations, the first of which has the given number; may be nil
}

// Stage is the purpose of evaluations.
type Stage int

// The stages, in their order.
const (
	Start      Stage = iota // the initial configuration
	Explore                 // random parameters
	Evolve                  // differential evolution
	Confirm                 // the same with more features
	Rescore                 // the best few on fresh draws and other splits
	stageCount = iota
)

// String returns the stage in a few words.
func (s Stage) String() string {
	return [...]string{"the start", "random parameters", "evolution", "more features", "fresh draws"}[s]
}

// request is a requested evaluation.
type request struct {
	Stage    Stage
	Place    Place
	Features int // m
	Draw     int // number of the draw and split; 0 for the search
}

// An Evaluation is one model that was trained and validated.
type Evaluation struct {
	request
	Error    float64 // mean relative L2 error on the pairs that were left out, at most 1
	Relative float64 // lambda of that error, relative to the largest eigenvalue
	scores   scores
}

// evaluated returns the evaluation of a request.
func (r request) evaluated(s scores) Evaluation {
	e := Evaluation{request: r, scores: s}
	e.Error, e.Relative = s.least()
	return e
}

// row is a stored evaluation: stage, m, draw, fingerprint of the place, seconds that the search had taken by then, and
// the scores. A search makes the same requests whenever it is repeated, so the scores suffice; the other numbers show
// that the requests are the same.
type row [5 + len(rfm.Relatives)]float64

func (e Evaluation) row(seconds float64) (r row) {
	copy(r[:], []float64{float64(e.Stage), float64(e.Features), float64(e.Draw), e.Place.fingerprint(), seconds})
	copy(r[5:], e.scores[:])
	return r
}

func (r row) seconds() float64 { return r[4] }

// answers reports whether the row is of an evaluation for a request.
func (r row) answers(q request) bool {
	return [4]float64(r[:4]) == [...]float64{float64(q.Stage), float64(q.Features), float64(q.Draw), q.Place.fingerprint()}
}

// tuner is one search.
type tuner struct {
	start   config.Config
	options Options
	space   []dimension
	problem problem
	clock   func() time.Time // time.Now, except in tests
	begun   time.Time
	unit    float64 // seconds of a cheapest evaluation, from the last ones; 0 before any
	rows    []row   // evaluations as they are stored; more than evaluations during a replay

	mutex       sync.Mutex
	evaluations []Evaluation

	snapshot atomic.Pointer[Snapshot]
}

// newTuner prepares a search that improves the features of a configuration for the given training pairs, which are on
// the data grid. It panics if Options have no bound. Errors: a *config.Error if theta comes from a file, which leaves
// nothing to tune, a *fault.Data if there are too few pairs or no grid to search on.
func newTuner(c config.Config, pairs dataset.Pairs, o Options) (*tuner, error) {
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
	t := &tuner{start: c.WithSplit(), options: o, space: newSpace(c), problem: p, clock: time.Now, rows: o.known}
	t.publish()
	return t, nil
}

// run searches until the bound is reached or ctx ends, and returns the best result so far, after the end of ctx with
// ctx's error. Other errors: a *fault.Data if an output is zero. It must be called only once.
func (t *tuner) run(ctx context.Context) (Result, error) {
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

// all returns a copy of all evaluations so far.
func (t *tuner) all() []Evaluation {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	return slices.Clone(t.evaluations)
}

// evaluate makes evaluations in parallel, or finds those that a resumed search has made already. The results are in the
// order of the requests. After an error it records none of the new ones.
func (t *tuner) evaluate(ctx context.Context, requests []request) ([]Evaluation, error) {
	first := len(t.evaluations)
	known := t.rows[first:min(len(t.rows), first+len(requests))]
	results := make([]Evaluation, len(requests))
	for i, r := range known {
		if !r.answers(requests[i]) {
			return nil, fault.Bad("stored search", "resume with the program and on the kind of processor that began, or "+
				"start the search again", "evaluation %d is not the one that the search makes there", first+i)
		}
		results[i] = requests[i].evaluated(scores(r[5:]))
	}
	begin, fresh := t.clock(), results[len(known):]
	outer := max(1, min(t.options.Workers, len(fresh)))
	inner := max(1, t.options.Workers/outer)
	err := parallel.For(ctx, outer, len(fresh), func(_, i int) error {
		r := requests[len(known)+i]
		s, err := t.problem.trial(r).score(ctx, configuration(t.space, t.start, r.Place), inner)
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
	t.unit = t.clock().Sub(begin).Seconds() / t.cost(requests[len(known):])
	took := t.elapsed()
	for _, e := range fresh {
		t.rows = append(t.rows, e.row(took))
	}
	t.publish()
	if t.options.keep != nil {
		err = t.options.keep(first+len(known), t.rows[first+len(known):])
	}
	if t.options.report != nil {
		t.options.report()
	}
	return results, err
}

// cost returns the cost of evaluations, in units of the cheapest kind: it grows as the pairs and as the square of the
// features.
func (t *tuner) cost(requests []request) float64 {
	sum, count := 0.0, t.problem.pairs.Count()
	for _, r := range requests {
		ratio := float64(r.Features) / float64(t.problem.features)
		ratio *= ratio
		if r.Draw > 0 {
			ratio *= float64(min(rescorePairs, count)) / float64(min(searchPairs, count))
		}
		sum += ratio
	}
	return sum
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// previous returns the seconds before the search was resumed.
func (t *tuner) previous() float64 {
	if known := t.options.known; len(known) > 0 {
		return known[len(known)-1].seconds()
	}
	return 0
}

// elapsed returns the seconds of the search, in all sessions.
func (t *tuner) elapsed() float64 { return t.previous() + t.clock().Sub(t.begun).Seconds() }
