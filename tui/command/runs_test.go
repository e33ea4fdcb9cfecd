package command

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"rfm/config"
	"rfm/model/engine"
	"rfm/model/store"
	"rfm/solver/printable"
)

// stored returns a complete run of tinyArgs, which tests copy.
var stored = sync.OnceValue(func() string {
	var said bytes.Buffer
	if code := run(context.Background(), with(tinyArgs, "--runs", scratch, "--name", "x"), streams{in: &said, out: &said,
		err: &said}, nil); code != exitDone {
		panic(said.String())
	}
	return filepath.Join(scratch, "x")
})

// storeRun creates a complete run called name below root.
func storeRun(t *testing.T, root, name string) string {
	t.Helper()
	path := filepath.Join(root, name)
	if err := os.CopyFS(path, os.DirFS(stored())); err != nil {
		t.Fatal(err)
	}
	return path
}

// interruptRun creates a run called name below root that was cancelled before its first stage.
func interruptRun(t *testing.T, root, name string) string {
	t.Helper()
	if code, errors := cancelled(t, with(tinyArgs, "--runs", root, "--name", name, "--quiet",
		"--no-baselines")...); code != exitInterrupted {
		t.Fatalf("exit code %d: %s", code, errors)
	}
	return filepath.Join(root, name)
}

// occupyRun creates a run below root that this process works on.
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

// done calls the program, which must succeed, and returns its standard output.
func done(t *testing.T, args ...string) (out string) {
	t.Helper()
	return gives(t, exitDone, "", args...)
}

// gives calls the program, compares its exit code and looks for words, separated by |, in its output. It returns
// standard output.
func gives(t *testing.T, want int, words string, args ...string) (out string) {
	t.Helper()
	code, out, errors := call(t, nil, args...)
	if code != want {
		t.Fatalf("%q: exit code %d, want %d: %s", args, code, want, out+errors)
	}
	for word := range strings.SplitSeq(words, "|") {
		if !strings.Contains(out+errors, word) {
			t.Errorf("%q: no %q in %q", args, word, out+errors)
		}
	}
	return out
}

// answer calls the program with --json, which must succeed, and returns the value that it prints.
func answer[T any](t *testing.T, args ...string) (v T) {
	t.Helper()
	out := done(t, append(args, "--json")...)
	if err := json.Unmarshal([]byte(out), &v); err != nil {
		t.Fatalf("%q: %v: %s", args, err, out)
	}
	return v
}

// expect compares the exit code and the text of the program with the expected ones.
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
	gives(t, exitDone, "no runs in "+root, "show", "--runs", root)

	storeRun(t, root, "20260102-030405-burgers-1a2b3c4d")
	interruptRun(t, root, "half")
	occupyRun(t, root, "busy")
	flip(t, filepath.Join(interruptRun(t, root, "broken"), "program.json"))

	list := answer[[]store.Entry](t, "show", "--runs", root)
	states := ""
	for _, l := range list {
		states += fmt.Sprintf("%s: %s, %s; ", l.Name, l.State, l.Progress)
	}
	if want := "busy: in use, 0% of generating; half: unfinished, 0% of generating; 20260102-030405-burgers-1a2b3c4d: " +
		"complete, ; broken: unreadable, ; "; states != want {
		t.Errorf("got  %s\nwant %s", states, want)
	}
	if l := list[2]; l.N != 20 || l.M != 16 || l.Grid != 33 || l.TestError == nil || l.Bytes < 1000 {
		t.Errorf("the complete run is %+v", l)
	}
	if holder := list[0].Holder; holder == nil || holder.PID != os.Getpid() {
		t.Errorf("the run in use is held by %v", holder)
	}

	gives(t, exitDone, "20260102-030405-burgers-1a2b3c4d|K=33|generate 0%|program.json|rfm run "+
		printable.Path(filepath.Join(root, "half"))+"|in use by process "+fmt.Sprint(os.Getpid()), "show", "--runs", root)
}

// A pipe gets a line for each run, of any width, so that grep, sort and awk find all columns of a run together.
func TestAPipeGetsALineForEachRun(t *testing.T) {
	root := t.TempDir()
	long := strings.Repeat("long-name-", 7)
	storeRun(t, root, long)
	interruptRun(t, root, "half")
	_, out, errors := call(t, nil, "show", "--runs", root)
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if len(lines) != 3 || !strings.HasPrefix(lines[2], long+"  burgers") || !strings.HasPrefix(lines[1], "half ") {
		t.Errorf("got %d lines: %s", len(lines), out)
	}
	if !strings.Contains(errors, "rfm run "+printable.Path(filepath.Join(root, "half"))) {
		t.Errorf("how it goes on is not said: %q", errors)
	}
}

func TestVerifyNamesDamagedFiles(t *testing.T) {
	root := t.TempDir()
	storeRun(t, root, "good")
	bad := filepath.Join(storeRun(t, root, "bad"), "test.npy")
	gives(t, exitDone, "good: all files are intact|bad: all files are intact", "show", "--runs", root, "--verify")
	flip(t, bad)
	gives(t, exitData, bad+": is damaged|good: all files are intact", "show", "--runs", root, "--verify")
	code, out, _ := call(t, nil, "show", "--runs", root, "--verify", "--json")
	var list []store.Entry
	if err := json.Unmarshal([]byte(out), &list); code != exitData || err != nil || len(list) != 2 || !*list[1].Verified ||
		*list[0].Verified || len(list[0].Faults) != 1 {
		t.Errorf("exit code %d, %v: %s", code, err, out)
	}
}

func TestResumeEndsAsIfTheRunHadNotBeenInterrupted(t *testing.T) {
	root := t.TempDir()
	whole, half := storeRun(t, root, "whole"), interruptRun(t, root, "half")
	if code, errors := cancelled(t, "run", "half", "--runs", root, "--quiet"); code != exitInterrupted ||
		!strings.Contains(errors, "rfm run "+printable.Path(half)) {
		t.Errorf("interrupted again: exit code %d, %q", code, errors)
	}
	gives(t, exitDone, "resuming "+printable.Path(half)+`|"run":"`+half+`"`, "run", "--runs", root, "--json")
	sameRuns(t, whole, half)
	gives(t, exitDone, "complete already|expected relative", "run", half)
}
