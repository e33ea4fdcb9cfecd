package command

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rfm/solver/dataset/arraytest"
	"rfm/solver/dataset/npy"
)

// briefly are settings of tests that train on files: one method, as all in turn take seconds per file.
var briefly = []string{"-m", "8", "--set", "train.method=features", "-q", "--no-save", "--no-baselines"}

// The presets of published settings take the pairs, points and parts of the published files, for which files with few
// pairs stand in.
func TestPresetsOfPublishedSettings(t *testing.T) {
	if testing.Short() {
		t.Skip("the files have the size of the published ones along a function")
	}
	t.Chdir(t.TempDir())
	waves := func(count, points, axes int, sharp bool) npy.Array {
		return arrayOf(func(at []int) float64 {
			i, x, y := float64(at[0]), float64(at[1])/float64(points), 0.0
			if axes == 2 {
				y = float64(at[2]) / float64(points)
			}
			v := math.Sin(2*math.Pi*x+i) + math.Cos(i+3*y)
			if sharp {
				v = 7.5 + math.Copysign(4.5, v)
			}
			return v
		}, append([]int{count}, slices.Repeat([]int{points}, axes)...)...)
	}
	burgers := waves(12, 8192, 1, false)
	// recognized by its content
	arraytest.NPZ(t, "burgers_data_R10.mat",
		map[string]npy.Array{"a": burgers, "a_x": burgers, "u": burgers})
	gives(t, exitDone, `"grid":129`, append([]string{"run", "benchmark-burgers", "--json"}, briefly...)...)
	coefficient, solution := waves(4, 421, 2, true), waves(4, 421, 2, false)
	for _, name := range []string{"piececonst_r421_N1024_smooth1.mat", "piececonst_r421_N1024_smooth2.mat"} {
		arraytest.NPZ(t, name, map[string]npy.Array{"coeff": coefficient, "sol": solution})
	}
	gives(t, exitDone, `"grid":43`, append([]string{"run", "benchmark-darcy", "--json"}, briefly...)...)
}

// arrayOf returns an array of some shape with a value for each index.
func arrayOf(value func(at []int) float64, shape ...int) npy.Array {
	a, at := npy.Array{Shape: shape}, make([]int, len(shape))
	for range npy.Strides(shape)[0] * shape[0] {
		a.Data = append(a.Data, value(at))
		for d := len(at) - 1; d >= 0; d-- {
			if at[d]++; at[d] < shape[d] {
				break
			}
			at[d] = 0
		}
	}
	return a
}

// channelArrays returns waves a and b and u = a(x + 1/4) + b/2, rows of K values.
func channelArrays(n, K int) (a, b, u npy.Array) {
	rows := func(seed int, shift float64) npy.Array {
		return arrayOf(func(at []int) (sum float64) {
			x := float64(at[1]%(K-1))/float64(K-1) + shift
			for k := 1; k <= 3; k++ {
				sum += math.Cos(2*math.Pi*float64(k)*x+float64(at[0]*at[0]*k*seed)) * math.Sin(float64(at[0]*k*seed+1))
			}
			return sum
		}, n, K)
	}
	a, b, u = rows(1, 0), rows(7, 0), rows(1, 0.25)
	for i, v := range b.Data {
		u.Data[i] += v / 2
	}
	return a, b, u
}

// Inputs and outputs in two files are learned from where they are: no other file is written, and values that change are
// noticed.
func TestTwoFilesAreOneSource(t *testing.T) {
	directory := t.TempDir()
	t.Chdir(directory)
	a, _, u := channelArrays(12, 17)
	arraytest.NPY(t, "my a.npy", a)
	arraytest.NPY(t, "u,1.npy", u)
	for _, name := range []string{"my a.npy,u,1.npy", `"my a.npy" 'u,1.npy'`, "my a.npy u,1.npy"} {
		if c, err := load(t.Context(), name); err != nil || c.Data.TrainFile != "my a.npy,u,1.npy" || c.Data.Train == 0 {
			t.Errorf("%s: %v: %+v", name, err, c.Data)
		}
	}
	if _, err := load(t.Context(), "my a.npy ."); err == nil {
		t.Error("a directory holds outputs")
	}
	linear := []string{"run", "my a.npy", "u,1.npy", "--set", "train.method=linear", "--no-baselines", "-m", "8"}
	gives(t, exitDone, "my a.npy,u,1.npy: 12 pairs", append(linear, "--name", "x")...)
	text, err := os.ReadFile(filepath.Join("runs", "x", "config.toml"))
	if err != nil || strings.Count(string(text), directory) != 2 {
		t.Errorf("the run does not have the whole names: %s, %v", text, err)
	}
	left, err := filepath.Glob("*")
	if err != nil || !slices.Equal(left, []string{"my a.npy", "runs", "u,1.npy"}) {
		t.Errorf("the files are now %q, %v", left, err)
	}
	u.Data[0]++
	arraytest.NPY(t, "u,1.npy", u)
	gives(t, exitDone, "u,1.npy has changed", "show", "x", "--verify")
}

