package paper

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"rfm/config"
	"rfm/model/machine"
	"rfm/model/report"
	"rfm/solver/progress"
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
	spreads map[string][]Spread // by problem
	sizes   sizes

	// of the current study
	directory *Directory // nil stores nothing
	current   string     // identifies the inputs of the study
}

// sizes is the sizes of the studies of each problem.
type sizes struct {
	studies func(problem string) plan
	seeds   func(problem string) (p plan, draws int)
}

// NewSession prepares a reproduction; it computes nothing.
func NewSession(o Options) *Session {
	o.Workers = machine.Workers(o.Workers)
	return &Session{options: o, program: sync.OnceValue(program), labs: map[string]*lab{}, spreads: map[string][]Spread{},
		sizes: sizes{
			studies: func(problem string) plan { return planOf(problem, o.Quick) },
			seeds:   func(problem string) (plan, int) { return seedsPlan(problem, o.Quick) },
		}}
}

// Progress returns a snapshot of the current study.
func (s *Session) Progress() (now Progress) {
	s.tracker.change(func(p *Progress) { now = *p })
	if !now.Began.IsZero() {
		now.Now = time.Now()
	}
	return now
}

// Outcome is the outcome of a finished study.
type Outcome struct {
	Result  Result
	Elapsed time.Duration
	Stored  bool // read from the directory, not computed
}

// Reproduce runs the studies without a result in the directory, and calls done for each study, computed or read, in
// order. After an error, also ctx's, the directory contains the results of the finished studies and the finished draws
// of the interrupted one; calling Reproduce again resumes there. A nil directory stores nothing. Errors are ctx's, a
// *fault.Numerical, or a *fault.Data.
func (s *Session) Reproduce(ctx context.Context, studies []Study, d *Directory, done func(Outcome) error) error {
	for i, study := range studies {
		begin := time.Now()
		r, stored := d.load(study, s.key(study))
		if !stored {
			var err error
			if r, err = s.compute(ctx, study, d); err != nil {
				return err
			}
		}
		if len(r.Spreads) > 0 {
			s.spreads[study.Problem] = r.Spreads
		}
		if err := done(Outcome{r, time.Since(begin), stored}); err != nil {
			return err
		}
		if !slices.ContainsFunc(studies[i+1:], func(next Study) bool { return next.Problem == study.Problem }) {
			delete(s.labs, study.Problem) // hundreds of megabytes at the paper's sizes
		}
	}
	return nil
}

// compute computes a study and stores its result.
func (s *Session) compute(ctx context.Context, study Study, d *Directory) (Result, error) {
	s.tracker.change(func(p *Progress) {
		*p = Progress{Progress: progress.Progress{Stage: study.Name, Began: time.Now()}}
	})
	s.directory, s.current = d, s.key(study)
	r, err := study.run(ctx, s, study.Problem)
	if err != nil {
		if !errors.Is(err, context.Canceled) {
			err = fmt.Errorf("%s: %w", study.Name, err)
		}
		return Result{}, err
	}
	r.Name, r.Title, r.Source = study.Name, study.Title, study.Source
	return r, d.save(r, s.current)
}

// Stored returns all results in the directory that belong to the session's options, in the order of All.
func (s *Session) Stored(d *Directory) []Result {
	var results []Result
	for _, study := range All() {
		if r, ok := d.load(study, s.key(study)); ok {
			results = append(results, r)
		}
	}
	return results
}

// lab returns the problem with its data at the sizes of the session, generated on first use.
func (s *Session) lab(ctx context.Context, problem string) (l *lab, err error) {
	if s.labs[problem] == nil {
		if l, err = newLab(ctx, s.sizes.studies(problem), s.options.Seed, s.options.Workers, &s.tracker); err != nil {
			return nil, err
		}
		s.labs[problem] = l
	}
	return s.labs[problem], nil
}

// cell returns a number with the published one (0: none), judged by the mean and the spread of its quantity over draws
// if they are known. The mean is our number times the ratio of the mean to the first draw in the study of seeds.
func (s *Session) cell(problem string, q quantity, ours, published float64) Cell {
	c := Cell{Where: q.where(s.sizes.studies(problem).base), Ours: ours, Published: published}
	if spread, known := nearest(s.spreads[problem], q); known {
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

// test returns the grid of the test.
func (q quantity) test() int { return cmp.Or(q.Test, q.Grid) }

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

// Progress is a snapshot of the computation: the study, and its current activity with the count of its units.
type Progress struct {
	progress.Progress
	// Draw is the current draw of data and features, from 1, Draws their number; 0 if there is only one.
	Draw, Draws int
}

// Activity describes the current activity: the count of its units and its time. It is empty before the first.
func (p Progress) Activity() string {
	text := p.Unit
	if p.Total > 0 {
		text += fmt.Sprintf(" %d of %d", p.Done, p.Total)
	}
	if text != "" {
		text += ", " + report.Duration(p.Elapsed().Seconds())
	}
	return text
}

// tracker counts finished units. Workers write it while other goroutines take snapshots.
type tracker struct {
	mutex    sync.Mutex
	progress Progress
}

// change applies a change under the lock.
func (t *tracker) change(change func(p *Progress)) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	change(&t.progress)
}

// begin sets the current activity and its number of units.
func (t *tracker) begin(activity string, total int) {
	t.change(func(p *Progress) {
		p.Progress = progress.Progress{Stage: p.Stage, Unit: activity, Total: total, Began: time.Now()}
	})
}

func (t *tracker) advance(added int) { t.change(func(p *Progress) { p.Done += added }) }
