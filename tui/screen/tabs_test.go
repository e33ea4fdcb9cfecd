// The tabs of the evaluation: which there are, what they show, and what they look like.

package screen

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"rfm/config"
	"rfm/model/engine"
	"rfm/model/study"
	"rfm/tui/theme"
)

// carryOut runs a command and those that follow from it, but for looks at the progress.
func (p *person) carryOut(cmd tea.Cmd) {
	p.t.Helper()
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case tea.BatchMsg:
		for _, c := range msg {
			p.carryOut(c)
		}
	case probingMsg:
	default:
		_, next := p.m.Update(msg)
		p.carryOut(next)
	}
}

// perform presses keys and carries out what they ask for besides jobs.
func (p *person) perform(names ...string) {
	p.t.Helper()
	for _, name := range names {
		_, cmd := p.m.Update(key(name))
		p.carryOut(cmd)
	}
}

// open goes to a tab of the evaluation.
func (p *person) open(name string) {
	p.t.Helper()
	for range p.m.evaluate.list {
		if p.m.evaluate.at.name == name {
			return
		}
		p.press("t")
	}
	p.t.Fatalf("there is no tab %q", name)
}

// tabStates adds the pictures of the tabs to the list.
func tabStates(t *testing.T, th theme.Options, add func(name string, c config.Config, press ...string), list map[string]*person) {
	t.Helper()
	at := func(name, tab string, c config.Config) *person {
		add(name, c, "a")
		list[name].open(tab)
		return list[name]
	}
	at("errors", "errors", tiny(t)).press("w")
	at("transfer", "transfer", tiny(t)).perform("enter")
	at("transfer-table", "transfer", tiny(t)).perform("right")
	list["transfer-table"].m.evaluate.transfer.second = true
	failed := at("transfer-failed", "transfer", tiny(t))
	failed.see("of 6 grids")
	failed.m.evaluate.transfer.failure = errors.New("K=65: the worker has stopped; start rfm again")
	at("coefficients", "coefficients", tiny(t))
	at("cost", "cost", tiny(t))
	at("lambda", "lambda", tiny(t, "train.choice=loo"))
	at("study-empty", "m-n", tiny(t))
	semigroup := at("study", "semigroup", tiny(t))
	semigroup.m.evaluate.library.shelf().keep(study.Result{Study: "burgers-semigroup", Figures: []study.Figure{{Title: "error of the composed model", XLabel: "T"},
		{Title: "sample 3 at T=0.5, error 0.0312", XLabel: "x", Curves: []study.Curve{{Name: "composed model", X: unitPoints(33), Y: sine(33, 1)}, {Name: "truth", X: unitPoints(33), Y: sine(33, 1.1)}}}}})
	semigroup.press("right")
	gained := at("gain", "samples", tiny(t))
	gained.m.session.config.Features.Count = 96
	gained.press("a")
	gained.open("gain")
	at("darcy-transfer", "transfer", tinyDarcy(t)).perform("enter")
	at("darcy-errors", "errors", tinyDarcy(t))
}

func sine(K int, amplitude float64) []float64 {
	y := unitPoints(K)
	for i, x := range y {
		y[i] = amplitude * math.Sin(2*math.Pi*x)
	}
	return y
}

func TestTabsOfAnExperiment(t *testing.T) {
	for problem, test := range map[string]struct {
		c    config.Config
		want []string
	}{
		"functions": {tiny(t), []string{"samples", "errors", "transfer", "resolution", "m-n", "semigroup", "coefficients", "lambda", "cost"}},
		"fields":    {tinyDarcy(t), []string{"samples", "errors", "transfer", "resolution", "m-n", "coefficients", "lambda", "cost"}},
	} {
		p := newPerson(t, Options{Config: test.c, Workers: 2})
		p.press("a")
		p.resize(120, 40)
		var got []string
		for range test.want {
			name := p.m.evaluate.at.name
			got = append(got, name)
			p.see("›" + name + "‹")
			p.press("t")
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: tabs %v, want %v", problem, got, test.want)
		}
		p.see("›samples‹")
		p.press("T")
		p.see("›cost‹")
	}
}

func TestTheCurrentTabIsAlwaysNamed(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t), Workers: 2})
	p.press("a")
	p.resize(MinWidth, MinHeight)
	for range p.m.evaluate.list {
		p.see("›" + p.m.evaluate.at.name + "‹")
		p.press("t")
	}
}

