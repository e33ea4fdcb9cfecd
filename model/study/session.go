package study

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"

	"rfm/config"
	"rfm/model/machine"
)

// Options control a reproduction.
type Options struct {
	Quick   bool   // smaller sizes: less than half a minute
	Seed    uint64 // root of every random stream
	Workers int    // goroutines that compute, which does not change results; 0 is one for each available core
}

// Session holds data and trained systems that several studies need. Studies run one after another; Progress may be
// called at any time from any goroutine.
type Session struct {
	options Options
	program func() string // identifies the program
	tracker tracker
	labs    map[string]*lab
	spreads map[string]spreadTable // by problem
	sizes   sizes
	draft   draft // of the current study
}

// sizes is the sizes of the studies of each problem.
type sizes struct {
	studies func(problem string) plan
	seeds   func(problem string) (p plan, draws int)
}

// NewSession prepares a reproduction; it computes nothing.
func NewSession(o Options) *Session {
	o.Workers = machine.Workers(o.Workers)
	return &Session{options: o, program: sync.OnceValue(program), labs: map[string]*lab{},
		spreads: map[string]spreadTable{}, sizes: sizes{
			studies: func(problem string) plan { return planOf(problem, o.Quick) },
			seeds:   func(problem string) (plan, int) { return seedsPlan(problem, o.Quick) },
		}}
}

// Progress returns a snapshot of the current study.
func (s *Session) Progress() Progress { return s.tracker.snapshot() }

// KeptDraws returns the number of stored draws of the last study, if its result is not stored. No study may be running.
func (s *Session) KeptDraws() int { return s.draft.kept }

// Workers returns the number of goroutines that compute.
func (s *Session) Workers() int { return s.options.Workers }

// Run computes a study. Errors are ctx's, a *fault.Numerical, or a *fault.Data.
func (s *Session) Run(ctx context.Context, study Study) (Result, error) {
	s.tracker.enter(study.Name)
	r, err := study.run(ctx, s, study.Problem)
	if err != nil {
		if errors.Is(err, context.Canceled) {
			return Result{}, err
		}
		return Result{}, fmt.Errorf("%s: %w", study.Name, err)
	}
	r.Name, r.Title, r.Source = study.Name, study.Title, study.Source
	s.learn(study.Problem, r)
	return r, nil
}

// learn keeps the spreads of a result for later studies.
func (s *Session) learn(problem string, r Result) {
	if len(r.Spreads) > 0 {
		s.spreads[problem] = spreadTable(r.Spreads)
	}
}

// lab returns the problem with its data at the sizes of the session, generated on first use.
func (s *Session) lab(ctx context.Context, problem string) (*lab, error) {
	if l := s.labs[problem]; l != nil {
		return l, nil
	}
	l, err := newLab(ctx, s.sizes.studies(problem), s.options.Seed, s.options.Workers, &s.tracker)
	if err != nil {
		return nil, err
	}
	s.labs[problem] = l
	return l, nil
}

// Release frees the data and systems of a problem, hundreds of megabytes at the paper's sizes. A study that needs them
// generates them again. No study may be running.
func (s *Session) Release(problem string) { delete(s.labs, problem) }

// cell returns a number with the published one (0: none), judged by the mean and the spread of its quantity over draws
// if they are known. The mean is our number times the ratio of the mean to the first draw in the study of seeds.
func (s *Session) cell(problem string, q quantity, ours, published float64) Cell {
	c := Cell{Where: q.where(s.sizes.studies(problem).base), Ours: ours, Published: published}
	if spread, known := s.spreads[problem].nearest(q); known {
		c.Mean = ours * spread.Mean / spread.Own
		c.Spread = spread.Total() / math.Abs(spread.Mean) * c.Mean
	}
	return c.judged()
}

// quantity identifies a number whose spread over draws is measured.
type quantity struct {
	Kind string `json:"kind"` // error, coefficients, transfer, composition
	M    int    `json:"m"`
	N    int    `json:"n"`
	Grid int    `json:"grid"`            // K or r of training
	Test int    `json:"test,omitempty"`  // K or r of the test, if different
	Step int    `json:"steps,omitempty"` // number of compositions
}

func (q quantity) where(c config.Config) string {
	text := fmt.Sprintf("n=%d m=%d %s=%d", q.N, q.M, c.GridSymbol(), q.Grid)
	if q.Test != 0 {
		text += fmt.Sprintf(" tested on %s=%d", c.GridSymbol(), q.Test)
	}
	if q.Step != 0 {
		text += fmt.Sprintf(" T=%g", float64(q.Step)/2)
	}
	return text
}
