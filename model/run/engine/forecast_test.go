package engine

import (
	"context"
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"rfm/config"
	"rfm/model/run/store"
	"rfm/model/trained/price"
	"rfm/solver/base/parallel/detector"
	"rfm/solver/base/processor"
)

const pause = time.Second

// drowsy is a context that sleeps when it is asked first, as a process sleeps on a busy machine.
type drowsy struct {
	context.Context
	once sync.Once
}

func (d *drowsy) Err() error {
	d.once.Do(func() { time.Sleep(pause) })
	return d.Context.Err()
}

// timings.json has the processor time of a run, without time in which nothing worked.
func TestTimingsHaveTheProcessorTime(t *testing.T) {
	root, c := t.TempDir(), small(t)
	e, err := New(context.Background(), c, Options{Workers: 1, Runs: root, Name: ""})
	if err == nil {
		err = e.Run(&drowsy{Context: context.Background()})
	}
	noError(t, err)
	var past Timings
	noError(t, e.store.ReadJSON(store.TimingsFile, &past))
	if past.Processor.Stages() != e.processor {
		t.Fatalf("%+v, want %+v", past, e.processor)
	}
	if slept := e.Seconds().Generate; slept < pause.Seconds() || e.processor[0] > slept-pause.Seconds()/2 {
		t.Errorf("a stage of %g s with a pause of %v took %g s of the processor", slept, pause, e.processor[0])
	}
}

// Estimates are in seconds of an idle processor: rates are measured in calls too short to be interrupted.
func TestEstimateIsOfTheRightOrder(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector slows Go code, but not the kernels that were timed")
	}
	const order = 10
	for name, c := range map[string]config.Config{
		"burgers": tiny(t, "data.train=128", "features.count=256", "data.test=512", "train.grid=129"),
		"darcy":   tinyDarcy(t, "data.train=64", "data.test=64", "features.count=128", "data.grid=129", "train.grid=33"),
	} {
		estimate := MeasureRates(1).Estimate(c, 1)
		e := begin(t, c, Options{Workers: 1})
		for _, stage := range []struct {
			reach    string
			estimate float64
		}{{Generating, estimate.Generate}, {Training, estimate.Train}, {Evaluating, estimate.Evaluate}} {
			begin := processor.Time()
			noError(t, e.Reach(t.Context(), stage.reach))
			took := (processor.Time() - begin).Seconds()
			if t.Logf("%s, %s: %.3g s, estimate %.3g s", name, stage.reach, took, stage.estimate); took < stage.estimate/order ||
				took > stage.estimate*order {
				t.Errorf("%s, %s takes %.3g s of a core, the estimate is %.3g s", name, stage.reach, took, stage.estimate)
			}
		}
	}
}

func TestModelPaysForItselfAgainstTheSolverOfItsError(t *testing.T) {
	own := work{plan: plan{workers: 1}, sink: &sink{store: &store.Run{Seconds: [3]float64{5, 1, 100}}}}
	e := &Experiment{work: own,
		evaluation: &Evaluation{workers: 2, Rows: []Row{{Offer: price.Offer{Name: "model", Seconds: 0.001}},
			{Offer: price.Offer{Name: FullSolve, Seconds: 0.005}},
			{Offer: price.Offer{Name: EqualSolve, Seconds: 0.003}}}}}
	expect := func(what, against string, faster, evaluations float64) {
		p := e.payoff()
		if p == nil || p.Against != against || math.Abs(p.Faster-faster) > 1e-12 || p.Spent != 12 ||
			math.Abs(p.Evaluations-evaluations) > 1e-9 {
			t.Errorf("%s: got %+v, want against %s, %g times faster, paid after %g evaluations and 12 s",
				what, p, against, faster, evaluations)
		}
	}
	expect("an equal solve", EqualSolve, 3, 6000)
	e.Config.Train.Searched = 8
	if p := e.payoff(); p.Spent != 20 || p.Search != 8 || math.Abs(p.Evaluations-10000) > 1e-9 ||
		!strings.Contains(strings.Join(p.Sentences("20 s"), " "), "Data, training and the search for features took 20 s") {
		t.Errorf("features that were searched for: %+v", p)
	}
	e.Config.Train.Searched = 0
	e.evaluation.Rows[2].Seconds = 0.0005
	expect("a model that is slower than an equal solve", EqualSolve, 0.5, 0)
	if p := e.payoff(); !strings.Contains(strings.Join(p.Sentences("12 s"), " "), "2.0 times as fast as the model") {
		t.Error(p.Sentences("12 s"))
	}
	e.evaluation.Rows = e.evaluation.Rows[:2]
	expect("no equal solve", FullSolve, 5, 3000)
	e.evaluation.Rows = e.evaluation.Rows[:1]
	if p := e.payoff(); p != nil {
		t.Errorf("without a solver: %+v", p)
	}
}

