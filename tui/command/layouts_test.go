package command

import (
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"rfm/solver/dataset/arraytest"
	"rfm/solver/dataset/npy"
)

// Predictions for the file of training have the layout of its outputs, whatever that is.
func TestPredictionsHaveTheLayoutOfTraining(t *testing.T) {
	const n, K = 24, 16
	t.Chdir(t.TempDir())
	wave := func(i, x int) float64 {
		return math.Sin(float64(i*i)) + math.Sin(float64(3*i))*math.Cos(math.Pi*float64(x)/(K-1)) +
			math.Cos(float64(i*i+i))*math.Cos(2*math.Pi*float64(x)/(K-1))
	}
	rows := arrayOf(func(p []int) float64 { return wave(p[0], p[1]) }, n, K)
	columns := arrayOf(func(p []int) float64 { return wave(p[1], p[0]) }, K, n)
	field := arrayOf(func(p []int) float64 { return 3 * wave(p[0], p[1]) * (1 + float64(p[2])) }, n, K, K)
	mirrored := arrayOf(func(p []int) float64 { return 3 * wave(p[0], p[2]) * (1 + float64(p[1])) }, n, K, K)
	states := arrayOf(func(p []int) float64 { return wave(p[0], p[2]) * math.Exp(-float64(p[1])) }, n, 9, K)
	for name, test := range map[string]struct {
		arrays map[string]npy.Array
		shape  []int
		values npy.Array
	}{
		"rows":       {map[string]npy.Array{"a": rows, "u": rows}, []int{n, K}, rows},
		"columns":    {map[string]npy.Array{"a": columns, "u": columns}, []int{K, n}, columns},
		"turned":     {map[string]npy.Array{"a": columns, "u": rows}, []int{n, K}, rows},
		"times":      {map[string]npy.Array{"w": states}, []int{n, K}, npy.Array{}},
		"edge":       {map[string]npy.Array{"f": rows, "u": field}, []int{n, K, K}, field},
		"other edge": {map[string]npy.Array{"f": rows, "u": mirrored}, []int{n, K, K}, mirrored},
		"to an edge": {map[string]npy.Array{"a": field, "g": rows}, []int{n, K}, rows},
	} {
		arraytest.NPZ(t, "own.npz", test.arrays)
		gives(t, exitDone, "", "run", "own.npz", "--set", "train.method=linear", "-q", "--no-baselines", "--name", "r")
		gives(t, exitDone, "", "predict", "r", "--in", "own.npz", "--out", "p.npy", "--force")
		content, err := os.ReadFile("p.npy")
		if err != nil {
			t.Fatal(err)
		}
		got, err := npy.Read(content)
		if err != nil || !slices.Equal([]int(got.Shape), test.shape) {
			t.Errorf("%s: shape %v, want %v, %v", name, got.Shape, test.shape, err)
			continue
		}
		for i, v := range test.values.Data {
			if math.Abs(got.Data[i]-v) > 1e-3*(1+math.Abs(v)) {
				t.Errorf("%s: value %d is %g, want %g", name, i, got.Data[i], v)
				break
			}
		}
		if err := os.RemoveAll("runs"); err != nil {
			t.Fatal(err)
		}
	}
}

// One trajectory is learned as its step, which is tested and repeated on the last fifth.
func TestOneTrajectoryIsLearned(t *testing.T) {
	const times, K = 120, 32
	t.Chdir(t.TempDir())
	wave := func(time, x int) float64 {
		s, p := float64(time)*0.05, 2*math.Pi*float64(x)/K
		return math.Cos(p-s) + math.Sin(2*p-1.7*s)/2 + math.Cos(3*p-3.1*s)/4
	}
	for name, a := range map[string]npy.Array{
		"time first": arrayOf(func(p []int) float64 { return wave(p[0], p[1]) }, times, K),
		"time last":  arrayOf(func(p []int) float64 { return wave(p[1], p[0]) }, K, times),
	} {
		arraytest.NPZ(t, "own.npz", map[string]npy.Array{"w": a})
		arraytest.NPY(t, "own.npy", a)
		for _, file := range []string{"own.npz", "own.npy"} {
			out := gives(t, exitDone, "taken as the time of one trajectory", "run", file, "--set", "train.method=linear",
				"--no-baselines", "--no-save")
			if !strings.Contains(out, "after 23 of 23 steps") {
				t.Errorf("%s, %s: no rollout in %s", name, file, out)
			}
		}
	}
}

