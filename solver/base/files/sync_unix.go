//go:build unix

package files

import (
	"errors"
	"os"
	"syscall"
)

func syncDirectory(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

func rename(from, to string) error { return os.Rename(from, to) }

// directoryLocks means that directories can be locked, and renamed while they are open.
const directoryLocks = true

const (
	noFollow = syscall.O_NOFOLLOW
	noWait   = syscall.O_NONBLOCK
)