// A forecast of an equation is right where the text says nothing of the work: for rough dispersive waves as for heat. The
// whole is measured by the number of steps, since timings vary.
func TestForecastOfAnEquationIsMeasured(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	rates := Rates{Transforms: 1e9, Evaluations: 1e9, Flops: 1e11, Poisson: 1e9}
	c, err := config.PresetByName("equation")
	noError(t, err)
	noError(t, config.Assign(&c, "equation.text=u_t = -0.5*v_xx - (u^2+v^2)*v; v_t = 0.5*u_xx + (u^2+v^2)*u"))
	noError(t, config.Assign(&c, "equation.initial=a; 0"))
	noError(t, config.Assign(&c, "equation.time=0.3"))
	whole, err := MeasurePace(t.Context(), c, time.Minute)
	noError(t, err)
	part, err := MeasurePace(t.Context(), c, time.Duration(whole.seconds/2*float64(time.Second)))
	noError(t, err)
	if ratio := part.seconds / whole.seconds; ratio < 0.3 || ratio > 3 {
		t.Errorf("half of the time promises %g of the whole", ratio)
	}
	e := rates.Forecast(c, 2, whole)
	blocks := math.Ceil(float64(c.Data.Train)/8) + math.Ceil(float64(c.Data.Test)/8)
	if want := whole.begin + whole.seconds*blocks/2; math.Abs(e.Generate/want-1) > 0.01 {
		t.Errorf("%g s, want %g s", e.Generate, want)
	}
	if e.Generate > 30 != (SlowSolver(c, e) != "") {
		t.Errorf("%g s for pairs: got the advice %q, want one only above 30 s", e.Generate, SlowSolver(c, e))
	}
	e.Generate = 31
	if advice := SlowSolver(c, e); !strings.Contains(advice, "768 inputs takes about 31 s") || !strings.Contains(advice, "input.alpha") {
		t.Error(advice)
	}
	other := c
	other.Equation.Time = 1
	if whole.Of(other) || rates.Forecast(other, 2, whole) != rates.Forecast(other, 2, Pace{}) {
		t.Error("the pace is that of another equation")
	}
	more := c
	more.Data.Train *= 2
	more.Train.Method = config.KernelRidge
	if !whole.Of(more) {
		t.Error("the pace depends on the number of pairs or the method")
	}
}

// The time of a method that goes on as long as an error falls is a range, that of others a number. Where such a method gains
// nothing it may take a third of the estimate, on sets of docs/new_sets.py.
func TestForecastsThatDependOnThePairsAreRanges(t *testing.T) {
	rates := Rates{Transforms: 1e12, Evaluations: 1e9, Flops: 1e11, Poisson: 1e9}
	for method, isRange := range map[string]bool{config.Layers: true, config.Corrected: true, config.Best: true, "kernel": false} {
		c, err := config.PresetByName("burgers")
		noError(t, err)
		noError(t, config.Assign(&c, "train.method="+method, "evaluation.baselines=no"))
		e := rates.Estimate(c, 2)
		least, most := e.Range()
		if strings.Contains(e.Time(), " to ") != isRange || !(least <= e.Total() && e.Total() <= most) {
			t.Errorf("%s: %s, between %g and %g s: %g s", method, e.Time(), least, most, e.Total())
		}
		if isRange && e.Less < 0.6*e.Train {
			t.Errorf("%s takes %g s less at most, training takes %g s", method, e.Less, e.Train)
		}
	}
}

