package tune

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"rfm/config"
	"rfm/model/tune"
	"rfm/tui/golden"
	"rfm/tui/keys"
	"rfm/tui/look"
	"rfm/tui/screen/configure"
	"rfm/tui/screen/paper"
	"rfm/tui/screen/stages"
	"rfm/tui/session"
	"rfm/tui/shell"
	"rfm/tui/shell/shelltest"
	"rfm/tui/theme"
	"rfm/tui/ui"
)

// person is a person at the interface with the screen of the search.
type person struct {
	*shelltest.Person
	v *Screen
}

func newPerson(t *testing.T, c config.Config, runs string) *person {
	return themed(t, c, runs, theme.Options{})
}

func themed(t *testing.T, c config.Config, runs string, th theme.Options) *person {
	p := &person{}
	p.Person = shelltest.New(t, session.Options{Config: c, Workers: 2, Runs: runs}, shell.Options{Theme: th},
		func(s *session.Session, d *ui.Dialogs) []ui.Screen {
			p.v = New(s)
			return slices.Concat([]ui.Screen{configure.New(s, d)}, stages.New(s), []ui.Screen{paper.New(s, d), p.v})
		})
	return p
}

// with returns a configuration with some parameters changed.
func with(t testing.TB, c config.Config, assignments ...string) config.Config {
	t.Helper()
	for _, a := range assignments {
		if err := config.Assign(&c, a); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// someLeaders returns invented leaders: three scored on three fresh draws, the start, and one that was scored once.
func someLeaders(t testing.TB, c config.Config) []tune.Leader {
	line := func(features int, searched float64, rescored []float64, assignments ...string) tune.Leader {
		return tune.Leader{Config: with(t, c, assignments...), Start: len(assignments) == 1, Features: features,
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
	leaders := someLeaders(p.T, p.S.Config())
	v.search = &search{Session: tune.Session{Asked: p.S.Config(), Complete: p.S.Config(), Ended: ended},
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
			{Config: p.S.Config(), Start: true, Features: 48, Error: v.seen.Start}}
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
			text := ansi.Strip(p.v.View(ui.Canvas{Look: look.Terminal{Asked: size.theme}.Look(), Width: size.width,
				Height: size.height - 3}))
			var lines []string
			for line := range strings.SplitSeq(text, "\n") {
				lines = append(lines, strings.TrimRight(line, " "))
			}
			bodies[name] += fmt.Sprintf("== %dx%d ASCII %t\n%s\n", size.width, size.height, size.theme.ASCII,
				strings.Join(lines, "\n"))
		}
		hold := func(p *person) { // a job of this name that does nothing
			p.Run(p.S.Run(session.Job{Name: job, Work: func(ctx context.Context) error {
				<-ctx.Done()
				return nil
			}}))
			t.Cleanup(p.S.Leave)
		}
		stopped := themed(t, shelltest.Tiny(t), "", size.theme)
		stopped.found(false)
		draw("stopped", stopped)
		hold(stopped)
		draw("running", stopped)
		begun := themed(t, shelltest.Tiny(t), "", size.theme)
		begun.v.search = &search{Session: tune.Session{Asked: begun.S.Config()}}
		hold(begun)
		begun.Send(nil) // makes the screen read the search
		draw("begun", begun)
		ended := themed(t, shelltest.Tiny(t), "", size.theme)
		ended.found(true)
		draw("ended", ended)
	}
	for name, text := range bodies {
		golden.Compare(t, filepath.Join("testdata", name+".txt"), text)
	}
}

func TestEndedSearchOffersItsBest(t *testing.T) {
	p := newPerson(t, shelltest.Tiny(t), "")
	p.v.budgets = []time.Duration{time.Second / 4}
	p.v.budget = 0
	p.Press("6", "enter")
	for !strings.Contains(p.Screen(), "enter/f take") { // a slow machine has tried nothing yet
		p.v.budgets[0] *= 2
		p.Press("enter")
	}
	start := p.S.Config()
	best, _ := p.v.best()
	p.Press("enter")
	p.See("● 1 configure", "the features are in the configuration")
	want, got := tune.Adopt(start, best.Config), p.S.Config()
	if want.Train.Searched = got.Train.Searched; got == start || got != want || !(got.Train.Searched > 0.1) {
		t.Errorf("the configuration is now %+v", got)
	}
	p.Press("6")
	p.See("enter search") // from the stopped one
	p.Press("1", "u")
	if p.S.Config() != start {
		t.Error("the features cannot be taken back")
	}
}

func TestStoppedSearchGoesOn(t *testing.T) {
	p := newPerson(t, shelltest.Tiny(t), "")
	p.Press("6")
	var evaluations []tune.Evaluation
	for range 2 {
		p.Begin("enter")
		for len(p.v.evaluated()) <= len(evaluations) {
			time.Sleep(time.Millisecond)
		}
		p.Press("esc")
		after := p.v.search.Evaluations()
		if len(after) <= len(evaluations) || !slices.EqualFunc(evaluations, after[:len(evaluations)],
			func(a, b tune.Evaluation) bool { return a.Error == b.Error && a.Stage == b.Stage }) {
			t.Fatalf("%d evaluations, then %d that do not begin with them", len(evaluations), len(after))
		}
		evaluations = after
		p.See("stopped:", "enter resume")
	}
	p.Visit("data.train")
	p.Press("right", "home", "6")
	p.See("enter search") // for another configuration
}

// evaluated returns the evaluations of the running search.
func (v *Screen) evaluated() []tune.Evaluation {
	return v.search.Evaluations()
}

func TestSearchTakesThePairsOfTheExperiment(t *testing.T) {
	p := newPerson(t, shelltest.Tiny(t), "")
	p.Press("a")
	p.Set("bias=0.5")
	p.Press("6")
	p.Begin("enter")
	p.Press("esc")
	if made := p.v.search.Made().Done; made > 0 || p.v.search.Snapshot() == nil {
		t.Errorf("%d pairs were made again", made)
	}
}

func TestTunedConfigurationIsSaved(t *testing.T) {
	t.Chdir(t.TempDir())
	p := newPerson(t, shelltest.Tiny(t), "")
	p.Press("6")
	p.found(true)
	p.Press("f", "s")
	p.See("save the configuration as", "burgers.toml")
	p.Press("enter")
	p.See("saved as burgers.toml")
	text, err := os.ReadFile("burgers.toml")
	if err != nil {
		t.Fatal(err)
	}
	if c, err := config.Parse(text); err != nil || c != p.S.Config() || c.Features.Activation != "tanh" {
		t.Errorf("the file holds %+v, %v", c, err)
	}
	p.Press("s", "enter")
	p.See("exists already")
}

func TestFeaturesOfAnotherProblemCannotBeTaken(t *testing.T) {
	p := newPerson(t, shelltest.Tiny(t), "")
	p.Press("6")
	p.found(true)
	p.S.Edit(session.Draft{Config: shelltest.TinyDarcy(t), Base: shelltest.TinyDarcy(t)})
	p.Send(nil)
	take, _ := ui.Find(p.M.Commands(), keys.Take)
	if take.Why == "" {
		t.Error("they can")
	}
}

func TestFeaturesThatWereNotTakenAreTold(t *testing.T) {
	p := newPerson(t, shelltest.Tiny(t), "")
	if text := p.S.Epilogue(); text != "" {
		t.Errorf("epilogue %q", text)
	}
	p.Press("6")
	p.found(true)
	if text := p.S.Epilogue(); !strings.Contains(text, "0.0236 instead of 0.1626") {
		t.Errorf("epilogue %q", text)
	}
	for i := range p.v.seen.Leaders[0].Rescored {
		p.v.seen.Leaders[0].Rescored[i] = 4.21e-5
	}
	if text := p.S.Epilogue(); !strings.Contains(text, "4.21e-05 instead of 0.1626") {
		t.Errorf("epilogue %q with a small error", text)
	}
	p.Press("f")
	if text := p.S.Epilogue(); text != "" {
		t.Errorf("epilogue %q although they were taken", text)
	}
}

// searching starts a search and waits until it has evaluated a few models.
func (p *person) searching(models int) {
	p.T.Helper()
	p.Press("6")
	p.Begin("enter")
	for end := time.Now().Add(shelltest.Patience); len(p.v.evaluated()) < models; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			p.T.Fatal("the search evaluates nothing")
		}
	}
}

