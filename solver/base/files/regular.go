// This file opens regular files only. It refuses a named pipe, a device or a socket at once: opening it could wait
// forever, reading it could never end.

package files

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Error is the error of an object that is not a regular file.
type Error struct {
	Name  string
	Found string // e.g. "a named pipe"
}

func (e *Error) Error() string {
	return fmt.Sprintf("it is %s, want a regular file", e.Found)
}

// Open opens a file of the user for reading; it follows symbolic links. The error is an *Error, or one of os.Open.
func Open(name string) (Handle, error) { return open(name, os.O_RDONLY, system.Stat) }

// OpenInside opens a file in a directory that others may have made. It refuses a symbolic link as name, which could
// make it read or overwrite a file elsewhere; the path of the directory may contain links. flag is as for os.OpenFile;
// the umask determines the permissions of a new file. The error is an *Error, or one of os.OpenFile.
func OpenInside(name string, flag int) (Handle, error) {
	f, err := open(name, flag|noFollow, system.Lstat)
	if err != nil {
		return nil, err
	}
	const attempts = 100
	for range attempts {
		opened, err := f.Stat()
		if err != nil {
			return nil, errors.Join(err, f.Close())
		}
		// Where opening cannot refuse links, a link may have been created after the first check.
		named, err := system.Lstat(name)
		isSame := err == nil && os.SameFile(opened, named)
		if noFollow != 0 || isSame {
			return f, nil
		}
		if err := f.Close(); err != nil {
			return nil, err
		}
		f, err = open(name, flag, system.Lstat) // because it was replaced
		if err != nil {
			return nil, err
		}
	}
	changing := &Error{Name: name, Found: "another one every time it is opened"}
	return nil, errors.Join(changing, f.Close())
}

// Target returns the file to which a name of the user leads by symbolic links, which may not exist yet: to replace it, and
// keep the links. The error is one of os.Readlink, or reports too many links.
func Target(name string) (string, error) {
	const most = 40
	for range most {
		info, err := os.Lstat(name)
		if err != nil || info.Mode()&fs.ModeSymlink == 0 { // writing reports errors
			return name, nil
		}
		to, err := os.Readlink(name)
		if err != nil {
			return "", err
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(name), to)
		}
		name = to
	}
	return "", fmt.Errorf("%s has more than %d symbolic links", name, most)
}

// ReadFile returns the content of a file of the user of at most limit bytes. The error is an *Error, one of
// os.ReadFile, or reports that the file is larger.
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

// open checks before it opens, since opening some devices has effects, and afterwards, since the file may have changed.
func open(name string, flag int, look func(string) (fs.FileInfo, error)) (Handle, error) {
	info, err := look(name)
	isNew := errors.Is(err, fs.ErrNotExist) && flag&os.O_CREATE != 0
	if err != nil && !isNew {
		return nil, err
	}
	if err == nil {
		if err := mustBeRegular(name, info); err != nil {
			return nil, err
		}
	}
	f, err := system.OpenFile(name, flag|noWait, 0o666)
	if err != nil {
		return nil, err
	}
	info, err = f.Stat()
	if err == nil {
		err = mustBeRegular(name, info)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// mustBeRegular returns an *Error unless a file is a regular one.
func mustBeRegular(name string, info fs.FileInfo) error {
	if info.Mode().IsRegular() {
		return nil
	}
	return &Error{Name: name, Found: kind(info.Mode())}
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
