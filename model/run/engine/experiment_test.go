package engine

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"rfm/config"
	"rfm/model/learn/feature"
	"rfm/model/run/machine"
	"rfm/model/run/store"
	"rfm/solver/base/fault"
	"rfm/solver/base/parallel/detector"
	"rfm/solver/dataset/arraytest"
	"rfm/solver/dataset/filetest"
	"rfm/solver/dataset/npy"
	"rfm/solver/space/grid"
)

var noError = filetest.NoError

// tiny returns an experiment of a fraction of a second, without baselines, most of which is training.
func tiny(t testing.TB, assignments ...string) config.Config {
	t.Helper()
	return preset(t, "quick", append([]string{"data.train=40", "data.test=24", "features.count=48", "data.grid=129",
		"train.grid=33", "tolerance=1e-4", "evaluation.baselines=no"}, assignments...)...)
}

// preset returns a preset with some keys set.
func preset(t testing.TB, name string, assignments ...string) config.Config {
	t.Helper()
	c, err := config.PresetByName(name)
	noError(t, err)
	noError(t, config.Assign(&c, assignments...))
	return c
}

func run(t testing.TB, c config.Config, workers int) *Experiment {
	t.Helper()
	e := begin(t, c, Options{Workers: workers})
	noError(t, e.Run(t.Context()))
	return e
}

// stored runs an experiment to its end in a directory.
func stored(t testing.TB, c config.Config, workers int) *Experiment {
	t.Helper()
	e := begin(t, c, Options{Workers: workers, Runs: t.TempDir(), Name: ""})
	noError(t, e.Run(t.Context()))
	return e
}

