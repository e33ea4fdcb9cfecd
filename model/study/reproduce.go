package study

import (
	"context"
	"slices"
	"time"
)

// Outcome is the outcome of a finished study.
type Outcome struct {
	Result  Result
	Elapsed time.Duration
	Stored  bool // read from the directory, not computed
}

// Schedule returns the studies to run for the wanted ones. The study of a problem's spreads precedes the first judged
// study of the problem.
func Schedule(wanted []Study) []Study {
	var order []Study
	for _, s := range All() {
		needed := slices.ContainsFunc(wanted, func(w Study) bool {
			return w.Name == s.Name || w.judged && w.Problem == s.Problem && s.Item == "seeds"
		})
		if needed {
			order = append(order, s)
		}
	}
	return order
}

// Reproduce runs the studies without a result in the directory, and calls done for each study, computed or read, in
// order. After an error, also ctx's, the directory contains the results of the finished studies and the finished draws
// of the interrupted one; calling Reproduce again resumes there. Errors are those of Run and *fault.Data.
func (s *Session) Reproduce(ctx context.Context, studies []Study, d *Directory, done func(Outcome) error) error {
	for i, study := range studies {
		begin := time.Now()
		r, ok := d.load(study, s.key(study))
		if ok {
			s.learn(study.Problem, r)
		} else {
			var err error
			if r, err = s.keepRunning(ctx, study, d); err != nil {
				return err
			}
		}
		if err := done(Outcome{r, time.Since(begin), ok}); err != nil {
			return err
		}
		if !slices.ContainsFunc(studies[i+1:], func(next Study) bool { return next.Problem == study.Problem }) {
			s.Release(study.Problem)
		}
	}
	return nil
}

// keepRunning computes a study and stores its result; it stores its draws until then.
func (s *Session) keepRunning(ctx context.Context, study Study, d *Directory) (Result, error) {
	s.draft = draft{directory: d, study: study.Name, key: s.key(study)}
	r, err := s.Run(ctx, study)
	if err == nil {
		err = d.save(r, s.draft.key)
	}
	if err != nil {
		return Result{}, err
	}
	err = s.draft.remove()
	s.draft = draft{}
	return r, err
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
