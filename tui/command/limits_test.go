//go:build linux

package command

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"rfm/solver/dataset/npy"
)

// Every command that may need much memory refuses work that does not fit, with a message, instead of running out of it.
func TestCommandsKnowTheirMemory(t *testing.T) {
	root := t.TempDir()
	storeRun(t, root, "x")
	const count, K = 25000, 1025 // 205 MB, a hole except for the beginning
	first := make([]float64, 1000*K)
	for i := range first {
		x := float64(i%K) / (K - 1)
		first[i] = float64(1+i/K%7) * x * (1 - x)
	}
	large := filepath.Join(root, "large.npy")
	file, err := os.Create(large)
	noError(t, err)
	defer file.Close()
	if _, err := file.Write(npy.Preamble([]int{count, K})); err != nil {
		t.Fatal(err)
	}
	noError(t, binary.Write(file, binary.LittleEndian, first))
	noError(t, file.Truncate(int64(len(npy.Preamble([]int{count, K})))+8*count*K))
	for _, test := range []struct {
		limit, says string
		args        []string
	}{
		{"600MiB", "memory: predicting 25000 functions on K=1025 needs about 1.1 GiB",
			[]string{"predict", "x", "--runs", root, "--in", large, "--out", "u.npy"}},
		{"1MiB", "memory: this export needs about ", []string{"export", filepath.Join(root, "x")}},
		{"24MiB", "memory: this search needs about ", []string{"tune", "burgers", "--time", "1s"}},
		{"24MiB", "memory: this reproduction needs about ", []string{"reproduce", "--quick"}},
		{"24MiB", "memory: this experiment needs about ", []string{"run", "quick"}},
		{"24MiB", "memory: this experiment needs about ", []string{"run", large, large}},
	} {
		directory := t.TempDir()
		cmd := program(t, directory, test.args...)
		cmd.Env = append(cmd.Env, "GOMEMLIMIT="+test.limit)
		var told bytes.Buffer
		cmd.Stderr = &told
		_ = cmd.Run() // the exit code is read below
		if code := cmd.ProcessState.ExitCode(); code != exitData || !strings.Contains(told.String(), test.says) ||
			!strings.Contains(told.String(), "GOMEMLIMIT") {
			t.Errorf("rfm %s: exit code %d, %s", test.args[0], code, told.String())
		}
		if left, err := os.ReadDir(directory); err != nil || len(left) > 0 {
			t.Errorf("rfm %s leaves %v, %v", test.args[0], left, err)
		}
	}
}

func TestTooFewFilesAreRefusedWithWords(t *testing.T) {
	limits := []int{5, 64, 4, 6, 7, 8}
	if testing.Short() || testing.CoverMode() != "" { // the profile of the coverage is a file, too
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
		if code != want || want == exitData && !strings.Contains(string(out), "open files are limited to") {
			t.Errorf("%d files: exit code %d, %s", files, code, out)
		}
	}
}
