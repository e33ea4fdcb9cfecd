package store

import (
	"bytes"
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
		r.lock = lock
		if err != nil {
			return r, err
		}
		if !locked {
			r.Session = append(r.Session, "the file system has no locks: another process that works on this run makes the "+
				"same files again")
		}
	}
	err = errors.Join(r.verify(ctx)...)
	if err != nil {
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
	if r.worked() {
		r.Resumed++
		if r.Program != own {
			r.notice(fmt.Sprintf("begun by %s, continued by %s: last digits can differ from those of an uninterrupted run",
				r.Program, own))
		}
	}
	r.Program = own
	return r, nil
}

// notice adds a notice that the run does not have. If there are many, the oldest one goes.
func (r *Run) notice(text string) {
	if slices.Contains(r.Notices, text) {
		return
	}
	kept := r.Notices[max(0, len(r.Notices)-maxNotices+1):]
	r.Notices = append(kept, text)
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
		if err := files.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return &fault.Data{Where: path, What: "is damaged, and cannot be removed", Err: err,
				Do: fault.Remedy(err, writable)}
		}
		r.Session = append(r.Session, fmt.Sprintf("%s was damaged, or another run's (%v): it is removed, and made again",
			path, wrong))
	}
	return fault.Unwritten(units.Path, files.RemoveTemporary(units.Path, abandoned), writable)
}

// writable is the advice for a run in which this process cannot write.
const writable = "and repeat the command: runs must be writable for those who compute them"

// unreadUnit returns the error of a unit that could not be read, with a remedy. It returns ctx.Err() if ctx has ended.
func unreadUnit(ctx context.Context, run string, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if data, ok := errors.AsType[*fault.Data](err); ok {
		data.Do = "it is kept, because it may be intact: make it readable and resume with " + resumes(run) +
			", or remove it, and it is made again"
	}
	return err
}

// resumes returns the command that resumes the run in the directory path, in quotes.
func resumes(path string) string { return "`rfm run " + printable.Path(path) + "`" }

// mismatch is the cause of the *fault.Data about a file whose content is not that of its checksum.
type mismatch struct{ found, want string }

func (m *mismatch) Error() string {
	return fmt.Sprintf("its SHA-256 is %.12s..., not %.12s...", m.found, m.want)
}

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

// Put stores products and the state of the run whole and durably: first the products, then the list of their checksums.
// Then it removes their units. The error is a *fault.Data, or one of a content; then the earlier files are intact.
func (r *Run) Put(products ...files.File) error {
	if r.Path == "" {
		return nil
	}
	known := maps.Clone(r.Sums)
	if there, err := Read(r.Path); err == nil { // another process may have stored products
		maps.Copy(known, there.Sums)
		if r.Split == nil {
			r.Split = there.Split
		}
	}
	var names []string
	var all []files.File
	configuration := r.Config.TOML()
	removed := !exists(r.File(ConfigFile)) // by somebody; without it the run is lost
	if removed && fmt.Sprintf("%x", sha256.Sum256(configuration)) == r.Key {
		all = append(all, files.Text(ConfigFile, configuration))
	}
	for _, p := range products {
		hash := sha256.New()
		hashed := func(w io.Writer) error {
			err := p.Content(io.MultiWriter(w, hash))
			known[p.Name] = hex.EncodeToString(hash.Sum(nil))
			return err
		}
		names = append(names, p.Name)
		all = append(all, files.File{Name: p.Name, Content: hashed})
	}
	all = append(all, files.Text(ProgramFile, r.encode())) // with the names of earlier products
	units := r.Units()
	if err := files.WriteAll(units.Path, r.Path, all...); err != nil {
		return r.unwritten(err)
	}
	if len(products) > 0 {
		err := files.WriteAll(units.Path, r.Path, files.Text(SumsFile, sums(known)))
		if err != nil {
			return r.unwritten(err)
		}
	}
	r.Sums = known
	if r.Complete() {
		Tidy(r.Path)
		return nil
	}
	if r.Has(ModelFile) {
		names = append(names, trainingArrays...)
	}
	units.Remove(names...)
	return nil
}

// Tidy removes the units, the claims and the lock file of a complete run, which a process that was killed at its end
// may have left. Failures are harmless.
func Tidy(path string) {
	_ = files.RemoveAll(filepath.Join(path, UnitsDirectory))
	_ = files.RemoveAll(filepath.Join(path, ClaimsDirectory))
	_ = files.Remove(filepath.Join(path, LockFile))
}

// unwritten records a failed write of files.WriteAll and returns its error. It returns errors of contexts unchanged.
func (r *Run) unwritten(err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	r.failed = true
	where := r.Path
	if failed, ok := errors.AsType[*files.WriteError](err); ok {
		where = r.File(failed.Name)
	}
	_, other := errors.AsType[*files.Error](err)
	switch {
	case !exists(r.Path):
		return fault.Unwritten(r.Path, errMoved, "and resume it under its new name with `rfm run`, or start it again")
	case !exists(r.File(UnitsDirectory)):
		return fault.Unwritten(where, ErrComplete, "and look at it: `rfm show "+printable.Path(r.Path)+"`")
	case other:
		return fault.Unwritten(where, err, "and move it away, because the run has not made it; then resume with "+
			resumes(r.Path))
	}
	return fault.Unwritten(where, err, "and resume with "+resumes(r.Path)+": everything stored before is intact")
}

