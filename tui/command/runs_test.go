package command

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"rfm/config"
	"rfm/model/engine"
	"rfm/model/store"
)

// storeRun makes a complete run called name below root.
func storeRun(t *testing.T, root, name string, more ...string) string {
	t.Helper()
	if code, _, errors := call(t, nil, with(tinyArgs, append([]string{"--runs", root, "--name", name, "--quiet",
		"--no-baselines"}, more...)...)...); code != exitDone {
		t.Fatalf("exit code %d: %s", code, errors)
	}
	return filepath.Join(root, name)
}

// interruptRun makes a run called name below root that was cancelled before it did anything.
func interruptRun(t *testing.T, root, name string) string {
	t.Helper()
	if code, errors := cancelled(t, with(tinyArgs, "--runs", root, "--name", name, "--quiet",
		"--no-baselines")...); code != exitInterrupted {
		t.Fatalf("exit code %d: %s", code, errors)
	}
	return filepath.Join(root, name)
}

// occupyRun makes a run below root that a process, this one, works on.
func occupyRun(t *testing.T, root, name string) string {
	t.Helper()
	c, err := config.PresetByName("quick")
	if err != nil {
		t.Fatal(err)
	}
	e, err := engine.Create(t.Context(), root, name, c, time.Now(), engine.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e.Directory()
}

// flip changes a bit in the middle of a file.
func flip(t *testing.T, name string) {
	t.Helper()
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	content[len(content)/2] ^= 4
	if err := os.WriteFile(name, content, 0o666); err != nil {
		t.Fatal(err)
	}
}

// expect compares the end of the program with the exit code and the texts that it should have.
func expect(t *testing.T, code, want int, text string, says ...string) {
	t.Helper()
	if code != want {
		t.Errorf("exit code %d, want %d: %s", code, want, text)
	}
	for _, s := range says {
		if !strings.Contains(text, s) {
			t.Errorf("%q does not say %q", text, s)
		}
	}
}

func TestRunsAreListedWithTheirStates(t *testing.T) {
	root := t.TempDir()
	code, out, errors := call(t, nil, "runs", "--runs", root)
	expect(t, code, exitDone, out+errors, "no runs in "+root)

	storeRun(t, root, "20260102-030405-burgers-1a2b3c4d")
	interruptRun(t, root, "half")
	occupyRun(t, root, "busy")
	flip(t, filepath.Join(interruptRun(t, root, "broken"), "manifest.json"))

	code, out, errors = call(t, nil, "runs", "--runs", root, "--json")
	expect(t, code, exitDone, errors)
	var list []store.Listed
	if err := json.Unmarshal([]byte(out), &list); err != nil {
		t.Fatal(err)
	}
	states := ""
	for _, l := range list {
		states += fmt.Sprintf("%s: %s, %s; ", l.Name, l.State, l.Progress)
	}
	if want := "broken: unreadable, ; 20260102-030405-burgers-1a2b3c4d: complete, ; half: unfinished, 0% of " +
		"generating; busy: in use, 0% of generating; "; states != want {
		t.Errorf("got  %s\nwant %s", states, want)
	}
	if l := list[1]; l.N != 20 || l.M != 16 || l.Grid != 33 || l.TestError == nil || l.Bytes < 1000 {
		t.Errorf("the complete run is %+v", l)
	}
	if holder := list[3].Holder; holder == nil || holder.PID != os.Getpid() {
		t.Errorf("the run in use is held by %v", holder)
	}

	code, out, errors = call(t, nil, "runs", "--runs", root)
	expect(t, code, exitDone, out+errors, "20260102-030405-burgers-1a2b3c4d", "K=33", "generate 0%",
		"rfm resume "+filepath.Join(root, "half"), fmt.Sprintf("in use by process %d", os.Getpid()), "manifest.json")
}

func TestTheTableOfRunsFitsEightyColumns(t *testing.T) {
	root := t.TempDir()
	storeRun(t, root, "20260102-030405-burgers-1a2b3c4d")
	storeRun(t, root, strings.Repeat("long-name-", 7))
	_, out, _ := call(t, nil, "runs", "--runs", root)
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if len(lines) != 4 { // the header, a run, and one on two lines
		t.Errorf("got %d lines: %s", len(lines), out)
	}
	for _, line := range lines {
		if len(line) > 80 {
			t.Errorf("%d columns: %q", len(line), line)
		}
	}
}

func TestVerifyNamesDamagedFiles(t *testing.T) {
	root := t.TempDir()
	storeRun(t, root, "good")
	bad := filepath.Join(storeRun(t, root, "bad"), "test.npy")
	code, out, errors := call(t, nil, "runs", "--runs", root, "--verify")
	expect(t, code, exitDone, out+errors, "good: all files are intact", "bad: all files are intact")
	flip(t, bad)
	code, out, errors = call(t, nil, "runs", "--runs", root, "--verify")
	expect(t, code, exitData, errors, bad+": is damaged")
	expect(t, code, exitData, out, "good: all files are intact", "damaged")
	code, out, _ = call(t, nil, "runs", "--runs", root, "--verify", "--json")
	var list []store.Listed
	if err := json.Unmarshal([]byte(out), &list); code != exitData || err != nil || len(list) != 2 || !*list[0].Verified ||
		*list[1].Verified || len(list[1].Faults) != 1 {
		t.Errorf("exit code %d, %v: %s", code, err, out)
	}
}

func TestResumeEndsAsIfTheRunHadNotBeenInterrupted(t *testing.T) {
	root := t.TempDir()
	whole, half := storeRun(t, root, "whole"), interruptRun(t, root, "half")
	if code, errors := cancelled(t, "resume", "half", "--runs", root, "--quiet"); code != exitInterrupted ||
		!strings.Contains(errors, "rfm resume "+half) {
		t.Errorf("interrupted again: exit code %d, %q", code, errors)
	}
	code, out, errors := call(t, nil, "resume", "--runs", root, "--json")
	expect(t, code, exitDone, errors, "going on with "+half)
	var s engine.Summary
	if err := json.Unmarshal([]byte(out), &s); err != nil || s.Run != half {
		t.Errorf("%v: %+v", err, s)
	}
	for _, name := range []string{"config.toml", "train.npy", "test.npy", "model.npz", "predictions.npy", "errors.csv",
		"report.json", "report.md"} {
		a, err := os.ReadFile(filepath.Join(whole, name))
		if err != nil {
			t.Fatal(err)
		}
		if b, err := os.ReadFile(filepath.Join(half, name)); err != nil || !bytes.Equal(a, b) {
			t.Errorf("%s differs, %v", name, err)
		}
	}
	code, out, errors = call(t, nil, "resume", half)
	expect(t, code, exitDone, out+errors, "complete already", "expected relative")
}

func TestResumeSaysWhyItCannot(t *testing.T) {
	root := t.TempDir()
	storeRun(t, root, "done")
	busy := occupyRun(t, root, "busy")
	damaged := interruptRun(t, root, "damaged")
	flip(t, filepath.Join(damaged, "config.toml"))
	if err := os.Mkdir(filepath.Join(root, "other"), 0o777); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		args []string
		code int
		want []string
	}{
		"two runs":  {[]string{"a", "b"}, exitUsage, []string{"one run, not 2"}},
		"no such":   {[]string{"nonsense"}, exitData, []string{"nonsense: is neither a run in " + root}},
		"empty":     {[]string{""}, exitData, []string{"no name of a run"}},
		"busy":      {[]string{"busy"}, exitData, []string{busy + ": is in use by process " + fmt.Sprint(os.Getpid())}},
		"damaged":   {[]string{"damaged"}, exitData, []string{"config.toml: is damaged"}},
		"not a run": {[]string{"other"}, exitData, []string{"is not a run"}},
		"workers":   {[]string{"done", "--workers", "many"}, exitUsage, []string{"--workers many"}},
	} {
		code, out, errors := call(t, nil, append([]string{"resume", "--runs", root}, test.args...)...)
		if out != "" {
			t.Errorf("%s: standard output has %q", name, out)
		}
		expect(t, code, test.code, errors, test.want...)
	}
	if err := os.RemoveAll(damaged); err != nil {
		t.Fatal(err)
	}
	code, _, errors := call(t, nil, "resume", "--runs", root)
	expect(t, code, exitData, errors, root+": has no unfinished run that no process works on (1 in use)")
}

