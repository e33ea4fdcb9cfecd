package study

import (
	"context"
	"slices"
	"time"
)

// Outcome is a study that is done.
type Outcome struct {
	Result  Result
	Elapsed time.Duration
	Stored  bool // it was done before, and read from the directory
}

// Schedule is the studies to run for those that are wanted: before the first one of a problem that is judged comes the
// one that measures the problem's spreads.
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

// Reproduce runs the studies that have no result in the directory yet, and calls done for each one, computed or read,
// in their order. After an error, also ctx's, the directory holds the results of those that are done, and the draws
// that are done of the one that is not; calling Reproduce again goes on with the rest. Errors are those of Run and
// *fault.Data.
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

// keepRunning computes a study and stores its result, and its draws until then.
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

// Stored are all results in the directory that belong to the session's options, in the order of All.
func (s *Session) Stored(d *Directory) []Result {
	var results []Result
	for _, study := range All() {
		if r, ok := d.load(study, s.key(study)); ok {
			results = append(results, r)
		}
	}
	return results
}
