package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"time"

	"rfm/model/run/machine"
	"rfm/solver/base/fault"
	"rfm/solver/base/files"
	"rfm/solver/base/printable"
)

// Open locks the run in the directory path, unless the run is complete, checks all its files and removes leftovers of
// killed processes. No other process can open an incomplete run until Close; one that has the lock may complete the run
// while this one waits. Errors are *fault.Data: those of Read and Verify, a run in use (*InUse), a directory that
// cannot be written; and ctx.Err().
func Open(ctx context.Context, path string) (*Run, error) {
	read, err := Read(path)
	if err != nil {
		return nil, err
	}
	r := &read
	err = r.prepare(ctx, path)
	if err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return r, nil
}

// prepare locks a run that is read, unless it is complete, and makes it ready for work.
func (r *Run) prepare(ctx context.Context, path string) error {
	if !r.Complete() {
		err := r.acquire(path)
		if err != nil {
			return err
		}
	}
	err := errors.Join(r.verify(ctx)...)
	if err != nil {
		return err
	}
	if r.Complete() {
		Tidy(r.Path)
		return r.Close()
	}
	err = r.sweep(ctx)
	if err != nil {
		return err
	}
	own := machine.Program()
	if r.worked() {
		r.Resumed++
		if r.Program != own {
			const others = "begun by %s, continued by %s: last digits can differ from those of an uninterrupted run"
			r.notice(fmt.Sprintf(others, r.Program, own))
		}
	}
	r.Program = own
	return nil
}

// acquire locks the run, and reads it again, because another process may have written before it released the lock.
func (r *Run) acquire(path string) error {
	lock, locked, err := acquire(r.Path)
	if err != nil {
		return err
	}
	*r, err = Read(path)
	r.lock = lock
	if err != nil {
		return err
	}
	if !locked {
		const noLocks = "the file system has no locks: another process that works on this run makes the same files again"
		r.Session = append(r.Session, noLocks)
	}
	return nil
}

// notice adds a notice that the run does not have. If there are many, the oldest one goes.
func (r *Run) notice(text string) {
	if slices.Contains(r.Notices, text) {
		return
	}
	tooMany := max(0, len(r.Notices)+1-maxNotices)
	r.Notices = append(r.Notices[tooMany:], text)
}

// Begun reports whether a stage has stored anything that it computed.
func (r *Run) Begun() bool {
	units, _ := r.Units().List() // unreadable ones are not removed
	return r.Reached() > 0 || len(units) > 0
}

// worked reports whether a process has spent time on a stage.
func (r *Run) worked() bool { return r.Seconds[0] > 0 || r.Begun() }

// abandoned is the age from which a temporary file counts as one of a killed process: workers, and processes that do
// not see the lock, may be writing others. All are in the directory of the units, which goes when the run is complete.
const abandoned = time.Hour

// sweep removes abandoned temporary files, units of products that are complete, and units whose checksums prove that
// they are damaged. A unit that cannot be read may be intact, and may have taken hours: it stays, and is the error. The
// error is a *fault.Data, or ctx.Err() if ctx ends.
func (r *Run) sweep(ctx context.Context) error {
	units := r.Units()
	if err := files.Mkdir(units.Path); err != nil && !errors.Is(err, fs.ErrExist) {
		return fault.Unwritten(units.Path, err, writable)
	}
	units.Remove(slices.Collect(maps.Keys(r.Sums))...)
	list, err := units.List()
	if err != nil {
		return err
	}
	for _, unit := range list {
		err := units.check(ctx, unit)
		if err == nil {
			continue
		}
		path := units.file(unit)
		wrong, damaged := errors.AsType[*mismatch](err)
		if !damaged {
			return unreadUnit(ctx, r.Path, err)
		}
		err = files.Remove(path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return &fault.Data{
				Where: path,
				What:  "is damaged, and cannot be removed",
				Err:   err,
				Do:    fault.Remedy(err, writable),
			}
		}
		const removed = "%s was damaged, or another run's (%v): it is removed, and made again"
		r.Session = append(r.Session, fmt.Sprintf(removed, path, wrong))
	}
	return fault.Unwritten(units.Path, files.RemoveTemporary(units.Path, abandoned), writable)
}

// writable is the advice for a run in which this process cannot write.
const writable = "and run it again: runs must be writable for those who compute them"

// unreadUnit returns the error of a unit that could not be read, with a remedy. It returns ctx.Err() if ctx has ended.
func unreadUnit(ctx context.Context, run string, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	data, ok := errors.AsType[*fault.Data](err)
	if ok {
		const remedy = "it is kept, because it may be intact: make it readable and resume with %s, or remove it, and it is " +
			"made again"
		data.Do = fmt.Sprintf(remedy, resumes(run))
	}
	return err
}

// resumes returns the command that resumes the run in the directory path, in quotes.
func resumes(path string) string { return "`rfm run " + printable.Path(path) + "`" }

// Close releases the lock, and removes its file if the run is complete.
func (r *Run) Close() error {
	if r.lock == nil {
		return nil
	}
	err := r.lock.Close()
	r.lock = nil
	if err == nil && r.Complete() {
		err = files.Remove(r.File(LockFile))
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return &fault.Data{
			Where: r.File(LockFile),
			What:  "cannot be removed",
			Err:   err,
		}
	}
	return nil
}

// Discard releases the lock. It removes the run if this process has made it, no stage has computed anything and the
// directory has no other files: after a user's mistake such a run is useless. It keeps a run whose write failed, since
// that run can be resumed once there is space. fate describes the result; it is empty if somebody else has removed the
// run. The error is a *fault.Data.
func (r *Run) Discard() (fate string, err error) {
	entries, err := files.ReadDir(r.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", r.Close()
	}
	if err != nil || !r.Made || r.failed || r.worked() {
		return "the run " + r.Path + " stays as it is", r.Close()
	}
	// With units the first cannot be removed, and without the second the run does not exist.
	own := []string{UnitsDirectory, ProgramFile, SumsFile, ConfigFile}
	for _, e := range entries {
		if e.Name() != LockFile && !slices.Contains(own, e.Name()) {
			return fmt.Sprintf("the run %s stays: %q is not the run's", r.Path, e.Name()), r.Close()
		}
	}
	if err := r.remove(own); err != nil {
		return "the run " + r.Path + " stays", &fault.Data{
			Where: r.Path,
			What:  "cannot be removed",
			Err:   err,
		}
	}
	return "the run " + r.Path + " was removed: nothing had been computed", nil
}

// remove removes files of the run in their order, then the lock and the directory. It releases the lock in any case.
func (r *Run) remove(names []string) error {
	for _, name := range names {
		err := files.Remove(r.File(name))
		if err != nil {
			return errors.Join(err, r.Close())
		}
	}
	if err := r.Close(); err != nil {
		return err
	}
	err := files.Remove(r.File(LockFile))
	if err != nil {
		return err
	}
	return files.Remove(r.Path)
}
