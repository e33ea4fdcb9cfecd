//go:build linux

package command

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"
)

func TestTooFewFilesAreRefusedWithWords(t *testing.T) {
	limits := []int{5, 64, 4, 6, 7, 8}
	if testing.Short() {
		limits = limits[:2]
	}
	for _, files := range limits {
		cmd := program(t, t.TempDir(), "run", "quick", "--dry-run")
		self := cmd.Args
		cmd.Path, cmd.Args = "/bin/sh", append([]string{"sh", "-c", fmt.Sprintf(`ulimit -n %d && exec "$@"`, files), "sh"},
			self...)
		out, err := cmd.CombinedOutput()
		if _, ended := err.(*exec.ExitError); err != nil && !ended {
			t.Fatal(err)
		}
		code, want := cmd.ProcessState.ExitCode(), exitDone
		if files < leastFiles {
			want = exitData
		}
		if code != want || want == exitData && !strings.Contains(string(out), "open files: are limited to") {
			t.Errorf("%d files: exit code %d, %s", files, code, out)
		}
	}
}
