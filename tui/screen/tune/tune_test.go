package tune

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"rfm/config"
	"rfm/model/run/tune"
	"rfm/tui/session"
	"rfm/tui/theme"
	"rfm/tui/tuitest"
	"rfm/tui/ui"
)

// person searches on the screen, without the shell around it.
type person struct {
	t *testing.T
	*session.Session
	v *Screen
}

func newPerson(t *testing.T, c config.Config, runs string) *person {
	s := session.New(session.Options{Config: c, Workers: 2, Runs: runs, Every: time.Millisecond})
	t.Cleanup(s.Leave)
	return &person{t, s, New(s)}
}

// offers returns the command that starts a search, which must have this word. The enter key has none.
func (p *person) offers(word string) ui.Offer {
	p.t.Helper()
	list := p.v.Commands()
	c, _ := ui.Find(list, ui.KeyRun)
	if c.Word != word {
		p.t.Fatalf("the key would %s, not %s", c.Word, word)
	}
	if enter, bound := ui.Find(list, ui.KeyEnter); bound {
		p.t.Fatalf("enter would %s", enter.Word)
	}
	return c
}

// ended reports whether the search has ended and has found something better.
func (p *person) ended() bool {
	_, better := p.v.best()
	return better && p.v.search.Ended
}

// searching starts or resumes a search, waits until it has evaluated some models, and stops it.
func (p *person) searching(word string, models int) {
	p.t.Helper()
	began := p.offers(word).Do()
	for end := time.Now().Add(5 * time.Minute); p.v.search == nil || len(p.v.search.Evaluations()) < models; {
		if time.Sleep(time.Millisecond); time.Now().After(end) {
			p.t.Fatal("the search evaluates nothing")
		}
	}
	p.Runner.Cancel()
	tuitest.Settle(p.Hear, began)
}

// someLeaders returns invented leaders: three scored on three fresh draws, the start, and one that was scored once.
func someLeaders(t testing.TB, c config.Config) []tune.Leader {
	line := func(features int, searched float64, rescored []float64, assignments ...string) tune.Leader {
		return tune.Leader{Config: tuitest.With(t, c, assignments...), Start: len(assignments) == 1, Features: features,
			Error: searched, Rescored: rescored}
	}
	return []tune.Leader{
		line(96, 0.0221, []float64{0.0231, 0.0240, 0.0236}, "activation=tanh", "rms=0.983", "bias=0.8312", "mean=remove",
			"features.delta=0.003681", "beta=5.27", "features.tau=2.402", "features.alpha=3.488", "window=1.25", "spread=0.2015",
			"relative=1e-13"),
		line(96, 0.0225, []float64{0.0252, 0.0249, 0.0247}, "activation=softplus", "rms=1.32", "bias=0.6021",
			"features.delta=0.01094", "beta=7.891", "features.tau=4.27", "features.alpha=4.761", "window=3", "relative=1e-14"),
		line(48, 0.0534, []float64{0.0312, 0.0322, 0.0317}, "activation=softplus", "rms=1.97", "bias=0.3851",
			"features.delta=0.0326", "beta=5.18", "relative=1e-12"),
		line(48, 0.1633, []float64{0.1621, 0.1654, 0.1602}, "relative=1e-08"),
		line(96, 0.0233, []float64{0.0261}, "activation=tanh", "rms=1.12", "bias=1.02", "features.delta=0.0041",
			"relative=1e-15"),
	}
}

// found puts an invented search on the screen.
func (p *person) found(ended bool) {
	v := p.v
	leaders := someLeaders(p.t, p.Draft.Config())
	v.search = &search{Session: tune.Session{Asked: p.Draft.Config(), Complete: p.Draft.Config(), Ended: ended},
		budget: v.budgets[v.budget]}
	v.seen = &tune.Snapshot{Stage: tune.Rescore, Evaluations: 420, Features: 48, Done: 1, Elapsed: 31 * time.Second,
		Start:   0.1633,
		Leaders: leaders,
		Curve: []tune.Improvement{{Evaluation: 1, Error: 0.1633}, {Evaluation: 9, Error: 0.131},
			{Evaluation: 40, Error: 0.08}, {Evaluation: 130, Error: 0.0534},
			{Evaluation: 190, Error: 0.049}, {Evaluation: 205, Error: 0.0421}}}
	if !ended {
		v.seen.Stage, v.seen.Evaluations, v.seen.Elapsed, v.seen.Curve = tune.Evolve, 150, 12*time.Second, v.seen.Curve[:4]
		v.seen.Leaders = []tune.Leader{leaders[2],
			{Config: p.Draft.Config(), Start: true, Features: 48, Error: v.seen.Start}}
		v.seen.Leaders[0].Rescored = nil
	}
}

