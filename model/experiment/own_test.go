package experiment

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rfm/config"
	"rfm/solver/dataset"
	"rfm/solver/dataset/npy"
	"rfm/solver/dataset/npz"
)

// writePairs writes pairs as named arrays of the given shape for one function.
func writePairs(t *testing.T, pairs dataset.Pairs, shape ...int) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "pairs.npz")
	file, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	shape = append([]int{pairs.Count()}, shape...)
	w := npz.NewWriter(file)
	for array, data := range map[string][]float64{"a": pairs.Inputs.Data, "u": pairs.Outputs.Data} {
		if err := w.Array(array, npy.Array{Shape: shape, Data: data}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return name
}

var smallBurgers = []string{"data.train=96", "data.test=48", "data.grid=129", "burgers.tolerance=1e-5", "train.grid=33", "features.count=96", "evaluation.baselines=no"}

// sameFeatures are those of Burgers' preset, with the regularisation.
var sameFeatures = []string{"features.activation=elu", "features.gain=1024", "features.rms=0", "features.bias=0", "features.delta=0.0025", "features.beta=4", "features.tau=5",
	"features.alpha=2", "features.count=96", "train.grid=33", "train.choice=given", "evaluation.baselines=no"}

func TestOwnFunctionsAreLearnedAsWellAsTheirProblem(t *testing.T) {
	solved := run(t, preset(t, config.Burgers, smallBurgers...), 2)
	train, test := solved.Pairs()
	own := preset(t, config.Functions, sameFeatures...)
	own.Data.TrainFile, own.Data.TestFile = writePairs(t, train, 129), writePairs(t, test, 129)
	e := run(t, own, 2)
	if e.Config.Data.Train != 96 || e.Config.Data.Test != 48 || e.Config.Data.Grid != 129 {
		t.Errorf("completed to %+v", e.Config.Data)
	}
	// The function of x that is fitted as well costs what it costs to estimate it from 96 samples of the residual.
	got, want := e.Evaluation().Test.ExpectedRelative, solved.Evaluation().Test.ExpectedRelative
	if math.Abs(got-want) > 0.1*want {
		t.Errorf("error %.4f, as Burgers' equation %.4f", got, want)
	}
}

// With a function of x added to all outputs, the model is the same with that function added.
func TestOwnOutputsMayHaveAnythingInCommon(t *testing.T) {
	solved := run(t, preset(t, config.Burgers, smallBurgers...), 2)
	train, _ := solved.Pairs()
	errors := make([]float64, 2)
	for i := range errors {
		own := preset(t, config.Functions, sameFeatures...)
		own.Data.TrainFile = writePairs(t, train, 129)
		e := run(t, own, 2)
		for x, u := range e.Evaluation().TestPairs.Outputs.Data {
			miss := u - e.Evaluation().Predictions.Data[x]
			errors[i] += miss * miss
		}
		for x := range train.Outputs.Data {
			train.Outputs.Data[x] += 2 + math.Cos(2*math.Pi*float64(x%129)/128)
		}
	}
	if math.Abs(errors[1]-errors[0]) > 1e-6*errors[0] {
		t.Errorf("sum of squares missed %g, with a function added %g", errors[0], errors[1])
	}
}

func TestOwnFieldsAreSplitBySeed(t *testing.T) {
	solved := run(t, preset(t, config.Darcy, "data.train=30", "data.test=4", "data.grid=17", "train.grid=9", "features.count=8", "evaluation.baselines=no"), 2)
	train, _ := solved.Pairs()
	file := writePairs(t, train, 17, 17)
	seen := map[string]bool{}
	for _, seed := range []string{"1", "1", "2"} {
		own := preset(t, config.Fields, "features.count=16", "seed="+seed, "evaluation.baselines=no")
		own.Data.TrainFile = file
		e := run(t, own, 2)
		if c := e.Config; c.Data.Train != 24 || c.Data.Test != 6 || c.Data.Grid != 17 || c.Train.Grid != 17 {
			t.Fatalf("completed to %+v, %+v", c.Data, c.Train)
		}
		_, test := e.Pairs()
		first := ""
		for _, v := range test.Inputs.Data {
			first += map[bool]string{true: "+", false: "-"}[v > 5]
		}
		seen[first] = true
	}
	if len(seen) != 2 {
		t.Errorf("%d splits by two seeds", len(seen))
	}
}

func TestCompleteSaysWhatAFileLacks(t *testing.T) {
	solved := run(t, preset(t, config.Burgers, smallBurgers...), 2)
	train, _ := solved.Pairs()
	file := writePairs(t, train, 129)
	for want, assignments := range map[string][]string{
		"96 pairs":   {"data.train=90", "data.test=7"},
		"data.grid":  {"data.grid=65"},
		"data.input": {"data.input=x"},
	} {
		own := preset(t, config.Functions, assignments...)
		own.Data.TrainFile = file
		if _, err := New(own, Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v", assignments, err)
		}
	}
}
