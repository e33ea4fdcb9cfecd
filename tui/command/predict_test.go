package command

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"rfm/model/show/interchange"
	"rfm/model/trained"
	"rfm/solver/dataset/arraytest"
	"rfm/solver/dataset/npy"
	"rfm/tui/terminal"
)

func TestPredictionsHaveTheShapeOfTheInputs(t *testing.T) {
	root := t.TempDir()
	run := storeRun(t, root, "x")
	t.Chdir(t.TempDir())
	done(t, "export", run, "--format", "npy")
	a, u := arraytest.Read(t, filepath.Join("x-export", "a_test.npy")),
		arraytest.Read(t, filepath.Join("x-export", "predicted_test.npy"))
	K := a.Shape[1]
	arraytest.NPY(t, "one.npy", npy.Array{Shape: []int{K}, Data: a.Data[:K]})
	arraytest.NPY(t, "open.npy", open(a))
	for _, test := range []struct {
		in    string
		flags []string
		shape []int
	}{{"one.npy", nil, []int{K}}, {"open.npy", nil, []int{a.Shape[0], K - 1}},
		{"open.npy", []string{"--endpoint", "excluded", "--force"}, []int{a.Shape[0], K - 1}}} {
		did := answer[interchange.Predicted](t, append([]string{"predict", "x", "--runs", root, "--in", test.in, "--out",
			"u-" + test.in}, test.flags...)...)
		if did.Grid != K || !slices.Equal(did.Shape, test.shape) {
			t.Errorf("%+v", did)
		}
		got := arraytest.Read(t, "u-"+test.in)
		if !slices.Equal(got.Shape, test.shape) {
			t.Errorf("%s gives shape %v", test.in, got.Shape)
		}
		for i, v := range got.Data {
			width := test.shape[len(test.shape)-1]
			if want := u.Data[i/width*K+i%width]; v != want {
				t.Errorf("%s: value %d is %g, not %g", test.in, i, v, want)
				break
			}
		}
	}
}

// open returns functions without the last point, which repeats the first.
func open(a npy.Array) npy.Array {
	n, K := a.Shape[0], a.Shape[1]
	return arrayOf(func(at []int) float64 { return a.Data[at[0]*K+at[1]] }, n, K-1)
}

// Inputs may leave out the right end if those of the training did so, even if they vanish near both ends.
func TestInputsHaveTheEndsOfTheTraining(t *testing.T) {
	t.Chdir(t.TempDir())
	const n, K = 30, 16
	a := npy.Array{Shape: []int{n, K}}
	for i := range n * K {
		x, k := (float64(i%K)+1)/K, float64(i/K) // zero at the last point
		a.Data = append(a.Data, math.Pow(math.Sin(math.Pi*x), 12)*(2+math.Sin(7*k*k)+x*math.Cos(11*k*k)))
	}
	a.Data[0] = 0.1
	arraytest.NPZ(t, "pairs.npz", map[string]npy.Array{"a": a, "u": a})
	a.Data[0] = a.Data[K-1]
	arraytest.NPY(t, "bumps.npy", a)
	done(t, "run", "pairs.npz", "--set", "train.method=linear", "--set", "data.endpoint=excluded", "--name", "x",
		"--no-baselines", "-m", "8", "-q")
	for _, in := range []string{"pairs.npz", "bumps.npy"} {
		if did := answer[interchange.Predicted](t, "predict", "x", "--in", in, "--out", "u-"+in+".npy"); did.Grid != K+1 {
			t.Errorf("%s is read on %d points", in, did.Grid)
		}
	}
}

