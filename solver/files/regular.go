// This file opens regular files and nothing else. A named pipe, a device or a socket at the place of a file is refused
// at once: opening it could wait forever, reading it could never end.

package files

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Error says that there is something else than a regular file at a place.
type Error struct {
	Name  string
	Found string // e.g. "a named pipe"
}

func (e *Error) Error() string {
	return fmt.Sprintf("it is %s; a regular file is expected", e.Found)
}

// Open opens a file of the user's for reading; symbolic links are followed. The error is an *Error, or os.Open's.
func Open(name string) (*os.File, error) { return open(name, os.O_RDONLY, 0, os.Stat) }

// OpenInside opens a file in a directory that somebody else may have made. If name itself is a symbolic link, it is
// refused, lest a file elsewhere is read or overwritten; the directory may be reached through links. flag is as for
// os.OpenFile; a file that is created has the permissions that the umask leaves. The error is an *Error, or
// os.OpenFile's.
func OpenInside(name string, flag int) (*os.File, error) {
	f, err := open(name, flag|noFollow, 0o666, os.Lstat)
	if err != nil {
		return nil, err
	}
	const attempts = 100
	for range attempts {
		opened, err := f.Stat()
		if err != nil {
			return nil, errors.Join(err, f.Close())
		}
		// Where links cannot be refused when a file is opened, one may have been put there after the first look.
		if named, err := os.Lstat(name); noFollow != 0 || err == nil && os.SameFile(opened, named) {
			return f, nil
		}
		if err := f.Close(); err != nil {
			return nil, err
		}
		if f, err = open(name, flag, 0o666, os.Lstat); err != nil { // it was replaced
			return nil, err
		}
	}
	return nil, errors.Join(&Error{name, "another one every time it is opened"}, f.Close())
}

// ReadFile is the content of a file of the user's that has at most limit bytes. The error is an *Error, os.ReadFile's,
// or that it has more.
func ReadFile(name string, limit int64) ([]byte, error) {
	f, err := Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(text)) > limit {
		return nil, fmt.Errorf("it has more than %d bytes", limit)
	}
	return text, err
}

// open looks before it opens, since opening some devices does something, and after, since what it has seen may be gone.
func open(name string, flag int, permissions fs.FileMode, look func(string) (fs.FileInfo, error)) (*os.File, error) {
	info, err := look(name)
	switch {
	case err == nil && !info.Mode().IsRegular():
		return nil, &Error{name, kind(info.Mode())}
	case err != nil && !(errors.Is(err, fs.ErrNotExist) && flag&os.O_CREATE != 0):
		return nil, err
	}
	f, err := os.OpenFile(name, flag|noWait, permissions)
	if err != nil {
		return nil, err
	}
	if info, err = f.Stat(); err == nil && !info.Mode().IsRegular() {
		err = &Error{name, kind(info.Mode())}
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

func kind(m fs.FileMode) string {
	switch {
	case m.IsDir():
		return "a directory"
	case m&fs.ModeSymlink != 0:
		return "a symbolic link"
	case m&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case m&fs.ModeSocket != 0:
		return "a socket"
	case m&fs.ModeDevice != 0:
		return "a device"
	}
	return "no file"
}
