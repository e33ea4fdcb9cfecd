package engine

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"rfm/config"
	"rfm/model/machine"
	"rfm/model/store"
	"rfm/solver/fault"
	"rfm/solver/files"
)

// Interrupted reports that work ended with its context and that the finished work is stored. Open resumes it.
type Interrupted struct {
	Path string // directory of the run
	Err  error  // the context's error
}

func (i *Interrupted) Error() string { return "the computed part is stored in " + i.Path }

// Unwrap returns the context's error.
func (i *Interrupted) Unwrap() error { return i.Err }

// Open opens a run to resume it, or to read it if it is complete: then it takes no lock and changes nothing. It checks
// all files; complete stages are restored. Errors: *fault.Data for changed files, a run in use by another process
// (*store.InUse) and a directory that cannot be written; *config.Error; ctx's is an *Interrupted.
func Open(ctx context.Context, path string, o Options) (*Experiment, error) {
	r, err := store.Open(ctx, path)
	if err != nil {
		return nil, interrupted(path, err)
	}
	c := r.Config
	if err = c.Validate(); err == nil {
		err = machine.CheckMemory(c)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", r.File(store.ConfigFile), err), r.Close())
	}
	return Complete(c, o).resume(ctx, r)
}

// resume attaches the directory of a run and restores the complete stages, also those of a run that this process has
// just created: another process may have opened it first.
func (e *Experiment) resume(ctx context.Context, r *store.Run) (*Experiment, error) {
	e.store, e.notes, e.seconds = r, r.Notes, r.Seconds
	if r.Reached() > 0 { // otherwise its files are needed, and changed ones are refused
		e.changed = r.Changed()
	}
	for i := range r.Reached() {
		if err := steps[i].work(e, ctx); err != nil {
			return nil, errors.Join(interrupted(r.Path, err), e.Close())
		}
		e.reached = i + 1
		e.tracker.begin(steps[i].stage, r.Stages[i].Unit, r.Stages[i].Total)
		e.tracker.Skip(r.Stages[i].Total)
		e.tracker.finish()
	}
	return e, nil
}

// absolute makes the names of files absolute, so that a run can be resumed from any working directory.
func absolute(c config.Config) (config.Config, error) {
	for _, k := range c.Keys() {
		name := k.Text(c)
		if k.Kind != config.Path || name == "" {
			continue
		}
		path, err := filepath.Abs(name)
		if err == nil {
			err = k.Set(&c, path)
		}
		if err != nil {
			return c, &fault.Data{Where: name, What: "has no absolute name", Err: err}
		}
	}
	return c, nil
}

// Close closes the files of the pairs and releases the lock of a stored experiment. Its results remain readable, but no
// stage can run.
func (e *Experiment) Close() error {
	return errors.Join(e.files.Close(), e.store.Close())
}

// Discard closes the experiment and removes a useless run; see store.Run.Discard. fate is empty without one.
func (e *Experiment) Discard() (fate string, err error) {
	fate, err = e.store.Discard()
	return fate, errors.Join(e.files.Close(), err)
}

// Directory returns the directory of the run; empty if the experiment is not stored.
func (e *Experiment) Directory() string { return e.store.Path }

// Made reports whether this process has made the directory of the run.
func (e *Experiment) Made() bool { return e.store.Made() }

// Split reports whether the run is split among workers.
func (e *Experiment) Split() bool { return e.store.Split != nil }

// Notices returns sentences on surprising circumstances of the results: assumptions about files, changed files, several
// programs that computed them, a file system without locks.
func (e *Experiment) Notices() []string {
	return slices.Concat(e.notes, e.changed, e.store.Notices, e.store.Session)
}

// interrupted wraps err in an *Interrupted if it is the end of a context and the experiment is stored at a path.
func interrupted(path string, err error) error {
	var data *fault.Data // the last work may not be stored
	if path == "" || !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded) ||
		errors.As(err, &data) {
		return err
	}
	return &Interrupted{path, err}
}

// put stores products of the run, with the seconds of its stages.
func (e *Experiment) put(products ...files.File) error {
	return e.store.Put(func(m *store.Run) { m.Seconds = e.seconds }, products...)
}
