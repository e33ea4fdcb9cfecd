// Package files writes files and directories that are there whole or not at all, also after a power failure, and opens
// regular files and nothing else.
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
)

// temporary are the names of files and directories that are being written: a dot, the name to be, something random, a
// word.
var temporary = regexp.MustCompile(`^\..+\.[A-Z2-7]{10}\.partial$`)

// WriteFile makes a file with the given content appear at path, or replaces the one that is there: temporary file in
// the same directory, sync, rename, sync of the directory. A new file has the permissions that the umask leaves, a
// replaced one keeps its own. After an error the old file, if any, is untouched.
func WriteFile(path string, content []byte) error {
	return Write(path, func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	})
}

// Write is WriteFile for content that is written piece by piece.
func Write(path string, content func(io.Writer) error) error {
	directory, name := filepath.Split(path)
	return WriteAll(directory, File{name, content})
}

// File is a file that WriteAll writes: a name without a directory, and what writes its content.
type File struct {
	Name    string
	Content func(io.Writer) error
}

// WriteAll is WriteFile for several files of one directory, which is synced once: each of them is whole or as it was,
// and all of them are there when it returns without an error.
func WriteAll(directory string, all ...File) (err error) {
	if directory == "" {
		directory = "."
	}
	var hidden []string
	defer func() {
		for _, name := range hidden {
			err = errors.Join(err, os.Remove(name))
		}
	}()
	for _, one := range all {
		name, err := write(directory, one)
		if name != "" {
			hidden = append(hidden, name)
		}
		if err != nil {
			return err
		}
	}
	for _, one := range all {
		if err := rename(hidden[0], filepath.Join(directory, one.Name)); err != nil {
			return err
		}
		hidden = hidden[1:]
	}
	return SyncDirectory(directory)
}

// write writes a file under a hidden name, durably. The name is empty if there is none.
func write(directory string, file File) (hidden string, err error) {
	var f *os.File
	_, err = unused(directory, file.Name, func(path string) (err error) {
		f, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
		return err
	})
	if err != nil {
		return "", err
	}
	buffered := bufio.NewWriterSize(f, 1<<16)
	if err = file.Content(buffered); err == nil {
		err = buffered.Flush()
	}
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return f.Name(), err
	}
	if old, missing := os.Lstat(filepath.Join(directory, file.Name)); missing == nil && old.Mode().IsRegular() {
		err = os.Chmod(f.Name(), old.Mode().Perm())
	}
	return f.Name(), err
}

// Directory makes a directory appear at path with everything that fill puts into it, whose argument is its place until
// then. The error is fs.ErrExist if there is anything at path already; nothing is left then. Of several processes that
// make the same directory, one succeeds.
func Directory(path string, fill func(hidden string) error) (err error) {
	path = filepath.Clean(path)
	parent, name := filepath.Split(path)
	if parent == "" {
		parent = "."
	}
	if _, err := os.Lstat(path); err == nil { // an empty directory would be replaced
		return fs.ErrExist
	}
	hidden, err := unused(parent, name, func(path string) error { return os.Mkdir(path, 0o777) })
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(hidden))
		}
	}()
	if err = fill(hidden); err != nil {
		return err
	}
	if _, missing := os.Lstat(path); missing == nil {
		return fs.ErrExist
	}
	if err = os.Rename(hidden, path); err != nil { // one with something in it is never replaced
		if _, missing := os.Lstat(path); missing == nil {
			return errors.Join(fs.ErrExist, err)
		}
		return err
	}
	return SyncDirectory(parent)
}

// unused makes something in a directory under a hidden name that nothing has, and returns its path.
func unused(directory, name string, make func(path string) error) (path string, err error) {
	const attempts = 1000
	for range attempts {
		path = filepath.Join(directory, "."+name+"."+rand.Text()[:10]+".partial")
		if err = make(path); !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	return path, err
}

// Temporary reports whether a name is one under which files and directories are while they are being written.
func Temporary(name string) bool { return temporary.MatchString(name) }

// RemoveTemporary removes the files that writers that were killed left in a directory. No other process may be writing
// there.
func RemoveTemporary(directory string) error {
	entries, err := os.ReadDir(directory)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if Temporary(entry.Name()) && entry.Type().IsRegular() {
			err = errors.Join(err, os.Remove(filepath.Join(directory, entry.Name())))
		}
	}
	return err
}
