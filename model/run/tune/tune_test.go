package tune

import (
	"context"
	"errors"
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
	"rfm/model/learn/rfm"
	"rfm/model/learn/score"
	"rfm/model/run/setup"
	"rfm/solver/base/draw"
	"rfm/solver/base/fault"
	"rfm/solver/base/parallel/detector"
	"rfm/solver/dataset"
	"rfm/solver/dataset/filetest"
	"rfm/solver/pde/truth"
	"rfm/solver/space/grid"
)

var noError = filetest.NoError

// small returns the paper's Burgers experiment at a size for tests.
func small(t *testing.T) config.Config {
	t.Helper()
	c := must(config.PresetByName("burgers"))
	c.Data.Grid, c.Data.Train, c.Data.Test, c.Train.Grid = 129, 64, 64, 33
	c.Equation.Tolerance, c.Features.Count = 1e-5, 48
	return c
}

func pairsOf(t *testing.T, c config.Config, purpose draw.Purpose, count int) dataset.Pairs {
	t.Helper()
	return must(dataset.Generate(t.Context(), setup.Truth(c), truth.Wanted{Purpose: purpose, Count: count}, 2, nil))
}

// begin prepares a search that resumes from some evaluations.
func begin(c config.Config, pairs dataset.Pairs, o Options, known ...record) (*Session, error) {
	s := &Session{Complete: c, pairs: pairs, records: known}
	_, err := s.Begin(o)
	return s, err
}

// search runs a search to its end.
func search(t *testing.T, c config.Config, pairs dataset.Pairs, o Options, known ...record) (*Session, Result) {
	t.Helper()
	s := must(begin(c, pairs, o, known...))
	r := must(s.Run(t.Context()))
	return s, r
}

// trained returns the test error of a configuration trained on the pairs.
func trained(t *testing.T, c config.Config, pairs, test dataset.Pairs) float64 {
	t.Helper()
	pairs, test = must(pairs.Restrict(c.Train.Grid)), must(test.Restrict(c.Train.Grid))
	drawn := must(feature.New(t.Context(), setup.Features(c), c.Features.Count, c.Data.Grid, 2))
	f := must(drawn.Calibrate(t.Context(), pairs.Inputs, 2))
	e := must(f.On(context.Background(), c.Train.Grid, 2))
	normal := rfm.NewNormal(e.Count())
	noError(t, normal.Accumulate(t.Context(), e, pairs, 1, nil, nil))
	solution := must(normal.Fit(context.Background(), c.Features.Count,
		rfm.Regularisation{Lambda: c.Train.Lambda, Relative: c.Train.Relative, Rcond: c.Train.Rcond}, 1))
	model := must(f.Trained(t.Context(), solution.Alpha, 1))
	u := must(model.Predict(t.Context(), solution.Alpha, test.Inputs, 1, nil))
	return must(score.Measure(u, test.Outputs)).ExpectedRelative
}

func TestScoreIsTheValidationErrorOfATrainedModel(t *testing.T) {
	c := small(t)
	c.Features.Activation, c.Features.RMS, c.Features.Bias, c.Features.Window, c.Features.Mean = "tanh", 1, 0.5, 0.3,
		"remove"
	pairs := pairsOf(t, c, draw.InputTrain, 64)
	coarse := must(pairs.Restrict(c.Train.Grid))
	trial := trial{fit: coarse.Range(0, 40), validate: coarse.Range(40, 24), features: c.Features.Count,
		theta: c.Data.Grid, seed: c.Seed}
	s := must(trial.score(t.Context(), c, 2))
	for l, relative := range rfm.Relatives {
		c.Train.Relative = relative
		// Systems of condition 1e15 have few digits in common.
		if want := trained(t, c, pairs.Range(0, 40), pairs.Range(40, 24)); math.Abs(s[l]-want) > 1e-3*want {
			t.Errorf("lambda %g: score %.10g, error of the trained model %.10g", relative, s[l], want)
		}
	}
}

func TestSearchImprovesOnThePaperAndNewData(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	c := small(t)
	pairs, test := pairsOf(t, c, draw.InputTrain, 64), pairsOf(t, c, draw.InputTest, 64)
	_, r := search(t, c, pairs, Options{Evaluations: 400, Seed: 1, Workers: 2})
	before, after := trained(t, c, pairs, test), trained(t, r.Config, pairs, test)
	if !r.Improved || after > 0.7*before {
		t.Errorf("test error %.4f before and %.4f after the search (improved: %v), want a fall by a third", before, after,
			r.Improved)
	}
	noError(t, r.Config.Validate())
	again, err := config.Parse(r.Config.TOML())
	if err != nil || again != r.Config {
		t.Errorf("the result changes when it is written and read: %v", err)
	}
}

