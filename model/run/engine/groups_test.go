package engine

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"rfm/config"
	"rfm/solver/base/draw"
	"rfm/solver/base/parallel/detector"
	"rfm/solver/dataset"
	"rfm/solver/dataset/arraytest"
	"rfm/solver/dataset/npy"
	"rfm/solver/space/grid"
)

// twice returns pairs of own functions on a grid, each of them two times.
func twice(points, count int) dataset.Pairs {
	once := smoothed(grid.Torus, points, count)
	order := append(draw.Permutation(1, "first", 0, count), draw.Permutation(1, "again", 0, count)...)
	return once.Take(order)
}

// copied returns a configuration that learns from such pairs.
func copied(t *testing.T, train dataset.Pairs, assignments ...string) config.Config {
	t.Helper()
	c := preset(t, config.Functions, append([]string{"train.method=kernel", "features.count=16",
		"evaluation.baselines=no"}, assignments...)...)
	points := train.Inputs.Points
	c.Data.TrainFile, c.Data.TestFile = writePairs(t, train, points), writePairs(t,
		smoothed(grid.Torus, points, 100).Range(60, 40), points)
	return c
}

// Copies are left out together: the leave-one-out error is as large as the test error, and bands keep their coverage.
// The result reports the groups, also after the run is opened again.
func TestCopiesAreLeftOutTogether(t *testing.T) {
	detector.Skip(t, detector.Stored)
	e := stored(t, copied(t, twice(33, 60), "evaluation.bands=yes"), 2)
	check := func(e *Experiment) {
		t.Helper()
		left, test := e.Model().Operator.LeaveOneOut(), e.Evaluation().Test.ExpectedRelative
		if test > 1.5*left || left > 1.5*test {
			t.Errorf("leave-one-out error %g, test error %g", left, test)
		}
		for _, c := range e.Evaluation().Uncertainty.Coverage {
			if c.Promised == 0.9 && c.Function < 0.7 {
				t.Errorf("bands of 90%% hold for %.0f%%", 100*c.Function)
			}
		}
		w := strings.Join(e.result().Warnings, " ")
		if !strings.Contains(w, "by 60 groups: inputs (nearly) equal to others: 60 of 120") {
			t.Errorf("the result says %q", w)
		}
		if len(e.train.Groups) != 120 {
			t.Errorf("%d labels of 120 pairs", len(e.train.Groups))
		}
	}
	check(e)
	again := reopened(t, e.Directory(), Options{Workers: 1})
	check(again)
	if !reflect.DeepEqual(again.train.Groups, e.train.Groups) {
		t.Error("other groups when the run is opened again")
	}
}

// Test pairs whose copies were learned are counted in the result.
func TestLearnedTestPairsAreCounted(t *testing.T) {
	c := copied(t, twice(33, 60), "data.train=80", "data.test=40")
	c.Data.TestFile = ""
	training, held, err := dataset.Split(120, nil, c.SplitSeed(), 80, 40)
	noError(t, err)
	copies, order := 0, append(draw.Permutation(1, "first", 0, 60), draw.Permutation(1, "again", 0, 60)...)
	for _, i := range held {
		if slices.ContainsFunc(training, func(j int) bool { return order[i] == order[j] }) {
			copies++
		}
	}
	want := fmt.Sprintf("%d of 40 test pairs are in groups of training pairs", copies)
	e := stored(t, c, 2)
	for _, opened := range []*Experiment{e, reopened(t, e.Directory(), Options{Workers: 1})} {
		if w := strings.Join(opened.result().Warnings, " "); copies == 0 || !strings.Contains(w, want) {
			t.Errorf("the result says %q, want %q", w, want)
		}
		if shared := opened.Evaluation().Shared; shared != copies {
			t.Errorf("%d test pairs are in groups of training pairs, want %d", shared, copies)
		}
	}
}

