package sweep

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"rfm/model/engine"
	"rfm/model/store"
	"rfm/solver/fault"
	"rfm/solver/files"
)

// failedExtension is the extension of the file with the error of a failed cell.
const failedExtension = ".failed"

// Runner computes the cells of a sweep.
type Runner struct {
	Options engine.Options
	// Compute runs the incomplete stages of a cell's experiment, e.g. by its Run method.
	Compute func(ctx context.Context, c Cell, e *engine.Experiment) error
	// Done, unless nil, is called at the end of each cell that was not complete. err is nil, the cell's failure, or a
	// *fault.Data caused by a *store.InUse if another process uses the run.
	Done func(c Cell, err error)
}

// Run computes the incomplete cells of groups with the same data, which are generated once per group. It notes the
// error of a failed cell and skips cells that another process uses; it returns the numbers of both. The error is ctx's,
// in an *engine.Interrupted, or a *fault.Data if the sweep's directory cannot be written.
func (r Runner) Run(ctx context.Context, s *Sweep, groups [][]Cell) (failed, elsewhere int, err error) {
	for _, group := range groups {
		var before *engine.Experiment // the experiment of this group that has the data
		for _, c := range group {
			if s.complete(c) {
				continue
			}
			if before == nil {
				before = s.data(ctx, group, r.Options)
			}
			e, err := r.cell(ctx, s, c, before)
			var use *store.InUse
			switch {
			case ctx.Err() != nil:
				return failed, elsewhere, &engine.Interrupted{Path: s.Directory, Err: ctx.Err()}
			case errors.As(err, &use):
				elsewhere++
			case err != nil:
				failed++
			}
			note := s.note(c, err, use != nil)
			if r.Done != nil {
				r.Done(c, err)
			}
			if note != nil {
				return failed, elsewhere, note
			}
			if err == nil {
				before = e
			}
		}
	}
	return failed, elsewhere, nil
}

// complete reports whether the run of a cell is complete.
func (s *Sweep) complete(c Cell) bool {
	m, err := store.Read(filepath.Join(s.Directory, c.Name))
	return err == nil && m.Complete()
}

// data returns a complete experiment of the group, whose data others can take; nil if none is complete.
func (s *Sweep) data(ctx context.Context, group []Cell, o engine.Options) *engine.Experiment {
	for _, c := range group {
		if s.complete(c) {
			if e, err := engine.Open(ctx, filepath.Join(s.Directory, c.Name), o); err == nil {
				return e
			}
		}
	}
	return nil
}

// cell computes one cell; data may be nil.
func (r Runner) cell(ctx context.Context, s *Sweep, c Cell, data *engine.Experiment) (*engine.Experiment, error) {
	if c.Fault != nil {
		return nil, c.Fault
	}
	e, err := engine.Continue(ctx, s.Directory, c.Name, c.Config, time.Now(), r.Options)
	if err != nil {
		return nil, err
	}
	if data != nil && e.Reached() == engine.Idle {
		e.Reuse(data)
	}
	if err := r.Compute(ctx, c, e); err != nil {
		_, failure := e.Discard()
		return nil, errors.Join(err, failure)
	}
	return e, e.Close()
}

// note writes the file with the error of a failed cell, or removes it if the cell has not failed.
func (s *Sweep) note(c Cell, err error, elsewhere bool) error {
	path := filepath.Join(s.Directory, c.Name+failedExtension)
	var failure error
	switch {
	case elsewhere:
	case err == nil:
		if failure = os.Remove(path); errors.Is(failure, os.ErrNotExist) {
			failure = nil
		}
	default:
		failure = files.WriteFile(path, fmt.Appendln(nil, err))
	}
	return fault.Unwritten(path, failure, "the same command resumes when it can")
}
