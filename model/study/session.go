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

// Options are what a reproduction computes.
type Options struct {
	Quick   bool   // smaller sizes: less than half a minute
	Seed    uint64 // root of every random stream
	Workers int    // goroutines that compute, which does not change results; 0 is one for each available core
}

// Session holds data and trained systems that several studies need. Studies run one after another; Progress may be
// called at any time from any goroutine.
type Session struct {
	options Options
	program func() string // what computes
	tracker tracker
	labs    map[string]*lab
	spreads map[string]spreadTable // by problem
	sizes   sizes
	draft   draft // of the study that runs
}

// sizes are how large the studies of each problem are.
type sizes struct {
	studies func(problem string) plan
	seeds   func(problem string) (p plan, draws int)
}

// NewSession prepares a reproduction; nothing is computed yet.
func NewSession(o Options) *Session {
	o.Workers = machine.Workers(o.Workers)
	return &Session{options: o, program: sync.OnceValue(program), labs: map[string]*lab{},
		spreads: map[string]spreadTable{}, sizes: sizes{
			studies: func(problem string) plan { return planOf(problem, o.Quick) },
			seeds:   func(problem string) (plan, int) { return seedsPlan(problem, o.Quick) },
		}}
}

// Progress is how far the current study has come.
func (s *Session) Progress() Progress { return s.tracker.snapshot() }

// KeptDraws is the number of draws that the study which ran last has in the directory of Reproduce, if its result is
// not there. No study may be running.
func (s *Session) KeptDraws() int { return s.draft.kept }

// Workers is the number of goroutines that compute.
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

// learn keeps what later studies need from a result.
func (s *Session) learn(problem string, r Result) {
	if len(r.Spreads) > 0 {
		s.spreads[problem] = spreadTable(r.Spreads)
	}
}

// lab is the problem with its data at the sizes of the session, generated when it is first asked for.
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

// Release forgets the data and systems of a problem, hundreds of megabytes at the paper's sizes; a study that needs
// them makes them again. No study may be running.
func (s *Session) Release(problem string) { delete(s.labs, problem) }

// cell is a number beside the published one (0: none), judged with the mean and the spread of its quantity over draws
// if they are known: the mean differs from our number by the factor by which it differs from that of the same draw
// there.
func (s *Session) cell(problem string, q quantity, ours, published float64) Cell {
	c := Cell{Where: q.where(s.sizes.studies(problem).base), Ours: ours, Published: published}
	if spread, known := s.spreads[problem].nearest(q); known {
		c.Mean = ours * spread.Mean / spread.Own
		c.Spread = spread.Total() / math.Abs(spread.Mean) * c.Mean
	}
	return c.judged()
}

// quantity names a number whose spread over draws is measured.
type quantity struct {
	Kind string `json:"kind"` // error, coefficients, transfer, composition
	M    int    `json:"m"`
	N    int    `json:"n"`
	Grid int    `json:"grid"`            // K or r on which the model is trained
	Test int    `json:"test,omitempty"`  // K or r on which it is tested, if that is another one
	Step int    `json:"steps,omitempty"` // compositions
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
