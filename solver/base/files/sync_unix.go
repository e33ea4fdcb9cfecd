//go:build unix

package files

import (
	"errors"
	"os"
	"syscall"
)

// SyncDirectory makes the creation, renaming and removal of files in a directory durable.
func SyncDirectory(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

func rename(from, to string) error { return os.Rename(from, to) }

const (
	noFollow = syscall.O_NOFOLLOW
	noWait   = syscall.O_NONBLOCK
)
