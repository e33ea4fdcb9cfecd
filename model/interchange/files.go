// This file reads and writes files named by the user: pictures, configurations, scripts.

package interchange

import (
	"os"
	"path/filepath"

	"rfm/solver/dataset/exchange"
	"rfm/solver/fault"
	"rfm/solver/files"
)

// Save writes a file with the given content atomically, and replaces an existing one. The error is a *fault.Data with
// the advice do.
func Save(name string, content []byte, do string) error {
	return fault.Unwritten(name, files.WriteFile(name, content), do)
}

// Unoccupied refuses, before anything is computed, to write the file that a flag names if its directory does not exist,
// or if the file does, unless force points to true; force is nil if there is no such flag. Inputs are never replaced.
// The error is a *fault.Data.
func Unoccupied(name, flag string, force *bool, inputs ...string) error {
	if name == "" || name == Stream {
		return nil
	}
	there, err := os.Stat(name)
	for _, input := range inputs {
		if given, failure := os.Stat(input); err == nil && failure == nil && os.SameFile(there, given) {
			return fault.Bad(name, "choose another "+flag, "is the file of the inputs")
		}
	}
	_, link := os.Lstat(name)
	other := "or move it away"
	if force != nil {
		other = "or replace it with --force"
	}
	directory := filepath.Dir(name)
	switch {
	case link == nil && (force == nil || !*force):
		return fault.Bad(name, "choose another "+flag+", "+other, "exists already")
	case err == nil && !there.Mode().IsRegular():
		return fault.Bad(name, "choose another "+flag, "is not a file")
	case err == nil:
		return nil
	}
	if _, err = os.Stat(directory); err != nil {
		return fault.Bad(name, "make it, or choose another "+flag, "the directory %s does not exist", directory)
	}
	return nil
}

// Readable returns nil if name is a directory, or regular files that can be opened, and otherwise the reason.
func Readable(name string) error {
	for _, path := range exchange.Paths(name) {
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			continue
		}
		f, err := files.Open(path)
		if err != nil {
			return err
		}
		f.Close()
	}
	return nil
}