// Forecasts at points of any geometry hold where a linear map is exact, so that nothing else is tried, and where layers and
// corrections gain. The times are those of docs/points.py on a core: a linear map 0.3 s, all methods up to two minutes.
func TestForecastsAtPointsHoldForAllEnds(t *testing.T) {
	rates := Rates{Transforms: 2.5e10, Evaluations: 1e9, Flops: 6e10, Poisson: 1e9}
	c := preset(t, config.Points, "data.train=1000", "data.test=200", "features.count=1024", "evaluation.curve=no")
	c.Data.TrainFile = "pairs.npz"
	c.Data.Grid = 1200
	c.Train.Grid = 1200
	c.Train.Method = config.Best
	least, most := rates.Estimate(c, 1).Range()
	if least > 3 || most < 90 || most > 400 {
		t.Errorf("all methods take %.3g to %.3g s, want from below 3 s to minutes", least, most)
	}
	c.Train.Method = config.Linear
	c.Evaluation.Baselines = false
	if _, most := rates.Estimate(c, 1).Range(); most > 1 {
		t.Errorf("a linear map takes up to %.3g s, want less than a second", most)
	}
}

// The time of best on pairs of an unknown law is within the range that is printed, of a factor of eight: on sets that
// docs/new_sets.py makes, in seconds of a core with the rates of that time.
func TestForecastsOfTheBestMethodHoldOnOtherSets(t *testing.T) {
	rates := Rates{Transforms: 2.2e10, Evaluations: 1.5e9, Flops: 6.1e10, Poisson: 7.6e8}
	for _, set := range []struct {
		name    string
		problem string
		bounds  string
		pairs   int
		points  int
		inputs  int
		seconds float64
	}{
		{"few", config.Functions, config.Periodic, 16, 257, 1, 1.9},
		{"jumps", config.Functions, config.Closed, 350, 101, 1, 4.9},
		{"smoothed", config.Functions, config.Closed, 300, 101, 1, 20.2},
		{"spoilt", config.Functions, config.Closed, 300, 101, 1, 20.5},
		{"causal", config.Functions, config.Closed, 250, 120, 1, 19},
		{"twoin", config.Functions, config.Periodic, 300, 65, 2, 14.9},
		{"knobs", config.Functions, config.Closed, 500, 65, 5, 6.1},
		{"membrane", config.Fields, config.Closed, 250, 24, 5, 10.4},
		{"a square at each point", config.Functions, config.Closed, 240, 129, 1, 7.7},
		{"a cosine at each point", config.Functions, config.Periodic, 240, 129, 1, 13.2},
	} {
		c := preset(t, set.problem, "train.method=best", "data.test=100", "data.boundary="+set.bounds)
		c.Data.Train = set.pairs
		c.Data.TrainFile = "pairs.npz"
		c.Data.Grid = set.points
		c.Train.Grid = set.points
		c.Data.In = set.inputs
		e := rates.Estimate(c, 1)
		least, most := e.Range()
		t.Logf("%s: %.2g to %.2g s, took %.2g s", set.name, least, most, set.seconds)
		if set.seconds < least || set.seconds > most {
			t.Errorf("%s took %g s, forecast %.3g to %.3g s", set.name, set.seconds, least, most)
		}
		const widest = 8
		if most > widest*least {
			t.Errorf("%s: the forecast is from %.3g to %.3g s", set.name, least, most)
		}
	}
}

