package command

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rfm/model/store"
	"rfm/solver/dataset/arraytest"
	"rfm/solver/dataset/npy"
)

// inspectedArgs returns the command that inspect suggests for a file, and its whole output.
func inspectedArgs(t *testing.T, file string) (args []string, said string) {
	t.Helper()
	out := done(t, "show", file)
	lines := strings.Split(strings.TrimSpace(out), "\n")
	return wordsOf(strings.TrimSpace(lines[len(lines)-1])), out
}

// briefly are settings of tests that train on files: one method, as all in turn take seconds per file.
var briefly = []string{"-m", "8", "--set", "train.method=features", "-q", "--no-save", "--no-baselines"}

// open returns functions without the last point, which repeats the first.
func open(a npy.Array) npy.Array {
	n, K := a.Shape[0], a.Shape[1]
	return arrayOf(func(at []int) float64 { return a.Data[at[0]*K+at[1]] }, n, K-1)
}

// The commands that inspect suggests for files of pairs run unchanged.
func TestInspectSuggestsACommandThatWorks(t *testing.T) {
	root := t.TempDir()
	run := storeRun(t, root, "x")
	t.Chdir(t.TempDir())
	done(t, "export", run, "--format", "npy")
	a, u := arraytest.Read(t, filepath.Join("x-export", "a_train.npy")),
		arraytest.Read(t, filepath.Join("x-export", "u_train.npy"))
	arraytest.NPZ(t, "usual.npz", map[string]npy.Array{"a": a, "u": u})
	arraytest.NPZ(t, "open.npz", map[string]npy.Array{"a": open(a), "u": open(u)}, "u", "a")
	arraytest.NPZ(t, "named.npz", map[string]npy.Array{"n": {Shape: []int{2},
		Data: []float64{1, 2}}, "before": a, "after": u}, "n", "before", "after")
	for _, test := range []struct{ file, want string }{
		{"usual.npz", "rfm run usual.npz"},
		{"open.npz", "rfm run open.npz"},
		{"named.npz", "rfm run named.npz"},
		{filepath.Join(run, "train.npy"), "rfm run " + filepath.Join(run, "train.npy")},
	} {
		args, said := inspectedArgs(t, test.file)
		if strings.Join(args, " ") != test.want || !strings.Contains(said, "20 pairs of periodic functions on K=") {
			t.Errorf("got %q, want %q: %s", args, test.want, said)
		}
		done(t, append(args[1:], briefly...)...)
	}
	alone := filepath.Join(t.TempDir(), "alone.npy")
	arraytest.NPY(t, alone, a)
	if args, said := inspectedArgs(t, alone); !strings.Contains(said, "not read as pairs") ||
		strings.Join(args[:3], " ") != "rfm predict RUN" {
		t.Errorf("functions without outputs: %s", said)
	}
}

// A setting that changes how the file is read replaces the inferred one, with the sizes that follow from it.
func TestSettingsReplaceWhatWasInferred(t *testing.T) {
	t.Chdir(t.TempDir())
	const n, r = 12, 16
	a := arrayOf(func(at []int) float64 { return math.Cos(2 * math.Pi * float64(at[2]*(1+at[0])+at[1]) / r) }, n, r, r)
	arraytest.NPZ(t, "even.npz", map[string]npy.Array{"a": a, "u": a})
	_, said := inspectedArgs(t, "even.npz")
	for _, setting := range []string{"data.boundary=periodic", "data.endpoint=included"} {
		if !strings.Contains(strings.Join(strings.Fields(said), " "), setting) {
			t.Errorf("no suggestion of %s: %s", setting, said)
		}
		gives(t, exitDone, "expected relative", append([]string{"run", "even.npz", "--set", setting}, briefly...)...)
	}
	out := done(t, "run", "even.npz", "--set", "data.input=a[:10]", "--set", "data.output=u[:10]",
		"--dry-run", "--json")
	if !strings.Contains(out, `"n":8,`) {
		t.Errorf("the sizes are not those of 10 pairs: %s", out)
	}
}