// The screen of a search before, while stopped, running, and ended.
func TestGoldenSearch(t *testing.T) {
	bodies := map[string]string{}
	for _, size := range []struct {
		width, height int
		theme         theme.Options
	}{{80, 24, theme.Options{}}, {120, 40, theme.Options{}}, {60, 15, theme.Options{}},
		{80, 24, theme.Options{ASCII: true, NoColor: true}}} {
		draw := func(name string, p *person) {
			p.v.Arrange(ui.Canvas{Theme: theme.New(size.theme), Width: size.width, Height: size.height - 3})
			text := ansi.Strip(p.v.View())
			var lines []string
			for line := range strings.SplitSeq(text, "\n") {
				lines = append(lines, strings.TrimRight(line, " "))
			}
			bodies[name] += fmt.Sprintf("== %dx%d ASCII %t\n%s\n", size.width, size.height, size.theme.ASCII,
				strings.Join(lines, "\n"))
		}
		hold := func(p *person) { // a job of this name that does nothing
			p.Runner.Run(session.Job{Name: job, Work: func(ctx context.Context) error {
				<-ctx.Done()
				return nil
			}})
		}
		stopped := newPerson(t, tuitest.Tiny(t), "")
		stopped.found(false)
		draw("stopped", stopped)
		hold(stopped)
		draw("running", stopped)
		begun := newPerson(t, tuitest.Tiny(t), "") // the page of before a search is in a golden file of the whole interface
		begun.v.search = &search{Session: tune.Session{Asked: begun.Draft.Config()}}
		hold(begun)
		if head := begun.v.head(theme.New(size.theme), size.width)[1]; !strings.Contains(head, "0 of 40 training pairs") {
			t.Errorf("pairs are made, but the screen shows %q", head)
		}
		ended := newPerson(t, tuitest.Tiny(t), "")
		ended.found(true)
		draw("ended", ended)
	}
	for name, text := range bodies {
		tuitest.Compare(t, filepath.Join("testdata", name+".txt"), text)
	}
}

func TestEndedSearchOffersItsBest(t *testing.T) {
	p := newPerson(t, tuitest.Tiny(t), "")
	p.v.budgets, p.v.budget = []time.Duration{time.Second / 4}, 0
	tuitest.Settle(p.Hear, p.offers("search").Do())
	for !p.ended() { // a slow machine has tried nothing yet
		p.v.budgets[0] *= 2
		tuitest.Settle(p.Hear, p.v.begin())
	}
	start := p.Draft.Config()
	best, _ := p.v.best()
	p.v.take()
	want, got := tune.Adopt(start, best.Config), p.Draft.Config()
	if want.Train.Searched = got.Train.Searched; got == start || got != want || !(got.Train.Searched > 0.1) {
		t.Errorf("the configuration is now %+v", got)
	}
	if !strings.Contains(p.Notice().Text, "the features are in the configuration") || p.Shown() != "configure" {
		t.Errorf("screen %s, %q", p.Shown(), p.Notice().Text)
	}
	p.offers("search") // from the stopped one
	if c, err := config.Parse(got.TOML()); err != nil || c != got {
		t.Errorf("a file of the configuration holds %+v, %v", c, err)
	}
	if p.Draft.Undo(); p.Draft.Config() != start {
		t.Error("the features cannot be taken back")
	}
}