// Kernels on a square learn from all images of the pairs if motions lower the error, several times as long.
func TestForecastsOfKernelsOnSquaresAreRanges(t *testing.T) {
	rates := Rates{Transforms: 1e12, Evaluations: 1e9, Flops: 1e11, Poisson: 1e9}
	c := preset(t, "darcy", "train.method=kernel", "evaluation.baselines=no")
	e := rates.Estimate(c, 1)
	if e.Less < 0.4*e.Train || e.More < 2*e.Train {
		t.Errorf("training takes %g s, or %g less or %g more", e.Train, e.Less, e.More)
	}
}

// Rates of random features are measured of equations alone, by a second pass over the features.
func TestForecastHasOnlyPassesThatAreMade(t *testing.T) {
	rates := Rates{Transforms: 1e12, Evaluations: 1e9, Flops: 1e11, Poisson: 1e9}
	of := func(assignments ...string) float64 {
		c := preset(t, "burgers", "train.method=features", "features.count=1024", "data.train=512")
		noError(t, config.Assign(&c, assignments...))
		return rates.Estimate(c, 1).Evaluate
	}
	const pass = 0.6 // of some 0.7 s
	with := of()
	if without := of("train.offset=yes"); with < without+pass {
		t.Errorf("evaluation takes %g s with rates, %g s without", with, without)
	}
}

// The first solution between ends searches for a resolution and makes matrices; a forecast counts that once.
func TestPaceIsThatOfLaterSolutions(t *testing.T) {
	c, err := config.PresetByName("heat-rod")
	noError(t, err)
	p, err := MeasurePace(t.Context(), c, time.Minute)
	noError(t, err)
	if p.begin < p.seconds {
		t.Errorf("%g s before the first solutions, which take %g s", p.begin, p.seconds)
	}
}

// A core that others share is as fast as most calls are: a quarter of them that find it free, and one that is interrupted, say
// nothing of a run.
func TestRatesAreThoseOfMostCalls(t *testing.T) {
	calls := 0
	call := func() {
		calls++
		switch {
		case calls == 5: // interrupted
			time.Sleep(20 * time.Millisecond)
		case calls%4 != 0:
			time.Sleep(2 * time.Millisecond)
		}
	}
	got := usual(60*time.Millisecond, call)
	const most = 0.015
	if got < 0.002 || got > most {
		t.Errorf("most calls take 2 ms: the usual time is %g s", got)
	}
}

// The solver of an equation between sides takes more memory than all else of a small experiment: its matrices. Alone they took
// 130 to 165 MiB of poisson-nonlinear, where 39 MiB were promised.
func TestForecastsCountTheMemoryOfASolver(t *testing.T) {
	c := preset(t, "poisson-nonlinear", "data.train=96", "data.test=32", "features.count=64", "train.method=mean")
	c.Evaluation.Baselines = false
	pace, err := MeasurePace(t.Context(), c, time.Minute)
	noError(t, err)
	rates := Rates{Transforms: 2.5e10, Evaluations: 1e9, Flops: 6e10, Poisson: 1e9}
	const mebibyte = 1 << 20
	one := rates.Forecast(c, 1, pace).Bytes / mebibyte
	two := rates.Forecast(c, 2, pace).Bytes / mebibyte
	if one < 100 || one > 250 || two <= one {
		t.Errorf("%.0f MiB on one worker, %.0f MiB on two", one, two)
	}
}

// A linear map is exact for a beam, so that no method but the references is tried: 1.2 s where the range began with 5.7 s.
func TestForecastsOfLinearEquationsBeginWithReferences(t *testing.T) {
	rates := Rates{Transforms: 2.5e10, Evaluations: 1e9, Flops: 6e10, Poisson: 1e9}
	c := preset(t, "beam")
	least, most := rates.Estimate(c, 1).Range()
	if least > 1.2 || most < 10 {
		t.Errorf("the best method of a beam takes %.3g to %.3g s, want from 1.2 s to many", least, most)
	}
}
