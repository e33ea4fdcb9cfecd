//go:build unix

package durable

import (
	"errors"
	"os"
)

// syncDirectory makes a rename in the directory durable.
func syncDirectory(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