// Inputs far larger than those of the training are flagged without any setting, by the model file alone, and those of
// the training are not. A model of an earlier version says that it cannot tell.
func TestInputsUnlikeTheTrainingAreFlagged(t *testing.T) {
	root := t.TempDir()
	path := storeRun(t, root, "x")
	t.Chdir(t.TempDir())
	pairs := arraytest.Read(t, filepath.Join(path, "train.npy"))
	n, K := pairs.Shape[0], pairs.Shape[2]
	own := npy.Array{Shape: []int{n, K}}
	for i := range n {
		own.Data = append(own.Data, pairs.Data[2*i*K:(2*i+1)*K]...)
	}
	large := npy.Array{Shape: own.Shape}
	for _, v := range own.Data {
		large.Data = append(large.Data, 10*v)
	}
	arraytest.NPY(t, "own.npy", own)
	arraytest.NPY(t, "large.npy", large)
	model := filepath.Join(path, "model.npz")
	for file, want := range map[string]int{"own.npy": 0, "large.npy": n} {
		did := answer[interchange.Predicted](t, "predict", model, "--in", file, "--out", "u-"+file)
		if len(did.Unlike) != want || len(did.Deviations) != n || !(did.Limit > 0) {
			t.Errorf("%s: %d of %d are flagged, want %d; %+v", file, len(did.Unlike), n, want, did)
		}
	}
	gives(t, exitDone, "inputs lie outside those of the training", "predict", model, "--in", "large.npy", "--out", "u.npy")
	old, err := filepath.Abs(filepath.Join(root, "old.npz"))
	noError(t, err)
	m, err := trained.ReadFile(t.Context(), model)
	noError(t, err)
	m.Training = nil
	var b bytes.Buffer
	noError(t, trained.Write(&b, m))
	noError(t, os.WriteFile(old, b.Bytes(), 0o600))
	gives(t, exitDone, "does not know its training inputs", "predict", old, "--in", "large.npy", "--out", "v.npy")
}

// Piped input is predicted like input from a file, and only the array is piped out.
func TestPredictionsGoThroughPipes(t *testing.T) {
	root := t.TempDir()
	path := storeRun(t, root, "x")
	t.Chdir(t.TempDir())
	t.Setenv("TMPDIR", filepath.Join(root, "temporary"))
	noError(t, os.Mkdir(filepath.Join(root, "temporary"), 0o777))
	a := npy.Array{Shape: []int{1, 9}, Data: []float64{0, 1, 0, -1, 0, 1, 0, -1, 0}}
	arraytest.NPY(t, "a.npy", a)
	arraytest.NPZ(t, "b.npz", map[string]npy.Array{"b": a})
	done(t, "predict", path, "--in", "a.npy", "--out", "u.npy")
	want, err := os.ReadFile("u.npy")
	noError(t, err)
	for _, args := range [][]string{{"a.npy"}, {"b.npz", "--array", "b"}} {
		content, err := os.ReadFile(args[0])
		noError(t, err)
		piped := append([]string{"predict", path, "--in", "-", "--out", "-"}, args[1:]...)
		code, out, told := process(t.Context(), string(content), nil, piped...)
		// the wave is unlike the training inputs
		if code != exitDone || !strings.HasPrefix(told, "warning: 1 of 1 input lies outside") || out != string(want) {
			t.Errorf("%v: exit code %d, other bytes come out, or other words: %s", args, code, told)
		}
		code, _, told = process(t.Context(), string(content[:len(content)-9]), nil, piped...)
		expect(t, code, exitData, told, "standard input")
	}
	stuck, _ := io.Pipe() // never receives data
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out, said bytes.Buffer
	if code := run(ctx, []string{"predict", path, "--in", "-", "--out", "-"},
		terminal.New(stuck, &out, &said, nil)); code != exitCancelled ||
		out.Len() > 0 {
		t.Errorf("exit code %d, %s", code, said.String())
	}
	if left, err := os.ReadDir(filepath.Join(root, "temporary")); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}