func TestResultIsTheSameForAnyWorkers(t *testing.T) {
	c := small(t)
	pairs := pairsOf(t, c, draw.InputTrain, 40)
	one, _ := search(t, c, pairs, Options{Evaluations: 60, Seed: 5, Workers: 1})
	three, _ := search(t, c, pairs, Options{Evaluations: 60, Seed: 5, Workers: 3})
	if !reflect.DeepEqual(one.Evaluations(), three.Evaluations()) {
		t.Error("evaluations differ between one worker and three")
	}
	other, _ := search(t, c, pairs, Options{Evaluations: 60, Seed: 6, Workers: 3})
	if reflect.DeepEqual(one.Evaluations(), other.Evaluations()) {
		t.Error("evaluations do not depend on the seed")
	}
}

func TestTestPairsAreNeverSeen(t *testing.T) {
	c := small(t)
	all := pairsOf(t, c, draw.InputTrain, 60)
	clean, want := search(t, c, all.Range(0, 40), Options{Evaluations: 40, Seed: 1, Workers: 2})
	// same memory, behind the training pairs
	for _, side := range []grid.Batch{all.Range(40, 20).Inputs, all.Range(40, 20).Outputs} {
		for x := range side.Data {
			side.Data[x] = math.NaN()
		}
	}
	poisoned, got := search(t, c, all.Range(0, 40), Options{Evaluations: 40, Seed: 1, Workers: 2})
	if want.Config != got.Config || !reflect.DeepEqual(clean.Evaluations(), poisoned.Evaluations()) {
		t.Error("the search depends on test pairs")
	}
}

func TestResumedSearchGoesOnAsIfNeverStopped(t *testing.T) {
	c := small(t)
	pairs := pairsOf(t, c, draw.InputTrain, 40)
	options := Options{Evaluations: 70, Seed: 2, Workers: 2}
	whole, want := search(t, c, pairs, options)
	full := whole.Evaluations()
	kept := []int{7, len(full) - 3, 0, 1, 16, 33, 60, len(full)}
	if testing.Short() {
		kept = kept[:2]
	}
	for _, kept := range kept {
		one, got := search(t, c, pairs, options, slices.Clone(whole.records[:kept])...)
		if got.Config != want.Config || !reflect.DeepEqual(one.Evaluations(), full) {
			t.Errorf("from %d evaluations the search takes another course", kept)
		}
	}
}

// session returns a session with its pairs, in the current directory.
func session(t *testing.T, c config.Config) *Session {
	t.Helper()
	s := &Session{Asked: c}
	noError(t, s.Obtain(t.Context(), nil, 2))
	return s
}

// A search that is stopped keeps the best so far; its units lead another session to the result of a whole search.
func TestStoppedSearchKeepsTheBestAndResumes(t *testing.T) {
	t.Chdir(t.TempDir())
	c := small(t)
	c.Data.Train = 40
	options := Options{Evaluations: 70, Seed: 2, Workers: 2}
	first := session(t, c)
	whole, want := search(t, first.Complete, first.pairs, options)

	ctx, cancel := context.WithCancel(t.Context())
	stopped := options
	stopped.report = func() {
		if first.Snapshot().Evaluations >= 30 {
			cancel()
		}
	}
	if models, err := first.KeepAs(t.Context(), "x.toml"); err != nil || models != 0 {
		t.Fatal(models, err)
	}
	if _, err := first.Begin(stopped); err != nil {
		t.Fatal(err)
	}
	r, err := first.Run(ctx)
	if !errors.Is(err, context.Canceled) || !first.Kept() || first.Ended {
		t.Fatalf("error %v, want context.Canceled; kept %t, ended %t", err, first.Kept(), first.Ended)
	}
	if !r.Improved || r.Config == c {
		t.Error("the best so far is lost")
	}
	second := session(t, c)
	if models, err := second.KeepBeside(t.Context(), "x.toml"); err != nil || models != len(first.Evaluations()) {
		t.Fatalf("%d models of %d are stored, %v", models, len(first.Evaluations()), err)
	}
	if _, err := second.Begin(options); err != nil {
		t.Fatal(err)
	}
	got := must(second.Run(t.Context()))
	if got.Config != want.Config || !reflect.DeepEqual(second.Evaluations(), whole.Evaluations()) {
		t.Error("the search takes another course after a stop")
	}
	noError(t, second.Forget())
	if left, err := os.ReadDir("."); err != nil || len(left) > 0 {
		t.Errorf("left are %v, %v", left, err)
	}
}

