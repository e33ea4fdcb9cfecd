package command

import (
	"os"
	"strings"
	"testing"

	"rfm/model/show/interchange"
	"rfm/solver/dataset/arraytest"
)

// An input found from values with little noise explains them, also by the solver, and is written.
func TestInvertFindsWhatExplainsTheValues(t *testing.T) {
	root := t.TempDir()
	storeRun(t, root, "x")
	t.Chdir(t.TempDir())
	invert := func(flags ...string) interchange.Inverted {
		args := []string{"invert", "x", "--runs", root, "--chains", "4", "--steps", "20"}
		return answer[interchange.Inverted](t, append(args, flags...)...)
	}
	made := invert("--points", "8", "--noise", "0.02", "--out", "found.csv", "--samples", "samples.npy")
	if !made.Probable || made.BestError == nil || *made.BestError > 1 || made.Misfit > 3*(made.Noise+made.ModelError) {
		t.Errorf("%+v", made)
	}
	if a := arraytest.Read(t, "samples.npy"); len(a.Shape) != 2 || a.Shape[0] != 4 || a.Shape[1] != made.Grid {
		t.Errorf("samples have the shape %v on K=%d", a.Shape, made.Grid)
	}
	text, err := os.ReadFile("found.csv")
	noError(t, err)
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
	noError(t, os.WriteFile("seen.csv", []byte(strings.Join(lines, "\n")), 0o600))
	seen := invert("--data", "seen.csv", "--out", "found.npy")
	if seen.Observed != made.Grid || seen.BestError != nil || seen.Misfit > 3*(seen.Noise+seen.ModelError) {
		t.Errorf("%+v", seen)
	}
	if a := arraytest.Read(t, "found.npy"); a.Shape[0] != 5 || a.Shape[1] != made.Grid {
		t.Errorf("what was found has the shape %v", a.Shape)
	}
	gives(t, exitDone, "3 values, input on K=|most probable input|error of the input", "invert", "x", "--runs", root,
		"--points", "3", "--chains", "2", "--steps", "10")
}
