package command

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"rfm/config"
	"rfm/model/run/engine"
	"rfm/model/show/compare"
)

// stored returns a complete run of tinyArgs, which tests copy.
var stored = sync.OnceValue(func() string {
	code, _, said := process(context.Background(), "", nil, with(tinyArgs, "--runs", scratch, "--name", "x")...)
	if code != exitDone {
		panic(said)
	}
	return filepath.Join(scratch, "x")
})

// storeRun creates a complete run called name below root.
func storeRun(t *testing.T, root, name string) string {
	t.Helper()
	path := filepath.Join(root, name)
	noError(t, os.CopyFS(path, os.DirFS(stored())))
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
	noError(t, err)
	e, err := engine.New(t.Context(), c, engine.Options{Workers: 1, Runs: root, Name: name})
	noError(t, err)
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
	noError(t, err)
	content[len(content)/2] ^= 4
	noError(t, os.WriteFile(name, content, 0o666))
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

// sameRuns fails unless two runs have the same bytes.
func sameRuns(t *testing.T, whole, split string) {
	t.Helper()
	for _, name := range []string{"train.npy", "test.npy", "model.npz", "predictions.npy", "report.json", "errors.csv"} {
		a, err1 := os.ReadFile(filepath.Join(whole, name))
		b, err2 := os.ReadFile(filepath.Join(split, name))
		if err1 != nil || err2 != nil || !bytes.Equal(a, b) {
			t.Errorf("%s is not that of the other run: %v, %v", name, err1, err2)
		}
	}
}

// A run that was interrupted has the same bytes as one that is computed at once. Repeated and split runs are in scripts.
func TestResumedRunsHaveTheSameBytes(t *testing.T) {
	root := t.TempDir()
	whole := storeRun(t, root, "whole")
	resumed := interruptRun(t, root, "resumed")
	gives(t, exitDone, `resuming |"run":"`, "run", "--runs", root, "--json")
	sameRuns(t, whole, resumed)
}

// testErrors returns a run's errors on its test inputs.
func testErrors(t *testing.T, run string) (errors []float64) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(run, "errors.csv"))
	noError(t, err)
	for line := range strings.Lines(string(text)) {
		if cells := strings.Split(strings.TrimSpace(line), ","); cells[0] == "test" {
			e, err := strconv.ParseFloat(cells[2], 64)
			noError(t, err)
			errors = append(errors, e)
		}
	}
	return errors
}

func TestCompareAgreesWithTheErrorsOfTheRuns(t *testing.T) {
	root := t.TempDir()
	one := storeRun(t, root, "one")
	done(t, "run", filepath.Join(one, "config.toml"), "--name", "two", "--runs", root, "-m", "24",
		"--quiet")
	interruptRun(t, root, "half")
	done(t, with(tinyArgs, "--name", "others", "--runs", root, "--seed", "7", "--quiet")...)

	c := answer[compare.Comparison](t, "show", "one", "two", "half", "others", "--runs", root)
	if len(c.Runs) != 4 {
		t.Fatalf("%+v", c)
	}
	if r := c.Runs[0]; *r.TestError != r.Result.Test.ExpectedRelative || r.M != 16 || r.Bytes == 0 {
		t.Errorf("%+v", r)
	}
	first, second := testErrors(t, one), testErrors(t, filepath.Join(root, "two"))
	both, err := compare.Compare(t.Context(), []string{one, filepath.Join(root, "two")}) // as the interface does
	if err != nil || !slices.Equal(both.Runs[0].Errors, first) || !slices.Equal(both.Runs[1].Errors, second) {
		t.Errorf("%v: the errors are not those of the runs", err)
	}
	better, product := 0, 0.0
	for i, e := range second {
		if e < first[i] {
			better++
		}
		product += math.Log(first[i] / e)
	}
	want := math.Exp(product / float64(len(second)))
	if g := c.Runs[1].Gain; g == nil || g.Better != better || g.Of != len(second) ||
		math.Abs(g.Geometric-want) > 1e-12*want {
		t.Errorf("gain %+v, want %d of %d and %g", g, better, len(second), want)
	}
	if c.Runs[0].Gain != nil || c.Runs[2].Gain != nil || c.Runs[2].Result != nil || c.Runs[3].Gain != nil ||
		c.Runs[3].Result == nil {
		t.Errorf("a gain of the first run, of one without a result, or of one tested on other pairs: %+v", c.Runs)
	}
	differ := map[string]bool{}
	for _, d := range c.Configuration {
		differ[d.Key] = true
	}
	if !differ["features.count"] || !differ["seed"] || differ["data.grid"] {
		t.Errorf("the configurations differ in %v", differ)
	}
}
