package command

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rfm/model/interchange"
	"rfm/solver/dataset/arraytest"
)

// An input found from values with little noise explains them, also by the solver, and is written.
func TestInvertFindsWhatExplainsTheValues(t *testing.T) {
	root := t.TempDir()
	storeRun(t, root, "x")
	t.Chdir(t.TempDir())
	invert := func(flags ...string) interchange.Inverted {
		t.Helper()
		out := done(t, append([]string{"invert", "x", "--runs", root, "--chains", "4", "--steps", "20",
			"--json"}, flags...)...)
		var found interchange.Inverted
		if err := json.Unmarshal([]byte(out), &found); err != nil {
			t.Fatal(err)
		}
		return found
	}
	made := invert("--points", "8", "--noise", "0.02", "--out", "found.csv", "--samples", "samples.npy")
	if !made.Probable || made.BestError == nil || *made.BestError > 1 || made.Misfit > 3*(made.Noise+made.ModelError) {
		t.Errorf("%+v", made)
	}
	if a := arraytest.Read(t, "samples.npy"); len(a.Shape) != 2 || a.Shape[0] != 4 || a.Shape[1] != made.Grid {
		t.Errorf("samples have the shape %v on K=%d", a.Shape, made.Grid)
	}
	text, err := os.ReadFile("found.csv")
	if err != nil {
		t.Fatal(err)
	}
	rows := strings.Split(strings.TrimSpace(string(text)), "\n")
	if rows[0] != "x,best,mean,deviation,output,solved,true" || len(rows) != made.Grid+1 {
		t.Errorf("a table of %d rows: %s", len(rows), rows[0])
	}
	// Inverting the output found, read from a file, yields nearly the same input.
	lines := []string{"x, u"}
	for _, row := range rows[1:] {
		columns := strings.Split(row, ",")
		lines = append(lines, columns[0]+", "+columns[4])
	}
	if err := os.WriteFile("seen.csv", []byte(strings.Join(lines, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	seen := invert("--data", "seen.csv", "--out", "found.npy")
	if seen.Observed != made.Grid || seen.BestError != nil || seen.Misfit > 3*(seen.Noise+seen.ModelError) {
		t.Errorf("%+v", seen)
	}
	if a := arraytest.Read(t, "found.npy"); a.Shape[0] != 5 || a.Shape[1] != made.Grid {
		t.Errorf("what was found has the shape %v", a.Shape)
	}
	code, out, errors := call(t, nil, "invert", "x", "--runs", root, "--points", "3", "--chains", "2", "--steps", "10")
	expect(t, code, exitDone, out+errors, "3 values, input on K=", "most probable input", "error of the input")
}

func TestInvertRefusesWhatMakesNoSense(t *testing.T) {
	root := t.TempDir()
	storeRun(t, root, "x")
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"wide.csv": "0.1,0.2,0.3\n", "far.csv": "0.1,1\n1.5,2\n",
		"empty.csv": "x,u\n",
		"words.csv": "0.1,1\n0.2,two\n", "there.csv": "0.5,1\n"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		flags []string
		code  int
		words string
	}{
		{[]string{"--noise", "0"}, exitUsage, "--noise 0"},
		{[]string{"--chains", "1"}, exitUsage, "--chains 1"},
		{[]string{"--points", "3", "--data", "there.csv"}, exitUsage, "--points is about made"},
		{[]string{"--out", "found.txt"}, exitUsage, "--out found.txt"},
		{[]string{"--grid", "14"}, exitData, "--grid: K=14 is not contained"},
		{[]string{"--data", "wide.csv"}, exitData, "has 3 columns, want 2"},
		{[]string{"--data", "far.csv"}, exitData, "has the coordinate 1.5 in row 2"},
		{[]string{"--data", "words.csv"}, exitData, `line 2: value 2 is "two"`},
		{[]string{"--data", "empty.csv"}, exitData, "has no observations"},
		{[]string{"--data", "missing.csv"}, exitData, "missing.csv: cannot be read"},
		{[]string{"--out", "there.csv"}, exitData, "exists already"},
	} {
		code, out, errors := call(t, nil, append([]string{"invert", filepath.Join(root, "x")}, test.flags...)...)
		expect(t, code, test.code, out+errors, test.words)
	}
}

// The recommended steps agree with chains: 500 steps have R = 2.17, 5000 have 1.186, and both ask for about 10000.
func TestStepsUntilChainsAgree(t *testing.T) {
	for steps, reduction := range map[int]float64{500: 2.17, 5000: 1.186} {
		if n := agreeing(steps, reduction); n < 9000 || n > 10000 {
			t.Errorf("%d steps with %g: %d are recommended", steps, reduction, n)
		}
	}
}
