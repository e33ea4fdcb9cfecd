package engine

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"rfm/config"
	"rfm/model/machine"
	"rfm/model/setup"
	"rfm/model/store"
	"rfm/model/trained"
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

// Create is like New for an experiment in a new directory below root, which it locks; name is as for store.Create.
// Names of files in the configuration become absolute. Errors are *config.Error, *fault.Data if the directory cannot be
// made, and ctx's.
func Create(ctx context.Context, root, name string, c config.Config, now time.Time, o Options) (*Experiment, error) {
	c, err := absolute(c)
	if err != nil {
		return nil, err
	}
	e, err := New(ctx, c, o)
	if err != nil {
		return nil, err
	}
	d, err := store.Create(root, name, e.Config, e.notes, machine.Program(), now)
	if err != nil {
		return nil, err
	}
	return e.resume(ctx, d)
}

// Open opens a run to resume it, or to read it if it is complete: then it takes no lock and changes nothing. It checks
// all files; complete stages are restored. Errors: *fault.Data for changed files, a run in use by another process
// (*store.InUse) and a directory that cannot be written; *config.Error; ctx's is an *Interrupted.
func Open(ctx context.Context, path string, o Options) (*Experiment, error) {
	d, err := store.Open(ctx, path, machine.Program(), time.Now())
	if errors.Is(err, context.Canceled) {
		err = &Interrupted{path, err}
	}
	if err != nil {
		return nil, err
	}
	c := d.Manifest().Config
	e, err := Unchecked(c, o)
	if err == nil {
		err = machine.CheckMemory(c)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", d.File(store.ConfigFile), err), d.Close())
	}
	return e.resume(ctx, d)
}

// resume attaches the directory of a run and restores the complete stages, also those of a run that this process has
// just created: another process may have opened it first.
func (e *Experiment) resume(ctx context.Context, d *store.Directory) (*Experiment, error) {
	e.store, e.notes = d, d.Manifest().Notes
	if d.Manifest().Has(store.Generating) { // otherwise its files are needed, and changed ones are refused
		e.changed = d.Manifest().Changed()
	}
	if err := e.interrupted(e.reopen(ctx)); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return e, nil
}

// reopen restores the complete stages of the run.
func (e *Experiment) reopen(ctx context.Context) error {
	m := e.store.Manifest()
	e.seconds = m.Seconds
	if !m.Has(store.Generating) {
		return nil
	}
	for _, s := range e.sides() {
		if err := e.restore(ctx, &s); err != nil {
			return err
		}
		if !s.whole {
			return fault.Bad(e.store.File(s.name), "", "is missing in a run that has its pairs")
		}
	}
	var err error
	if e.features, err = e.drawFeatures(ctx); err != nil {
		return err
	}
	e.passed(Generating, m.Stages[store.Generating])
	if !m.Has(store.Training) {
		return nil
	}
	if e.model, err = trained.ReadFile(e.store.File(store.ModelFile)); err != nil {
		return err
	}
	e.passed(Training, m.Stages[store.Training])
	if !m.Complete() {
		return nil
	}
	if e.evaluation, err = e.readResults(ctx); err != nil {
		return err
	}
	e.passed(Evaluating, m.Stages[store.Evaluating])
	return nil
}

// passed marks a stage that an earlier session has completed.
func (e *Experiment) passed(stage Stage, stored store.Stage) {
	e.reached = stage
	e.tracker.begin(stage, stored.Unit, stored.Total)
	e.tracker.Skip(stored.Total)
	e.tracker.finish()
}

// Continue is like Open for the run called name below root, which must have the configuration c. If that run does not
// exist, it is like Create. The error is a *fault.Data if the configurations differ, or one of Open or Create.
func Continue(ctx context.Context, root, name string, c config.Config, now time.Time, o Options) (*Experiment, error) {
	if !store.Exists(root, name) {
		e, err := Create(ctx, root, name, c, now, o)
		if err == nil || name == "" || !store.Exists(root, name) { // otherwise another process has just made it
			return e, err
		}
	}
	c, err := completed(ctx, c)
	if err != nil {
		return nil, err
	}
	e, err := Open(ctx, filepath.Join(root, name), o)
	if err != nil {
		return nil, err
	}
	there, here := config.Differences(e.Config, c), config.Differences(c, e.Config)
	if e.Config.Problem != c.Problem {
		there, here = "problem="+e.Config.Problem, "problem="+c.Problem
	}
	if there != here {
		err := fault.Bad(e.Directory(), "choose another --name; runs are never overwritten",
			"exists with another configuration: %s there, %s here", there, here)
		return nil, errors.Join(err, e.Close())
	}
	return e, nil
}

// Unfinished returns the path of the run below root that has the configuration c, is not complete and not in use. It
// returns the last changed of several, and an empty path if none exists. The error is a *config.Error or *fault.Data,
// or ctx's.
func Unfinished(ctx context.Context, root string, c config.Config) (path string, err error) {
	entries, err := store.List(root)
	entries = slices.DeleteFunc(entries, func(e store.Entry) bool {
		return e.State != store.ListedUnfinished || e.Problem != c.Problem
	})
	if len(entries) == 0 || err != nil { // files of pairs are not opened for nothing
		return "", err
	}
	if c, err = completed(ctx, c); err != nil {
		return "", err
	}
	for _, e := range entries {
		if e.Manifest.Config == c {
			return e.Path, nil
		}
	}
	return "", nil
}

// completed returns a configuration as a run stores it.
func completed(ctx context.Context, c config.Config) (config.Config, error) {
	c, err := absolute(c)
	if err == nil {
		c, _, err = setup.Complete(ctx, c)
	}
	return c, err
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

// Close releases the lock of a stored experiment. Its results remain readable, but no stage can run.
func (e *Experiment) Close() error {
	if e.store == nil {
		return nil
	}
	return e.store.Close()
}

// Discard closes the experiment and removes a useless run; see store.Directory.Discard. fate is empty if the experiment
// is not stored.
func (e *Experiment) Discard() (fate string, err error) {
	if e.store == nil {
		return "", nil
	}
	return e.store.Discard()
}

// Directory returns the directory of the run; empty if the experiment is not stored.
func (e *Experiment) Directory() string {
	if e.store == nil {
		return ""
	}
	return e.store.Path()
}

// Notices returns sentences on surprising circumstances of the results: assumptions about files, changed files, several
// programs that computed them, a file system without locks.
func (e *Experiment) Notices() []string {
	if e.store == nil {
		return e.notes
	}
	return slices.Concat(e.notes, e.changed, e.store.Notices())
}

// interrupted wraps err in an *Interrupted if it is the end of a context and the experiment is stored.
func (e *Experiment) interrupted(err error) error {
	var data *fault.Data // the last work may not be stored
	if e.store == nil || !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded) ||
		errors.As(err, &data) {
		return err
	}
	return &Interrupted{e.store.Path(), err}
}

// put stores products of the run, with the seconds of its stages.
func (e *Experiment) put(products ...files.File) error {
	return e.store.Put(func(m *store.Manifest) { m.Seconds = e.seconds }, products...)
}
