// Requests are carried out or refused: runs resume, settings are not ignored, files are not overwritten.

package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTheSameCommandGoesOn(t *testing.T) {
	root := t.TempDir()
	count := func() int {
		entries, err := os.ReadDir(root)
		if err != nil {
			t.Fatal(err)
		}
		return len(entries)
	}
	args := with(tinyArgs, "--runs", root, "--no-baselines")
	if code, errors := cancelled(t, args...); code != exitInterrupted || count() != 1 {
		t.Fatalf("exit code %d, %d runs: %s", code, count(), errors)
	}
	if code, errors := cancelled(t, with(args, "--seed", "7")...); code != exitInterrupted || count() != 2 {
		t.Errorf("another configuration: exit code %d, %d runs: %s", code, count(), errors)
	}
	if code, errors := cancelled(t, with(args, "--name", "other")...); code != exitInterrupted || count() != 3 {
		t.Errorf("--name: exit code %d, %d runs: %s", code, count(), errors)
	}
	for range 2 { // the two unfinished runs
		if code, _, errors := call(t, nil, args...); code != exitDone || count() != 3 ||
			!strings.Contains(errors, "resuming ") {
			t.Errorf("exit code %d, %d runs: %s", code, count(), errors)
		}
	}
	if code, _, errors := call(t, nil, args...); code != exitDone || count() != 4 || strings.Contains(errors, "resuming") {
		t.Errorf("all are complete: exit code %d, %d runs: %s", code, count(), errors)
	}
}

// A dry run takes files of every editor and known variables, and prints one JSON object.
func TestDryRuns(t *testing.T) {
	gives(t, exitDone, "memory|train", "run", "burgers-fine", "--dry-run")
	for _, text := range []string{"\ufeffpreset = \"quick\"\n", "[data]\n"} {
		done(t, "run", written(t, "mine.toml", text), "--dry-run")
	}
	for _, entry := range []string{"RFM_SIMD=off", "RFM_SIMD=", "RFM_WORKERS=1", "RFM_RUNS=x"} {
		code, out, failure := call(t, []string{entry}, "run", "quick", "--dry-run", "--json")
		var plan planned
		if decode(t, out, &plan); code != exitDone || plan.Problem != "burgers" || plan.N != 256 || plan.M != 512 ||
			plan.Grid != 129 || plan.Bytes <= 0 || plan.Seconds.Train <= 0 {
			t.Errorf("%s: exit code %d, %+v, %s", entry, code, plan, failure)
		}
	}
}

// written writes a file in a new directory and returns its name.
func written(t *testing.T, name, text string) string {
	t.Helper()
	name = filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}
