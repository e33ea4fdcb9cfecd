// This file reads products of a run, and compares them with their checksums.

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
	"slices"

	"rfm/model/run/machine"
	"rfm/solver/base/fault"
	"rfm/solver/base/files"
	"rfm/solver/dataset/npy"
)

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

// mismatch is the cause of the *fault.Data about a file whose content is not that of its checksum.
type mismatch struct {
	found string // SHA-256
	want  string
}

func (m *mismatch) Error() string {
	return fmt.Sprintf("its SHA-256 is %.12s..., not %.12s...", m.found, m.want)
}

// Copy copies a file of the run, and compares it with its checksum. The error is a *fault.Data.
func (r *Run) Copy(ctx context.Context, name string, to io.Writer) error {
	found, err := copyFile(ctx, r.File(name), "", to)
	if errors.Is(err, fs.ErrNotExist) {
		return fault.Bad(r.File(name), r.restore(name), "is missing")
	}
	if err != nil {
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
	both := io.MultiWriter(hash, to)
	_, err = io.Copy(both, content)
	if err != nil {
		return "", fault.Unread(path, err)
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}

// content returns a file, for which there must be memory, as copy writes it. The error is a *fault.Data, or one of copy.
func content(path string, copy func(io.Writer) error) ([]byte, error) {
	const small = 16 << 20
	var text bytes.Buffer
	info, err := files.Lstat(path)
	if err == nil { // else copy reports the error
		size := info.Size()
		if size > small {
			err := machine.CheckBytes(path, float64(size), "is this the right directory?")
			if err != nil {
				return nil, err
			}
		}
		text.Grow(int(size))
	}
	err = copy(&text)
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
