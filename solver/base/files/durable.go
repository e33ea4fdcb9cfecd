// Package files writes files and directories atomically and durably, also across a power failure, and opens regular
// files only.
package files

import (
	"bufio"
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"time"
)

// temporary matches the names of unfinished files and directories: a dot, the final name, a random part, a suffix.
var temporary = regexp.MustCompile(`^\..+\.[A-Z2-7]{10}\.partial$`)

// WriteFile atomically creates or replaces the file at path: temporary file in the same directory, sync, rename, sync
// of the directory. The umask determines the permissions of a new file; a replaced one keeps its permissions. After an
// error the old file, if any, is unchanged.
func WriteFile(path string, content []byte) error {
	return Write(path, Text("", content).Content)
}

// Write writes a file as WriteFile does, with content in pieces.
func Write(path string, content func(io.Writer) error) error {
	directory, name := filepath.Split(path)
	return WriteAll(directory, directory, File{name, content})
}

// File is a file for WriteAll: a name without a directory, and a function that writes the content.
type File struct {
	Name    string
	Content func(io.Writer) error
}

// Text returns a file with the given content.
func Text(name string, content []byte) File {
	write := func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	}
	return File{Name: name, Content: write}
}

// WriteAll writes files as WriteFile does, several files of one directory, which is synced once. Each file is either
// new or unchanged, and all are new if it returns without an error. The temporary files are in the directory scratch of
// the same file system.
func WriteAll(scratch, directory string, all ...File) (err error) {
	if directory == "" {
		scratch = "."
		directory = "."
	}
	var hidden []string
	defer func() {
		for _, name := range hidden {
			_ = system.Remove(name) // the first error is the one to tell
		}
	}()
	for _, one := range all {
		name, err := write(scratch, directory, one)
		if name != "" {
			hidden = append(hidden, name)
		}
		if err != nil {
			return &WriteError{Name: one.Name, Err: err}
		}
	}
	for _, one := range all {
		final := filepath.Join(directory, one.Name)
		if err := system.Rename(hidden[0], final); err != nil {
			return &WriteError{Name: one.Name, Err: err}
		}
		hidden = hidden[1:]
	}
	return SyncDirectory(directory)
}

// WriteError is the error of WriteAll about one of the files.
type WriteError struct {
	Name string
	Err  error // of the content, or of the operating system
}

func (e *WriteError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *WriteError) Unwrap() error { return e.Err }

// write writes a file under a hidden name in scratch, durably, with the permissions of the one that it will replace in
// the directory. The name is empty if no such file remains.
func write(scratch, directory string, file File) (hidden string, err error) {
	var f Handle
	_, err = unused(scratch, file.Name, func(path string) (err error) {
		f, err = system.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
		return err
	})
	if err != nil {
		return "", err
	}
	buffered := bufio.NewWriterSize(f, 1<<16)
	err = file.Content(buffered)
	if err == nil {
		err = buffered.Flush()
	}
	if err == nil {
		err = f.Sync()
	}
	err = errors.Join(err, f.Close())
	if err != nil {
		return f.Name(), err
	}
	old, missing := system.Lstat(filepath.Join(directory, file.Name))
	if missing == nil && old.Mode().IsRegular() {
		err = system.Chmod(f.Name(), old.Mode().Perm())
	}
	return f.Name(), err
}

// Directory atomically creates a directory at path with the content that fill writes into a hidden directory. The error
// is fs.ErrExist if path already exists; the hidden directory is then removed. Of several processes that create the
// same directory, one succeeds.
func Directory(path string, fill func(hidden string) error) (err error) {
	path = filepath.Clean(path)
	parent, name := filepath.Split(path)
	if parent == "" {
		parent = "."
	}
	if _, err := system.Lstat(path); err == nil { // Rename would replace an empty directory
		return fs.ErrExist
	}
	hidden, err := unused(parent, name, func(path string) error {
		return system.Mkdir(path, 0o777)
	})
	if err != nil {
		return err
	}
	release := hold(hidden)
	defer func() {
		release()
		if err != nil {
			_ = system.RemoveAll(hidden) // the first error is the one to tell
		}
	}()
	if err = fill(hidden); err != nil {
		return err
	}
	if _, missing := system.Lstat(path); missing == nil {
		return fs.ErrExist
	}
	if err = system.Rename(hidden, path); err != nil { // Rename never replaces a directory with content
		if _, missing := system.Lstat(path); missing == nil {
			return errors.Join(fs.ErrExist, err)
		}
		return err
	}
	return SyncDirectory(parent)
}

// unused calls make with an unused hidden path in a directory and returns the path.
func unused(directory, name string, make func(path string) error) (path string, err error) {
	const attempts = 1000
	for range attempts {
		random := rand.Text()[:10]
		path = filepath.Join(directory, "."+name+"."+random+".partial")
		err = make(path)
		if !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	return path, err
}

// hold locks a hidden directory for as long as this process fills it, so that RemoveAbandoned knows that it is alive. It
// does nothing where directories have no locks.
func hold(hidden string) (release func()) {
	if !directoryLocks {
		return func() {}
	}
	f, err := system.OpenFile(hidden, os.O_RDONLY, 0)
	if err != nil {
		return func() {}
	}
	_ = system.Lock(f, false)
	return func() { _ = f.Close() }
}

// RemoveAbandoned removes the hidden files and directories that killed processes have left in a directory: directories
// that no process holds, files that have not changed for a minute, because a living process gives them their name as
// soon as they are written, and where there are no locks whatever has not changed for a day. Failures are harmless.
func RemoveAbandoned(directory string) {
	if directory == "" {
		directory = "."
	}
	entries, _ := system.ReadDir(directory)
	for _, e := range entries {
		if !Temporary(e.Name()) {
			continue
		}
		name := filepath.Join(directory, e.Name())
		info, err := e.Info()
		if err == nil && abandoned(name, info) {
			_ = system.RemoveAll(name)
		}
	}
}

// abandoned reports whether the process that made a hidden file or directory is dead.
func abandoned(name string, info fs.FileInfo) bool {
	const (
		held      = 2 * time.Second
		written   = time.Minute
		forgotten = 24 * time.Hour
	)
	age := time.Since(info.ModTime())
	if age > forgotten {
		return true
	}
	if info.Mode().IsRegular() {
		return age > written
	}
	if !info.IsDir() || age < held || !directoryLocks {
		return false
	}
	f, err := system.OpenFile(name, os.O_RDONLY, 0)
	if err != nil {
		return false
	}
	defer f.Close() // releases the trial lock
	return system.Lock(f, true) == nil
}

// Temporary reports whether a name is one of an unfinished file or directory.
func Temporary(name string) bool { return temporary.MatchString(name) }

// RemoveTemporary removes the temporary files that have not changed for the given time from a directory. A live writer
// may leave a finished file unchanged while it writes the next one of several, and clocks of machines differ.
func RemoveTemporary(directory string, age time.Duration) error {
	entries, err := system.ReadDir(directory)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		info, gone := entry.Info()
		if gone != nil || !Temporary(entry.Name()) {
			continue
		}
		if !info.Mode().IsRegular() || time.Since(info.ModTime()) < age {
			continue
		}
		failure := system.Remove(filepath.Join(directory, entry.Name()))
		if !errors.Is(failure, fs.ErrNotExist) {
			err = errors.Join(err, failure)
		}
	}
	return err
}