func TestStoppedSearchGoesOn(t *testing.T) {
	p := newPerson(t, tuitest.Tiny(t), "")
	p.searching("search", 1)
	first := p.v.search.Evaluations()
	p.searching("resume", len(first)+1)
	if after := p.v.search.Evaluations(); after[0].Error != first[0].Error || after[len(first)-1].Error !=
		first[len(first)-1].Error {
		t.Errorf("%v does not go on with %v", after, first)
	}
	p.Draft.Edit(session.Preset(config.Preset{Config: tuitest.Tiny(t, "data.train=41")}))
	p.offers("search") // for another configuration
}

func TestSearchTakesThePairsOfTheExperiment(t *testing.T) {
	p := newPerson(t, tuitest.Tiny(t), "")
	tuitest.Settle(p.Hear, p.Runner.Begin(true))
	p.Draft.Edit(session.Preset(config.Preset{Config: tuitest.Tiny(t, "bias=0.5")}))
	p.searching("search", 1)
	if made := p.v.search.Made().Done; made > 0 || p.v.search.Snapshot() == nil {
		t.Errorf("%d pairs were made again", made)
	}
}

func TestFeaturesOfAnotherProblemCannotBeTaken(t *testing.T) {
	p := newPerson(t, tuitest.Tiny(t), "")
	p.found(true)
	darcy, _ := config.PresetByName("darcy-quick")
	p.Draft.Edit(session.Version{Config: darcy, Base: darcy})
	if take, _ := ui.Find(p.v.Commands(), ui.KeyTake); take.Why == "" {
		t.Error("they can")
	}
}

func TestFeaturesThatWereNotTakenAreTold(t *testing.T) {
	p := newPerson(t, tuitest.Tiny(t), "")
	told := func(want string) {
		t.Helper()
		if text := p.Epilogue(); !strings.Contains(text, want) || (want == "") != (text == "") {
			t.Errorf("epilogue %q, want %q", text, want)
		}
	}
	told("")
	p.found(true)
	told("0.0236 instead of 0.1626")
	for i := range p.v.seen.Leaders[0].Rescored {
		p.v.seen.Leaders[0].Rescored[i] = 4.21e-5
	}
	told("4.21e-05 instead of 0.1626")
	p.v.take()
	told("")
}

// Leaving in the middle of a search keeps it, reports so, and counts as an interruption; the next session and the
// command resume it.
func TestInterruptedSearchIsKept(t *testing.T) {
	t.Chdir(t.TempDir())
	c := tuitest.Tiny(t, "data.grid=257", "tolerance=1e-6")
	p := newPerson(t, c, "runs")
	p.offers("search").Do()
	for len(p.v.search.Evaluations()) < 3 {
		time.Sleep(time.Millisecond)
	}
	if err := p.Close(); err != nil { // as after a signal
		t.Fatal(err)
	}
	done := len(p.v.search.Evaluations())
	if !p.Interrupted() || !strings.Contains(p.Epilogue(), "the search is in burgers-tuned.toml.search") {
		t.Errorf("interrupted %t, epilogue %q", p.Interrupted(), p.Epilogue())
	}
	kept := tune.Session{Asked: c, Complete: c}
	if models, err := kept.KeepBeside(t.Context(), "burgers-tuned.toml"); err != nil || models != done {
		t.Errorf("%d evaluations of %d are stored, %v", models, done, err)
	}

	q := newPerson(t, c, "runs")
	q.searching("search", done+1)
	q.v.take()
	if _, err := os.Stat("burgers-tuned.toml.search"); !os.IsNotExist(err) {
		t.Errorf("the search is left although its features were taken: %v", err)
	}
}

// A search is not written unless it is to be stored, and the directory of another search is left alone.
func TestSearchesLeaveEachOtherAlone(t *testing.T) {
	t.Chdir(t.TempDir())
	newPerson(t, tuitest.Tiny(t), "").searching("search", 1)
	if list, _ := os.ReadDir("."); len(list) != 0 {
		t.Errorf("%v was written with nothing to be stored", list)
	}
	for _, c := range []config.Config{tuitest.Tiny(t), tuitest.Tiny(t, "seed=5")} {
		newPerson(t, c, "runs").searching("search", 1)
	}
	for _, name := range []string{"burgers-tuned.toml.search", "burgers-tuned-2.toml.search"} {
		if _, err := os.Stat(name); err != nil {
			t.Error(err)
		}
	}
}
