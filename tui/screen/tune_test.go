// The search for features: what it looks like, how it is stopped and gone on with, and where its result goes.

package screen

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"rfm/config"
	"rfm/model/tune"
	"rfm/tui/keys"
	"rfm/tui/theme"
)

// with is a configuration with some parameters changed.
func with(t testing.TB, c config.Config, assignments ...string) config.Config {
	t.Helper()
	for _, a := range assignments {
		if err := config.Assign(&c, a); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// someLeaders are made up: the best three on three fresh draws, with the start, and one that was scored once.
func someLeaders(t testing.TB, c config.Config) []tune.Leader {
	line := func(features int, searched float64, rescored []float64, assignments ...string) tune.Leader {
		return tune.Leader{Config: with(t, c, assignments...), Start: len(assignments) == 1, Features: features, Error: searched, Rescored: rescored}
	}
	return []tune.Leader{
		line(96, 0.0221, []float64{0.0231, 0.0240, 0.0236}, "activation=tanh", "rms=0.983", "bias=0.8312", "mean=remove", "features.delta=0.003681", "beta=5.27", "features.tau=2.402", "features.alpha=3.488", "window=1.25", "spread=0.2015", "relative=1e-13"),
		line(96, 0.0225, []float64{0.0252, 0.0249, 0.0247}, "activation=gelu", "rms=1.32", "bias=0.6021", "features.delta=0.01094", "beta=7.891", "features.tau=4.27", "features.alpha=4.761", "window=3", "relative=1e-14"),
		line(48, 0.0534, []float64{0.0312, 0.0322, 0.0317}, "activation=softplus", "rms=1.97", "bias=0.3851", "features.delta=0.0326", "beta=5.18", "relative=1e-12"),
		line(48, 0.1633, []float64{0.1621, 0.1654, 0.1602}, "relative=1e-08"),
		line(96, 0.0233, []float64{0.0261}, "activation=tanh", "rms=1.12", "bias=1.02", "features.delta=0.0041", "relative=1e-15"),
	}
}

// found puts a made-up search on the screen.
func (p *person) found(ended bool) {
	s, v := &p.m.session, p.m.tuning
	leaders := someLeaders(p.t, s.config)
	v.search = &search{asked: s.config, complete: s.config, budget: v.budgets[v.budget], ended: ended}
	v.seen = &tune.Snapshot{Stage: tune.Rescore, Evaluations: 420, Done: 1, Elapsed: 31 * time.Second, Start: 0.1633, Leaders: leaders,
		Curve: []tune.Improvement{{Evaluation: 1, Features: 48, Error: 0.1633}, {Evaluation: 9, Features: 48, Error: 0.131}, {Evaluation: 40, Features: 48, Error: 0.08}, {Evaluation: 130, Features: 48, Error: 0.0534},
			{Evaluation: 190, Features: 96, Error: 0.029}, {Evaluation: 305, Features: 96, Error: 0.0221}}}
	if !ended {
		v.seen.Stage, v.seen.Evaluations, v.seen.Elapsed, v.seen.Curve = tune.Converge, 150, 12*time.Second, v.seen.Curve[:4]
		v.seen.Leaders = []tune.Leader{leaders[2]}
		v.seen.Leaders[0].Rescored = nil
	}
}

// tuneStates adds the pictures of the search, and of the comparison with the paper's features, to the list.
func tuneStates(t *testing.T, th theme.Options, list map[string]*person) {
	t.Helper()
	at := func(name string, c config.Config) *person {
		p := newPerson(t, Options{Config: c, Workers: 1, Theme: th})
		p.press("6")
		list[name] = p
		return p
	}
	at("tune", tiny(t))
	at("darcy-tune", tinyDarcy(t))
	at("tune-stopped", tiny(t)).found(false)
	running := at("tune-running", tiny(t))
	running.found(false)
	running.m.session.job = &job{step: tuneStep, generation: running.m.generation}
	begun := at("tune-begun", tiny(t))
	begun.m.tuning.search = &search{asked: begun.m.session.config}
	begun.m.tuning.search.made.Store(12)
	begun.m.session.job = &job{step: tuneStep, generation: begun.m.generation}
	ended := at("tune-ended", tiny(t))
	ended.found(true)
	ended.press("down")
	offer := newPerson(t, Options{Config: tiny(t, "activation=tanh", "bias=0.5"), Workers: 1, Theme: th})
	offer.press("a")
	offer.open("gain")
	list["gain-offer"] = offer
}

// Features that are found in the interface are tested there, and compared with the paper's.
func TestProgramFindsFeaturesAndComparesThem(t *testing.T) {
	p, e, stop := startProgram(t, New(Options{Config: tiny(t), Workers: 2}), 80, 24)
	e.wait("an input a")
	for _, step := range []struct{ key, see string }{
		{"6", "Test pairs are never made"},
		{"left", "1 min"},
		{"left", "30 s"},
		{"enter", "›1 "},
		{"esc", "stopped:"},
		{"f", "the features are in the configuration"},
		{"a", "median of"},
		{"T", "Enter trains the paper's features"},
		{"enter", "beside the paper's features"},
	} {
		p.Send(key(step.key))
		e.wait(step.see)
	}
	stop()
}

// What is drawn while a search runs is little enough for a slow line, see TestBusyScreenIsFrugal.
func TestSearchIsFrugal(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	t.Parallel()
	m := New(Options{Config: tiny(t), Workers: 1})
	m.visible = tuneStep
	_, w, stop := startProgram(t, unhurriedModel{m, 5 * time.Millisecond, m.tuning.prepare(&m.session).work(nil, 1)}, 120, 40)
	w.wait("as is")
	w.staysFrugal(4)
	stop()
}

func TestEndedSearchOffersItsBest(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t), Workers: 2})
	p.m.tuning.budgets = []time.Duration{time.Second / 4}
	p.m.tuning.budget = 0
	p.press("6", "enter")
	p.see("enter/f take")
	start := p.m.session.config
	best, _ := p.m.tuning.chosen(&p.m.session)
	p.press("enter")
	p.see("●1 configure", "the features are in the configuration")
	if got := p.m.session.config; got == start || got != tune.Adopt(start, best.Config) {
		t.Errorf("the configuration is now %+v", got)
	}
	p.press("6")
	p.see("enter search") // from there
	p.press("1", "u")
	if p.m.session.config != start {
		t.Error("the features cannot be taken back")
	}
}

