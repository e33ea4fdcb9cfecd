// Package durable writes files that are there whole or not at all, also after a power failure.
package durable

import (
	"errors"
	"os"
	"path/filepath"
)

// WriteFile makes a file with the given content appear at path, or replaces the one that is there: temporary file in the
// same directory, sync, rename, sync of the directory. After an error the old file, if any, is untouched.
func WriteFile(path string, content []byte) (err error) {
	directory, name := filepath.Split(path)
	if directory == "" {
		directory = "."
	}
	f, err := os.CreateTemp(directory, "."+name+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	if _, err = f.Write(content); err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	if err = os.Chmod(f.Name(), 0o644); err != nil {
		return err
	}
	if err = os.Rename(f.Name(), path); err != nil {
		return err
	}
	return syncDirectory(directory)
}
