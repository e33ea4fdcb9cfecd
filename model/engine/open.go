package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"rfm/config"
	"rfm/model/machine"
	"rfm/model/setup"
	"rfm/model/store"
	"rfm/solver/fault"
	"rfm/solver/files"
)

// kept is the directory of an experiment.
type kept struct {
	*store.Directory
	pace *pace
}

// Interrupted says that work ended with its context, and that what was done until then is stored: Open goes on from
// there.
type Interrupted struct {
	Path string // of the run
	Err  error  // the context's
}

func (i *Interrupted) Error() string { return "what was computed is stored in " + i.Path }

// Unwrap returns the context's error.
func (i *Interrupted) Unwrap() error { return i.Err }

// Create is New for an experiment that is kept in a directory below root, which it makes and locks; name is as for
// store.Create. Names of files in the configuration become absolute. Errors are *config.Error, *fault.Data if the
// directory cannot be made, and ctx's.
func Create(ctx context.Context, root, name string, c config.Config, now time.Time, o Options) (*Experiment, error) {
	c, err := absolute(c)
	if err != nil {
		return nil, err
	}
	e, err := New(ctx, c, o)
	if err != nil {
		return nil, err
	}
	d, err := store.Create(root, name, e.Config, machine.Program(), now)
	if err != nil {
		return nil, err
	}
	e.keepIn(d, o)
	if len(e.notes) > 0 {
		if err := d.Put(func(m *store.Manifest) { m.Notes = e.notes }); err != nil {
			return nil, errors.Join(err, d.Close())
		}
	}
	return e, nil
}

// Open opens a run to go on with it, or to look at it if it is complete: then it takes no lock and changes nothing. All
// files are checked, and what is complete is there as if it had just been computed. Errors: *fault.Data for files that
// are not what they were, for a run that another process works on (*store.InUse) and for a directory that cannot be
// written; *config.Error; ctx's is an *Interrupted.
func Open(ctx context.Context, path string, o Options) (e *Experiment, err error) {
	defer func() {
		if errors.Is(err, context.Canceled) {
			err = &Interrupted{path, err}
		}
	}()
	d, err := store.Open(ctx, path, machine.Program(), time.Now())
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, d.Close())
		}
	}()
	c, err := d.Manifest().Config(path)
	if err != nil {
		return nil, err
	}
	if e, err = newExperiment(c, o); err == nil {
		err = machine.CheckMemory(c)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", d.File(store.ConfigFile), err)
	}
	e.keepIn(d, o)
	e.notes = d.Manifest().Notes
	if d.Manifest().Generating.State == store.Complete { // else its files are needed, and are as they were or refused
		e.changed = d.Manifest().Changed()
	}
	return e, e.reopen(ctx)
}

// keepIn makes a directory that of the experiment.
func (e *Experiment) keepIn(d *store.Directory, o Options) {
	e.store = &kept{d, newPace(o.Checkpoint)}
	if f := e.store.theta(); f != "" {
		e.thetaFile = e.store.File(f)
	}
	if split := d.Manifest().Split; split != nil {
		e.width = split.Width
	}
}

// Continue is Open for the run called name below root if there is one, which must have the configuration c, and else
// Create. The error is a *fault.Data if the run there has another configuration; the rest is as for those two.
func Continue(ctx context.Context, root, name string, c config.Config, now time.Time, o Options) (*Experiment, error) {
	if !store.Exists(root, name) {
		e, err := Create(ctx, root, name, c, now, o)
		if err == nil || name == "" || !store.Exists(root, name) { // else another process has made it meanwhile
			return e, err
		}
	}
	c, err := absolute(c)
	if err != nil {
		return nil, err
	}
	if c, _, err = setup.Complete(ctx, c); err != nil {
		return nil, err
	}
	e, err := Open(ctx, filepath.Join(root, name), o)
	if err != nil {
		return nil, err
	}
	var differences []string
	for _, k := range c.Keys() {
		if there, here := k.Text(e.Config), k.Text(c); e.Config.Problem == c.Problem && there != here {
			differences = append(differences, fmt.Sprintf("%s is %s there, not %s", k.Name, there, here))
		}
	}
	if e.Config.Problem != c.Problem {
		differences = []string{fmt.Sprintf("problem is %s there, not %s", e.Config.Problem, c.Problem)}
	}
	if len(differences) > 0 {
		err := &fault.Data{Where: e.Directory(), What: "exists with another configuration: " +
			strings.Join(differences, ", "), Do: "choose another --name; runs are never overwritten"}
		return nil, errors.Join(err, e.Close())
	}
	return e, nil
}

