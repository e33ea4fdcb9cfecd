package store

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
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
// until Close. Its methods may be called from several goroutines. The zero Directory has no files and stores nothing.
type Directory struct {
	path    string
	lock    *os.File    // nil for a complete run
	created fs.FileInfo // of the directory, if this process has made it
	notices []string    // about this session
	failed  atomic.Bool // a write has failed

	mutex    sync.Mutex
	manifest Manifest
}

// Open locks the run in the directory path, unless the run is complete, checks all its files and removes leftovers of
// killed processes. Another process may complete the run while this one waits for the lock. Errors are *fault.Data:
// those of Read and Verify, a run in use (*InUse), a directory that cannot be written; and ctx's.
func Open(ctx context.Context, path string, p Program, now time.Time) (d *Directory, err error) {
	path = filepath.Clean(path)
	d = &Directory{path: path}
	defer func() {
		if err != nil {
			d, err = nil, errors.Join(err, d.Close())
		}
	}()
	if d.manifest, err = Read(path); err != nil {
		return d, err
	}
	if !d.manifest.Complete() {
		locked := false
		if d.lock, locked, err = acquire(path, now); err != nil {
			return d, err
		}
		if !locked {
			d.notices = append(d.notices, "the file system has no locks: another process that works on this run makes the "+
				"same files again")
		}
		if d.manifest, err = Read(path); err != nil { // another process may have written before it released the lock
			return d, err
		}
	}
	if err := errors.Join(d.manifest.verify(ctx)...); err != nil {
		return d, err
	}
	if d.manifest.Complete() {
		Tidy(path)
		return d, d.Close()
	}
	if err := d.sweep(ctx); err != nil {
		return d, err
	}
	m := d.manifest
	if m.Stages[Generating].State != Pending {
		d.manifest.Resumed++
		if before := m.Program; before != p {
			d.manifest.notice(fmt.Sprintf("begun by %s, continued by %s: last digits can differ from those of an "+
				"uninterrupted run", before, p))
		}
	}
	d.manifest.Program = p
	return d, nil
}

// Look returns the run in the directory path for reading. It neither locks, checks nor writes anything. The error is a
// *fault.Data.
func Look(path string) (*Directory, error) {
	path = filepath.Clean(path)
	m, err := Read(path)
	if err != nil {
		return nil, err
	}
	return &Directory{path: path, manifest: m}, nil
}

func (p Program) String() string {
	parts := []string{p.Go, p.Platform, p.Target, p.SIMD}
	return fmt.Sprintf("rfm %s (%s)", p.Version, strings.Join(slices.DeleteFunc(parts,
		func(s string) bool { return s == "" }), ", "))
}

// abandoned is the age from which a temporary file counts as one of a killed process: workers, and processes that do
// not see the lock, may be writing others. All are in the directory of the units, which goes when the run is complete.
const abandoned = time.Hour

// sweep removes abandoned temporary files, damaged units and units of products that are complete. The error is a
// *fault.Data, or ctx's.
func (d *Directory) sweep(ctx context.Context) error {
	if err := os.Mkdir(d.Units().path, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
		return fault.Unwritten(d.path, err, "runs must be writable; check the permissions")
	}
	for _, f := range d.manifest.Files {
		d.Units().Remove(f.Name)
	}
	damaged, err := d.Units().sweep(ctx)
	if err != nil {
		return err
	}
	for _, wrong := range damaged {
		d.notices = append(d.notices, fmt.Sprintf("%v (it is made again)", wrong))
	}
	return fault.Unwritten(d.path, files.RemoveTemporary(d.Units().path, abandoned),
		"runs must be writable; check the permissions")
}

// Close releases the lock, and removes its file if the run is complete.
func (d *Directory) Close() error {
	if d.lock == nil {
		return nil
	}
	err := d.lock.Close()
	if d.lock = nil; err == nil && d.Manifest().Complete() {
		err = os.Remove(d.File(LockFile))
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return &fault.Data{Where: d.File(LockFile), What: "cannot be removed", Err: err}
	}
	return nil
}

