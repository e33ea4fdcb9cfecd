package store

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"time"

	"rfm/model/run/machine"
	"rfm/solver/base/fault"
	"rfm/solver/base/files"
	"rfm/solver/base/printable"
	"rfm/solver/dataset/npy"
)

// Open locks the run in the directory path, unless the run is complete, checks all its files and removes leftovers of
// killed processes. No other process can open an incomplete run until Close; one that has the lock may complete the run
// while this one waits. Errors are *fault.Data: those of Read and Verify, a run in use (*InUse), a directory that
// cannot be written; and ctx's.
func Open(ctx context.Context, path string) (r *Run, err error) {
	r = new(Run)
	defer func() {
		if err != nil {
			r, err = nil, errors.Join(err, r.Close())
		}
	}()
	if *r, err = Read(path); err != nil {
		return r, err
	}
	if !r.Complete() {
		lock, locked, err := acquire(r.Path)
		if err != nil {
			return r, err
		}
		*r, err = Read(path) // another process may have written before it released the lock
		if r.lock = lock; err != nil {
			return r, err
		}
		if !locked {
			r.Session = append(r.Session, "the file system has no locks: another process that works on this run makes the "+
				"same files again")
		}
	}
	if err := errors.Join(r.verify(ctx)...); err != nil {
		return r, err
	}
	if r.Complete() {
		Tidy(r.Path)
		return r, r.Close()
	}
	if err := r.sweep(ctx); err != nil {
		return r, err
	}
	own := machine.Program()
	if r.begun() {
		r.Resumed++
		if r.Program != own {
			text := fmt.Sprintf("begun by %s, continued by %s: last digits can differ from those of an uninterrupted run",
				r.Program, own)
			if !slices.Contains(r.Notices, text) { // the oldest one goes if there are many
				r.Notices = append(r.Notices[max(0, len(r.Notices)-maxNotices+1):], text)
			}
		}
	}
	r.Program = own
	return r, nil
}

// begun reports whether a stage has computed anything.
func (r *Run) begun() bool {
	units, _ := r.Units().List() // unreadable ones are not removed
	return r.Seconds[0] > 0 || r.Reached() > 0 || len(units) > 0
}

// abandoned is the age from which a temporary file counts as one of a killed process: workers, and processes that do
// not see the lock, may be writing others. All are in the directory of the units, which goes when the run is complete.
const abandoned = time.Hour

// sweep removes abandoned temporary files, damaged units and units of products that are complete. The error is a
// *fault.Data, or ctx's.
func (r *Run) sweep(ctx context.Context) error {
	if err := os.Mkdir(r.Units().Path, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
		return fault.Unwritten(r.Path, err, "runs must be writable; check the permissions")
	}
	r.Units().Remove(slices.Collect(maps.Keys(r.Sums))...)
	var failed error
	err := r.Units().verify(ctx, func(path string, damage error) {
		r.Session = append(r.Session, fmt.Sprintf("%v (it is made again)", damage))
		failed = errors.Join(failed, os.Remove(path))
	})
	if err != nil {
		return err
	}
	return fault.Unwritten(r.Path, errors.Join(failed, files.RemoveTemporary(r.Units().Path, abandoned)),
		"runs must be writable; check the permissions")
}

// Close releases the lock, and removes its file if the run is complete.
func (r *Run) Close() error {
	if r.lock == nil {
		return nil
	}
	err := r.lock.Close()
	if r.lock = nil; err == nil && r.Complete() {
		err = os.Remove(r.File(LockFile))
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return &fault.Data{Where: r.File(LockFile), What: "cannot be removed", Err: err}
	}
	return nil
}

// Discard releases the lock. It removes the run if this process has made it, no stage has computed anything and the
// directory has no other files: after a user's mistake such a run is useless. It keeps a run whose write failed, since
// that run can be resumed once there is space. fate describes the result; it is empty if somebody else has removed the
// run. The error is a *fault.Data.
func (r *Run) Discard() (fate string, err error) {
	entries, err := os.ReadDir(r.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", r.Close()
	}
	own := []string{UnitsDirectory, ProgramFile, ConfigFile, LockFile}
	other := slices.IndexFunc(entries, func(e os.DirEntry) bool { return !slices.Contains(own, e.Name()) })
	switch {
	case err != nil || !r.Made || r.failed || r.begun():
		return "the run " + r.Path + " stays as it is", r.Close()
	case other >= 0:
		return fmt.Sprintf("the run %s stays: %q is not the run's", r.Path, entries[other].Name()), r.Close()
	}
	for _, name := range own[:3] { // with units it stays, without the second it does not exist
		if err == nil {
			err = os.Remove(r.File(name))
		}
	}
	if err = errors.Join(err, r.Close()); err == nil {
		err = cmp.Or(os.Remove(r.File(LockFile)), os.Remove(r.Path))
	}
	if err != nil {
		return "the run " + r.Path + " stays", &fault.Data{Where: r.Path, What: "cannot be removed", Err: err}
	}
	return "the run " + r.Path + " was removed: nothing had been computed", nil
}