// The bands of a model that learned from few functions, each of them twice, have about the coverage that they promise.
// They would not if the copy of a pair took part in the choice of parameters, or if bands were narrowed by an estimate
// of what more pairs would gain, because this estimate is too high for copies.
func TestBandsOfFewCopiesHold(t *testing.T) {
	t.Parallel()
	detector.Skip(t, detector.Stored)
	const sets, count = 3, 40
	all, held := smoothed(grid.Torus, 17, 300), 0.0
	for set := range sets {
		var order []int
		for _, copy := range []draw.Purpose{"first", "again"} {
			for _, i := range draw.Permutation(1, copy, 0, count) {
				order = append(order, set*count+i)
			}
		}
		c := copied(t, all.Take(order), "evaluation.bands=yes")
		c.Data.TestFile = writePairs(t, all.Range(200, 100), 17)
		for _, v := range stored(t, c, 2).Evaluation().Uncertainty.Coverage {
			if v.Promised == 0.9 {
				held += v.Function / sets
			}
		}
	}
	if held < 0.82 {
		t.Errorf("bands of 90%% hold for %.0f%%", 100*held)
	}
}

// No output of a test pair influences training, groups and bands included.
func TestTestOutputsInfluenceNothing(t *testing.T) {
	t.Parallel()
	detector.Skip(t, detector.Stored)
	var found [2]any
	for i := range found {
		c := copied(t, twice(17, 8), "train.method=best", "evaluation.bands=yes")
		test := smoothed(grid.Torus, 17, 24).Range(8, 16)
		if i > 0 {
			for x := range test.Outputs.Data {
				test.Outputs.Data[x] = 1000 * draw.Stream(2, "noise", x).NormFloat64()
			}
			for k := range test.Count() {
				grid.Torus.Wrap(test.Outputs.At(k))
			}
		}
		c.Data.TestFile = writePairs(t, test, 17)
		e := run(t, c, 2)
		found[i] = []any{inFile(t, e), e.train.Groups, e.Evaluation().Predictions.Data,
			e.Evaluation().Uncertainty.bands}
	}
	if !reflect.DeepEqual(found[0], found[1]) {
		t.Error("noise as test outputs changes the model, predictions or bands")
	}
}

func TestGroupsAreNamed(t *testing.T) {
	train := smoothed(grid.Torus, 33, 20)
	file := arraytest.NPZ(t, t.TempDir()+"/pairs.npz", map[string]npy.Array{
		"a": {Shape: []int{20, 33}, Data: train.Inputs.Data}, "u": {Shape: []int{20, 33}, Data: train.Outputs.Data},
		"run":   {Shape: []int{20}, Data: []float64{7, 7, 7, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 8, 8, 9, 9}},
		"same":  {Shape: []int{20}, Data: make([]float64, 20)},
		"half":  {Shape: []int{20}, Data: append(make([]float64, 19), 0.5)},
		"short": {Shape: []int{3}, Data: make([]float64, 3)}})
	for value, want := range map[string]string{"run": `by 9 groups: labels in "run"`,
		"5":    "by 4 groups: blocks of 5 pairs",
		"none": "", "auto": ""} {
		c := copied(t, train, "data.groups="+value)
		c.Data.TrainFile = file
		e := generated(t, c)
		if e.grouped.Sentence != want && (want == "" || !strings.Contains(e.grouped.Sentence, want)) ||
			(e.train.Groups == nil) != (want == "") {
			t.Errorf("%s: %q, labels %v, want %q", value, e.grouped.Sentence, e.train.Groups, want)
		}
	}
	// Labels are those of the pairs that remain if others are left out.
	skip := copied(t, train, "data.groups=run", "data.skip=both")
	outputs := slices.Clone(train.Outputs.Data)
	clear(outputs[33*2 : 33*5])
	skip.Data.TrainFile = arraytest.NPZ(t, t.TempDir()+"/zero.npz", map[string]npy.Array{
		"a": {Shape: []int{20, 33}, Data: train.Inputs.Data}, "u": {Shape: []int{20, 33}, Data: outputs},
		"run": {Shape: []int{20}, Data: []float64{7, 7, 7, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 8, 8, 9, 9}}})
	if got := generated(t, skip).train.Groups; !slices.Equal(got, []int{7, 7, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 8, 8, 9, 9}) {
		t.Errorf("labels %v", got)
	}
	for value, want := range map[string]string{"same": "in one group", "half": "not a whole number",
		"short": "labels of more than", "missing": "missing", "40": "in one group"} {
		c := copied(t, train, "data.groups="+value)
		c.Data.TrainFile = file
		refuses(t, value, c, want)
	}
}
