// This file makes evaluations, in parallel, or takes them from an earlier session of the same search.

package tune

import (
	"context"
	"fmt"
	"time"

	"rfm/model/learn/rfm"
	"rfm/solver/base/fault"
	"rfm/solver/base/parallel"
)

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

// record is a stored evaluation. A search makes the same requests whenever it is repeated, so that the scores suffice;
// the asked part shows that the requests are the same.
type record struct {
	asked   asked
	seconds float64 // that the search had taken by then
	scores  scores
}

// asked tells requests apart.
type asked struct {
	stage    Stage
	features int
	draw     int
	place    float64 // its fingerprint
}

func (r request) asked() asked {
	return asked{
		stage:    r.Stage,
		features: r.Features,
		draw:     r.Draw,
		place:    r.Place.fingerprint(),
	}
}

// recordLength is the count of numbers of a record in a file: of asked and of seconds, and the scores.
const recordLength = 5 + len(rfm.Relatives)

// numbers returns the record as a file has it.
func (r record) numbers() []float64 {
	numbers := []float64{
		float64(r.asked.stage),
		float64(r.asked.features),
		float64(r.asked.draw),
		r.asked.place,
		r.seconds,
	}
	return append(numbers, r.scores[:]...)
}

// recordOf returns the record with some numbers.
func recordOf(numbers []float64) record {
	return record{
		asked: asked{
			stage:    Stage(numbers[0]),
			features: int(numbers[1]),
			draw:     int(numbers[2]),
			place:    numbers[3],
		},
		seconds: numbers[4],
		scores:  scores(numbers[5:]),
	}
}

// evaluate makes evaluations in parallel, or finds those that a resumed search has made already. The results are in the
// order of the requests. After an error it records none of the new ones.
func (s *Session) evaluate(ctx context.Context, requests []request) ([]Evaluation, error) {
	first := len(s.evaluations)
	end := min(len(s.records), first+len(requests))
	known := s.records[first:end]
	results := make([]Evaluation, len(requests))
	for i, r := range known {
		if r.asked != requests[i].asked() {
			return nil, &fault.Data{
				Where: "stored search",
				What:  fmt.Sprintf("evaluation %d is not the one that the search makes there", first+i),
				Do:    "resume with the program and on the kind of processor that began, or start the search again",
			}
		}
		results[i] = requests[i].evaluated(r.scores)
	}
	begin := s.clock()
	fresh := results[len(known):]
	outer := max(1, min(s.options.Workers, len(fresh))) // evaluations at the same time
	inner := max(1, s.options.Workers/outer)            // workers of each
	err := parallel.For(ctx, outer, len(fresh), func(_, i int) error {
		r := requests[len(known)+i]
		c := configuration(s.space, s.start, r.Place)
		found, err := s.problem.trial(r).score(ctx, c, inner)
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
		s.records = append(s.records, record{
			asked:   e.asked(),
			seconds: took,
			scores:  e.scores,
		})
	}
	s.mutex.Unlock()
	if len(fresh) == 0 {
		return results, nil
	}
	duration := s.clock().Sub(begin).Seconds()
	s.unit = duration / s.cost(requests[len(known):])
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
	sum := 0.0
	count := s.problem.pairs.Count()
	searched := float64(min(searchPairs, count))
	rescored := float64(min(rescorePairs, count))
	for _, r := range requests {
		features := float64(r.Features) / float64(s.problem.features)
		cost := features * features
		if r.Draw > 0 {
			cost *= rescored / searched
		}
		sum += cost
	}
	return sum
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// elapsed returns the seconds of the search, in all sessions.
func (s *Session) elapsed() float64 {
	return s.before + s.clock().Sub(s.begun).Seconds()
}
