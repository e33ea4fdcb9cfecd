package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"rfm/solver/fault"
	"rfm/solver/files"

	"rfm/solver/printable"
)

// Directory is a run's directory, checked when it was opened. Unless the run is complete, no other process can open it
// until Close. Its methods may be called from several goroutines.
type Directory struct {
	path    string
	lock    *lease      // nil for a complete run
	created fs.FileInfo // of the directory, if this process has made it
	notices []string    // about this session
	failed  atomic.Bool // something could not be written

	mutex     sync.Mutex
	committed Manifest // as it is on disk
	manifest  Manifest // with what has been written since
	dropped   []string // files to be removed after the next commit
}

// Open takes the lock of the run in the directory path, unless the run is complete, checks all its files and removes
// what a killed process left behind. Errors are *fault.Data: what Read and Verify find, the process that uses the run
// (*InUse), a directory that cannot be written; and ctx's.
func Open(ctx context.Context, path string, p Program, now time.Time) (d *Directory, err error) {
	path = filepath.Clean(path)
	m, err := Read(path)
	if err != nil {
		return nil, err
	}
	d = &Directory{path: path, manifest: m}
	if m.Complete() {
		d.committed = m.clone()
		removeStaleLock(path)
		return d, errors.Join(d.verify(ctx)...)
	}
	var (
		locked bool
		after  *Identity
	)
	if d.lock, locked, after, err = acquire(ctx, path, now); err != nil {
		return nil, err
	}
	opened := d
	defer func() {
		if err != nil {
			err = errors.Join(err, opened.Close())
		}
	}()
	if !locked {
		d.notices = append(d.notices, "the file system has no locks: take care that no other process works on this run")
	}
	if after != nil {
		d.notices = append(d.notices, fmt.Sprintf("taken over from %v, which has made no sign of life for %v", after,
			beatsMissed*beatInterval))
	}
	if d.manifest, err = Read(path); err != nil { // another process may have gone on before it gave back the lock
		return nil, err
	}
	d.committed = d.manifest.clone()
	if err := errors.Join(d.verify(ctx)...); err != nil {
		return nil, err
	}
	if err := d.sweep(ctx); err != nil {
		return nil, err
	}
	if d.manifest.Generating.State != Pending {
		d.manifest.Resumed++
		if before := d.manifest.Program; before != p {
			d.manifest.notice(fmt.Sprintf("begun by %s, continued by %s: last digits can differ from those of an "+
				"uninterrupted run", before, p))
		}
	}
	d.manifest.Program, d.manifest.Format = p, Format
	return d, nil
}

// Look is the run in the directory path, to read from: nothing is locked, checked or written. The error is a
// *fault.Data.
func Look(path string) (*Directory, error) {
	path = filepath.Clean(path)
	m, err := Read(path)
	if err != nil {
		return nil, err
	}
	return &Directory{path: path, manifest: m, committed: m.clone()}, nil
}

func (p Program) String() string {
	parts := []string{p.Go, p.Platform, p.Target, p.SIMD}
	return fmt.Sprintf("rfm %s (%s)", p.Version, strings.Join(slices.DeleteFunc(parts,
		func(s string) bool { return s == "" }), ", "))
}

// sweep removes temporary files, checkpoints that the manifest does not know, shards of arrays that are whole and
// shards that are damaged. The error is a *fault.Data, or ctx's.
func (d *Directory) sweep(ctx context.Context) error {
	damaged, faults := d.Shards().verify(ctx)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	for i := range damaged {
		d.notices = append(d.notices, fmt.Sprintf("%v (its rows are made again)", faults[i]))
	}
	unwritable := func(err error) error {
		return fault.Unwritten(d.path, err, "runs must be written to go on; check the permissions")
	}
	if err := files.RemoveTemporary(d.path); err != nil {
		return unwritable(err)
	}
	entries, err := os.ReadDir(d.path)
	if err != nil {
		return unwritable(err)
	}
	for _, entry := range entries {
		name := entry.Name()
		_, known := d.manifest.File(name)
		of, part := shard(name)
		whole, joined := d.manifest.File(of.Array)
		spoiled := slices.ContainsFunc(damaged, func(s Shard) bool { return s.file == name })
		if !known && entry.Type().IsRegular() && (strings.HasPrefix(name, CheckpointPrefix) || part && joined &&
			!whole.Growing || spoiled) {
			err = errors.Join(err, os.Remove(filepath.Join(d.path, name)))
		}
	}
	if err != nil {
		return unwritable(err)
	}
	return d.adopt(ctx)
}

// Close gives back the lock. What has not been committed is lost.
func (d *Directory) Close() error {
	if d.lock == nil {
		return nil
	}
	err := d.lock.release()
	d.lock = nil
	if err != nil {
		return &fault.Data{Where: filepath.Join(d.path, LockFile), What: "cannot be removed", Err: err}
	}
	return nil
}

// Remove removes the run, if this process has made it and the directory holds nothing that the run has not written, and
// gives back the lock. Otherwise it only gives back the lock, and removed is false; others names what else there is.
// The error is a *fault.Data.
func (d *Directory) Remove() (removed bool, others []string, err error) {
	own, others, err := d.contents()
	if err != nil || len(others) > 0 {
		return false, others, errors.Join(err, d.Close())
	}
	failed := func(err error) error { return &fault.Data{Where: d.path, What: "cannot be removed", Err: err} }
	for _, name := range own {
		if err := os.Remove(d.File(name)); err != nil {
			return false, nil, errors.Join(failed(err), d.Close())
		}
	}
	if err := d.Close(); err != nil {
		return false, nil, err
	}
	if err := os.Remove(d.path); err != nil {
		return false, nil, failed(err)
	}
	return true, nil, nil
}

