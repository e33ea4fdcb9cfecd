package share

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

// failedExtension is that of the file which says why a cell has failed.
const failedExtension = ".failed"

// Runner does the cells of a sweep.
type Runner struct {
	Options engine.Options
	// Compute runs what is not complete of a cell's experiment, for one by its Run method.
	Compute func(ctx context.Context, c Cell, e *engine.Experiment) error
	// Done is told how a cell ended that was not complete: err is nil, says why it failed, or is an *fault.Data with a
	// *store.InUse if another process works on it. It may be nil.
	Done func(c Cell, err error)
}

// Run does what is not complete of groups of cells that have the same data, which are made once for a group. A cell
// that fails is noted and the others go on; one that another process works on is left to it. The result counts both.
// The error is ctx's, in an *engine.Interrupted, or a *fault.Data if the sweep's directory cannot be written.
func (r Runner) Run(ctx context.Context, s *Sweep, groups [][]Cell) (failed, elsewhere int, err error) {
	for _, group := range groups {
		var before *engine.Experiment // of this group, which has the data
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

// complete reports whether the run of a cell is.
func (s *Sweep) complete(c Cell) bool {
	m, err := store.Read(filepath.Join(s.Directory, c.Name))
	return err == nil && m.Complete()
}

// data is a complete experiment of the group, whose data others can take; nil if there is none.
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

// cell runs one cell; data may be nil.
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

// note writes down why a cell has failed, and takes that back if it has not.
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
	return fault.Unwritten(path, failure, "the same command goes on when it can")
}
