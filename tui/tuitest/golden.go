package tuitest

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
		now, before, line := strings.Split(got, "\n"), strings.Split(string(want), "\n"), 0
		for line < min(len(now), len(before)) && now[line] == before[line] {
			line++
		}
		const screen = 40
		t.Errorf("%s has changed from line %d on, which is now\n%s", file, line+1,
			strings.Join(now[line:min(len(now), line+screen)], "\n"))
	}
}