// errMoved is the cause of a failed write to a run whose directory is gone.
var errMoved = errors.New("somebody has renamed or removed the directory of the run")

// Verify checks all files of the run in the directory path and returns all defects, each a *fault.Data that names the
// file, the expected and the actual content, or a *fault.Unsound about a unit with two contents. It changes nothing, and
// tolerates units made meanwhile. When ctx ends it returns the defects found so far, and ctx.Err().
func Verify(ctx context.Context, path string) []error {
	r, err := Read(path)
	if err != nil {
		return []error{err}
	}
	faults := r.verify(ctx)
	if ctx.Err() != nil {
		return faults
	}
	units := r.Units()
	list, err := units.List()
	if err != nil {
		return append(faults, err)
	}
	for _, unit := range list {
		err := units.check(ctx, unit)
		if ctx.Err() != nil {
			return append(faults, ctx.Err())
		}
		if err != nil {
			faults = append(faults, err)
		}
	}
	if err := units.twofold(list); err != nil {
		faults = append(faults, err)
	}
	return faults
}

// verify checks the configuration and all products. When ctx ends it returns the defects found so far, and ctx.Err().
func (r *Run) verify(ctx context.Context) (faults []error) {
	for _, name := range slices.Sorted(maps.Keys(r.Sums)) {
		err := r.Copy(ctx, name, io.Discard)
		if ctx.Err() != nil {
			return append(faults, ctx.Err())
		}
		if err != nil {
			faults = append(faults, err)
		}
	}
	return faults
}

// Copy copies a file of the run, and compares it with its checksum. The error is a *fault.Data.
func (r *Run) Copy(ctx context.Context, name string, to io.Writer) error {
	found, err := copyFile(ctx, r.File(name), "", to)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fault.Bad(r.File(name), r.restore(name), "is missing")
	case err != nil:
		return err
	}
	return r.matches(name, found)
}

// matches compares the SHA-256 of a file with the expected one. The error is a *fault.Data, caused by a *mismatch.
func (r *Run) matches(name, found string) error {
	if found == r.Sums[name] {
		return nil
	}
	return &fault.Data{
		Where: r.File(name),
		What:  "is damaged",
		Err:   &mismatch{found: found, want: r.Sums[name]},
		Do:    r.restore(name),
	}
}

// restore returns the advice for a file of the run that is missing or damaged.
func (r *Run) restore(name string) string {
	if name == ConfigFile { // it cannot be repeated from itself
		return "restore it from a copy: " + ProgramFile + " has its SHA-256"
	}
	return repeat
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

// content returns a file, for which there must be memory, as copy writes it. The error is a *fault.Data, or one of copy.
func content(path string, copy func(io.Writer) error) ([]byte, error) {
	const small = 16 << 20
	var text bytes.Buffer
	if info, err := files.Lstat(path); err == nil { // copy reports errors
		if info.Size() > small {
			err := machine.CheckBytes(path, float64(info.Size()), "is this the right directory?")
			if err != nil {
				return nil, err
			}
		}
		text.Grow(int(info.Size()))
	}
	err := copy(&text)
	return text.Bytes(), err
}

// repeat is the advice for a file that has changed.
const repeat = "restore it from a copy, or repeat the run from its config.toml"

// ReadFile returns the content of a product. The error is a *fault.Data, or ctx.Err() if ctx ends.
func (r *Run) ReadFile(ctx context.Context, name string) ([]byte, error) {
	if !r.Has(name) {
		return nil, fault.Bad(r.File(name), "", "is not a file of the run")
	}
	text, err := content(r.File(name), func(w io.Writer) error {
		return r.Copy(ctx, name, w)
	})
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return text, err
}

// readSmall returns the content of a product of at most most bytes, and compares it with its checksum. The error is a
// *fault.Data.
func (r *Run) readSmall(name string, most int64) ([]byte, error) {
	if !r.Has(name) {
		return nil, fault.Bad(r.File(name), "", "is not a file of the run")
	}
	text, err := readSmall(r.File(name), most)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fault.Bad(r.File(name), r.restore(name), "is missing")
	}
	if err != nil {
		return nil, err
	}
	return text, r.matches(name, fmt.Sprintf("%x", sha256.Sum256(text)))
}

// ReadJSON decodes a product, which is a small JSON file, into a value. The error is a *fault.Data.
func (r *Run) ReadJSON(name string, into any) error {
	text, err := r.readSmall(name, maxReport)
	if err != nil {
		return err
	}
	err = json.Unmarshal(text, into)
	if err != nil {
		return fault.Unread(r.File(name), err)
	}
	return nil
}