// Pairs and inputs of periodic fields come from files, too, and files with other fields are refused.
func TestPeriodicFieldsAreReadFromFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	small := []string{"-n", "12", "--test", "4", "-m", "8", "--set", "data.grid=17", "--set", "train.grid=17", "-q",
		"--no-baselines"}
	done(t, append([]string{"run", "navier-stokes", "--set", "equation.time=0.1", "--name",
		"x"}, small...)...)
	done(t, "export", "x", "--format", "npy")
	done(t, "export", "x", "--out", "archive")
	for name, args := range map[string][]string{"u.npy": {filepath.Join("x-export", "a_test.npy")},
		"v.npy": {filepath.Join("archive", "data.npz"), "--array", "a_test"}} {
		gives(t, exitDone, "4 fields on r=17", append([]string{"predict", "x", "--out", name, "--in"}, args...)...)
		if u, want := arraytest.Read(t, name), arraytest.Read(t, filepath.Join("runs", "x",
			"predictions.npy")); !slices.Equal(u.Data, want.Data) || !slices.Equal(u.Shape, want.Shape) {
			t.Errorf("%s: predictions of shape %v are not those of the run, of shape %v", name, u.Shape, want.Shape)
		}
	}

	a, u := arraytest.Read(t, filepath.Join("x-export", "a_train.npy")),
		arraytest.Read(t, filepath.Join("x-export", "u_train.npy"))
	pairs := npy.Array{Shape: []int{12, 2, 17, 17}}
	for i := range 12 {
		pairs.Data = append(append(pairs.Data, a.Data[289*i:289*(i+1)]...), u.Data[289*i:289*(i+1)]...)
	}
	arraytest.NPY(t, "pairs.npy", npy.Array{Shape: []int{17, 17, 12, 2}, Data: transposed(pairs.Data, 24, 289)})
	done(t, append([]string{"run", "navier-stokes", "--set", "equation.time=0.1",
		"--train-data", "pairs.npy", "--name", "y"}, small...)...)
	if x, y := arraytest.Read(t, filepath.Join("runs", "x", "predictions.npy")),
		arraytest.Read(t, filepath.Join("runs", "y", "predictions.npy")); !slices.Equal(x.Data, y.Data) {
		t.Error("with pairs from a file the predictions are others")
	}

	a.Data[289*3+5]++ // a value on the first edge
	arraytest.NPY(t, "other.npy", a)
	gives(t, exitData, "function 3 is not periodic: at point 5 it begins with", "predict", "x", "--in", "other.npy",
		"--out", "w.npy")

	// Fields of other proportions are refused before their values are read, which may be gigabytes.
	header := npy.Preamble([]int{1 << 14, 1 << 13})
	noError(t, os.WriteFile("wide.npy", header, 0o600))
	noError(t, os.Truncate("wide.npy", int64(len(header))+8<<27))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	gives(t, exitData, "want periodic fields on as many points along both axes", "predict", "x", "--in", "wide.npy", "--out", "w.npy")
	if runtime.ReadMemStats(&after); after.TotalAlloc-before.TotalAlloc > 64<<20 {
		t.Errorf("%d bytes are allocated for fields that are refused", after.TotalAlloc-before.TotalAlloc)
	}
}

// transposed returns a matrix with the axes exchanged.
func transposed(data []float64, rows, columns int) []float64 {
	t := make([]float64, 0, len(data))
	for j := range columns {
		for i := range rows {
			t = append(t, data[i*columns+j])
		}
	}
	return t
}

func TestPredictionsHaveBands(t *testing.T) {
	root := t.TempDir()
	done(t, "run", "quick", "-n", "60", "-m", "16", "--test", "8", "-K", "33", "--set", "data.grid=65", "--set",
		"evaluation.bands=yes", "--quiet", "--runs", root, "--name", "x", "--no-baselines")
	const K = 33
	a := arrayOf(func(at []int) float64 { // the second is not an input of the training
		return math.Pow(50, float64(at[0])) * 0.2 * math.Sin(2*math.Pi*float64(at[1]%(K-1))/(K-1))
	}, 2, K)
	in, half := arraytest.NPY(t, filepath.Join(t.TempDir(), "data.npy"), a), filepath.Join(root, "half.npy")
	gives(t, exitDone, `"unlike":[1]|1 of 2 inputs lies outside`, "predict", "x", "--runs", root, "--in", in, "--out",
		filepath.Join(root, "u.npy"), "--bands", half, "--json")
	widths := arraytest.Read(t, half)
	if !slices.Equal(widths.Shape, a.Shape) || !(widths.Data[3] > 0) ||
		!(widths.Data[K+3] > widths.Data[3]) {
		t.Errorf("widths %v", widths.Shape)
	}
	for want, args := range map[string][]string{"too few": {"--force", "--level", "0.999", "--whole"},
		"exists already": nil} {
		gives(t, exitData, want, append([]string{"predict", "x", "--runs", root, "--in", in, "--out",
			filepath.Join(root, "v.npy"), "--bands", half}, args...)...)
	}
	if _, err := os.Stat(filepath.Join(root, "v.npy")); err == nil {
		t.Error("predictions without the bands that were asked for")
	}
}

