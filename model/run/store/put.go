// This file stores products of a run, whole and durably.

package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"maps"
	"path/filepath"

	"rfm/solver/base/fault"
	"rfm/solver/base/files"
	"rfm/solver/base/printable"
)

// Put stores products and the state of the run whole and durably: first the products, then the list of their checksums.
// Then it removes their units. The error is a *fault.Data, or one of a content; then the earlier files are intact.
func (r *Run) Put(products ...files.File) error {
	if r.Path == "" {
		return nil
	}
	known := maps.Clone(r.Sums)
	there, err := Read(r.Path)
	if err == nil { // another process may have stored products
		maps.Copy(known, there.Sums)
		if r.Split == nil {
			r.Split = there.Split
		}
	}
	var names []string
	var all []files.File
	isRemoved := !exists(r.File(ConfigFile)) // by somebody; without it the run is lost
	configuration := r.Config.TOML()
	sum := sha256.Sum256(configuration)
	if isRemoved && hex.EncodeToString(sum[:]) == r.Key {
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
	err = files.WriteAll(units.Path, r.Path, all...)
	if err != nil {
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
	failed, ok := errors.AsType[*files.WriteError](err)
	if ok {
		where = r.File(failed.Name)
	}
	if !exists(r.Path) {
		return fault.Unwritten(r.Path, errMoved, "and resume it under its new name with `rfm run`, or start it again")
	}
	if !exists(r.File(UnitsDirectory)) {
		return fault.Unwritten(where, ErrComplete, "and look at it: `rfm show "+printable.Path(r.Path)+"`")
	}
	_, isOther := errors.AsType[*files.Error](err)
	if isOther {
		const away = "and move it away, because the run has not made it; then resume with "
		return fault.Unwritten(where, err, away+resumes(r.Path))
	}
	return fault.Unwritten(where, err, "and resume with "+resumes(r.Path)+": everything stored before is intact")
}

// errMoved is the cause of a failed write to a run whose directory is gone.
var errMoved = errors.New("somebody has renamed or removed the directory of the run")