// Pairs of functions with two channels are trained on by the command that inspect prints; the run is stored, opened,
// exported, and predicts in the layout of the file.
func TestChannelsFromInspectToPredict(t *testing.T) {
	t.Chdir(t.TempDir())
	const n, K = 40, 17
	a, b, u := channelArrays(n, K)
	both, two := npy.Array{Shape: []int{n, K, 2}}, npy.Array{Shape: []int{n, K, 2}}
	for i, v := range a.Data {
		both.Data, two.Data = append(both.Data, v, b.Data[i]), append(two.Data, u.Data[i], 100*v)
	}
	arraytest.NPZ(t, "pairs.npz", map[string]npy.Array{"a": both, "u": two})
	gives(t, exitDone, "(count, K, 2)|next: rfm run pairs.npz\n", "show", "pairs.npz")
	if plan := answer[planned](t, "run", "pairs.npz", "--dry-run"); plan.From != "pairs" || plan.N != 32 {
		t.Errorf("%+v", plan)
	}
	gives(t, exitDone, "channel 1|channel 2", "run", "pairs.npz", "--set", "train.method=linear", "--name", "x",
		"--no-baselines", "-m", "16")
	done(t, "predict", "x", "--in", "pairs.npz", "--out", "v.npy")
	v := arraytest.Read(t, "v.npy")
	if !slices.Equal(v.Shape, two.Shape) {
		t.Fatalf("predictions of shape %v", v.Shape)
	}
	for i, want := range two.Data {
		if math.Abs(v.Data[i]-want) > 1e-6*100 {
			t.Fatalf("prediction %d is %g, want %g", i, v.Data[i], want)
		}
	}
	arraytest.NPY(t, "one.npy", both)
	done(t, "predict", "x", "--in", "one.npy", "--out", "w.npy")
	if !slices.Equal(arraytest.Read(t, "w.npy").Data, v.Data) {
		t.Error("an array without a name has other predictions")
	}
	done(t, "export", "x", "--format", "npy")
	if shape := arraytest.Read(t, "x-export/a_test.npy").Shape; !slices.Equal(shape, []int{8, 2, K}) {
		t.Errorf("exported inputs of shape %v", shape)
	}
	arraytest.NPY(t, "wrong.npy", a)
	gives(t, exitData, "2 channels", "predict", "x", "--in", "wrong.npy", "--out", "z.npy")
}

// Parameters are constant channels; an input of fewer variables is lifted, and predict takes it unlifted, but not for a
// model that was trained on full fields.
func TestParametersAndEdgesFromInspectToPredict(t *testing.T) {
	t.Chdir(t.TempDir())
	const n, K = 30, 17
	a, _, _ := channelArrays(n, K)
	parameters, u := npy.Array{Shape: []int{n, 2}}, npy.Array{Shape: []int{n, K}}
	field := npy.Array{Shape: []int{n, 9, K}}
	for i := range n {
		p, q := math.Sin(float64(3*i)), math.Cos(float64(5*i))
		parameters.Data = append(parameters.Data, p, q)
		for _, v := range a.Data[i*K : (i+1)*K] {
			u.Data = append(u.Data, v+3*p-q)
		}
		for y := range 9 {
			for _, v := range a.Data[i*K : (i+1)*K] {
				field.Data = append(field.Data, v*math.Exp(-float64(y)/8))
			}
		}
	}
	arraytest.NPZ(t, "p.npz", map[string]npy.Array{"a": a, "p": parameters, "u": u})
	gives(t, exitDone, "parts as in", "show", "p.npz")
	for _, test := range []struct {
		name string
		args []string
		file string
		want npy.Array
		in   npy.Array
	}{
		{"parameters", []string{"run", "p.npz", "--set", "data.input=a,p", "--set", "data.output=u"}, "p.npz", u, npy.Array{}},
		{"edge", []string{"run", "fields", "--train-data", "f.npz"}, "f.npz", field, a},
	} {
		arraytest.NPZ(t, "f.npz", map[string]npy.Array{"a": a, "u": field})
		done(t, append(test.args, "--set", "train.method=linear", "--name", test.name,
			"--no-baselines", "-m", "8", "-q")...)
		done(t, "predict", test.name, "--in", test.file, "--out", test.name+".npy")
		got := arraytest.Read(t, test.name+".npy")
		if !slices.Equal(got.Shape, test.want.Shape) {
			t.Fatalf("%s: predictions of shape %v", test.name, got.Shape)
		}
		for i, want := range test.want.Data {
			if math.Abs(got.Data[i]-want) > 1e-5 {
				t.Fatalf("%s: prediction %d is %g, want %g", test.name, i, got.Data[i], want)
			}
		}
	}
	arraytest.NPZ(t, "whole.npz", map[string]npy.Array{"a": field, "u": field})
	arraytest.NPY(t, "rows.npy", a)
	done(t, "run", "fields", "--train-data", "whole.npz", "--set", "train.method=linear", "--name", "whole",
		"--no-baselines", "-m", "8", "-q")
	gives(t, exitData, "rows.npy has an array of shape (30, 17)|trained on fields as they are|"+
		"numpy.repeat(a[:, None, :], r, axis=1)", "predict", "whole", "--in", "rows.npy", "--out", "v.npy")
}
