package engine

import (
	"bytes"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"rfm/config"
	"rfm/model/learn/correct"
	"rfm/model/learn/kernel"
	"rfm/model/learn/method"
	"rfm/model/learn/score"
	"rfm/model/run/setup"
	"rfm/model/run/store"
	"rfm/model/show/report"
	"rfm/model/trained"
	"rfm/model/trained/price"
	"rfm/solver/base/parallel/detector"
	"rfm/solver/dataset"
	"rfm/solver/space/grid"
)

// The methods of the configuration are the methods of the package method.
func TestConfiguredMethodsAreAll(t *testing.T) {
	for _, problem := range config.Problems() {
		c := preset(t, problem)
		key, err := c.Lookup("train.method")
		noError(t, err)
		random := []string{config.RandomFeatures}
		want := slices.Clone(random)
		for _, m := range method.All(setup.Domain(c), setup.Domain(c), "") {
			want = append(want, m.Name)
		}
		if c.Of().Files { // the user states whether functions are periodic
			want = random
			for _, m := range append(method.All(grid.Torus, grid.Torus, ""), method.All(grid.Square, grid.Square, "")...) {
				if !slices.Contains(want, m.Name) {
					want = append(want, m.Name)
				}
			}
		}
		want = append(want, config.Best)
		if !slices.Equal(slices.Sorted(slices.Values(key.Choices)), slices.Sorted(slices.Values(want))) {
			t.Errorf("%s: %q can be configured, there are %q", problem, key.Choices, want)
		}
	}
}

// placed has a law at each place, which local layers learn.
func placed(t *testing.T) config.Config {
	return preset(t, "nagumo-x", "data.train=40", "data.test=6", "data.grid=65", "train.grid=17", "evaluation.grid=17",
		"features.count=16", "evaluation.baselines=no")
}

// Every method is trained, stored and opened again with the same results. Its predictions from the file equal those in
// memory. Symmetries that a kernel chooses do not depend on test pairs.
func TestEveryMethodIsKept(t *testing.T) {
	t.Parallel()
	detector.Skip(t, detector.Stored)
	for problem, base := range map[string]config.Config{"burgers": tiny(t, "data.train=16", "data.test=6", "data.grid=65",
		"train.grid=17", "evaluation.grid=17", "features.count=16"), "darcy": tinyDarcy(t, "data.grid=17")} {
		for _, m := range method.All(setup.Domain(base), setup.Domain(base), "") {
			t.Run(problem+" "+m.Name, func(t *testing.T) {
				c := base
				if m.Name == config.Layers { // they gain nothing on the other pairs
					if c = placed(t); problem == "darcy" {
						t.Skip("local layers learn the same pairs as before")
					}
				}
				noError(t, config.Assign(&c, "train.method="+m.Name))
				if m.Timed {
					noError(t, config.Assign(&c, "train.patience=0.2"))
				}
				e := stored(t, c, 2)
				again := reopened(t, e.Directory(), Options{Workers: 1})
				known := m.Timed || again.result().Left > 0 // the error on pairs left out
				if r := again.result(); r.Method != m.Name || !known || r.M != 0 || r.Test != e.result().Test {
					t.Errorf("opened: %+v, was %+v", r, e.result())
				}
				if again.markdown() != e.markdown() || !strings.Contains(e.markdown(), m.Title) {
					t.Errorf("opened: %s\nwas: %s", again.markdown(), e.markdown())
				}
				var file bytes.Buffer
				noError(t, trained.Write(&file, e.Model()))
				model, err := trained.Read(bytes.NewReader(file.Bytes()), int64(file.Len()))
				noError(t, err)
				inputs := e.Evaluation().TestPairs.Inputs
				u, err := model.Predict(t.Context(), inputs, 3, nil)
				noError(t, err)
				equalBatches(t, "predictions", u, e.Evaluation().Predictions)
				if m.Name == config.EquivariantKernel {
					c.Data.Test += 3
					if !reflect.DeepEqual(inFile(t, run(t, c, 2)), inFile(t, e)) {
						t.Error("with other test pairs another model")
					}
				}
			})
		}
	}
}

// inFile returns the text and the arrays of the trained operator in a model file.
func inFile(t *testing.T, e *Experiment) []any {
	text, arrays, err := method.Kinds().Encode(e.Model().Operator)
	noError(t, err)
	return []any{string(text), arrays}
}

