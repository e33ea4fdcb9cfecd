//go:build unix

package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

func TestPermissionsAreThoseThatTheUmaskLeaves(t *testing.T) {
	directory := t.TempDir()
	defer syscall.Umask(syscall.Umask(0))
	for _, umask := range []int{0o077, 0o022, 0o007} {
		syscall.Umask(umask)
		inside := filepath.Join(directory, fmt.Sprintf("%03o", umask))
		err := Directory(inside, func(hidden string) error { return WriteFile(filepath.Join(hidden, "f"), nil) })
		noError(t, err)
		for path, all := range map[string]fs.FileMode{inside: 0o777, filepath.Join(inside, "f"): 0o666} {
			info, err := os.Stat(path)
			if want := all &^ fs.FileMode(umask); err != nil || info.Mode().Perm() != want {
				t.Errorf("umask %03o: %s has %v, want %v, %v", umask, path, info.Mode().Perm(), want, err)
			}
		}
	}
}

func TestReplacedFilesKeepTheirPermissions(t *testing.T) {
	path := filepath.Join(t.TempDir(), "secret")
	noError(t, errors.Join(os.WriteFile(path, nil, 0o600), WriteFile(path, []byte("new"))))
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("got %v, %v, want 0600", info, err)
	}
}
