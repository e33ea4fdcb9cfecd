// Package golden compares the output of tests with reviewed files.
package golden

import (
	"flag"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// Compare fails the test, but continues it, if got differs from the file or the file cannot be read. With the test's
// flag -update it writes the file instead.
func Compare(t testing.TB, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Error(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	switch {
	case err != nil:
		t.Error(err)
	case got != string(want):
		line, now := change(got, string(want))
		t.Errorf("%s has changed, first in line %d; it is now\n%s", file, line, now)
	}
}

// Updating reports whether files are written again.
func Updating() bool { return *update }

// change returns the number of the first line that differs, and the new text around it: all of it if it is one screen.
func change(got, want string) (line int, now string) {
	const screen, before = 60, 20
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for line < min(len(a), len(b)) && a[line] == b[line] {
		line++
	}
	first := 0
	if len(a) > screen {
		first = max(0, line-before)
	}
	return line + 1, strings.Join(a[first:min(len(a), first+screen)], "\n")
}