func TestClicksSelectTabsAndStudies(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t), Workers: 2, Mouse: true})
	p.press("a")
	for _, width := range []int{120, 80, MinWidth} {
		p.resize(width, 30)
		for _, name := range []string{"errors", "transfer", "samples"} {
			line := strings.Split(p.screen(), "\n")[p.m.headerLines()]
			at := ansi.StringWidth(line[:strings.Index(line, name)])
			p.m.Update(tea.MouseClickMsg{X: at, Y: p.m.headerLines(), Button: tea.MouseLeft})
			p.see("›" + name + "‹")
		}
	}
	p.press("5")
	p.m.Update(tea.MouseClickMsg{X: 4, Y: p.m.headerLines() + 3, Button: tea.MouseLeft})
	if got := p.m.studies.selected().Name; got != p.m.studies.list[3].Name {
		t.Errorf("study %s is selected", got)
	}
}

func TestStudiesAreTabs(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t), Workers: 2})
	p.press("a")
	p.open("semigroup")
	p.see("composing the model", "Enter computes it", "enter compute")
	p.m.evaluate.library.shelf().keep(study.Result{Study: "burgers-semigroup", Notes: []string{"done"}, Figures: []study.Figure{{Title: "first"}, {Title: "second"}}})
	p.see("page 1 of 3")
	p.press("right")
	p.see("page 2 of 3")
	p.press("left", "left")
	p.see("page 3 of 3", "done")
	p.press("5")
	p.see("burgers-semigroup") // the same result
	p.press("4")
	p.open("transfer")
	p.press("x")
	p.see("training on one grid")
	p.press("x")
	p.see("K=33")
}

func TestStoredStudiesAreThereFromTheStart(t *testing.T) {
	t.Chdir(t.TempDir())
	o := Options{Config: tiny(t), Workers: 2, Runs: "runs"}
	p := newPerson(t, o)
	p.press("5", "down", "down", "enter") // a feature costs nothing
	p.see("Figure 3.1", "page 1 of")
	p = newPerson(t, o)
	p.carryOut(p.m.evaluate.library.load(&p.m.session))
	p.press("5", "down", "down")
	p.see("Figure 3.1", "page 1 of")
}

func TestGainComparesWithEarlierModels(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t), Workers: 2})
	p.press("a")
	p.see("›samples‹")
	before := p.m.session.experiment.Evaluation().Test
	p.m.session.config.Features.Count = 96
	p.press("a")
	after := p.m.session.experiment.Evaluation().Test
	p.open("gain")
	i := after.Ranking()[len(after.Relative)/2-1]
	p.see("beside m=48", "better on", fmt.Sprintf("%.3g times", before.Relative[i]/after.Relative[i]))
	p.m.session.config.Seed++ // other test inputs
	p.press("a")
	p.see("›samples‹")
	if others := p.m.evaluate.gain.others; len(others) != 0 {
		t.Errorf("compared with %v, which saw other test inputs", others[0].name)
	}
}

func TestEvaluationsMeasureTheFullSolve(t *testing.T) {
	for _, c := range []config.Config{tiny(t), tinyDarcy(t)} {
		p := newPerson(t, Options{Config: c, Workers: 2})
		p.press("a")
		p.open("cost")
		if _, known := (&cost{selection: &p.m.evaluate.selection}).solver(); !known {
			t.Errorf("%s: no %q among %v", c.Problem, fullSolve, p.m.evaluate.selection.of.Rivals)
		}
	}
}

func TestCostSaysWhenTheModelPays(t *testing.T) {
	p := newPerson(t, Options{Config: tinyDarcy(t), Workers: 2})
	p.press("a")
	v := p.m.session.experiment.Evaluation()
	v.Rivals = rivals()
	p.open("cost")
	p.see("15.5 times as fast as the full solve", "has paid for them after", "0.03150*", "* better than the trained model")
	v.Rivals = []engine.Rival{{Name: "model", Error: 0.04, Seconds: 1e-3}, {Name: "full solve", Error: math.NaN(), Seconds: 5e-4}}
	p.resize(100, 30)
	p.see("full solve is 2.0 times as fast as the model")
	if strings.Contains(p.screen(), "better than") {
		t.Error("something is marked as better")
	}
}

func TestChosenLambdaShowsItsPath(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t, "train.choice=loo"), Workers: 2})
	p.press("a")
	p.open("lambda")
	loo := p.m.session.experiment.LambdaPath()
	p.see("error on functions left out", fmt.Sprintf("%.5f", loo.Error[loo.Best]), fmt.Sprintf("values tried%24d", len(loo.Lambda)))
	p.press("x")
	p.see("Enter computes it")
}

func TestCoefficientsThatHoldTheNorm(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t), Workers: 2})
	p.press("a")
	s := &p.m.session
	c := &coefficients{}
	sizes := c.sizes(s)
	if !slices.IsSortedFunc(sizes, func(a, b float64) int { return -int(math.Copysign(1, a-b)) }) || len(sizes) != 48 {
		t.Errorf("sizes %v", sizes)
	}
	p.open("coefficients")
	p.see("hold 90% of |alpha|^2", "|alpha_j| in descending order")
}
