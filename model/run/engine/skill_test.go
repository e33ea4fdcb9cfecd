package engine

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rfm/config"
	"rfm/model/learn/mean"
	"rfm/model/run/store"
	"rfm/solver/base/parallel/detector"
	"rfm/solver/dataset"
	"rfm/solver/space/grid"
)

// functionsFrom returns pairs of smooth random functions with six coefficients and the outputs that of returns.
func functionsFrom(n, points int, of func(random *rand.Rand, input, output []float64)) dataset.Pairs {
	random := rand.New(rand.NewPCG(34, 1))
	p := dataset.Pairs{Inputs: grid.NewBatch(grid.Interval, points, n), Outputs: grid.NewBatch(grid.Interval, points, n)}
	for i := range n {
		a := p.Inputs.At(i)
		for k := range 6 {
			c := random.NormFloat64()
			for x := range a {
				a[x] += c * math.Cos(math.Pi*float64(k*x)/float64(points-1))
			}
		}
		of(random, a, p.Outputs.At(i))
	}
	return p
}

// experimentOn returns a stored experiment that has learned linear maps of pairs.
func experimentOn(t *testing.T, pairs dataset.Pairs, settings ...string) *Experiment {
	t.Helper()
	c := preset(t, config.Functions, append([]string{"data.train_file=" + writePairs(t, pairs, pairs.Inputs.Points),
		"data.boundary=closed", "train.method=linear", "evaluation.baselines=no"}, settings...)...)
	return stored(t, c, 2)
}

// Outputs that do not depend on the inputs have a tiny error relative to their large mean, and nothing to learn.
func TestModelThatIsNoBetterThanTheMeanIsCalledThat(t *testing.T) {
	detector.Skip(t, detector.Stored)
	t.Parallel()
	noise := functionsFrom(40, 17, func(random *rand.Rand, _, u []float64) {
		for x := range u {
			u[x] = 101325 + 50*random.NormFloat64()
		}
	})
	for _, settings := range [][]string{nil, {"train.method=best", "train.choice=loo"}} {
		e := experimentOn(t, noise, settings...)
		s, v := e.evaluation.Skill, e.evaluation
		if v.Test.ExpectedRelative > 6e-4 || s.Mean > 6e-4 || s.Learned {
			t.Errorf("%v: error %g, of the mean %g: %+v", settings, v.Test.ExpectedRelative, s.Mean, s)
		}
		if s.Fluctuation < 0.9 || s.Fluctuation > 1.3 {
			t.Errorf("%v: the error of the fluctuation is %g, want about 1", settings, s.Fluctuation)
		}
		page := e.markdown()
		for _, want := range []string{"of the mean of the outputs", "of the fluctuation"} {
			if !strings.Contains(page, want) {
				t.Errorf("%v: report.md has no %q", settings, want)
			}
		}
		if first := v.Notes()[0]; !strings.Contains(first, "learned nothing") && !strings.Contains(first, "Nothing was learned") {
			t.Errorf("%v: the first note is %q", settings, first)
		}
		if entry := store.NewEntry(e.Directory()); !entry.Useless {
			t.Errorf("%v: the list of runs does not say that nothing was learned", settings)
		}
		text, err := os.ReadFile(filepath.Join(e.Directory(), store.ReportFile))
		noError(t, err)
		var stored struct{ Skill Skill }
		noError(t, json.Unmarshal(text, &stored))
		if stored.Skill != *s {
			t.Errorf("report.json has %+v, want %+v", stored.Skill, *s)
		}
		again := reopened(t, e.Directory(), Options{})
		if *again.evaluation.Skill != *s {
			t.Errorf("read again it is %+v, want %+v", again.evaluation.Skill, s)
		}
	}
}