// Put stores products and the state of the run whole and durably: first the products, then the list of their checksums.
// Then it removes their units. The error is a *fault.Data, or one of a content; then the earlier files are intact.
func (r *Run) Put(products ...files.File) error {
	if r.Path == "" {
		return nil
	}
	known := maps.Clone(r.Sums)
	if there, err := Read(r.Path); err == nil { // another process may have stored products
		maps.Copy(known, there.Sums)
		r.Split = cmp.Or(r.Split, there.Split)
	}
	names, all := []string{}, []files.File{}
	for _, p := range products {
		hash := sha256.New()
		names, all = append(names, p.Name), append(all, files.File{Name: p.Name, Content: func(w io.Writer) error {
			err := p.Content(io.MultiWriter(w, hash))
			known[p.Name] = hex.EncodeToString(hash.Sum(nil))
			return err
		}})
	}
	all = append(all, files.Text(ProgramFile, r.encode()))
	units := r.Units()
	if err := files.WriteAll(units.Path, r.Path, all...); err != nil {
		return r.unwritten(all[0].Name, err)
	}
	if len(products) > 0 {
		if err := files.WriteAll(units.Path, r.Path, files.Text(SumsFile, sums(known))); err != nil {
			return r.unwritten(SumsFile, err)
		}
	}
	if r.Sums = known; r.Complete() {
		Tidy(r.Path)
		return nil
	}
	if r.Has(ModelFile) {
		names = append(names, sumsFile)
	}
	units.Remove(names...)
	return nil
}

// Tidy removes the units, the claims and the lock file of a complete run, which a process that was killed at its end
// may have left. Failures are harmless.
func Tidy(path string) {
	_ = os.RemoveAll(filepath.Join(path, UnitsDirectory))
	_ = os.RemoveAll(filepath.Join(path, ClaimsDirectory))
	_ = os.Remove(filepath.Join(path, LockFile))
}

// unwritten records a failed write and returns its error. It returns errors of contexts, and nil, unchanged.
func (r *Run) unwritten(name string, err error) error {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	r.failed = true
	resume := "`rfm run " + printable.Path(r.Path) + "`"
	do := "everything stored before is intact: free some space and resume with " + resume
	var other *files.Error
	switch {
	case !exists(r.Path):
		do = "the directory is gone: start the run again; nothing of it is left"
	case !exists(r.File(UnitsDirectory)):
		err, do = ErrComplete, "`rfm show` shows it"
	case errors.As(err, &other):
		do = "the run has not made it: move it away, and resume with " + resume
	}
	return fault.Unwritten(r.File(name), err, do)
}

// Verify checks all files of the run in the directory path and returns all defects, each a *fault.Data that names the
// file, the expected and the actual content. It changes nothing, and tolerates units made meanwhile.
func Verify(path string) []error {
	r, err := Read(path)
	if err != nil {
		return []error{err}
	}
	ctx := context.Background()
	faults := r.verify(ctx)
	err = r.Units().verify(ctx, func(_ string, damage error) { faults = append(faults, damage) })
	if err != nil {
		faults = append(faults, err)
	}
	return faults
}

// verify checks the configuration and all products; it stops when ctx ends.
func (r *Run) verify(ctx context.Context) (faults []error) {
	for _, name := range slices.Sorted(maps.Keys(r.Sums)) {
		if err := r.Copy(ctx, name, io.Discard); err != nil {
			faults = append(faults, cmp.Or(ctx.Err(), err))
		}
		if ctx.Err() != nil {
			break
		}
	}
	return faults
}

// Copy copies a file of the run, and compares it with its checksum. The error is a *fault.Data.
func (r *Run) Copy(ctx context.Context, name string, to io.Writer) error {
	found, err := copyFile(ctx, r.File(name), "", to)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fault.Bad(r.File(name), repeat, "is missing")
	case err == nil && found != r.Sums[name]:
		return fault.Bad(r.File(name), repeat, "is damaged: its SHA-256 is %.12s..., not %.12s...", found, r.Sums[name])
	}
	return err
}

// copyFile copies a file and returns the SHA-256 of a prefix and the content. The error is a *fault.Data.
func copyFile(ctx context.Context, path, prefix string, to io.Writer) (sum string, err error) {
	f, err := files.OpenInside(path, os.O_RDONLY)
	if err != nil {
		return "", fault.Unread(path, err)
	}
	defer f.Close()
	hash := sha256.New()
	hash.Write([]byte(prefix))
	content := io.NewSectionReader(npy.Until(ctx, f), 0, math.MaxInt64)
	if _, err := io.Copy(io.MultiWriter(hash, to), content); err != nil {
		return "", fault.Unread(path, err)
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}

// content returns a file of at most most bytes, for which there must be memory, as copy writes it. The error is a
// *fault.Data.
func content(path string, most int64, copy func(io.Writer) error) ([]byte, error) {
	const small, do = 16 << 20, "is this the right directory?"
	var text bytes.Buffer
	if info, err := os.Lstat(path); err == nil {
		if info.Size() > most {
			err = fault.Bad(path, do, "has more than %d bytes", most)
		} else if info.Size() > small {
			err = machine.CheckBytes(path, float64(info.Size()), do)
		}
		if err != nil {
			return nil, err
		}
		text.Grow(int(info.Size()))
	}
	err := copy(&text)
	return text.Bytes(), err
}

// repeat is the advice for a file that has changed.
const repeat = "restore it from a copy, or repeat the run from its config.toml"

// ReadFile returns the content of a file of the run. The error is a *fault.Data.
func (r *Run) ReadFile(name string) ([]byte, error) { return r.readFile(name, math.MaxInt64) }

func (r *Run) readFile(name string, most int64) ([]byte, error) {
	if !r.Has(name) {
		return nil, fault.Bad(r.File(name), "", "is not a file of the run")
	}
	return content(r.File(name), most, func(w io.Writer) error { return r.Copy(context.Background(), name, w) })
}

// ReadJSON decodes a JSON file of the run into a value; see ReadFile.
func (r *Run) ReadJSON(name string, into any) error {
	text, err := r.readFile(name, maxReport)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, into); err != nil {
		return fault.Unread(r.File(name), err)
	}
	return nil
}
