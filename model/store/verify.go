package store

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"

	"rfm/solver/dataset/npy"
	"rfm/solver/fault"
	"rfm/solver/files"
)

// Verify checks all files of the run in the directory path and returns all defects, each a *fault.Data that names the
// file, the expected and the actual content. It changes nothing, and tolerates units made meanwhile.
func Verify(path string) []error {
	r, err := Read(path)
	if err != nil {
		return []error{err}
	}
	faults := r.verify(context.Background())
	list, err := r.Units().List()
	if err != nil {
		return append(faults, err)
	}
	for _, u := range list {
		if _, err := r.Units().Read(u); err != nil && !errors.Is(err, fs.ErrNotExist) {
			faults = append(faults, err)
		}
	}
	return faults
}

// verify checks the configuration and all products; it stops when ctx ends.
func (r *Run) verify(ctx context.Context) (faults []error) {
	for _, name := range slices.Sorted(maps.Keys(r.Sums)) {
		if err := cmp.Or(ctx.Err(), r.copy(ctx, name, io.Discard)); err != nil {
			faults = append(faults, err)
		}
		if ctx.Err() != nil {
			break
		}
	}
	return faults
}

// copy copies a file of the run, and compares it with its checksum. The error is a *fault.Data.
func (r *Run) copy(ctx context.Context, name string, to io.Writer) error {
	file, size, err := r.open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	sum := sha256.New()
	if _, err := io.Copy(io.MultiWriter(sum, to), io.NewSectionReader(npy.Until(ctx, file), 0, size)); err != nil {
		return fault.Unread(file.Name(), err)
	}
	if found := hex.EncodeToString(sum.Sum(nil)); found != r.Sums[name] {
		return fault.Bad(file.Name(), repeat, "is damaged: its SHA-256 is %.12s..., not %.12s...", found, r.Sums[name])
	}
	return nil
}

// repeat is the advice for a file that has changed.
const repeat = "restore it from a copy, or repeat the run from its config.toml"

// open opens a file of the run without checking its content, and returns its size. The error is a *fault.Data if the
// file is missing or not regular.
func (r *Run) open(name string) (file *os.File, size int64, err error) {
	name = r.File(name)
	if file, err = files.OpenInside(name, os.O_RDONLY); errors.Is(err, fs.ErrNotExist) {
		return nil, 0, fault.Bad(name, repeat, "is missing")
	} else if err != nil {
		return nil, 0, &fault.Data{Where: name, What: "cannot be opened", Err: err}
	}
	info, err := file.Stat()
	if err != nil {
		return nil, 0, errors.Join(fault.Unread(name, err), file.Close())
	}
	return file, info.Size(), nil
}

// ReadFile returns the content of a file of the run. The error is a *fault.Data.
func (r *Run) ReadFile(name string) ([]byte, error) {
	if !r.Has(name) {
		return nil, fault.Bad(r.File(name), "", "is not a file of the run")
	}
	var content bytes.Buffer
	err := r.copy(context.Background(), name, &content)
	return content.Bytes(), err
}

// ReadJSON decodes a JSON file of the run into a value; see ReadFile.
func (r *Run) ReadJSON(name string, into any) error {
	text, err := r.ReadFile(name)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, into); err != nil {
		return fault.Unread(r.File(name), err)
	}
	return nil
}
