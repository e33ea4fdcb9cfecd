package exchange

import (
	"os"
	"path/filepath"
	"testing"
)

// The digest of a directory is that of what it has, whatever else lies there.
func TestDigestOfADirectory(t *testing.T) {
	directory := t.TempDir()
	write := func(name, content string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(directory, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := TakeDigest(t.Context(), directory); err == nil {
		t.Error("a directory without arrays has a digest")
	}
	write("a.npy", "one")
	write("u.npy", "two")
	before, err := TakeDigest(t.Context(), directory)
	if err != nil {
		t.Fatal(err)
	}
	differs := func() string {
		t.Helper()
		how, err := before.Differs(t.Context(), directory)
		if err != nil {
			t.Fatal(err)
		}
		return how
	}
	write("notes.txt", "of somebody")
	if how := differs(); how != "" {
		t.Errorf("with notes beside it, it %s", how)
	}
	write("a.npy", "two")
	write("u.npy", "one")
	if differs() == "" {
		t.Error("exchanged arrays make no difference")
	}
	if err := os.RemoveAll(directory); err != nil {
		t.Fatal(err)
	}
	if differs() == "" {
		t.Error("a directory that is gone is the same")
	}
}