// Runs are noted on, renamed, deleted and brought back from the shell, and the list follows.
func TestRunsAreArranged(t *testing.T) {
	root := t.TempDir()
	storeRun(t, root, "first", "--seed", "1")
	storeRun(t, root, "second", "--seed", "2")
	do := func(want int, args ...string) string {
		t.Helper()
		code, out, errors := call(t, nil, append([]string{"runs", "--runs", root}, args...)...)
		expect(t, code, want, out+errors)
		return out + errors
	}
	order := func(args ...string) (names string, list []store.Listed) {
		t.Helper()
		if err := json.Unmarshal([]byte(do(exitDone, append(args, "--json")...)), &list); err != nil {
			t.Fatal(err)
		}
		for _, l := range list {
			names += l.Name + " "
		}
		return names, list
	}
	do(exitDone, "note", "second", "with", "seed 2")
	do(exitDone, "rename", "first", "zero")
	names, list := order("--sort", "name")
	if names != "second zero " || list[0].Note != "with seed 2" || list[0].Method != "features" || list[0].Time <= 0 {
		t.Errorf("%+v", list)
	}
	if names, _ := order("--sort", "name", "--reverse"); names != "zero second " {
		t.Error(names)
	}
	expect(t, 0, 0, do(exitDone), "second: with seed 2", "error")
	expect(t, 0, 0, do(exitUsage, "--sort", "colour"), "one of when, name")
	expect(t, 0, 0, do(exitDone, "delete", "zero", "second"), "restore zero", "restore second")
	expect(t, 0, 0, do(exitDone, "restore"), "zero", "second")
	do(exitDone, "restore", "zero")
	if names, _ := order(); names != "zero " {
		t.Error(names)
	}
	expect(t, 0, 0, do(exitData, "restore", "zero"), "is no deleted run")
	expect(t, 0, 0, do(exitData, "rename", "zero", "a/b"), "plain name")
}
