package command

import (
	"math"
	"os"
	"slices"
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
