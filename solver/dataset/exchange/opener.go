package exchange

import (
	"errors"
	"os"
	"slices"
	"sync"

	"rfm/solver/base/fault"
	"rfm/solver/base/files"
)

// mostOpen is the number of files that are open at a time: some systems allow 256.
const mostOpen = 64

// opener keeps some of the files of a source open. It is safe for concurrent use.
type opener struct {
	mutex sync.RWMutex
	open  []*content // the one that was opened first is the first
}

// content is the content of a file that is opened when it is read.
type content struct {
	opener *opener
	path   string
	file   files.Handle // nil while it is closed
	info   os.FileInfo
}

// at opens the file at a path.
func (o *opener) at(path string) (*content, error) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	c := &content{opener: o, path: path}
	return c, c.reopen()
}

// reopen opens a closed file, and closes another one if too many are open.
func (c *content) reopen() error {
	file, err := files.Open(c.path)
	if err != nil {
		return err
	}
	info, err := file.Stat()
	if err == nil && c.info != nil && !same(info, c.info) {
		err = fault.Bad(c.path, "start again", "was replaced while it was read")
	}
	if err != nil {
		return errors.Join(err, file.Close())
	}
	c.file = file
	c.info = info
	o := c.opener
	o.open = append(o.open, c)
	if len(o.open) <= mostOpen {
		return nil
	}
	oldest := o.open[0]
	o.open = slices.Delete(o.open, 0, 1)
	file = oldest.file
	oldest.file = nil
	return file.Close()
}

// same reports whether a file is as it was. A new file may have the number of one that was removed.
func same(a, b os.FileInfo) bool {
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}

// ReadAt implements io.ReaderAt.
func (c *content) ReadAt(p []byte, at int64) (int, error) {
	o := c.opener
	o.mutex.RLock()
	if file := c.file; file != nil {
		defer o.mutex.RUnlock()
		return file.ReadAt(p, at)
	}
	o.mutex.RUnlock()
	o.mutex.Lock()
	defer o.mutex.Unlock()
	if c.file == nil {
		if err := c.reopen(); err != nil {
			return 0, err
		}
	}
	return c.file.ReadAt(p, at)
}

// close closes all files.
func (o *opener) close() (err error) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	for _, c := range o.open {
		err = errors.Join(err, c.file.Close())
		c.file = nil
	}
	o.open = nil
	return err
}