// contents lists what is in the directory: own is what the run has written, but for the lock, the manifest first, since
// without it there is no run; others is what is not the run's, all of it if another process has made the directory.
func (d *Directory) contents() (own, others []string, err error) {
	entries, err := os.ReadDir(d.path)
	if err != nil {
		return nil, nil, &fault.Data{Where: d.path, What: "cannot be listed", Err: err}
	}
	d.mutex.Lock()
	defer d.mutex.Unlock()
	there, err := os.Stat(d.path)
	mine := err == nil && d.created != nil && os.SameFile(there, d.created)
	for _, entry := range entries {
		name := entry.Name()
		_, written := d.manifest.File(name)
		_, committed := d.committed.File(name)
		_, part := shard(name)
		switch {
		case mine && name == LockFile:
		case mine && name == ManifestFile:
			own = slices.Insert(own, 0, name)
		case mine && entry.Type().IsRegular() && (written || committed || files.Temporary(name) || part):
			own = append(own, name)
		default:
			others = append(others, name)
		}
	}
	return own, others, nil
}

// Created reports whether this process has made the directory.
func (d *Directory) Created() bool { return d.created != nil }

// Failed reports whether something could not be written.
func (d *Directory) Failed() bool { return d.failed.Load() }

// Path is the directory, as it was opened.
func (d *Directory) Path() string { return d.path }

// File is the path of a file of the run.
func (d *Directory) File(name string) string { return filepath.Join(d.path, name) }

// Manifest is the manifest as it will be committed next.
func (d *Directory) Manifest() Manifest {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	return d.manifest.clone()
}

// Committed is the manifest on disk.
func (d *Directory) Committed() Manifest {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	return d.committed
}

// Notices are what may surprise about results: those of the manifest and those of this session.
func (d *Directory) Notices() []string { return slices.Concat(d.Manifest().Notices, d.notices) }

// Write makes a file appear whole, and durably. It belongs to the run from the next commit on. A file that the run has
// already leaves it first: the manifest on disk never describes another one than there is. The error is a *fault.Data,
// or content's.
func (d *Directory) Write(name string, content func(io.Writer) error) error {
	if _, ok := d.Committed().File(name); ok {
		d.Drop(name)
		if err := d.Commit(func(*Manifest) {}); err != nil {
			return err
		}
	}
	sum, size := sha256.New(), counter(0)
	err := files.Write(d.File(name), func(w io.Writer) error { return content(io.MultiWriter(w, sum, &size)) })
	if err != nil {
		return d.unwritten(name, err)
	}
	d.put(File{Name: name, Size: int64(size), SHA256: hex.EncodeToString(sum.Sum(nil))})
	return nil
}

// counter counts the bytes that are written to it.
type counter int64

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}

// Drop takes a file out of the run: it is removed after the next commit.
func (d *Directory) Drop(name string) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if i, ok := d.manifest.find(name); ok {
		d.manifest.Files = slices.Delete(d.manifest.Files, i, i+1)
		d.dropped = append(d.dropped, name)
	}
}

// Commit changes the manifest and writes it, with all files that have been written or dropped since the last commit.
// The error is a *fault.Data; the run on disk then is as it was after the last commit.
func (d *Directory) Commit(change func(*Manifest)) error {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if d.lock != nil {
		if other := d.lock.lost(); other != nil {
			return &fault.Data{Where: d.path,
				What: fmt.Sprintf("was taken over by %v, which saw no sign of life of this process", other),
				Do:   "nothing is lost: it goes on from the last checkpoint"}
		}
	}
	change(&d.manifest)
	d.manifest.Updated = time.Now().UTC()
	if err := files.WriteFile(d.File(ManifestFile), d.manifest.encode()); err != nil {
		return d.unwritten(ManifestFile, err)
	}
	for _, name := range d.dropped {
		if err := os.Remove(d.File(name)); err != nil && !errors.Is(err, os.ErrNotExist) {
			return &fault.Data{Where: d.File(name), What: "cannot be removed", Err: err}
		}
	}
	d.dropped, d.committed = nil, d.manifest.clone()
	return nil
}

func (d *Directory) put(f File) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	d.manifest.put(f)
}

// unwritten is the error of a file that could not be written; that of a context remains, and nil.
func (d *Directory) unwritten(name string, err error) error {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	d.failed.Store(true)
	unwritten := &fault.Data{Where: d.File(name), What: "cannot be written", Err: err}
	var other *files.Error
	if _, missing := os.Stat(d.path); errors.Is(missing, fs.ErrNotExist) {
		unwritten.What, unwritten.Do = "cannot be written, since the directory is gone",
			"start the run again; nothing of it is left"
	} else if errors.As(err, &other) {
		unwritten.Do = "the run has not made it: move it away, and resume with `rfm run " + printable.Path(d.path) + "`"
	} else {
		unwritten.Do = "what was stored before is intact: free some space and resume with `rfm run " +
			printable.Path(d.path) + "`"
	}
	return unwritten
}
