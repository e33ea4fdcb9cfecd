//go:build unix

package store

import (
	"errors"
	"os"
	"syscall"
	"testing"
)

// Listing or opening runs does not block on a named pipe.
func TestPipesInARunAreRefusedAtOnce(t *testing.T) {
	for _, name := range []string{ProgramFile, ConfigFile, LockFile, "train.npy"} {
		root := t.TempDir()
		d := begin(t, root, "x")
		if name == "train.npy" {
			put(t, d, Rows(name, Block{rowsOf(0, 4, 9)}))
		}
		path := closed(t, d)
		_ = os.Remove(d.File(name)) // it may not exist
		if err := syscall.Mkfifo(d.File(name), 0o600); err != nil {
			t.Skip(err)
		}
		if list, err := List(root); err != nil || len(list) != 1 || (list[0].Fault != nil) != (name == ProgramFile ||
			name == ConfigFile) {
			t.Errorf("%s is a pipe: got %+v, %v, want one run, with a fault if the file is %s or %s",
				name, list, err, ProgramFile, ConfigFile)
		}
		_, err := Open(t.Context(), path)
		isData(t, err, "a named pipe")
		if name != LockFile {
			isData(t, errors.Join(Verify(t.Context(), path)...), "a named pipe")
		}
	}
}

// A named pipe among the claims of a split run is no process at work, and blocks nothing.
func TestPipesAmongClaimsAreNoProcesses(t *testing.T) {
	d := begin(t, t.TempDir(), "x")
	d.Split = &Split{Width: 1, Pairs: 1}
	noError(t, d.Put())
	path := closed(t, d)
	noError(t, os.Mkdir(d.File(ClaimsDirectory), 0o777))
	if err := syscall.Mkfifo(d.File(ClaimsDirectory+"/merge.0"), 0o600); err != nil {
		t.Skip(err)
	}
	if e := NewEntry(path); e.Fault != nil || len(e.Working) > 0 {
		t.Errorf("%+v", e)
	}
}