func TestStoppedSearchGoesOn(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t), Workers: 2})
	p.press("6")
	var evaluations []tune.Evaluation
	for range 2 {
		p.begin("enter")
		for len(p.m.tuning.evaluated()) <= len(evaluations) {
			time.Sleep(time.Millisecond)
		}
		p.press("esc")
		after := p.m.tuning.search.state.Evaluations
		if len(after) <= len(evaluations) || !slices.EqualFunc(evaluations, after[:len(evaluations)], func(a, b tune.Evaluation) bool { return a.Error == b.Error && a.Stage == b.Stage }) {
			t.Fatalf("%d evaluations, then %d that do not begin with them", len(evaluations), len(after))
		}
		evaluations = after
		p.see("stopped:", "enter go on")
	}
	p.visit("data.train")
	p.m.configure.change(&p.m.session, 1)
	p.see("enter search") // for another configuration
}

// evaluated is what the running search has evaluated.
func (v *tuning) evaluated() []tune.Evaluation {
	if t := v.search.tuner.Load(); t != nil {
		return t.State().Evaluations
	}
	return nil
}

func TestSearchTakesThePairsOfTheExperiment(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t), Workers: 2})
	p.press("a")
	train, _ := p.m.session.experiment.Pairs()
	p.m.session.config.Features.Bias = 0.5
	p.press("6")
	p.begin("enter")
	p.press("esc")
	if got := p.m.tuning.search.pairs.Inputs.Data; len(got) == 0 || &got[0] != &train.Inputs.Data[0] {
		t.Error("the pairs were made again")
	}
}

func TestTakenFeaturesLeaveTheRest(t *testing.T) {
	c := tiny(t, "seed=7", "pool=100", "viscosity=0.02")
	from := with(t, tiny(t, "features.count=512"), "activation=tanh", "bias=0.8", "relative=1e-13", "train.lambda=0", "seed=9")
	got := tune.Adopt(c, from)
	for _, k := range c.Keys() {
		want := c
		if tune.Varies(k) {
			want = from
		}
		if !k.Same(got, want) {
			t.Errorf("%s = %s, want %s", k.Name, k.Text(got), k.Text(want))
		}
	}
	if got.Features.Count != 48 || got.Features.Pool != 100 || got.Features.Activation != "tanh" || got.Train.Relative != 1e-13 {
		t.Errorf("features %+v, train %+v", got.Features, got.Train)
	}
}

