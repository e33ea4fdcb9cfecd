package files

import (
	"errors"
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// syncDirectory does nothing: directories cannot be synced, and the file system orders the rename itself.
func syncDirectory(string) error { return nil }

// rename retries while other processes have the old file open, which prevents its replacement.
func rename(from, to string) error {
	const patience = 2 * time.Second
	for begin := time.Now(); ; time.Sleep(patience / 200) {
		err := os.Rename(from, to)
		held := errors.Is(err, windows.ERROR_ACCESS_DENIED) || errors.Is(err, windows.ERROR_SHARING_VIOLATION)
		if !held || time.Since(begin) > patience {
			return err
		}
	}
}

// directoryLocks means that directories can be locked, and renamed while they are open.
const directoryLocks = false

const (
	noFollow = 0
	noWait   = 0
)
