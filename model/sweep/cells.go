package sweep

import (
	"cmp"
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
	"rfm/solver/printable"
)

// failedExtension is the extension of the file with the error of a failed cell.
const failedExtension = ".failed"

// Done counts the cells that Run has not completed.
type Done struct {
	Failed, Elsewhere int   // Elsewhere: another process uses the run
	First             error // of the failed ones
}

// Run computes the incomplete cells of groups with the same data, which are generated once per group: compute runs the
// incomplete stages of an experiment, e.g. by its Run method. tell gets a line at the end of each cell. A failed cell
// leaves a file with its error. The error is ctx's, in an *engine.Interrupted, or a *fault.Data if a file cannot be
// written.
func (s *Sweep) Run(ctx context.Context, groups [][]Cell, o engine.Options, compute func(ctx context.Context, c Cell,
	e *engine.Experiment) error, tell func(line string)) (did Done, err error) {
	for _, group := range groups {
		var before *engine.Experiment // the experiment of this group that has the data
		for _, c := range group {
			if s.complete(c) {
				continue
			}
			if before == nil {
				before = s.data(ctx, group, o)
			}
			e, err := s.cell(ctx, c, before, o, compute)
			name := printable.Line(c.Name)
			var use *store.InUse
			switch {
			case ctx.Err() != nil:
				return did, &engine.Interrupted{Path: s.Directory, Err: ctx.Err()}
			case errors.As(err, &use):
				did.Elsewhere++
				tell(name + ": another process computes it")
				continue
			case err != nil:
				did.Failed++
				did.First = cmp.Or(did.First, err)
				tell(name + " failed: " + printable.Text(err.Error()))
			default:
				before = e
				tell(name + " is complete")
			}
			if err := s.note(c, err); err != nil {
				return did, err
			}
		}
	}
	return did, nil
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
func (s *Sweep) cell(ctx context.Context, c Cell, data *engine.Experiment, o engine.Options,
	compute func(context.Context, Cell, *engine.Experiment) error) (*engine.Experiment, error) {
	if c.Fault != nil {
		return nil, c.Fault
	}
	e, err := engine.Continue(ctx, s.Directory, c.Name, c.Config, time.Now(), o)
	if err != nil {
		return nil, err
	}
	if data != nil && e.Reached() == engine.Idle {
		e.Reuse(data)
	}
	if err := compute(ctx, c, e); err != nil {
		_, failure := e.Discard()
		return nil, errors.Join(err, failure)
	}
	return e, e.Close()
}

// note writes the file with the error of a failed cell, or removes it if the cell has not failed.
func (s *Sweep) note(c Cell, err error) error {
	path := filepath.Join(s.Directory, c.Name+failedExtension)
	failure := os.Remove(path)
	if err != nil {
		failure = files.WriteFile(path, fmt.Appendln(nil, err))
	} else if errors.Is(failure, os.ErrNotExist) {
		return nil
	}
	return fault.Unwritten(path, failure, "the same command resumes when it can")
}
