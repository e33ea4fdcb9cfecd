package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestOpenFollowsLinksToFilesOnly(t *testing.T) {
	directory := t.TempDir()
	file, link, loop := filepath.Join(directory, "file"), filepath.Join(directory, "link"),
		filepath.Join(directory, "loop")
	if err := errors.Join(os.WriteFile(file, []byte("mine"), 0o600), os.Symlink(file, link),
		os.Symlink(directory, loop)); err != nil {
		t.Skip(err)
	}
	for _, name := range []string{file, link} {
		if text, err := ReadFile(name, 4); err != nil || string(text) != "mine" {
			t.Errorf("%s: got %q, %v, want mine", name, text, err)
		}
	}
	if _, err := ReadFile(file, 3); err == nil || !strings.Contains(err.Error(), "more than 3 bytes") {
		t.Errorf("got %v", err)
	}
	for _, name := range []string{directory, loop} {
		var other *Error
		if _, err := Open(name); !errors.As(err, &other) || other.Found != "a directory" {
			t.Errorf("%s: got %v, want *Error that found a directory", name, err)
		}
	}
	if _, err := Open(filepath.Join(directory, "missing")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

func TestOpenInsideTouchesNothingThroughALink(t *testing.T) {
	directory := t.TempDir()
	file, link, dangling := filepath.Join(directory, "file"), filepath.Join(directory, "link"),
		filepath.Join(directory, "dangling")
	missing := filepath.Join(directory, "missing")
	if err := errors.Join(os.WriteFile(file, []byte("mine"), 0o600), os.Symlink(file, link),
		os.Symlink(missing, dangling)); err != nil {
		t.Skip(err)
	}
	for _, name := range []string{link, dangling} {
		for _, flag := range []int{os.O_RDONLY, os.O_RDWR | os.O_CREATE, os.O_RDWR | os.O_CREATE | os.O_TRUNC} {
			var other *Error
			if _, err := OpenInside(name, flag); !errors.As(err, &other) || other.Found != "a symbolic link" {
				t.Errorf("%s, flag %#x: %v", name, flag, err)
			}
		}
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != "mine" {
		t.Errorf("the file behind the link: %q, %v", text, err)
	}
	if _, err := os.Lstat(missing); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file was made behind the link: %v", err)
	}
	f, err := OpenInside(missing, os.O_RDWR|os.O_CREATE)
	noError(t, err)
	noError(t, f.Close())
}

// A file is replaced where links lead, whether it exists or not, so that the links stay.
func TestTargetsAreWhereLinksLead(t *testing.T) {
	directory := t.TempDir()
	in := func(name string) string { return filepath.Join(directory, name) }
	if err := errors.Join(os.Mkdir(in("d"), 0o777), os.Symlink("d/file", in("link")), os.Symlink("link", in("second")),
		os.Symlink(in("missing"), in("dangling")), os.Symlink("loop", in("loop"))); err != nil {
		t.Skip(err)
	}
	for name, want := range map[string]string{"file": "file", "link": "d/file", "second": "d/file", "dangling": "missing"} {
		if got, err := Target(in(name)); err != nil || got != in(want) {
			t.Errorf("%s: got %s, %v, want %s", name, got, err, in(want))
		}
	}
	if got, err := Target(in("loop")); err == nil {
		t.Errorf("a loop leads to %s", got)
	}
}
