// This file checks that a run's files are what its manifest says.

package run

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"rfm/solver/fault"
)

// Verify checks all files of the run in the directory path and returns everything that is wrong, each as a *fault.Data that
// names the file, what was expected and what was found. It changes nothing. Rows that a process adds to an array
// meanwhile do not matter; files that it removes do.
func Verify(path string) []error {
	m, err := Read(path)
	if err != nil {
		return []error{err}
	}
	d := &Directory{path: filepath.Clean(path), manifest: m, hashes: map[string]hash.Hash{}}
	return d.verify()
}

// verify checks all files, and keeps the hashes of growing arrays.
func (d *Directory) verify() []error {
	var faults []error
	for _, f := range d.manifest.Files {
		sum, err := d.check(f)
		if err != nil {
			faults = append(faults, err)
		} else if f.Growing {
			d.hashes[f.Name] = sum
		}
	}
	return faults
}

func (d *Directory) check(f File) (hash.Hash, error) {
	const repeat = "restore it from a copy, or repeat the run from its config.toml"
	name := d.File(f.Name)
	file, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &fault.Data{Where: name, What: fmt.Sprintf("is missing; it should have %d bytes", f.Size), Do: repeat}
	}
	if err != nil {
		return nil, &fault.Data{Where: name, What: "cannot be opened", Err: err}
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, &fault.Data{Where: name, What: "cannot be read", Err: err}
	}
	if size := info.Size(); !info.Mode().IsRegular() || size < f.Size || size > f.Size && !f.Growing {
		return nil, &fault.Data{Where: name, What: fmt.Sprintf("is damaged: it has %d bytes, not %d", size, f.Size), Do: repeat}
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, io.LimitReader(file, f.Size)); err != nil {
		return nil, &fault.Data{Where: name, What: "cannot be read", Err: err}
	}
	if found := hex.EncodeToString(sum.Sum(nil)); found != f.SHA256 {
		return nil, &fault.Data{Where: name, What: fmt.Sprintf("is damaged: its SHA-256 is %.12s..., not %.12s...", found, f.SHA256), Do: repeat}
	}
	return sum, nil
}

// hashed is the hash of a growing array, to go on with; it is kept from Open for the first that asks.
func (d *Directory) hashed(f File) (hash.Hash, error) {
	d.mutex.Lock()
	sum, ok := d.hashes[f.Name]
	delete(d.hashes, f.Name)
	d.mutex.Unlock()
	if ok {
		return sum, nil
	}
	return d.check(f)
}