func TestBestHasTheLeastLeaveOneOutError(t *testing.T) {
	t.Parallel()
	detector.Skip(t, detector.Stored)
	c := tiny(t, "data.train=24", "data.test=8", "data.grid=65", "train.grid=17", "evaluation.grid=17", "train.choice=loo",
		"train.method=best", "evaluation.baselines=yes")
	e := stored(t, c, 2)
	v := e.Evaluation()
	if !strings.Contains(v.Choice, "was learned by kernel, sheared") || !slices.Contains(v.Notes(), v.Choice) {
		t.Errorf("the choice is told as %q, in the notes %q", v.Choice, v.Notes())
	}
	if l := store.NewEntry(e.Directory()); l.Method != config.Sheared || l.M != 0 {
		t.Errorf("the run is listed with the method %s and m=%d", l.Method, l.M)
	}
	own, count := v.Rows[0].LeaveOneOut, 0
	for _, r := range v.Rows[1:] {
		if r.LeaveOneOut > 0 {
			count++
			if r.LeaveOneOut < own {
				t.Errorf("%s has the leave-one-out error %g, the model %g", r.Name, r.LeaveOneOut, own)
			}
		}
	}
	if count != 4 { // layers and corrections gain nothing, features are far behind in a first look
		t.Errorf("%d other leave-one-out errors, want those of the mean, linear, two kernels: %+v", count,
			v.Rows)
	}
	// An interruption between training and evaluation discards the methods among which the model was chosen.
	again := begin(t, c, eager(1).In(t.TempDir(), "x", false))
	for _, stage := range []func() error{func() error { return again.Reach(t.Context(), Generating) },
		func() error { return again.Reach(t.Context(), Training) }, again.Close} {
		noError(t, stage())
	}
	if race := again.Progress().Race; len(race) != count+1 || race[0].LeaveOneOut == 0 {
		t.Errorf("the methods %+v were published", race)
	}
	if l := store.NewEntry(again.Directory()); l.Method != config.Best || l.M != c.Features.Count {
		t.Errorf("the run without a report is listed with the method %s and m=%d", l.Method, l.M)
	}
	again = reopened(t, again.Directory(), eager(3))
	noError(t, again.Run(t.Context()))
	equalContents(t, "best", contents(t, again.Directory()), contents(t, e.Directory()))
}

// A leave-one-out error that is only estimated has to be 5% below an exact one for its method to be chosen, and the
// reason says so. A method with an unknown error is never chosen. Small errors are printed with their first digits.
func TestBestTakesEstimatesWithAMargin(t *testing.T) {
	exact := candidate{Row{Offer: price.Offer{Name: "exact"}, LeaveOneOut: 1e-7}, &kernel.KernelRidge{}}
	unknown := candidate{}
	for left, want := range map[float64]string{0.96e-7: "exact", 0.94e-7: "estimate"} {
		estimate := candidate{Row{Offer: price.Offer{Name: "estimate"}, LeaveOneOut: left}, &correct.Corrected{}}
		told := strings.Contains(reason(want, []candidate{exact, estimate}), "estimates count 5% larger: ")
		if told != (want == "exact") || !strings.HasSuffix(reason(want, []candidate{estimate}), report.Error(left, 5)+".") {
			t.Errorf("an estimate of %g: %s", left, reason(want, []candidate{exact, estimate}))
		}
		for _, all := range [][]candidate{{unknown, exact, estimate}, {estimate, unknown, exact}} {
			if got := best(all); got.Name != want {
				t.Errorf("of an estimate of %g: %s is taken, want %s", left, got.Name, want)
			}
		}
	}
}

// The warnings of the result, as text and as JSON, name the methods that best does not compare, and why.
func TestMethodsThatAreLeftOutAreNamed(t *testing.T) {
	detector.Skip(t, detector.Stored)
	e := stored(t, tiny(t, "data.train=3", "train.choice=loo", "train.method=best", "evaluation.baselines=yes"), 2)
	check := func(e *Experiment) {
		t.Helper()
		warnings := e.result().Warnings
		if len(warnings) == 0 {
			t.Fatal("nothing is said to be left out")
		}
		for _, w := range warnings {
			if !slices.Contains(e.Evaluation().Notes(), w) || !strings.Contains(e.markdown(), w) {
				t.Errorf("%q is not in the notes or the report", w)
			}
			if strings.Contains(w, "; ") { // a remedy would be for a method that is asked for
				t.Errorf("%q advises on a method that was not asked for", w)
			}
		}
	}
	check(e)
	again := reopened(t, e.Directory(), Options{Workers: 1})
	check(again)
}

