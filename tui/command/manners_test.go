// Requests are carried out or refused: runs resume, settings are not ignored, files are not overwritten.

package command

import (
	"bytes"
	"fmt"
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
	if code, errors := cancelled(t, with(args, "--new")...); code != exitInterrupted || count() != 3 {
		t.Errorf("--new: exit code %d, %d runs: %s", code, count(), errors)
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

func TestDryRunPrintsOneJSONObject(t *testing.T) {
	code, out, errors := call(t, nil, "run", "burgers-fine", "--dry-run")
	expect(t, code, exitDone, out+errors, "memory", "train")
	code, out, errors = call(t, nil, "run", "quick", "--dry-run", "--json")
	expect(t, code, exitDone, errors)
	var plan planned
	if decode(t, out, &plan); plan.Problem != "burgers" || plan.N != 256 || plan.M != 512 || plan.Grid != 129 ||
		plan.Bytes <= 0 ||
		plan.Seconds.Train <= 0 {
		t.Errorf("%+v", plan)
	}
}

func TestVariablesThatMeanNothingAreRefused(t *testing.T) {
	for entry, want := range map[string]string{"RFM_GRIDS=65": "RFM_GRIDS", "RFM_SIMD=foo": "off or avx2",
		"RFM_=": "RFM_", "RFM_TIME=1:00:00": "RFM_TIME", "RFM_WORKERS=many": "RFM_WORKERS",
		"RFM_SEED=6": "RFM_RUNS, RFM_WORKERS"} {
		if code, _, errors := call(t, []string{entry}, "run", "quick", "--dry-run"); code != exitUsage ||
			!strings.Contains(errors, want) {
			t.Errorf("%s: exit code %d, %q", entry, code, errors)
		}
	}
	for _, entry := range []string{"RFM_SIMD=off", "RFM_SIMD=", "RFM_WORKERS=1", "RFM_RUNS=x"} {
		if code, _, errors := call(t, []string{entry}, "run", "quick", "--dry-run"); code != exitDone {
			t.Errorf("%s: exit code %d, %q", entry, code, errors)
		}
	}
}

func TestEveryErrorIsMarkedOnce(t *testing.T) {
	for _, set := range []string{"", "=5"} {
		for _, color := range []string{"always", "never"} {
			_, _, errors := call(t, []string{"TERM=xterm-256color"}, "run", "--color", color, "--set", set)
			if strings.Count(errors, "error:") != 1 {
				t.Errorf("--set %q --color %s: %q", set, color, errors)
			}
		}
	}
}

func TestDamagedMembersAreAnError(t *testing.T) {
	run := storeRun(t, t.TempDir(), "x")
	name := filepath.Join(run, "pairs.npz")
	export := filepath.Join(t.TempDir(), "export")
	done(t, "export", run, "--out", export)
	content, err := os.ReadFile(filepath.Join(export, "data.npz"))
	if err != nil {
		t.Fatal(err)
	}
	header := bytes.Index(content, []byte("\x93NUMPY"))
	content[header+2000] ^= 1
	if err := os.WriteFile(name, content, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{name}, {name, "--json"}} {
		code, out, errors := call(t, nil, with([]string{"show"}, args...)...)
		if code != exitData || !strings.Contains(out, "float64") && !strings.Contains(out, "f8") ||
			!strings.Contains(errors, "pairs.npz") {
			t.Errorf("%v: exit code %d: %s %s", args, code, out, errors)
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

func TestMuchIsSummedUp(t *testing.T) {
	var keys strings.Builder
	const many = 2000
	for i := range many {
		fmt.Fprintf(&keys, "k%d = 1\n", i)
	}
	file := written(t, "keys.toml", keys.String())
	for _, command := range []string{"run", "show"} {
		if code, _, errors := call(t, nil, command, file); code != exitConfig || strings.Count(errors, "\n") > 25 ||
			!strings.Contains(errors, "and 1980 more keys") {
			t.Errorf("%s: exit code %d, %d bytes: %.2000s", command, code, len(errors), errors)
		}
	}
	if code, out, errors := call(t, nil, "show", written(t, "table.csv",
		"a,b\n"+strings.Repeat("1,2\n", 999))); code != exitDone ||
		!strings.Contains(out, "a (999,)") || !strings.Contains(out, "b (999,)") || len(out) > 1000 {
		t.Errorf("exit code %d: %s %s", code, out, errors)
	}
}

func TestConfigurationsOfOtherEditors(t *testing.T) {
	mark := written(t, "mark.toml", "\ufeffpreset = \"quick\"\n")
	for _, args := range [][]string{{"run", mark, "--dry-run"}, {"show", mark}} {
		if code, _, errors := call(t, nil, args...); code != exitDone {
			t.Errorf("%v: exit code %d: %s", args, code, errors)
		}
	}
	fails(t, exitConfig, "dta", "run", written(t, "table.toml", "[dta]\n"), "--dry-run")
	if code, _, errors := call(t, nil, "run", written(t, "empty.toml", "[data]\n"), "--dry-run"); code != exitDone {
		t.Errorf("a known table: exit code %d: %s", code, errors)
	}
}