// Leaving in the middle of a search keeps it, reports so, and counts as an interruption; the next session and the
// command resume it.
func TestInterruptedSearchIsKept(t *testing.T) {
	t.Chdir(t.TempDir())
	c, err := config.PresetByName("quick")
	if err != nil {
		t.Fatal(err)
	}
	c = with(t, c, "data.train=40", "data.grid=257", "train.grid=33")
	p := newPerson(t, c, "runs")
	p.searching(3)
	if err := p.M.Close(); err != nil { // as after a signal
		t.Fatal(err)
	}
	done := len(p.v.search.Evaluations())
	if !p.S.Interrupted() || !strings.Contains(p.S.Epilogue(), "the search is in burgers-tuned.toml.search") {
		t.Errorf("interrupted %t, epilogue %q", p.S.Interrupted(), p.S.Epilogue())
	}
	kept := tune.Session{Asked: c, Complete: c}
	if models, err := kept.KeepBeside("burgers-tuned.toml"); err != nil || models != done {
		t.Errorf("%d evaluations of %d are stored, %v", models, done, err)
	}

	q := newPerson(t, c, "runs")
	q.Press("6")
	q.searching(done + 1)
	for i, e := range p.v.search.Evaluations() {
		if got := q.v.evaluated()[i]; got.Error != e.Error || got.Stage != e.Stage {
			t.Fatalf("evaluation %d is another one", i)
		}
	}
	q.Press("esc", "f")
	if _, err := os.Stat("burgers-tuned.toml.search"); !os.IsNotExist(err) {
		t.Errorf("the search is left although its features were taken: %v", err)
	}
}

// A running search is stored again and again: a killed process loses little.
func TestRunningSearchIsStored(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	t.Chdir(t.TempDir())
	p := newPerson(t, shelltest.Tiny(t), "runs")
	p.searching(1)
	for end := time.Now().Add(shelltest.Patience); ; time.Sleep(50 * time.Millisecond) {
		if _, err := os.Stat("burgers-tuned.toml.search"); err == nil {
			break
		}
		if time.Now().After(end) {
			t.Fatal("nothing is stored")
		}
	}
	p.Press("esc")
}

// A search is not written unless it is to be stored, and the directory of another search is left alone.
func TestSearchesLeaveEachOtherAlone(t *testing.T) {
	t.Chdir(t.TempDir())
	p := newPerson(t, shelltest.Tiny(t), "")
	p.searching(1)
	p.Press("esc")
	if list, _ := os.ReadDir("."); len(list) != 0 {
		t.Errorf("%v was written with nothing to be stored", list)
	}
	for _, c := range []config.Config{shelltest.Tiny(t), shelltest.Tiny(t, "seed=5")} {
		p := newPerson(t, c, "runs")
		p.searching(1)
		p.Press("esc")
	}
	for _, name := range []string{"burgers-tuned.toml.search", "burgers-tuned-2.toml.search"} {
		if _, err := os.Stat(name); err != nil {
			t.Error(err)
		}
	}
}