// The JSON form has the statements of the text as fields.
func TestInspectKnowsTheProgramsOwnFiles(t *testing.T) {
	run := storeRun(t, t.TempDir(), "x")
	gives(t, exitDone, "trained model|16 Fourier features (elu) with lambda=0, rank 16|preset burgers with n=20|rfm predict",
		"show", filepath.Join(run, "model.npz"))
	gives(t, exitDone, "configuration|valid|m=16|rfm run", "show", filepath.Join(run, "config.toml"))
	list := answer[[]struct {
		Model struct {
			Problem, Version string
			M, Grid, Rank    int
			Lambda           *float64
			Finest           int `json:"finest_grid"`
		}
	}](t, "show", filepath.Join(run, "model.npz"), filepath.Join(run, "config.toml"))
	if len(list) != 2 {
		t.Fatalf("%+v", list)
	}
	m, err := store.Read(run)
	if err != nil {
		t.Fatal(err)
	}
	of := m.Config
	model := list[0].Model
	if model.Problem != of.Problem || model.M != of.Features.Count || model.Grid != of.Train.Grid ||
		model.Rank < 1 || model.Lambda == nil || model.Finest < model.Grid || model.Version == "" {
		t.Errorf("model %+v", model)
	}
}

func TestInspectFindsWhatIsNotFinite(t *testing.T) {
	t.Chdir(t.TempDir())
	zero := 0.0
	arraytest.NPY(t, "a.npy", npy.Array{Shape: []int{2, 3}, Data: []float64{1, -2, zero / zero, 4, 1 / zero, 7}})
	gives(t, exitDone, "(2, 3) float64, -2 to 7, mean 2.5, 2 values not finite", "show", "a.npy")
}

// A single input, however often repeated, teaches nothing: no command is suggested.
func TestInspectSuggestsNothingForConstantInputs(t *testing.T) {
	t.Chdir(t.TempDir())
	a := arrayOf(func(at []int) float64 { return math.Sin(2 * math.Pi * float64(at[1]) / 32) }, 12, 33)
	u := arrayOf(func(at []int) float64 { return float64(1+at[0]) * math.Cos(2*math.Pi*float64(at[1])/32) }, 12, 33)
	arraytest.NPZ(t, "pairs.npz", map[string]npy.Array{"a": a, "u": u})
	_, out, errors := call(t, nil, "show", "pairs.npz")
	if said := out + errors; !strings.Contains(said, "the same input in the first 12 pairs") ||
		strings.Contains(said, "--train-data") {
		t.Error(said)
	}
}

// An integer that float64 cannot represent does not count as damage of the file.
func TestInspectOfLargeIntegers(t *testing.T) {
	name := filepath.Join(t.TempDir(), "id.npy")
	var content bytes.Buffer
	content.WriteString("\x93NUMPY\x01\x00\x76\x00")
	content.WriteString(fmt.Sprintf("%-117s\n", "{'descr': '<i8', 'fortran_order': False, 'shape': (1,), }"))
	content.Write(binary.LittleEndian.AppendUint64(nil, 1<<60))
	if err := os.WriteFile(name, content.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	if said := done(t, "show", name); !strings.Contains(said, "beyond 2^53") || strings.Contains(said, "damaged") {
		t.Error(said)
	}
}

// All pairs of one file are for training, and all of the other for testing, unless flags override that.
func TestFileOfTestPairs(t *testing.T) {
	pairs := func(name string, n int) string {
		return arraytest.NPY(t, filepath.Join(t.TempDir(), name), arrayOf(func(at []int) float64 {
			return math.Sin(2*math.Pi*float64(at[2])/32 + float64(2*at[0]+at[1]))
		}, n, 2, 33))
	}
	train, test := pairs("train.npy", 20), pairs("test.npy", 30)
	for _, given := range []struct{ args, want string }{{"", "n=20"}, {"-n 7", "n=7"}} {
		args := slices.Concat([]string{"run", train, "--test-data", test, "-m", "8", "--no-save", "--no-baselines", "--set",
			"train.method=features"}, strings.Fields(given.args))
		out := done(t, args...)
		if !strings.Contains(out, given.want+" ") || !strings.Contains(out, "30 test inputs") {
			t.Errorf("%q: %s", given.args, out)
		}
	}
}

// The texts of several --equation are the lines of one system.
func TestSystemsTakeOneFlagForEachField(t *testing.T) {
	t.Chdir(t.TempDir())
	system := []string{"run", "--equation", "u_t = v", "--equation", "v_t = u_xx - sin(u)", "--dry-run"}
	gives(t, exitDone, "valid", append(system, "--set", "equation.initial=a; 0")...)
	gives(t, exitConfig, "the fields", system...)
}
