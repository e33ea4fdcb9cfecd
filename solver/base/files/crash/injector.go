package crash

import (
	"io/fs"
	"sync"

	"rfm/solver/base/files"
)

// Injector is another file system whose operations it counts; one of them, or some of them, may fail. An operation is
// the name of a method of files.System or files.Handle, such as "OpenFile" or "Sync".
type Injector struct {
	files.System
	// Fail returns the error of an operation on a file instead of doing it, or nil. number counts all operations from 1.
	Fail func(number int, operation, name string) error

	mutex  sync.Mutex
	number int
	counts map[string]int
}

// Count returns the number of calls of some operations so far, of all if none are given.
func (i *Injector) Count(operations ...string) (n int) {
	i.mutex.Lock()
	defer i.mutex.Unlock()
	if len(operations) == 0 {
		return i.number
	}
	for _, operation := range operations {
		n += i.counts[operation]
	}
	return n
}

// fails counts an operation and returns its error, if it is to fail.
func (i *Injector) fails(operation, name string) error {
	i.mutex.Lock()
	i.number++
	number := i.number
	if i.counts == nil {
		i.counts = map[string]int{}
	}
	i.counts[operation]++
	i.mutex.Unlock()
	if i.Fail == nil {
		return nil
	}
	if err := i.Fail(number, operation, name); err != nil {
		return &fs.PathError{Op: operation, Path: name, Err: err}
	}
	return nil
}

// OpenFile implements files.System, as do the other methods.
func (i *Injector) OpenFile(name string, flag int, permissions fs.FileMode) (files.Handle, error) {
	if err := i.fails("OpenFile", name); err != nil {
		return nil, err
	}
	f, err := i.System.OpenFile(name, flag, permissions)
	if err != nil {
		return nil, err
	}
	return &watched{Handle: f, by: i}, nil
}

func (i *Injector) Stat(name string) (fs.FileInfo, error) {
	if err := i.fails("Stat", name); err != nil {
		return nil, err
	}
	return i.System.Stat(name)
}

func (i *Injector) Lstat(name string) (fs.FileInfo, error) {
	if err := i.fails("Lstat", name); err != nil {
		return nil, err
	}
	return i.System.Lstat(name)
}

func (i *Injector) ReadDir(name string) ([]fs.DirEntry, error) {
	if err := i.fails("ReadDir", name); err != nil {
		return nil, err
	}
	return i.System.ReadDir(name)
}

func (i *Injector) Mkdir(name string, permissions fs.FileMode) error {
	if err := i.fails("Mkdir", name); err != nil {
		return err
	}
	return i.System.Mkdir(name, permissions)
}

func (i *Injector) Remove(name string) error {
	if err := i.fails("Remove", name); err != nil {
		return err
	}
	return i.System.Remove(name)
}

func (i *Injector) RemoveAll(name string) error {
	if err := i.fails("RemoveAll", name); err != nil {
		return err
	}
	return i.System.RemoveAll(name)
}

func (i *Injector) Rename(from, to string) error {
	if err := i.fails("Rename", to); err != nil {
		return err
	}
	return i.System.Rename(from, to)
}

func (i *Injector) Chmod(name string, permissions fs.FileMode) error {
	if err := i.fails("Chmod", name); err != nil {
		return err
	}
	return i.System.Chmod(name, permissions)
}

func (i *Injector) SyncDirectory(name string) error {
	if err := i.fails("SyncDirectory", name); err != nil {
		return err
	}
	return i.System.SyncDirectory(name)
}

func (i *Injector) Lock(f files.Handle, alone bool) error {
	if err := i.fails("Lock", f.Name()); err != nil {
		return err
	}
	if w, ok := f.(*watched); ok {
		f = w.Handle
	}
	return i.System.Lock(f, alone)
}

// watched is an open file whose operations an Injector counts.
type watched struct {
	files.Handle
	by *Injector
}

func (w *watched) Read(p []byte) (int, error) {
	if err := w.by.fails("Read", w.Name()); err != nil {
		return 0, err
	}
	return w.Handle.Read(p)
}

func (w *watched) ReadAt(p []byte, at int64) (int, error) {
	if err := w.by.fails("ReadAt", w.Name()); err != nil {
		return 0, err
	}
	return w.Handle.ReadAt(p, at)
}

func (w *watched) Write(p []byte) (int, error) {
	if err := w.by.fails("Write", w.Name()); err != nil {
		return 0, err
	}
	return w.Handle.Write(p)
}

func (w *watched) WriteAt(p []byte, at int64) (int, error) {
	if err := w.by.fails("WriteAt", w.Name()); err != nil {
		return 0, err
	}
	return w.Handle.WriteAt(p, at)
}

func (w *watched) Sync() error {
	if err := w.by.fails("Sync", w.Name()); err != nil {
		return err
	}
	return w.Handle.Sync()
}

func (w *watched) Truncate(size int64) error {
	if err := w.by.fails("Truncate", w.Name()); err != nil {
		return err
	}
	return w.Handle.Truncate(size)
}

func (w *watched) Close() error {
	failure := w.by.fails("Close", w.Name())
	err := w.Handle.Close() // closed in any case
	if failure != nil {
		return failure
	}
	return err
}