// Damaged searches, and those from other configurations, are refused, and nothing of them is lost.
func TestDamagedSearchesAreNamed(t *testing.T) {
	t.Chdir(t.TempDir())
	c := small(t)
	c.Data.Train = 20
	s := session(t, c)
	if _, err := s.KeepBeside(t.Context(), "x.toml"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Begin(Options{Evaluations: 10, Seed: c.Seed, Workers: 1}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	refused := func(how string, s *Session) {
		t.Helper()
		var data *fault.Data
		if models, err := s.KeepBeside(t.Context(), "x.toml"); !errors.As(err, &data) || data.Where != "x.toml.search" || models > 0 ||
			strings.Contains(err.Error(), "made again") {
			t.Errorf("%s: %d models, %v", how, models, err)
		}
	}
	other := c
	other.Seed = 7
	refused("another seed", session(t, other))
	if next := session(t, other); must(next.KeepAs(t.Context(), "x.toml")) > 0 || next.file != "x-2.toml" {
		t.Errorf("another search is kept beside %s", next.file)
	}
	units, err := filepath.Glob("x.toml.search/*.npy")
	if err != nil || len(units) < 3 {
		t.Fatal(units, err)
	}
	for _, unit := range units {
		text := must(os.ReadFile(unit))
		flipped := slices.Clone(text)
		flipped[200] ^= 1
		for _, damaged := range [][]byte{text[:len(text)/2], append(slices.Clone(text), 0), flipped} {
			noError(t, os.WriteFile(unit, damaged, 0o600))
			refused(unit, session(t, c))
		}
		noError(t, os.WriteFile(unit, text, 0o600))
	}
	noError(t, os.Remove(units[1]))
	refused("a gap", session(t, c))

	// the same numbers in a search that makes other requests
	one := must(begin(c, s.pairs, Options{Evaluations: 10, Seed: 5, Workers: 1}, s.records...))
	var data *fault.Data
	if _, err := one.Run(t.Context()); !errors.As(err, &data) {
		t.Errorf("evaluations of another seed: %v", err)
	}
}

// clocked gives a search a clock that its evaluations advance: half a second for each of the cheapest kind, independent
// of the speed of the machine. It returns the total of these seconds.
func clocked(one *Session) (took func() float64) {
	took = func() float64 {
		sum := 0.0
		for _, e := range one.evaluations {
			sum += 0.5 * one.cost([]request{e.request})
		}
		return sum
	}
	from := time.Now()
	one.clock = func() time.Time { return from.Add(seconds(took())) }
	return took
}

func TestTimeBoundsTheSearch(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	c := small(t)
	pairs := pairsOf(t, c, draw.InputTrain, 40)
	const limit = 300 * time.Second
	search := func(known []record, workers int) (*Session, Result) {
		one := must(begin(c, pairs, Options{Time: limit, Seed: 1, Workers: workers}, known...))
		clocked(one)
		r := must(one.Run(t.Context()))
		return one, r
	}
	one, r := search(nil, 2)
	if _, _, fresh := one.Snapshot().Gain(); !fresh {
		t.Fatal("nothing was scored again")
	}
	if s := one.elapsed(); s < 0.7*limit.Seconds() || s > 1.1*limit.Seconds() {
		t.Errorf("a search of %v took %g s", limit, s)
	}
	if resumed, again := search(one.records, 1); again.Config != r.Config ||
		len(resumed.Evaluations()) != len(one.Evaluations()) {
		t.Error("a search whose time is over finds something else when it is resumed")
	}
}

// TestTimeHoldsWhereScoringAgainIsDear bounds a search by the time of three of its final evaluations.
func TestTimeHoldsWhereScoringAgainIsDear(t *testing.T) {
	c := small(t)
	c.Features.Count = 512
	pairs := pairsOf(t, c, draw.InputTrain, 200)
	one := must(begin(c, pairs, Options{Time: time.Second, Seed: 1, Workers: 1}))
	limit := 3 * 0.5 * one.cost([]request{{Stage: Rescore, Features: one.problem.final, Draw: 1}})
	one.options.Time = seconds(limit)
	took := clocked(one)
	r := must(one.Run(t.Context()))
	if len(one.Evaluations()) == 0 || r.Config.Problem == "" {
		t.Error("nothing was found")
	}
	if took() > 1.2*limit {
		t.Errorf("took %g s of %g", took(), limit)
	}
}

func TestSnapshotShowsTheSearch(t *testing.T) {
	c := small(t)
	var one *Session
	stages := map[Stage]bool{}
	evaluations := 0
	o := Options{Evaluations: 120, Seed: 1, Workers: 2}
	o.report = func() {
		s := one.Snapshot()
		stages[s.Stage] = true
		if s.Evaluations <= evaluations || len(s.Leaders) > candidates+1 {
			t.Errorf("snapshot of %d evaluations after %d, with %d leaders", s.Evaluations, evaluations, len(s.Leaders))
		}
		evaluations = s.Evaluations
		for i, p := range s.Curve[1:] {
			if p.Error >= s.Curve[i].Error {
				t.Errorf("the curve rises to %g at evaluation %d", p.Error, p.Evaluation)
			}
		}
		if lowest := s.Curve[len(s.Curve)-1].Error; s.Stage != Rescore && len(s.Leaders) > 1 && s.Leaders[0].Error != lowest {
			t.Errorf("the leader has error %g, the curve %g", s.Leaders[0].Error, lowest)
		}
	}
	one, err := begin(c, pairsOf(t, c, draw.InputTrain, 40), o)
	noError(t, err)
	r := must(one.Run(t.Context()))
	for s := range stageCount {
		if !stages[Stage(s)] {
			t.Errorf("no snapshot of stage %v", Stage(s))
		}
	}
	best := one.Snapshot().Leaders[0]
	if len(best.Rescored) != rescoreDraws || math.IsNaN(best.Mean()) || best.Config != r.Config {
		t.Errorf("the winner has %d scores on fresh draws, mean %g", len(best.Rescored), best.Mean())
	}
}

func TestDarcyIsSearched(t *testing.T) {
	detector.Skip(t, detector.Stored)
	c := must(config.PresetByName("darcy-quick"))
	c.Data.Grid, c.Data.Train, c.Features.Count, c.Train.Grid, c.Darcy.Tolerance = 17, 24, 12, 17, 1e-6
	pairs := pairsOf(t, c, draw.InputTrain, 24)
	_, r := search(t, c, pairs, Options{Evaluations: 60, Seed: 1, Workers: 2})
	if err := r.Config.Validate(); err != nil || r.Config.Features.Eta != c.Features.Eta {
		t.Errorf("result %v, mollifier changed to %g", err, r.Config.Features.Eta)
	}
	if !r.Improved {
		t.Error("nothing better than the paper's parameters at this size")
	}
}

func TestPeriodicFunctionsAndFieldsFromFilesAreSearched(t *testing.T) {
	detector.Skip(t, detector.Stored)
	for problem, pairs := range map[string]dataset.Pairs{
		config.Functions: pairsOf(t, small(t), draw.InputTrain, 24),
		config.Fields:    fields(24, 17),
	} {
		c := must(config.PresetByName(problem))
		c.Features.Count, c.Data.TrainFile, c.Seed = 24, "pairs.npz", 5
		one, r := search(t, c, pairs, Options{Evaluations: 30, Seed: 1, Workers: 2})
		// The result with another seed tests on none of the pairs that the search has seen.
		if r.Config.Seed = 6; r.Config.SplitSeed() != 5 {
			t.Errorf("%s: with another seed the pairs are split by %d, the search had split them by 5", problem,
				r.Config.SplitSeed())
		}
		if best := one.Snapshot().Leaders[0].Mean(); !(best < 1) {
			t.Errorf("%s: error %g, want less than that of the zero model", problem, best)
		}
	}
}

// fields returns smooth fields and their cubes.
func fields(count, r int) dataset.Pairs {
	pairs := dataset.Pairs{Inputs: grid.NewBatch(grid.Square, r, count), Outputs: grid.NewBatch(grid.Square, r, count)}
	for i := range count {
		random := draw.Stream(1, draw.InputTrain, i)
		a, b := random.NormFloat64(), random.NormFloat64()
		for x := range r * r {
			v := a*math.Cos(math.Pi*float64(x%r)/float64(r-1)) + b*math.Cos(math.Pi*float64(x/r)/float64(r-1))
			pairs.Inputs.At(i)[x], pairs.Outputs.At(i)[x] = v, v*v*v
		}
	}
	return pairs
}

func TestUnusableSearchesAreRefused(t *testing.T) {
	c := small(t)
	pairs := pairsOf(t, c, draw.InputTrain, 20)
	o := Options{Evaluations: 10, Workers: 1}
	given := c
	given.Features.ThetaFile = filepath.Join(t.TempDir(), "theta.npy")
	var wrong *config.Error
	if _, err := begin(given, pairs, o); !errors.As(err, &wrong) {
		t.Errorf("theta from a file: %v", err)
	}
	var data *fault.Data
	if _, err := begin(c, pairs.Range(0, 5), o); !errors.As(err, &data) {
		t.Errorf("five pairs: %v", err)
	}
	zero := dataset.Pairs{Inputs: pairs.Inputs, Outputs: grid.NewBatch(grid.Torus, pairs.Outputs.Values(), 20)}
	if _, err := begin(c, zero, o); !errors.As(err, &data) {
		t.Errorf("zero outputs: %v", err)
	}
}

// must returns the value of a call that cannot fail.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
