package engine

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"rfm/config"
	"rfm/model/learn/feature"
	"rfm/model/run/reading"
	"rfm/model/run/store"
	"rfm/solver/base/parallel/detector"
	"rfm/solver/dataset"
	"rfm/solver/dataset/arraytest"
	"rfm/solver/dataset/npy"
	"rfm/solver/space/grid"
	"rfm/solver/space/resample"
)

// writePairs writes pairs as named arrays of the given shape for one function.
func writePairs(t *testing.T, pairs dataset.Pairs, shape ...int) string {
	t.Helper()
	return writeArrays(t, pairs, append([]int{pairs.Count()}, shape...)...)
}

// writeArrays writes the values of pairs as named arrays of the given shape.
func writeArrays(t *testing.T, pairs dataset.Pairs, shape ...int) string {
	t.Helper()
	return arraytest.NPZ(t, filepath.Join(t.TempDir(), "pairs.npz"), map[string]npy.Array{
		"a": {Shape: shape, Data: pairs.Inputs.Data}, "u": {Shape: shape, Data: pairs.Outputs.Data}})
}

// generated returns an experiment that has its pairs and features, before training.
func generated(t *testing.T, c config.Config) *Experiment {
	t.Helper()
	e := begin(t, c, Options{Workers: 2})
	noError(t, e.Reach(t.Context(), Generating))
	return e
}

// onDataGrid returns the pairs of a configuration on its data grid.
func onDataGrid(t *testing.T, c config.Config) (train, test dataset.Pairs) {
	t.Helper()
	c.Evaluation.Grid = c.Data.Grid
	e := Complete(c, Options{Workers: 2})
	noError(t, e.obtain(t.Context(), e.sides()))
	return e.train, e.test
}

var smallBurgers = []string{"data.train=96", "data.test=48", "data.grid=129", "tolerance=1e-5", "train.grid=33",
	"features.count=96", "evaluation.baselines=no"}

// sameFeatures are those of Burgers' preset, with the regularisation.
var sameFeatures = []string{"features.activation=elu", "features.gain=1024", "features.rms=0", "features.bias=0",
	"features.delta=0.0025", "features.beta=4", "features.tau=5",
	"features.alpha=2", "features.count=96", "train.grid=33", "train.choice=given", "train.method=features",
	"evaluation.baselines=no"}

