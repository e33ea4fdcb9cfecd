package files

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// System is the operations on files of which this package, and package store, consist. Tests replace the operating
// system's by one that counts operations, fails one of them, or forgets what was not synced (package crash), because
// neither kills nor full disks reach every state that a failing disk or a power failure leaves.
type System interface {
	OpenFile(name string, flag int, permissions fs.FileMode) (Handle, error)
	Stat(name string) (fs.FileInfo, error)
	Lstat(name string) (fs.FileInfo, error)
	ReadDir(name string) ([]fs.DirEntry, error)
	Mkdir(name string, permissions fs.FileMode) error
	Remove(name string) error
	RemoveAll(name string) error
	Rename(from, to string) error
	Chmod(name string, permissions fs.FileMode) error
	SyncDirectory(name string) error
	Lock(f Handle, alone bool) error
}

// Handle is an open file.
type Handle interface {
	io.ReadWriteCloser
	io.ReaderAt
	io.WriterAt
	Name() string
	Stat() (fs.FileInfo, error)
	Sync() error
	Truncate(size int64) error
}

// system is that of the operating system, unless a test has replaced it.
var system System = disk{}

// Replace replaces the file system of this process until the returned function is called. It is for tests.
func Replace(s System) (restore func()) {
	before := system
	system = s
	return func() { system = before }
}

// Disk returns the file system of the operating system.
func Disk() System { return disk{} }

// disk is the file system of the operating system.
type disk struct{}

func (disk) OpenFile(name string, flag int, permissions fs.FileMode) (Handle, error) {
	f, err := os.OpenFile(name, flag, permissions)
	if err != nil {
		return nil, err // f in the interface would not be nil
	}
	return f, nil
}

func (disk) Stat(name string) (fs.FileInfo, error)            { return os.Stat(name) }
func (disk) Lstat(name string) (fs.FileInfo, error)           { return os.Lstat(name) }
func (disk) ReadDir(name string) ([]fs.DirEntry, error)       { return os.ReadDir(name) }
func (disk) Mkdir(name string, permissions fs.FileMode) error { return os.Mkdir(name, permissions) }
func (disk) Remove(name string) error                         { return os.Remove(name) }
func (disk) RemoveAll(name string) error                      { return os.RemoveAll(name) }
func (disk) Rename(from, to string) error                     { return rename(from, to) }
func (disk) Chmod(name string, permissions fs.FileMode) error { return os.Chmod(name, permissions) }
func (disk) SyncDirectory(name string) error                  { return syncDirectory(name) }

func (disk) Lock(f Handle, alone bool) error {
	file, ok := f.(*os.File)
	if !ok {
		return ErrNoLocks
	}
	return lock(file, alone)
}

// ErrHeld means that another process has the lock, ErrNoLocks that the file system has no locks.
var (
	ErrHeld    = errors.New("the lock is held")
	ErrNoLocks = errors.New("this file system has no locks")
)

// Lock locks an open file, for this process alone or shared with others, until the file is closed. It does not wait.
// The error is ErrHeld, ErrNoLocks, or another one.
func Lock(f Handle, alone bool) error { return system.Lock(f, alone) }

// Stat is os.Stat.
func Stat(name string) (fs.FileInfo, error) { return system.Stat(name) }

// Lstat is os.Lstat.
func Lstat(name string) (fs.FileInfo, error) { return system.Lstat(name) }

// ReadDir is os.ReadDir.
func ReadDir(name string) ([]fs.DirEntry, error) { return system.ReadDir(name) }

// Mkdir is os.Mkdir with the permissions that the umask leaves.
func Mkdir(name string) error { return system.Mkdir(name, 0o777) }

// MkdirAll is os.MkdirAll, and makes each new directory durable.
func MkdirAll(name string) error {
	name = filepath.Clean(name)
	if info, err := system.Stat(name); err == nil {
		if !info.IsDir() {
			return &fs.PathError{Op: "mkdir", Path: name, Err: errNotDirectory}
		}
		return nil
	}
	parent := filepath.Dir(name)
	if parent != name {
		if err := MkdirAll(parent); err != nil {
			return err
		}
	}
	if err := system.Mkdir(name, 0o777); err != nil {
		if info, missing := system.Stat(name); missing == nil && info.IsDir() { // another process was faster
			return nil
		}
		return err
	}
	return system.SyncDirectory(parent)
}

var errNotDirectory = errors.New("not a directory")

// Remove is os.Remove.
func Remove(name string) error { return system.Remove(name) }

// RemoveAll is os.RemoveAll.
func RemoveAll(name string) error { return system.RemoveAll(name) }

// Rename is os.Rename. Where other programs prevent it for a moment, it tries again.
func Rename(from, to string) error { return system.Rename(from, to) }

// SyncDirectory makes the creation, renaming and removal of files in a directory durable.
func SyncDirectory(name string) error { return system.SyncDirectory(name) }

// Create opens a new file for appending; the error is fs.ErrExist if it exists.
func Create(name string) (Handle, error) {
	return system.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL|os.O_APPEND, 0o666)
}
