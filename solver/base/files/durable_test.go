package files

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"rfm/solver/dataset/filetest"
)

var noError = filetest.NoError

func TestWriteFileReplacesAndLeavesNothingElse(t *testing.T) {
	directory := t.TempDir()
	path := filepath.Join(directory, "a.txt")
	for _, content := range []string{"first, which is longer", "second"} {
		noError(t, WriteFile(path, []byte(content)))
		if got, err := os.ReadFile(path); err != nil || string(got) != content {
			t.Errorf("got %q, %v", got, err)
		}
	}
	if entries, err := os.ReadDir(directory); err != nil || len(entries) != 1 {
		t.Errorf("the directory holds %v, %v", entries, err)
	}
}

func TestFailedWriteLeavesNoTemporaryFile(t *testing.T) {
	directory := t.TempDir()
	path := filepath.Join(directory, "taken")
	noError(t, os.MkdirAll(filepath.Join(path, "full"), 0o777))
	if err := WriteFile(path, []byte("x")); err == nil {
		t.Error("replaced a directory")
	}
	if entries, err := os.ReadDir(directory); err != nil || len(entries) != 1 {
		t.Errorf("the directory holds %v, %v", entries, err)
	}
}

func TestInterruptedContentLeavesTheOldFile(t *testing.T) {
	directory := t.TempDir()
	path := filepath.Join(directory, "a.txt")
	noError(t, WriteFile(path, []byte("old")))
	full := errors.New("the disk is full")
	err := Write(path, func(w io.Writer) error {
		_, err := w.Write(make([]byte, 1<<20))
		return errors.Join(err, full)
	})
	if !errors.Is(err, full) {
		t.Errorf("got %v", err)
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != "old" {
		t.Errorf("got %q, %v", got, err)
	}
	if entries, err := os.ReadDir(directory); err != nil || len(entries) != 1 {
		t.Errorf("the directory holds %v, %v", entries, err)
	}
}

func TestRemoveTemporaryTakesOnlyWhatWritersLeave(t *testing.T) {
	directory := t.TempDir()
	for _, name := range []string{".a.txt.ABCDEFGH27.partial", "a.txt", ".hidden", "b.partial", ".mine.partial",
		".a.txt.mine.partial"} {
		noError(t, os.WriteFile(filepath.Join(directory, name), nil, 0o600))
	}
	for i, age := range []time.Duration{time.Hour, 0} {
		noError(t, RemoveTemporary(directory, age))
		if entries, err := os.ReadDir(directory); err != nil || len(entries) != 6-i {
			t.Errorf("%v: the directory holds %v, %v", age, entries, err)
		}
	}
}

// Of several processes that make one directory at the same time, one succeeds, and its content is complete.
func TestDirectoryIsMadeOnce(t *testing.T) {
	parent := t.TempDir()
	path := filepath.Join(parent, "a")
	const makers = 8
	failures := make([]error, makers)
	var group sync.WaitGroup
	for i := range makers {
		group.Go(func() {
			failures[i] = Directory(path, func(hidden string) error {
				return WriteFile(filepath.Join(hidden, strconv.Itoa(i)), nil)
			})
		})
	}
	group.Wait()
	var made []string
	for i, err := range failures {
		if err == nil {
			made = append(made, strconv.Itoa(i))
		} else if !errors.Is(err, fs.ErrExist) {
			t.Error(err)
		}
	}
	entries, err := os.ReadDir(path)
	if err != nil || len(made) != 1 || len(entries) != 1 || entries[0].Name() != made[0] {
		t.Errorf("made by %v, holds %v, %v", made, entries, err)
	}
	if entries, err := os.ReadDir(parent); err != nil || len(entries) != 1 {
		t.Errorf("beside it: %v, %v", entries, err)
	}
}

func TestDirectoryThatCannotBeFilledLeavesNothing(t *testing.T) {
	parent := t.TempDir()
	full := errors.New("the disk is full")
	err := Directory(filepath.Join(parent, "a"), func(hidden string) error {
		return errors.Join(WriteFile(filepath.Join(hidden, "x"), nil), full)
	})
	if entries, failure := os.ReadDir(parent); !errors.Is(err, full) || failure != nil || len(entries) != 0 {
		t.Errorf("%v; left: %v, %v", err, entries, failure)
	}
}
