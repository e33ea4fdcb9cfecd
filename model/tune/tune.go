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
	"time"

	"rfm/model/rfm"
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

	report func() // called after every few evaluations; may be nil
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

// evaluate makes evaluations in parallel, or finds those that a resumed search has made already. The results are in the
// order of the requests. After an error it records none of the new ones.
func (s *Session) evaluate(ctx context.Context, requests []request) ([]Evaluation, error) {
	first := len(s.evaluations)
	known := s.rows[first:min(len(s.rows), first+len(requests))]
	results := make([]Evaluation, len(requests))
	for i, r := range known {
		if !r.answers(requests[i]) {
			return nil, fault.Bad("stored search", "resume with the program and on the kind of processor that began, or "+
				"start the search again", "evaluation %d is not the one that the search makes there", first+i)
		}
		results[i] = requests[i].evaluated(scores(r[5:]))
	}
	begin, fresh := s.clock(), results[len(known):]
	outer := max(1, min(s.options.Workers, len(fresh)))
	inner := max(1, s.options.Workers/outer)
	err := parallel.For(ctx, outer, len(fresh), func(_, i int) error {
		r := requests[len(known)+i]
		found, err := s.problem.trial(r).score(ctx, configuration(s.space, s.start, r.Place), inner)
		fresh[i] = r.evaluated(found)
		return err
	})
	if err != nil {
		return nil, err
	}
	s.mutex.Lock()
	s.evaluations = append(s.evaluations, results...)
	took := s.elapsed()
	for _, e := range fresh {
		s.rows = append(s.rows, e.row(took))
	}
	s.mutex.Unlock()
	if len(fresh) == 0 {
		return results, nil
	}
	s.unit = s.clock().Sub(begin).Seconds() / s.cost(requests[len(known):])
	s.publish()
	err = s.keep(first + len(known))
	if s.options.report != nil {
		s.options.report()
	}
	return results, err
}

// cost returns the cost of evaluations, in units of the cheapest kind: it grows as the pairs and as the square of the
// features.
func (s *Session) cost(requests []request) float64 {
	sum, count := 0.0, s.problem.pairs.Count()
	for _, r := range requests {
		ratio := float64(r.Features) / float64(s.problem.features)
		ratio *= ratio
		if r.Draw > 0 {
			ratio *= float64(min(rescorePairs, count)) / float64(min(searchPairs, count))
		}
		sum += ratio
	}
	return sum
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// elapsed returns the seconds of the search, in all sessions.
func (s *Session) elapsed() float64 { return s.before + s.clock().Sub(s.begun).Seconds() }
