// Package durable writes files that are there whole or not at all, also after a power failure.
package durable

import (
	"bufio"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// temporarySuffix ends the names of files that are being written. They begin with a dot.
const temporarySuffix = ".partial"

// WriteFile makes a file with the given content appear at path, or replaces the one that is there: temporary file in the
// same directory, sync, rename, sync of the directory. After an error the old file, if any, is untouched.
func WriteFile(path string, content []byte) error {
	return Write(path, func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	})
}

// Write is WriteFile for content that is written piece by piece.
func Write(path string, content func(io.Writer) error) (err error) {
	directory, name := filepath.Split(path)
	if directory == "" {
		directory = "."
	}
	f, err := os.CreateTemp(directory, "."+name+".*"+temporarySuffix)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	buffered := bufio.NewWriterSize(f, 1<<16)
	if err = content(buffered); err == nil {
		err = buffered.Flush()
	}
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	if err = os.Chmod(f.Name(), 0o644); err != nil {
		return err
	}
	if err = rename(f.Name(), path); err != nil {
		return err
	}
	return SyncDirectory(directory)
}

// RemoveTemporary removes what writers that were killed left in a directory. No other process may be writing there.
func RemoveTemporary(directory string) error {
	entries, err := os.ReadDir(directory)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if name := entry.Name(); strings.HasPrefix(name, ".") && strings.HasSuffix(name, temporarySuffix) {
			err = errors.Join(err, os.Remove(filepath.Join(directory, name)))
		}
	}
	return err
}
