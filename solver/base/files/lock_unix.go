//go:build unix

package files

import (
	"errors"
	"os"
	"syscall"
)

// lock locks an open file, for this process alone or shared with others, until the file is closed. The error is
// ErrHeld, ErrNoLocks, or another one.
func lock(f *os.File, alone bool) error {
	how := syscall.LOCK_SH
	if alone {
		how = syscall.LOCK_EX
	}
	for {
		err := syscall.Flock(int(f.Fd()), how|syscall.LOCK_NB)
		switch {
		case errors.Is(err, syscall.EINTR):
			continue
		case errors.Is(err, syscall.EWOULDBLOCK):
			return ErrHeld
		case errors.Is(err, syscall.ENOSYS),
			errors.Is(err, syscall.ENOTSUP),
			errors.Is(err, syscall.ENOLCK):
			return ErrNoLocks
		}
		return err
	}
}
