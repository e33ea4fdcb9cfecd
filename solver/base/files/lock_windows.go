package files

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// lock locks an open file, for this process alone or shared with others, until the file is closed. The error is
// ErrHeld, ErrNoLocks, or another one. The locked byte is far behind the text, which others may read.
func lock(f *os.File, alone bool) error {
	flags := uint32(windows.LOCKFILE_FAIL_IMMEDIATELY)
	if alone {
		flags |= windows.LOCKFILE_EXCLUSIVE_LOCK
	}
	const bytes = 1 // that are locked
	place := &windows.Overlapped{Offset: 1 << 30}
	err := windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, bytes, 0, place)
	switch {
	case errors.Is(err, windows.ERROR_LOCK_VIOLATION):
		return ErrHeld
	case errors.Is(err, windows.ERROR_NOT_SUPPORTED),
		errors.Is(err, windows.ERROR_INVALID_FUNCTION):
		return ErrNoLocks
	}
	return err
}