// Steps apply the model to its previous prediction; the solver measures their distance from the truth.
func TestModelsStepInTime(t *testing.T) {
	root := t.TempDir()
	train := func(preset, name string, more ...string) {
		done(t, append([]string{"run", preset, "-n", "40", "-m", "32", "--test", "8", "-K", "33", "--quiet", "--runs", root,
			"--name", name, "--no-baselines"}, more...)...)
	}
	train("heat", "x", "--set", "data.grid=65", "--set", "train.method=linear")
	const K, steps = 33, 3
	a := arrayOf(func(at []int) float64 {
		return math.Sin(2 * math.Pi * float64((at[0]+1)*(at[1]%(K-1))) / (K - 1))
	}, 2, K)
	in := arraytest.NPY(t, filepath.Join(t.TempDir(), "data.npy"), a)
	predict := func(in, out string, more ...string) (string, npy.Array) {
		out = filepath.Join(root, out)
		text := done(t, append([]string{"predict", "x", "--runs", root, "--in", in, "--out", out}, more...)...)
		return text, arraytest.Read(t, out)
	}
	text, all := predict(in, "all.npy", "--steps", "3", "--check", "--json")
	if !slices.Equal(all.Shape, []int{steps, 2, K}) {
		t.Fatalf("shape %v", all.Shape)
	}
	state := in
	for step := range steps {
		var one npy.Array
		if _, one = predict(state, "one"+string(rune('0'+step))+".npy"); !slices.Equal(one.Data, all.Data[step*2*K:][:2*K]) {
			t.Errorf("step %d differs from a prediction", step+1)
		}
		state = filepath.Join(root, "one"+string(rune('0'+step))+".npy")
	}
	var did interchange.Predicted
	if err := json.Unmarshal([]byte(text), &did); err != nil || len(did.Errors) != steps || !(did.Errors[0] < 0.01) ||
		!(did.Errors[2] < 0.03) {
		t.Errorf("%v: %s", err, text)
	}
	product := did.Errors[0] * did.Errors[1] * did.Errors[2]
	if math.Abs(math.Pow(did.GMean100, steps)/product-1) > 1e-12 {
		t.Errorf("GMean100 %g of %g", did.GMean100, did.Errors)
	}
	if text, _ := predict(in, "text.npy", "--steps", "3", "--check"); !strings.Contains(text,
		"mean of the first 3 steps") {
		t.Error(text)
	}
	model := npy.Array{Shape: []int{1, 17, 17}, Data: slices.Repeat([]float64{3}, 17*17)}
	train("darcy", "d", "--set", "data.grid=17", "--set", "train.grid=17")
	if code, _, failure := call(t, nil, "predict", "d", "--runs", root, "--in",
		arraytest.NPY(t, filepath.Join(t.TempDir(), "data.npy"), model), "--out",
		filepath.Join(root, "w.npy"), "--check"); code != exitData || !strings.Contains(failure, "steps in time") ||
		!strings.Contains(failure, "model.npz is a model") || strings.Contains(failure, "data.npy") {
		t.Errorf("exit %d for a stationary problem: %s", code, failure)
	}
}
