package tune

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"rfm/config"
	"rfm/model/feature"
	"rfm/model/rfm"
	"rfm/model/setup"
	"rfm/solver/dataset"
	"rfm/solver/draw"
	"rfm/solver/fault"
	"rfm/solver/grid"
	"rfm/solver/parallel/detector"
	"rfm/solver/truth"
)

// small returns the paper's Burgers experiment at a size for tests.
func small(t *testing.T) config.Config {
	t.Helper()
	c, err := config.PresetByName("burgers")
	if err != nil {
		t.Fatal(err)
	}
	c.Data.Grid, c.Data.Train, c.Data.Test, c.Train.Grid = 129, 64, 64, 33
	c.Burgers.Tolerance, c.Features.Count = 1e-5, 48
	return c
}

func pairsOf(t *testing.T, c config.Config, purpose draw.Purpose, count int) dataset.Pairs {
	t.Helper()
	pairs, err := dataset.Generate(t.Context(), setup.Truth(c), truth.Wanted{Purpose: purpose, Count: count}, 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	return pairs
}

// search runs a search to its end.
func search(t *testing.T, c config.Config, pairs dataset.Pairs, o Options) (*Tuner, Result) {
	t.Helper()
	tuner, err := New(c, pairs, o)
	if err != nil {
		t.Fatal(err)
	}
	r, err := tuner.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return tuner, r
}

// trained returns the test error of a configuration trained on the pairs.
func trained(t *testing.T, c config.Config, pairs, test dataset.Pairs) float64 {
	t.Helper()
	restricted := func(p dataset.Pairs) dataset.Pairs {
		r, err := p.Restrict(c.Train.Grid)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	pairs, test = restricted(pairs), restricted(test)
	f, err := must(feature.New(t.Context(), c, c.Seed, c.Features.Count, c.Data.Grid, 2)).Calibrate(t.Context(),
		pairs.Inputs, 2)
	if err != nil {
		t.Fatal(err)
	}
	e, err := f.On(context.Background(), c.Train.Grid, 2)
	if err != nil {
		t.Fatal(err)
	}
	normal, err := rfm.Accumulate(t.Context(), e, pairs, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	solution, err := normal.Fit(context.Background(), c.Features.Count,
		rfm.Regularisation{Lambda: c.Train.Lambda, Relative: c.Train.Relative, Rcond: c.Train.Rcond}, 1)
	if err != nil {
		t.Fatal(err)
	}
	model, err := f.Trained(t.Context(), solution.Alpha, 1)
	if err != nil {
		t.Fatal(err)
	}
	u, err := model.Predict(t.Context(), solution.Alpha, test.Inputs, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	errors, err := rfm.Measure(u, test.Outputs)
	if err != nil {
		t.Fatal(err)
	}
	return errors.ExpectedRelative
}

func TestScoreIsTheValidationErrorOfATrainedModel(t *testing.T) {
	c := small(t)
	c.Features.Activation, c.Features.RMS, c.Features.Bias, c.Features.Window, c.Features.Mean = "tanh", 1, 0.5, 0.3,
		"remove"
	pairs := pairsOf(t, c, draw.InputTrain, 64)
	coarse, err := pairs.Restrict(c.Train.Grid)
	if err != nil {
		t.Fatal(err)
	}
	trial := trial{fit: coarse.Range(0, 40), validate: coarse.Range(40, 24), features: c.Features.Count,
		theta: c.Data.Grid, seed: c.Seed}
	s, why, err := trial.score(t.Context(), c, 2)
	if err != nil || why != "" {
		t.Fatal(why, err)
	}
	for l, relative := range relatives {
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
	if err := r.Config.Validate(); err != nil {
		t.Error(err)
	}
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
	if !reflect.DeepEqual(one.State().Evaluations, three.State().Evaluations) {
		t.Error("evaluations differ between one worker and three")
	}
	other, _ := search(t, c, pairs, Options{Evaluations: 60, Seed: 6, Workers: 3})
	if reflect.DeepEqual(one.State().Evaluations, other.State().Evaluations) {
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
	if want.Config != got.Config || !reflect.DeepEqual(clean.State().Evaluations, poisoned.State().Evaluations) {
		t.Error("the search depends on test pairs")
	}
}

func TestResumedSearchGoesOnAsIfNeverStopped(t *testing.T) {
	c := small(t)
	pairs := pairsOf(t, c, draw.InputTrain, 40)
	options := Options{Evaluations: 70, Seed: 2, Workers: 2}
	whole, want := search(t, c, pairs, options)
	full := whole.State()
	kept := []int{7, len(full.Evaluations) - 3, 0, 1, 16, 33, 60, len(full.Evaluations)}
	if testing.Short() {
		kept = kept[:2]
	}
	for _, kept := range kept {
		part := full
		part.Evaluations = full.Evaluations[:kept]
		state, err := decodeState("state", part.Encode())
		if err != nil {
			t.Fatal(err)
		}
		tuner, err := resumeFrom(state, pairs, options)
		if err != nil {
			t.Fatal(err)
		}
		got, err := tuner.Run(t.Context())
		if err != nil {
			t.Fatalf("from %d evaluations: %v", kept, err)
		}
		if got.Config != want.Config || !reflect.DeepEqual(tuner.State().Evaluations, full.Evaluations) {
			t.Errorf("from %d evaluations the search takes another course", kept)
		}
	}
}

func TestStoppedSearchKeepsTheBestAndResumes(t *testing.T) {
	c := small(t)
	pairs := pairsOf(t, c, draw.InputTrain, 40)
	options := Options{Evaluations: 70, Seed: 2, Workers: 2}
	whole, want := search(t, c, pairs, options)

	ctx, cancel := context.WithCancel(t.Context())
	stopped := options
	var tuner *Tuner
	stopped.Report = func() {
		if tuner.Snapshot().Evaluations >= 30 {
			cancel()
		}
	}
	tuner, err := New(c, pairs, stopped)
	if err != nil {
		t.Fatal(err)
	}
	r, err := tuner.Run(ctx)
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v, want context.Canceled", err)
	}
	if !r.Improved || r.Config == c {
		t.Error("the best so far is lost")
	}
	resumed, err := resumeFrom(tuner.State(), pairs, options)
	if err != nil {
		t.Fatal(err)
	}
	got, err := resumed.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if got.Config != want.Config || !reflect.DeepEqual(resumed.State().Evaluations, whole.State().Evaluations) {
		t.Error("the search takes another course after a stop")
	}
}

// clocked gives a search a clock that its evaluations advance: half a second for each of the cheapest kind, independent
// of the speed of the machine. It returns the total of these seconds.
func clocked(tuner *Tuner) (took func() float64) {
	took = func() float64 {
		sum := 0.0
		for _, e := range tuner.state.Evaluations {
			sum += 0.5 * tuner.problem.cost([]request{{stage: e.Stage, features: e.Features, draw: e.Draw}})
		}
		return sum
	}
	begin := time.Now()
	tuner.clock = func() time.Time { return begin.Add(seconds(took())) }
	return took
}

func TestTimeBoundsTheSearch(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	c := small(t)
	pairs := pairsOf(t, c, draw.InputTrain, 40)
	const limit = 300 * time.Second
	search := func(state *State, workers int) (*Tuner, Result) {
		tuner, err := New(c, pairs, Options{Time: limit, Seed: 1, Workers: workers})
		if state != nil {
			tuner, err = resumeFrom(*state, pairs, Options{Time: limit, Workers: workers})
		}
		if err != nil {
			t.Fatal(err)
		}
		clocked(tuner)
		r, err := tuner.Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return tuner, r
	}
	tuner, r := search(nil, 2)
	if len(r.Leaders) == 0 || len(r.Leaders[0].Rescored) == 0 {
		t.Fatal("nothing was scored again")
	}
	if s := tuner.State().Seconds; s < 0.7*limit.Seconds() || s > 1.1*limit.Seconds() {
		t.Errorf("a search of %v took %g s", limit, s)
	}
	if rescored := r.Leaders[0].Rescored; len(rescored) < rescoreDraws && tuner.State().Seconds < limit.Seconds() {
		t.Errorf("the search ended after %d draws and %g s, and would go on if it were resumed", len(rescored),
			tuner.State().Seconds)
	}
	state := tuner.State()
	if _, again := search(&state, 1); again.Config != r.Config {
		t.Error("a search whose time is over finds something else when it is resumed")
	}
}

// TestTimeHoldsWhereScoringAgainIsDear bounds a search by the time of three of its final evaluations.
func TestTimeHoldsWhereScoringAgainIsDear(t *testing.T) {
	c := small(t)
	c.Features.Count = 512
	pairs := pairsOf(t, c, draw.InputTrain, 200)
	tuner, err := New(c, pairs, Options{Time: time.Second, Seed: 1, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	limit := 3 * 0.5 * tuner.problem.cost([]request{{stage: Rescore, features: tuner.problem.final, draw: 1}})
	tuner.options.Time = seconds(limit)
	took := clocked(tuner)
	r, err := tuner.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(tuner.State().Evaluations) == 0 || r.Config.Problem == "" {
		t.Error("nothing was found")
	}
	if took() > 1.2*limit {
		t.Errorf("took %g s of %g", took(), limit)
	}
}

func TestSnapshotShowsTheSearch(t *testing.T) {
	c := small(t)
	var tuner *Tuner
	stages := map[Stage]bool{}
	evaluations := 0
	o := Options{Evaluations: 120, Seed: 1, Workers: 2}
	o.Report = func() {
		s := tuner.Snapshot()
		stages[s.Stage] = true
		if s.Evaluations <= evaluations || len(s.Leaders) > candidates {
			t.Errorf("snapshot of %d evaluations after %d, with %d leaders", s.Evaluations, evaluations, len(s.Leaders))
		}
		evaluations = s.Evaluations
		lowest := map[int]float64{}
		for _, p := range s.Curve {
			if low, ok := lowest[p.Features]; ok && p.Error >= low {
				t.Errorf("the curve rises to %g at evaluation %d", p.Error, p.Evaluation)
			}
			lowest[p.Features] = p.Error
		}
		if s.Stage != Rescore && len(s.Leaders) > 0 && s.Leaders[0].Error != lowest[s.Leaders[0].Features] {
			t.Errorf("the leader has error %g, the curve %g", s.Leaders[0].Error, lowest[s.Leaders[0].Features])
		}
	}
	tuner, err := New(c, pairsOf(t, c, draw.InputTrain, 40), o)
	if err != nil {
		t.Fatal(err)
	}
	r, err := tuner.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for s := range stageCount {
		if !stages[Stage(s)] {
			t.Errorf("no snapshot of stage %v", Stage(s))
		}
	}
	best := r.Leaders[0]
	if len(best.Rescored) != rescoreDraws || math.IsNaN(best.Mean()) || best.Config != r.Config {
		t.Errorf("the winner has %d scores on fresh draws, mean %g", len(best.Rescored), best.Mean())
	}
}

func TestDarcyIsSearched(t *testing.T) {
	detector.Skip(t, detector.Stored)
	c, err := config.PresetByName("darcy-quick")
	if err != nil {
		t.Fatal(err)
	}
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
		c, err := config.PresetByName(problem)
		if err != nil {
			t.Fatal(err)
		}
		c.Features.Count, c.Data.TrainFile, c.Seed = 24, "pairs.npz", 5
		_, r := search(t, c, pairs, Options{Evaluations: 30, Seed: 1, Workers: 2})
		// The result with another seed tests on none of the pairs that the search has seen.
		if r.Config.Seed = 6; r.Config.SplitSeed() != 5 {
			t.Errorf("%s: with another seed the pairs are split by %d, the search had split them by 5", problem,
				r.Config.SplitSeed())
		}
		if best := r.Leaders[0].Mean(); !(best < 1) {
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
	if _, err := New(given, pairs, o); !errors.As(err, &wrong) {
		t.Errorf("theta from a file: %v", err)
	}
	var data *fault.Data
	if _, err := New(c, pairs.Range(0, 5), o); !errors.As(err, &data) {
		t.Errorf("five pairs: %v", err)
	}
	tuner, _ := search(t, c, pairs, o)
	if _, err := resumeFrom(tuner.State(), pairs.Range(0, 19), o); !errors.As(err, &data) {
		t.Errorf("other pairs: %v", err)
	}
	zero := dataset.Pairs{Inputs: pairs.Inputs, Outputs: grid.NewBatch(grid.Torus, pairs.Outputs.Values(), 20)}
	tuner, err := New(c, zero, o)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tuner.Run(t.Context()); !errors.As(err, &data) {
		t.Errorf("zero outputs: %v", err)
	}
}

func TestDamagedStatesAreNamed(t *testing.T) {
	c := small(t)
	tuner, _ := search(t, c, pairsOf(t, c, draw.InputTrain, 20), Options{Evaluations: 10, Workers: 1})
	good := string(tuner.State().Encode())
	if _, err := decodeState("state", []byte(good)); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"cut":         good[:len(good)/2],
		"version":     strings.Replace(good, fmt.Sprintf(`"version":%d`, stateVersion), `"version":7`, 1),
		"config":      strings.Replace(good, "problem = ", "problem : ", 1),
		"coordinates": strings.Replace(good, `"coordinates":[`, `"coordinates":[7,`, 1),
		"choices":     strings.Replace(good, `"features.activation":"`, `"features.activation":"x`, 1),
		"stage":       strings.Replace(good, `"stage":1`, `"stage":11`, 1),
	} {
		var data *fault.Data
		if _, err := decodeState("state", []byte(text)); text == good || !errors.As(err, &data) || data.Where != "state" {
			t.Errorf("%s: %v", name, err)
		}
	}
	moved := tuner.State()
	moved.Seed++
	other, err := resumeFrom(moved, pairsOf(t, c, draw.InputTrain, 20), Options{Evaluations: 10, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	var data *fault.Data
	if _, err := other.Run(t.Context()); !errors.As(err, &data) {
		t.Errorf("evaluations of another seed: %v", err)
	}
}

// must returns the value of a call that cannot fail.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