// Unfinished is the path of the run below root that has the configuration c, is not complete and in nobody's hands;
// that which changed last if there are several, empty if there is none. The error is a *config.Error or *fault.Data, or
// ctx's.
func Unfinished(ctx context.Context, root string, c config.Config) (path string, err error) {
	c, err = absolute(c)
	if err == nil {
		c, _, err = setup.Complete(ctx, c)
	}
	if err != nil {
		return "", err
	}
	entries, err := store.List(root)
	if err != nil {
		return "", err
	}
	for _, e := range entries {
		if e.Fault != nil || e.Manifest.Complete() || e.Holder != nil || e.Manifest.Problem != c.Problem {
			continue
		}
		if there, err := e.Manifest.Config(e.Path); err == nil && there == c {
			return e.Path, nil
		}
	}
	return "", nil
}

// absolute makes the names of files absolute, so that a run can go on from anywhere.
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

// Close gives back the lock of a stored experiment. It can be read, but not go on.
func (e *Experiment) Close() error {
	if e.store == nil {
		return nil
	}
	return e.store.Close()
}

// Discard closes the experiment, and removes its run if this process has made it, nothing has been computed there and
// there is nothing else in its directory: after an error that shows a mistake, such a run is of no use. A run to which
// something could not be written stays, since it can go on when there is space. fate says in words what became of the
// run; it is empty if there is none.
func (e *Experiment) Discard() (fate string, err error) {
	if e.store == nil {
		return "", nil
	}
	path := e.store.Path()
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) { // somebody has removed it
		return "", e.Close()
	}
	if !e.store.Created() || e.store.Failed() || e.store.Manifest().Generating.State != store.Pending {
		return "the run " + path + " stays as it is", e.Close()
	}
	removed, others, err := e.store.Remove()
	switch {
	case removed:
		return "the run " + path + " was removed: nothing had been computed", err
	case len(others) > 0:
		return fmt.Sprintf("the run %s stays: %q is not the run's", path, others[0]), err
	}
	return "the run " + path + " stays", err
}

// Directory is where the experiment is stored; empty if it is not.
func (e *Experiment) Directory() string {
	if e.store == nil {
		return ""
	}
	return e.store.Path()
}

// Notices are what may surprise about the results of an experiment, in words: what was assumed about its files, that
// these have changed, that several programs computed them, that its file system has no locks.
func (e *Experiment) Notices() []string {
	if e.store == nil {
		return e.notes
	}
	return slices.Concat(e.notes, e.changed, e.store.Notices())
}

// interrupted is err, as an *Interrupted if it is the end of a context and the experiment is stored.
func (e *Experiment) interrupted(err error) error {
	var data *fault.Data // what was done last may not be stored
	if e.store == nil || !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded) ||
		errors.As(err, &data) {
		return err
	}
	return &Interrupted{e.store.Path(), err}
}

// put stores products of the run, with the seconds that the stages took.
func (e *Experiment) put(products ...files.File) error {
	return e.store.Put(func(m *store.Manifest) {
		m.Generating.Seconds, m.Training.Seconds, m.Evaluating.Seconds = e.seconds.Generate, e.seconds.Train,
			e.seconds.Evaluate
	}, products...)
}
