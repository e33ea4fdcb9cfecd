package durable

import (
	"os"
	"path/filepath"
	"testing"
)

func TestWriteFileReplacesAndLeavesNothingElse(t *testing.T) {
	directory := t.TempDir()
	path := filepath.Join(directory, "a.txt")
	for _, content := range []string{"first, which is longer", "second"} {
		if err := WriteFile(path, []byte(content)); err != nil {
			t.Fatal(err)
		}
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
	if err := os.MkdirAll(filepath.Join(path, "full"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := WriteFile(path, []byte("x")); err == nil {
		t.Error("replaced a directory")
	}
	if entries, err := os.ReadDir(directory); err != nil || len(entries) != 1 {
		t.Errorf("the directory holds %v, %v", entries, err)
	}
}