// contents returns the files of a complete run that do not depend on time or place.
func contents(t testing.TB, directory string) map[string][]byte {
	t.Helper()
	entries, err := os.ReadDir(directory)
	noError(t, err)
	files := map[string][]byte{}
	for _, entry := range entries {
		if name := entry.Name(); name != store.ProgramFile && name != store.TimingsFile && name != store.SumsFile {
			if files[name], err = os.ReadFile(filepath.Join(directory, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	return files
}

// filesOf returns the contents of a run of the experiment.
func filesOf(t *testing.T, c config.Config, workers int) map[string][]byte {
	t.Helper()
	return contents(t, stored(t, c, workers).Directory())
}

// problems returns small experiments of both problems.
func problems(t *testing.T) map[string]config.Config {
	return map[string]config.Config{"burgers": tiny(t), "darcy": tinyDarcy(t, "darcy.face=harmonic"),
		"large seed": tiny(t, "seed=12345678901234567890")}
}

// The stored configuration gives the same files with any number of workers.
func TestResultsDoNotDependOnWorkers(t *testing.T) {
	for problem, c := range problems(t) {
		one := filesOf(t, c, 1)
		again, err := config.Parse(one["config.toml"])
		noError(t, err)
		for _, workers := range []int{2, 8} {
			equalContents(t, fmt.Sprintf("%s, %d workers", problem, workers), filesOf(t, again, workers), one)
		}
	}
}

// The paper's mesh invariance: one trained model has the same error on every grid.
func TestErrorIsFlatInTheGrid(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	e := run(t, tiny(t, "data.grid=257", "train.grid=65"), 2)
	smallest, largest := math.Inf(1), 0.0
	for _, K := range []int{33, 65, 129, 257} {
		v, err := e.EvaluateOn(t.Context(), K)
		noError(t, err)
		smallest, largest = min(smallest, v.Test.ExpectedRelative), max(largest, v.Test.ExpectedRelative)
	}
	if largest/smallest > 1.1 {
		t.Errorf("test errors from %.4f to %.4f", smallest, largest)
	}
}

func TestProgressCountsEveryStage(t *testing.T) {
	c := tiny(t)
	e := begin(t, c, Options{Workers: 2})
	if p := e.Progress(); p.Stage != "" || p.Fraction() != 0 {
		t.Errorf("before: %+v", p)
	}
	for _, s := range []struct {
		reach, stage string
		total        int
	}{{Generating, Generating, 64}, {Training, Solving, 0}, {Evaluating, Evaluating, 64}} {
		noError(t, e.Reach(t.Context(), s.reach))
		p := e.Progress()
		if p.Stage != s.stage || p.Done != s.total || p.Total != s.total || !p.Finished || p.Fraction() != 1 {
			t.Errorf("after %s: %+v", s.reach, p)
		}
		if s.stage == Generating && (p.Newest == nil || len(p.Newest.Truth) != c.Train.Grid) {
			t.Errorf("no newest pair")
		}
	}
}

// Every field of a configuration affects the data, except for known ones; this includes fields that are added later.
func TestDataAreReusedOnlyIfNothingThatMattersDiffers(t *testing.T) {
	c := tiny(t)
	from := generated(t, c)
	grids := map[string]bool{"Train.Grid": true, "Evaluation.Grid": true} // they must fit the data
	reflected := reflect.ValueOf(c)
	for i := range reflected.NumField() {
		section := reflected.Type().Field(i).Name
		leaves := [][]int{{i}}
		if reflected.Field(i).Kind() == reflect.Struct {
			leaves = nil
			for j := range reflected.Field(i).NumField() {
				leaves = append(leaves, []int{i, j})
			}
		}
		for _, leaf := range leaves {
			name := section
			if len(leaf) > 1 {
				name += "." + reflected.Field(i).Type().Field(leaf[1]).Name
			}
			e := begin(t, c, Options{})
			switch v := reflect.ValueOf(&e.Config).Elem().FieldByIndex(leaf); v.Kind() {
			case reflect.String:
				v.SetString(v.String() + "x")
			case reflect.Int:
				v.SetInt(v.Int() + 1)
			case reflect.Uint64:
				v.SetUint(v.Uint() + 1)
			case reflect.Float64:
				v.SetFloat(v.Float() + 1)
			case reflect.Bool:
				v.SetBool(!v.Bool())
			default:
				t.Fatalf("%s: a %v cannot be changed here", name, v.Kind())
			}
			want := section == "Features" || section == "Train" || section == "Network" || section == "Evaluation"
			if got := e.Reuse(from); got != want && !grids[name] {
				t.Errorf("%s differs: reused %v, want %v", name, got, want)
			}
		}
	}
}

// authorsFile stores pairs in the authors' layout.
func authorsFile(t *testing.T, K, count int, first, second func(i, x int) float64) string {
	t.Helper()
	a := npy.Array{Shape: []int{K, count, 2}}
	for x := range K {
		for i := range count {
			a.Data = append(a.Data, first(i, x%(K-1)), second(i, x%(K-1)))
		}
	}
	return arraytest.NPY(t, filepath.Join(t.TempDir(), "file.npy"), a)
}

// fromFiles returns the configuration of a tiny experiment with its pairs and parameters in files.
func fromFiles(t *testing.T, e *Experiment) config.Config {
	t.Helper()
	c := e.Config
	theta := e.learning.features.(feature.Spectral).Theta
	train, test := onDataGrid(t, c)
	at := func(b interface{ At(int) []float64 }) func(i, x int) float64 {
		return func(i, x int) float64 { return b.At(i)[x] }
	}
	c.Data.TrainFile = authorsFile(t, 129, 40, at(train.Inputs), at(train.Outputs))
	c.Data.TestFile = authorsFile(t, 129, 24, at(test.Inputs), at(test.Outputs))
	c.Features.ThetaFile = authorsFile(t, 129, 48, at(theta), func(int, int) float64 { return 0 })
	return c
}

// refuses fails unless an experiment is refused because of its files, its configuration or its numbers.
func refuses(t *testing.T, name string, c config.Config, want string) {
	t.Helper()
	e, err := New(t.Context(), c, Options{Workers: 2})
	if err == nil {
		err = e.Run(t.Context())
	}
	if err == nil || !fault.BlamesInput(err) && !errors.As(err, new(*config.Error)) ||
		!strings.Contains(err.Error(), want) {
		t.Errorf("%s: %v, want an error with %q", name, err, want)
	}
}

func TestUnusableInputsAreRefused(t *testing.T) {
	wave := func(i, x int) float64 { return math.Sin(2 * math.Pi * float64(x) / 48) }
	zero := func(int, int) float64 { return 0 }
	pairs, _ := onDataGrid(t, preset(t, "burgers", smallBurgers...))
	functions, square := writePairs(t, pairs, 129), writePairs(t, smoothed(grid.Square, 17, 20), 17, 17)
	few := writePairs(t, smoothed(grid.Square, 5, 4), 5, 5)
	wide := writePairs(t, smoothed(grid.Domain{Dims: 2, Aspect: grid.AspectOf(16, 24)}, 17, 20), 17, 25)
	own := func(problem, file string, assignments ...string) config.Config {
		return preset(t, problem, append(assignments, "data.train_file="+file)...)
	}
	for name, test := range map[string]struct {
		c    config.Config
		want string
	}{
		"missing":        {tiny(t, "data.train_file=missing.npy"), "missing.npy does not exist"},
		"grid":           {tiny(t, "data.train_file="+authorsFile(t, 49, 40, wave, wave)), "cannot be restricted to K=33"},
		"theta grid":     {tiny(t, "features.theta_file="+authorsFile(t, 49, 48, wave, zero)), "be restricted to K=33"},
		"contrast":       {tinyDarcy(t, "darcy.high=1e12", "darcy.low=1e-6", "darcy.iterations=30"), "iterations"},
		"few pairs":      {own(config.Functions, functions, "data.train=90", "data.test=7"), "96 pairs"},
		"other grid":     {own(config.Functions, functions, "data.grid=64", "train.grid=33"), "data.grid"},
		"other array":    {own(config.Functions, functions, "data.input=x"), "data.input"},
		"few points":     {own(config.Fields, few), "5 points along an axis, want at least 9"},
		"two rectangles": {own(config.Fields, square, "data.test_file="+wide), "as many points along both axes"},
	} {
		refuses(t, name, test.c, test.want)
	}
}

func TestSummaryHasExactlyTheDocumentedKeys(t *testing.T) {
	detector.Skip(t, detector.Stored)
	e := run(t, tiny(t), 2)
	text, err := json.Marshal(e.Summary())
	noError(t, err)
	var tree map[string]any
	noError(t, json.Unmarshal(text, &tree))
	check := func(what string, got map[string]any, want string) {
		t.Helper()
		names := []string{}
		for name := range got {
			names = append(names, name)
		}
		slices.Sort(names)
		if strings.Join(names, " ") != want {
			t.Errorf("%s: keys %v, want %s", what, names, want)
		}
	}
	check("summary", tree, "compared from grid lambda m method n payoff rank rcond run seconds seed simd skill test train unlike version workers")
	check("test", tree["test"].(map[string]any), "bochner expected_relative max median")
	check("seconds", tree["seconds"].(map[string]any), "evaluate generate train")
}

// A run that is shown elsewhere has the times of the machine that computed it, so its workers stand beside them.
func TestTimesStandBesideTheWorkersThatTookThem(t *testing.T) {
	e := stored(t, tiny(t), 2)
	elsewhere := reopened(t, e.Directory(), Options{Workers: 1})
	if s := elsewhere.Summary(); s.Workers != 2 || s.SIMD != machine.Instructions() {
		t.Errorf("shown with one worker: times of %d workers, %q; want those of the run, 2 and %q",
			s.Workers, s.SIMD, machine.Instructions())
	}
}

// Errors are published as soon as they are known: baselines take longer than all earlier stages.
func TestErrorsAreToldBeforeMethodsAreCompared(t *testing.T) {
	e, err := New(t.Context(), tiny(t, "data.train=12", "data.grid=65", "train.grid=17", "evaluation.grid=17",
		"evaluation.baselines=yes"), Options{Workers: 2})
	noError(t, err)
	noError(t, e.Reach(t.Context(), Generating))
	noError(t, e.Reach(t.Context(), Training))
	if early := e.Progress().Measured; early != nil {
		t.Errorf("before evaluation the errors are %v", early.Test)
	}
	ended, early := make(chan error), (*Evaluation)(nil)
	go func() { ended <- e.Reach(t.Context(), Evaluating) }()
	for running := true; running; {
		select {
		case err = <-ended:
			running = false
		default:
			if p := e.Progress(); p.Stage == Comparing {
				early = p.Measured
			}
			time.Sleep(time.Millisecond)
		}
	}
	if err != nil || early == nil || !reflect.DeepEqual(early.Test, e.Evaluation().Test) ||
		!slices.Equal(early.Predictions.Data, e.Evaluation().Predictions.Data) {
		t.Errorf("while methods were compared the errors were %v, then %v; %v", early, e.Evaluation().Test, err)
	}
}

// The names of the baselines are known before they are compared, in their order. Every baseline works on every domain:
// a failure is an error, not a missing line.
func TestBaselinesAreNamedBeforeTheyAreCompared(t *testing.T) {
	detector.Skip(t, detector.Stored)
	t.Parallel()
	small := []string{"data.train=12", "data.grid=33", "train.grid=9", "features.count=12"}
	for name, c := range map[string]config.Config{"burgers": tiny(t, small...),
		"kernel ridge": tiny(t, append(small, "train.method=kernel")...),
		"darcy":        tinyDarcy(t, "data.grid=17", "train.grid=9"), "alone": tiny(t),
		"torus": preset(t, "navier-stokes", "data.grid=17", "train.grid=17", "equation.time=0.5", "input.tau=3",
			"input.alpha=5", "data.train=12", "data.test=3", "features.count=12")} {
		c.Evaluation.Baselines = name != "alone"
		e := run(t, c, 2)
		var names []string
		for _, r := range e.Evaluation().Rows {
			names = append(names, r.Name)
		}
		expected := e.Progress().Measured.Expected
		left := slices.DeleteFunc(slices.Clone(expected), func(name string) bool { // both may find nothing to compare with
			return !slices.Contains(names, name)
		})
		if !slices.Equal(left, names) || len(expected) > len(names)+2 {
			t.Errorf("%s: %q are expected, %q compared", name, expected, names)
		}
		for _, want := range []string{"model", FullSolve, "linear", "kernel ridge", "random features"} {
			own := want == name || want == "random features" && name != "kernel ridge"
			if name != "alone" && slices.Contains(names, want) == own {
				t.Errorf("%s: got the rows %q, want %s unless it is the model itself", name, names, want)
			}
		}
	}
}

// Grids with an even number of points, which have an odd number of intervals, give the results of their neighbours.
func TestEvenGrids(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	few := []string{"data.train=40", "data.test=20", "features.count=24", "train.grid=16"}
	even := run(t, tiny(t, append(few, "data.grid=46", "evaluation.grid=46")...), 2)
	odd := run(t, tiny(t, append(few, "data.grid=91", "evaluation.grid=16")...), 2) // 15 divides 90 intervals, too
	if got, want := even.Evaluation().Test.ExpectedRelative,
		odd.Evaluation().Test.ExpectedRelative; !(math.Abs(got-want) < 0.05*want) {
		t.Errorf("test error %g on 46 points, %g with data on 91", got, want)
	}
	if grids := even.grids(); !slices.Equal(grids, []int{10, 16, 46}) {
		t.Errorf("grids %v", grids)
	}
}