// The mean is in every table, and a model that uses its input is not called useless, however large the mean is.
func TestModelThatLearnsFromInputsHasSkill(t *testing.T) {
	e := experimentOn(t, functionsFrom(60, 33, func(_ *rand.Rand, a, u []float64) {
		for x := range u {
			u[x] = 1000 + a[len(a)-1-x]
		}
	}))
	s := e.evaluation.Skill
	if !s.Learned || s.Verdict() != "" || s.Fluctuation == 0 || s.Fluctuation > 1e-3 {
		t.Errorf("got %+v", s)
	}
	if e.evaluation.Rows[1].Name != mean.Title || e.evaluation.Rows[1].Error != s.Mean {
		t.Errorf("rows %+v, want the mean after the model", e.evaluation.Rows)
	}
}

// Skill is judged by the differences of errors pair by pair, so that a small gain on all pairs counts and a larger
// one by chance does not.
func TestSkillIsJudgedByPairedDifferences(t *testing.T) {
	for _, test := range []struct {
		own     []float64
		learned bool
	}{
		{[]float64{0.49, 0.69, 0.89, 0.29}, true},  // by 0.01 on each of them
		{[]float64{0.1, 0.9, 1.1, 0.29}, false},    // by 0.0025 on average
		{[]float64{0.51, 0.71, 0.91, 0.31}, false}, // worse
	} {
		s := newSkill(test.own, []float64{0.5, 0.7, 0.9, 0.3})
		if s.Learned != test.learned {
			t.Errorf("errors %v: %+v", test.own, s)
		}
	}
}

func TestIdentityIsSaid(t *testing.T) {
	for _, noise := range []float64{0, 1e-9} {
		e := experimentOn(t, functionsFrom(60, 33, func(random *rand.Rand, a, u []float64) {
			for x := range u {
				u[x] = a[x] * (1 + noise*random.NormFloat64())
			}
		}))
		s := e.evaluation.Skill
		if !s.Identity || s.Verdict() != "outputs equal inputs" || !strings.Contains(e.evaluation.Notes()[0], "identity") {
			t.Errorf("noise %g: %+v, %q", noise, s, e.evaluation.Notes())
		}
	}
	e := experimentOn(t, functionsFrom(60, 33, func(_ *rand.Rand, a, u []float64) {
		for x := range u {
			u[x] = 1.001 * a[x]
		}
	}))
	if s := e.evaluation.Skill; s.Identity || s.Copy != 0 || s.Verdict() != "" {
		t.Errorf("a factor of 1.001 is called the identity: %+v", s)
	}
}

// Where few small outputs have most of the mean relative error, the notes tell the median.
func TestMedianIsToldWhereSmallOutputsHaveTheError(t *testing.T) {
	for _, small := range []float64{1, 0.001} {
		count := 0
		e := experimentOn(t, functionsFrom(200, 33, func(random *rand.Rand, a, u []float64) {
			size := 1.0
			if count++; count%8 == 0 {
				size = small
			}
			for x := range u {
				u[x] = size*(3+a[x]) + 0.01*random.NormFloat64()
			}
		}))
		told := strings.Contains(strings.Join(e.evaluation.Notes(), "\n"), "is that of few small outputs")
		if told != (small < 1) {
			t.Errorf("small outputs of size %g: told is %t, notes %q", small, told, e.evaluation.Notes())
		}
	}
}

// Outputs that are all the same are called that, and their differences, which are rounding errors, nothing else.
func TestOutputsThatAreTheSameAreCalledThat(t *testing.T) {
	detector.Skip(t, detector.Stored)
	t.Parallel()
	same := functionsFrom(24, 17, func(_ *rand.Rand, _, u []float64) {
		for x := range u {
			u[x] = math.Sin(float64(x))
		}
	})
	e := experimentOn(t, same)
	if notes := e.evaluation.Notes(); !strings.HasPrefix(notes[0], "All outputs are the same") {
		t.Errorf("the notes are %q", notes)
	}
	if s := e.evaluation.Skill; s.Verdict() != "all outputs are the same" {
		t.Errorf("the verdict is %q", s.Verdict())
	}
}