// The settings that an error advises read the file, which is trained on then.
func TestAdvisedSettingsWork(t *testing.T) {
	const n, r = 24, 12
	t.Chdir(t.TempDir())
	wave := func(i int, x float64) float64 {
		return math.Sin(float64(i*i)) + math.Sin(float64(3*i))*math.Cos(math.Pi*x/r) + math.Cos(float64(i*i+i))*math.Cos(2*math.Pi*x/r)
	}
	volume := func(scale float64) npy.Array {
		return arrayOf(func(p []int) float64 {
			return scale * (wave(p[0], float64(p[1])) + wave(p[0]+7, float64(p[2])) + float64(p[3])*wave(p[0]+9, float64(p[2])))
		}, n, r, r, r)
	}
	field := arrayOf(func(p []int) float64 { return wave(p[0], float64(p[1])) + wave(p[0]+7, float64(p[2])) }, n, r, r)
	states := arrayOf(func(p []int) float64 {
		return float64(1+p[4]) * math.Exp(-float64(p[3])/9) * (wave(p[0], float64(p[1])) + wave(p[0]+7, float64(p[2])))
	}, n, r, r, 10, 2)
	rows := arrayOf(func(p []int) float64 { return wave(p[0], float64(p[1])) }, n, r+4)
	longer := arrayOf(func(p []int) float64 { return wave(p[0], float64(p[1])) }, n+9, r+4)
	advised := regexp.MustCompile(`--set (data\.\w+=)'([^']*)'|set (data\.\w+=\S+) and (data\.\w+=\S+)`)
	for name, arrays := range map[string]map[string]npy.Array{
		"volumes":            {"a": volume(1), "u": volume(2)},
		"times and channels": {"a": field, "u": states},
		"fewer outputs":      {"a": longer, "u": rows},
		"squares":            {"": arrayOf(func(p []int) float64 { return wave(p[0], float64(p[2])) * (1 + float64(p[1])) }, n, 16, 16)},
	} {
		file := "own.npz"
		if a, ok := arrays[""]; ok {
			file = "own.npy"
			arraytest.NPY(t, file, a)
		} else {
			arraytest.NPZ(t, file, arrays)
		}
		args := []string{"run", file, "--set", "train.method=linear", "--no-baselines", "--no-save", "-q"}
		code, _, errors := call(t, nil, args...)
		found := advised.FindAllStringSubmatch(errors, -1)
		if code != exitData || found == nil {
			t.Errorf("%s: exit code %d, %s", name, code, errors)
			continue
		}
		for _, match := range found {
			if match[1] != "" {
				args = append(args, "--set", match[1]+match[2])
			} else {
				args = append(args, "--set", match[3], "--set", match[4])
			}
		}
		gives(t, exitDone, "", args...)
	}
}

// A file of which nothing is learned is named, whatever its shapes.
func TestAFileThatIsNotUsedIsNamed(t *testing.T) {
	t.Chdir(t.TempDir())
	wave := func(shift float64) func(p []int) float64 {
		return func(p []int) float64 { return math.Sin(float64(p[0]) + float64(p[1])/5 + shift) }
	}
	arraytest.NPY(t, "a.npy", arrayOf(wave(0), 20, 17))
	arraytest.NPY(t, "u.npy", arrayOf(wave(1), 20, 17))
	arraytest.NPZ(t, "others.npz", map[string]npy.Array{
		"force":    arrayOf(wave(2), 30, 11),
		"position": arrayOf(wave(3), 30, 11),
	})
	gives(t, exitDone, "not used: force (30, 11), position (30, 11)", "run", "a.npy", "u.npy", "others.npz", "--dry-run")
}