// Discard releases the lock. It removes the run if this process has made it, no stage has computed anything and the
// directory has no other files: after a user's mistake such a run is useless. It keeps a run whose write failed, since
// that run can be resumed once there is space. fate describes the result; it is empty if somebody else has removed the
// run. The error is a *fault.Data.
func (d *Directory) Discard() (fate string, err error) {
	there, err := os.Stat(d.path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", d.Close()
	}
	stays := "the run " + d.path + " stays"
	if err != nil || d.created == nil || !os.SameFile(there, d.created) || d.failed.Load() ||
		d.Manifest().Stages[Generating].State != Pending {
		return stays + " as it is", d.Close()
	}
	own := []string{UnitsDirectory, ProgramFile, ConfigFile} // with units it stays, without the second it does not exist
	entries, err := os.ReadDir(d.path)
	others := slices.DeleteFunc(entries, func(e os.DirEntry) bool {
		return e.Name() == LockFile || slices.Contains(own, e.Name())
	})
	if len(others) > 0 {
		return fmt.Sprintf("%s: %q is not the run's", stays, others[0].Name()), d.Close()
	}
	for _, name := range own {
		if err == nil {
			err = os.Remove(d.File(name))
		}
	}
	if err = errors.Join(err, d.Close()); err == nil {
		err = cmp.Or(os.Remove(d.File(LockFile)), os.Remove(d.path))
	}
	if err != nil {
		return stays, &fault.Data{Where: d.path, What: "cannot be removed", Err: err}
	}
	return "the run " + d.path + " was removed: nothing had been computed", nil
}

// Path returns the directory as it was opened.
func (d *Directory) Path() string { return d.path }

// Made reports whether this process has made the directory.
func (d *Directory) Made() bool { return d.created != nil }

// File returns the path of a file of the run.
func (d *Directory) File(name string) string { return filepath.Join(d.path, name) }

// Manifest returns a copy of the current manifest.
func (d *Directory) Manifest() Manifest {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	return d.manifest.clone()
}

// Notices returns the notices of the manifest and of this session: circumstances that may affect results.
func (d *Directory) Notices() []string { return slices.Concat(d.Manifest().Notices, d.notices) }

// Put stores products whole and durably, with the effect of change on the manifest: first the products, then the list
// of their checksums. Then it removes their units. Without products it only writes the manifest. The error is a
// *fault.Data, or one of a content; then the earlier files are intact.
func (d *Directory) Put(change func(*Manifest), products ...files.File) error {
	if d.path == "" {
		return nil
	}
	d.mutex.Lock()
	defer d.mutex.Unlock()
	m := d.manifest.clone()
	if there, err := Read(d.path); err == nil { // another process may have stored products
		for _, f := range there.Files {
			m.put(f)
		}
		m.Split = there.Split
	}
	change(&m)
	sums := make([]hash.Hash, len(products))
	var all []files.File
	for i, p := range products {
		sums[i] = sha256.New()
		all = append(all, files.File{Name: p.Name, Content: func(w io.Writer) error {
			return p.Content(io.MultiWriter(w, sums[i]))
		}})
	}
	all = append(all, files.Text(ProgramFile, m.encode()))
	units := m.Units()
	if err := files.WriteAll(units.path, d.path, all...); err != nil {
		return d.unwritten(all[0].Name, err)
	}
	names := []string{}
	for i, p := range products {
		m.put(File{Name: p.Name, SHA256: hex.EncodeToString(sums[i].Sum(nil))})
		names = append(names, p.Name)
	}
	if len(products) > 0 {
		if err := files.WriteAll(units.path, d.path, files.Text(SumsFile, m.sums())); err != nil {
			return d.unwritten(SumsFile, err)
		}
	}
	if err := m.progress(); err != nil {
		return err
	}
	d.manifest = m
	if m.Complete() {
		Tidy(d.path)
		return nil
	}
	if m.Has(Training) {
		names = append(names, sumsFile)
	}
	units.Remove(names...)
	return nil
}

// Tidy removes the units, the claims and the lock file of a complete run, which a process that was killed at its end may
// have left. Failures are harmless.
func Tidy(path string) {
	_ = os.RemoveAll(filepath.Join(path, UnitsDirectory))
	_ = os.RemoveAll(filepath.Join(path, ClaimsDirectory))
	_ = os.Remove(filepath.Join(path, LockFile))
}

// unwritten records a failed write and returns its error. It returns errors of contexts, and nil, unchanged.
func (d *Directory) unwritten(name string, err error) error {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	d.failed.Store(true)
	unwritten := &fault.Data{Where: d.File(name), What: "cannot be written", Err: err}
	var other *files.Error
	missing := func(path string) bool {
		_, err := os.Stat(path)
		return errors.Is(err, fs.ErrNotExist)
	}
	if missing(d.path) {
		unwritten.What, unwritten.Do = "cannot be written, since the directory is gone",
			"start the run again; nothing of it is left"
	} else if missing(d.File(UnitsDirectory)) {
		unwritten.Err, unwritten.Do = ErrComplete, "`rfm show` shows it"
	} else if errors.As(err, &other) {
		unwritten.Do = "the run has not made it: move it away, and resume with `rfm run " + printable.Path(d.path) + "`"
	} else {
		unwritten.Do = "everything stored before is intact: free some space and resume with `rfm run " +
			printable.Path(d.path) + "`"
	}
	return unwritten
}