// Outputs that depend linearly on inputs are learned by linear to rounding: best then trains the references alone.
func TestBestStopsAtRounding(t *testing.T) {
	b := grid.NewBatch(grid.Torus, 33, 24)
	for i := range b.Data {
		x, k := 2*math.Pi*float64(i%33)/32, float64(i/33)
		b.Data[i] = math.Sin(x+k) + math.Cos(k*k)*math.Sin(2*x)
	}
	double := b.Clone()
	floats.Scale(2, double.Data)
	c := preset(t, config.Functions)
	c.Data.TrainFile = writePairs(t, dataset.Pairs{Inputs: b, Outputs: double}, 33)
	e := run(t, c, 2)
	for _, l := range e.learning.compared {
		if !e.learning.methodCalled(l.operator.Name()).Reference {
			t.Errorf("%s was trained", l.Name)
		}
	}
	if warnings := strings.Join(e.result().Warnings, "\n"); strings.Count(warnings, "linear already has the error") < 3 {
		t.Errorf("warnings: %s", warnings)
	}
}

// Two pairs choose neither lambda nor a method; a configured method learns from them.
func TestTwoPairsChooseNoMethod(t *testing.T) {
	refuses(t, "two pairs", tiny(t, "data.train=2", "train.choice=loo", "train.method=best"), "2 are too few to choose a method")
	run(t, tiny(t, "data.train=2", "train.method=features"), 1)
}

// A method that would take too long with all pairs learns from some of them: more data do not give a worse model.
func TestMethodsLearnFromAsManyPairsAsTheyCan(t *testing.T) {
	c := tiny(t, "data.train=20", "train.method=linear")
	e := run(t, c, 2)
	pairs, err := e.train.Restrict(c.Train.Grid)
	noError(t, err)
	m := e.learning.methodCalled(config.Linear)
	m.Most = 12
	some, err := e.learning.learnWithin(t.Context(), m, pairs, e.learning.options(nil))
	noError(t, err)
	all, err := e.learning.learnBy(t.Context(), m, pairs, e.learning.options(nil))
	if err != nil || all.LeaveOneOut == some.LeaveOneOut {
		t.Errorf("error %g with some pairs and with all, %v", some.LeaveOneOut, err)
	}
	if want := "learns from 12 of the 20 training pairs"; len(e.learning.omitted) != 1 ||
		!strings.Contains(e.learning.omitted[0], want) {
		t.Errorf("said %q, want %q", e.learning.omitted, want)
	}
}

// With train.noise a kernel learns from every pair twice.
func TestNoiseDoublesThePairs(t *testing.T) {
	for noise, want := range map[string]string{"no": "on 20 pairs", "yes": "on 40 pairs"} {
		m := run(t, tiny(t, "data.train=20", "train.method=kernel", "train.noise="+noise), 2).Model()
		if about := m.About(); !strings.Contains(about, want) {
			t.Errorf("train.noise = %s: %s, want a kernel %s", noise, about, want)
		}
	}
}

// The notes name the share of the error that few hard inputs have; even errors are not mentioned.
func TestNotesTellOfFewHardInputs(t *testing.T) {
	for largest, want := range map[float64]bool{1: false, 100: true} {
		v := Evaluation{Test: score.Errors{Relative: slices.Repeat([]float64{0.01}, 200)}}
		v.Test.Relative[7] = largest * 0.01
		notes := strings.Join(v.Notes(), "\n")
		if strings.Contains(notes, "2 of 200 test pairs have 34% of the error") != want {
			t.Errorf("largest error %g of the others': notes %q", largest, notes)
		}
	}
}

// Where another method is far better than random features, the notes give a command that compares all of them.
func TestNotesGiveACommandThatComparesMethods(t *testing.T) {
	t.Parallel()
	detector.Skip(t, detector.Stored)
	c := tiny(t, "data.train=16", "data.test=4", "data.grid=33", "train.grid=17", "features.count=16", "train.rows=8",
		"evaluation.baselines=yes")
	var command string
	for _, note := range run(t, c, 2).Evaluation().Notes() {
		if _, line, ok := strings.Cut(note, "\n  "); ok {
			command = line
		}
	}
	words := strings.Fields(command)
	if len(words) < 3 || words[0] != "rfm" || words[1] != "run" {
		t.Fatalf("the command is %q", command)
	}
	var assignments []string
	for _, word := range words[3:] {
		if word != "--set" {
			assignments = append(assignments, word)
		}
	}
	compared := preset(t, words[2], assignments...)
	want := c
	want.Train.Method = config.Best
	want.Train.Rows = 0
	if compared != want {
		t.Errorf("%s is %+v, want %+v", command, compared, want)
	}
	v := run(t, compared, 2).Evaluation()
	if !strings.Contains(v.Choice, "was learned by") {
		t.Errorf("the choice of %s is told as %q", command, v.Choice)
	}
}