func TestTunedConfigurationIsSaved(t *testing.T) {
	t.Chdir(t.TempDir())
	p := newPerson(t, Options{Config: tiny(t), Workers: 2})
	p.press("6")
	p.found(true)
	p.press("down", "s")
	p.see("save the configuration as", "burgers-tuned.toml")
	p.press("enter")
	p.see("saved as burgers-tuned.toml")
	text, err := os.ReadFile("burgers-tuned.toml")
	if err != nil {
		t.Fatal(err)
	}
	if c, err := config.Parse(text); err != nil || c != p.m.session.config || c.Features.Activation != "gelu" {
		t.Errorf("the file holds %+v, %v", c, err)
	}
	p.press("s", "enter")
	p.see("exists already")
}

func TestFeaturesOfAnotherProblemCannotBeTaken(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t), Workers: 2})
	p.press("6")
	p.found(true)
	p.m.session.config = tinyDarcy(t)
	if slices.Contains(p.m.actions(), keys.Take) || slices.Contains(p.m.actions(), keys.Save) {
		t.Error("they can")
	}
}

func TestLinesOfTheLeaderboardAreClicked(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t), Workers: 2, Mouse: true})
	p.press("6")
	p.found(true)
	p.click("softplus")
	if p.m.tuning.line != 2 {
		t.Errorf("line %d", p.m.tuning.line)
	}
}

func TestFeaturesThatWereNotTakenAreTold(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t)})
	if text := p.m.Epilogue(); text != "" {
		t.Errorf("epilogue %q", text)
	}
	p.press("6")
	p.found(true)
	command, arguments, _ := strings.Cut(p.m.Epilogue(), "rfm run burgers")
	if !strings.Contains(command, "0.0236 instead of 0.1626") {
		t.Errorf("epilogue %q", command)
	}
	preset, err := config.PresetByName("burgers")
	if err != nil {
		t.Fatal(err)
	}
	if got := with(t, preset, strings.Fields(strings.ReplaceAll(arguments, "--set", ""))...); got != p.m.tuning.board()[0].Config {
		t.Errorf("%s is %+v", arguments, got)
	}
	p.press("f")
	if text := p.m.Epilogue(); text != "" {
		t.Errorf("epilogue %q although they were taken", text)
	}
}

// The factors are those of a separate experiment with the paper's features.
func TestGainOverThePaper(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t, "activation=tanh", "bias=0.5", "delta=0.01", "seed=3"), Workers: 2})
	p.press("a")
	own := p.m.session.experiment.Evaluation().Test.Relative
	p.open("gain")
	p.see("Enter trains the paper's features", "sigma=elu", "enter compare")
	p.press("enter")
	p.see("beside the paper's features")
	if slices.Contains(p.m.actions(), keys.Accept) && p.m.evaluate.gain.offers(&p.m.session) {
		t.Error("the comparison is offered again")
	}
	q := newPerson(t, Options{Config: tiny(t, "seed=3"), Workers: 2})
	q.press("a")
	for i, paper := range q.m.session.experiment.Evaluation().Test.Relative {
		if got := p.m.evaluate.gain.factors()[i]; got != paper/own[i] {
			t.Fatalf("sample %d has the factor %g, want %g", i, got, paper/own[i])
		}
	}
}

func TestSamplesAreBrowsedByGain(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t), Workers: 2})
	p.press("a")
	p.m.session.config.Features.Count = 96
	p.press("a")
	p.open("gain")
	v := p.m.evaluate.gain
	factors := slices.Sorted(slices.Values(v.factors()))
	p.press(slices.Repeat([]string{"up"}, len(factors))...)
	if got := v.factors()[v.sample()]; got != factors[len(factors)-1] {
		t.Errorf("factor %g at the upper end, want %g", got, factors[len(factors)-1])
	}
	p.press("down")
	if got := v.factors()[v.sample()]; got != factors[len(factors)-2] {
		t.Errorf("factor %g below it, want %g", got, factors[len(factors)-2])
	}
}

func TestStoppedComparisonIsOfferedAgain(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t, "activation=tanh"), Workers: 2})
	p.press("a")
	p.open("gain")
	_, cmd := p.m.Update(key("enter"))
	p.m.session.job.cancel()
	p.settle(cmd)
	if p.m.session.failure != nil {
		t.Fatal(p.m.session.failure)
	}
	if len(p.m.evaluate.gain.others) == 0 { // it may have been faster
		p.see("Enter trains the paper's features")
	}
}
