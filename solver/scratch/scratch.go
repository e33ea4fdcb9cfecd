// Package scratch holds more numbers than fit into memory: in files without a name that are mapped into memory, so that
// the system keeps in memory what is being used.
package scratch

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"time"
	"unsafe"

	"rfm/solver/fault"
)

// Space is slices that live in files of a directory. A nil Space holds them in memory.
type Space struct {
	directory string

	mutex sync.Mutex
	held  [][]byte
}

// settle is how often pages that were used are handed to the system, which writes them and keeps what it has room for.
const settle = 50 * time.Millisecond

// New is a space in a directory. It lasts until the process ends, and so does what the files take of the disk: nothing
// could tell when the last slice of a slice is gone.
func New(directory string) *Space {
	s := &Space{directory: directory}
	go func() {
		for range time.Tick(settle) {
			s.mutex.Lock()
			for _, pages := range s.held {
				release(pages)
			}
			s.mutex.Unlock()
		}
	}()
	return s
}

// Float64s is a slice of n zeros. The error is a *fault.Data: the directory cannot be written, or has no room.
func (s *Space) Float64s(n int) ([]float64, error) {
	if s == nil || n == 0 {
		return make([]float64, n), nil
	}
	file, err := os.CreateTemp(s.directory, ".scratch.*.partial")
	if err != nil {
		return nil, s.refused(n, err)
	}
	pages, err := mapped(file, 8*n)
	if err = errors.Join(err, file.Close(), os.Remove(file.Name())); err != nil {
		return nil, s.refused(n, err)
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.held = append(s.held, pages)
	return unsafe.Slice((*float64)(unsafe.Pointer(unsafe.SliceData(pages))), n), nil
}

func (s *Space) refused(n int, err error) error {
	return &fault.Data{Where: s.directory, What: fmt.Sprintf("has no place for %d MB of pairs", 8*n/1e6), Err: err,
		Do: "free some space there, or set TMPDIR or --runs to a directory with space"}
}