// Adding a function of x to all outputs adds that function to the model.
func TestOwnOutputsMayHaveAnythingInCommon(t *testing.T) {
	detector.Skip(t, detector.Stored)
	train, _ := onDataGrid(t, preset(t, "burgers", smallBurgers...))
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

// A separate split does not depend on the seed of the features; otherwise that seed determines the split.
func TestSplitOfItsOwnIsKeptByOtherSeeds(t *testing.T) {
	train, _ := onDataGrid(t, preset(t, "burgers", smallBurgers...))
	file := writePairs(t, train, 129)
	for _, seed := range []uint64{7, 0, 1} {
		first := preset(t, config.Functions, "features.count=16", "train.method=features", "evaluation.baselines=no")
		first.Data.TrainFile, first.Seed = file, seed
		kept := first.WithSplit()
		kept.Seed = 2
		other := first
		other.Seed = 2
		var tests, thetas [][]float64
		for _, c := range []config.Config{first, kept, other} {
			e := generated(t, c)
			_, test := e.Pairs()
			tests, thetas = append(tests, test.Inputs.Data), append(thetas, e.learning.features.(feature.Spectral).Theta.Data)
		}
		if !slices.Equal(tests[0], tests[1]) || slices.Equal(thetas[0], thetas[1]) {
			t.Errorf("seed %d: the split is not kept, or the features are", seed)
		}
		if slices.Equal(tests[0], tests[2]) {
			t.Errorf("seed %d: another seed has the same split", seed)
		}
	}
	c := preset(t, config.Functions, "data.split=3")
	c.Data.TrainFile, c.Data.TestFile = file, file
	if _, err := New(t.Context(), c, Options{}); err == nil || !strings.Contains(err.Error(), "data.split") {
		t.Errorf("a split of pairs from two files: %v", err)
	}
}

// With few pairs lambda is chosen well and the cross-validation error is near the test error. Both were far off when
// the mean of the outputs included the pair that is left out.
func TestFewOwnPairsChooseLambdaWell(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	train, _ := onDataGrid(t, preset(t, "burgers", "data.train=160", "data.test=1", "data.grid=129",
		"equation.tolerance=1e-5",
		"train.grid=33", "features.count=8", "evaluation.baselines=no"))
	for _, offset := range []float64{0, 10} {
		for i := range train.Outputs.Data {
			train.Outputs.Data[i] += offset
		}
		file, held := writePairs(t, train.Range(0, 30), 129), writePairs(t, train.Range(30, 130), 129)
		for n, within := range map[int]float64{5: 2, 30: 1.2} { // five pairs give a rough mean
			assignments := []string{"features.count=128", fmt.Sprintf("data.train=%d", n), "train.grid=33",
				"train.method=features", "evaluation.baselines=no"}
			c := preset(t, config.Functions, assignments...)
			c.Data.TrainFile, c.Data.TestFile = file, held
			chosen := run(t, c, 2)
			best := math.Inf(1)
			c.Train.Choice = config.Given
			for _, c.Train.Relative = range []float64{1e-6, 1e-5, 1e-4, 1e-3} {
				best = min(best, run(t, c, 2).Evaluation().Test.ExpectedRelative)
			}
			test, left := chosen.Evaluation().Test.ExpectedRelative, chosen.result().Left
			t.Logf("offset %g, n=%d: left out %.4f, test %.4f, best %.4f, lambda %.2g", offset, n, left, test, best,
				chosen.result().Lambda)
			if test > within*best {
				t.Errorf("offset %g, n=%d: test error %.4f, with the best lambda %.4f", offset, n, test, best)
			}
			if left < 0.5*test || left > 2*test {
				t.Errorf("offset %g, n=%d: left out %.4f, test error %.4f", offset, n, left, test)
			}
		}
	}
}

// Functions of x on a fine grid are found on a coarser one, to the accuracy of the model.
func TestFittedFunctionOfXIsFoundOnABoundedGrid(t *testing.T) {
	detector.Skip(t, detector.Stored)
	train, _ := onDataGrid(t, preset(t, "burgers", "data.train=60", "data.test=1", "data.grid=513",
		"equation.tolerance=1e-5",
		"train.grid=33", "features.count=8", "evaluation.baselines=no"))
	c := preset(t, config.Functions, "features.count=64", "train.grid=65", "train.method=features",
		"evaluation.grid=513", "evaluation.baselines=no")
	c.Data.TrainFile = writePairs(t, train, 513)
	e := run(t, c, 2)
	pairs, _ := e.Pairs()
	predictions, err := e.model.Predict(t.Context(), pairs.Inputs, 2, nil)
	noError(t, err)
	size, errors := 0.0, e.Evaluation().Train.ExpectedRelative
	for _, u := range pairs.Outputs.Data {
		size += u * u / float64(len(pairs.Outputs.Data))
	}
	for x, missed := range pairs.Outputs.Plus(-1, predictions.Mean()).Mean() {
		if math.Abs(missed) > 1e-3*errors*math.Sqrt(size) {
			t.Fatalf("at point %d the mean over the training pairs misses %g, functions have size %g", x, missed,
				math.Sqrt(size))
		}
	}
}

// Pairs on any number of points are learned, nearly as well as on the paper's grids, and as those of a known equation.
func TestOwnFunctionsAreLearnedOnAnyGrid(t *testing.T) {
	detector.Skip(t, detector.Stored)
	train, _ := onDataGrid(t, preset(t, "burgers", smallBurgers...))
	learned := func(points int) (float64, *Experiment) {
		a, err := resample.To(train.Inputs, points)
		noError(t, err)
		u, err := resample.To(train.Outputs, points)
		noError(t, err)
		own := preset(t, config.Functions, sameFeatures...)
		own.Train.Grid = 0
		own.Data.TrainFile = writePairs(t, dataset.Pairs{Inputs: a, Outputs: u}, points)
		e := run(t, own, 2)
		return e.Evaluation().Test.ExpectedRelative, e
	}
	// The fitted function of x costs as much as its estimate from 96 samples of the residual.
	want, e := learned(129)
	solved := run(t, preset(t, "burgers", smallBurgers...), 2).Evaluation().Test.ExpectedRelative
	if math.Abs(want-solved) > 0.1*solved {
		t.Errorf("error %.4f, as Burgers' equation %.4f", want, solved)
	}
	if n := e.Notices(); len(n) != 1 || !strings.Contains(n[0], "96 pairs of periodic functions on K=129: inputs a") {
		t.Errorf("notices %q", n)
	}
	for _, points := range []int{102, 1023} {
		got, e := learned(points)
		if math.Abs(got-want) > 0.02*want {
			t.Errorf("%d points: error %.4f, on 129 %.4f", points, got, want)
		}
		coarser := 0 // a test grid finer than the training grid is mentioned
		if points > 129 {
			coarser = 1
		}
		if n := e.Notices(); len(n) != 2+coarser ||
			!strings.Contains(n[1], fmt.Sprintf("on K=%d are taken to K=", points)) {
			t.Errorf("%d points: notices %q", points, n)
		}
	}
}

// Assumptions about a file are in the reports, and are reported again when the run is resumed or opened.
func TestNotesOnFilesStayWithTheRun(t *testing.T) {
	detector.Skip(t, detector.Stored)
	train, _ := onDataGrid(t, preset(t, "burgers", smallBurgers...))
	own := preset(t, config.Functions, sameFeatures...)
	own.Data.TrainFile = writePairs(t, train, 1, 129) // (count, 1, K)
	e, err := New(t.Context(), own, Options{Workers: 1, Runs: t.TempDir(), Name: "x"})
	noError(t, err)
	want := e.Notices()
	if len(want) != 1 || !strings.Contains(want[0], "96 pairs of periodic functions on K=129") {
		t.Fatalf("notices %q", want)
	}
	path := e.Directory()
	for _, stage := range []func() error{func() error { return nil },
		func() error { return e.Reach(t.Context(), Generating) },
		func() error { return e.Run(t.Context()) }} {
		noError(t, errors.Join(stage(), e.Close()))
		if e, err = Open(t.Context(), path, Options{Workers: 1}); err != nil || !slices.Equal(e.Notices(), want) {
			t.Fatalf("opened again, the notices are %q, %v", e.Notices(), err)
		}
	}
	for _, name := range []string{store.ReportFile, store.MarkdownFile} {
		if text, err := os.ReadFile(filepath.Join(path, name)); err != nil || !strings.Contains(string(text), want[0]) {
			t.Errorf("%s: %v, says nothing of %q", name, err, want[0])
		}
	}
	noError(t, e.Close())
}

func TestPairsThatTellNothingAreNoted(t *testing.T) {
	b := grid.NewBatch(grid.Torus, 65, 24)
	for i := range b.Data {
		b.Data[i] = math.Sin(2*math.Pi*float64(i%65)/64 + float64(i/65))
	}
	file := writePairs(t, dataset.Pairs{Inputs: b, Outputs: b}, 65)
	link := file + ".link.npz"
	if err := os.Symlink(file, link); err != nil {
		t.Skip(err)
	}
	for name, test := range map[string]struct {
		TestFile, output, want string
	}{
		"one file":           {file, "u", "holds the training pairs and the test pairs"},
		"one file, two ways": {link, "u", "holds the training pairs and the test pairs"},
		"one array":          {"", "a", "inputs and outputs are both the array a"},
		"nothing wrong":      {"", "u", ""},
	} {
		own := preset(t, config.Functions)
		own.Data.TrainFile, own.Data.TestFile, own.Data.Output = file, test.TestFile, test.output
		_, notes, err := new(reading.Files).Complete(t.Context(), own)
		if err != nil || len(notes) == 0 || test.want == "" && len(notes) > 1 || !strings.Contains(strings.Join(notes, "\n"), test.want) {
			t.Errorf("%s: notes %q, %v", name, notes, err)
		}
	}
}

// Test pairs may be other parts of the file, under other names: only the names differ from two files.
func TestTestPairsWithNamesOfTheirOwn(t *testing.T) {
	detector.Skip(t, detector.Stored)
	train, test := onDataGrid(t, preset(t, "burgers", smallBurgers...))
	both := func(a, b grid.Batch) grid.Batch {
		joined := a.Like(a.Count + b.Count)
		copy(joined.Data[copy(joined.Data, a.Data):], b.Data)
		return joined
	}
	two := preset(t, config.Functions, sameFeatures...)
	two.Data.TrainFile, two.Data.TestFile = writePairs(t, train, 129), writePairs(t, test, 129)
	one := preset(t, config.Functions, sameFeatures...)
	one.Data.TrainFile = writePairs(t, dataset.Pairs{Inputs: both(train.Inputs, test.Inputs),
		Outputs: both(train.Outputs, test.Outputs)}, 129)
	one.Data.Input, one.Data.Output, one.Data.TestInput, one.Data.TestOutput = "a[:96]", "u[:96]", "a[96:]", "u[-48:]"
	first, second := run(t, two, 2), run(t, one, 2)
	if d := first.Config.Data; d.Train != 96 || d.Test != 48 || d.Grid != 129 {
		t.Errorf("completed to %+v", d)
	}
	if a, b := first.Evaluation(), second.Evaluation(); !reflect.DeepEqual(a.Train, b.Train) ||
		!reflect.DeepEqual(a.Test, b.Test) || !strings.Contains(second.Notices()[1], "48 pairs for testing: inputs a[96:], outputs u[-48:]") {
		t.Errorf("errors %+v and %+v, notices %q", a.Test, b.Test, second.Notices())
	}
}
