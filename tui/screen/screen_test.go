// How the interface behaves when keys are pressed.

package screen

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"rfm/config"
	"rfm/model/study"
)

// tiny is an experiment of a fraction of a second.
func tiny(t testing.TB, assignments ...string) config.Config {
	t.Helper()
	c, err := config.PresetByName("quick")
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range append([]string{"data.train=40", "data.test=24", "features.count=48", "data.grid=257", "train.grid=33", "tolerance=1e-6"}, assignments...) {
		if err := config.Assign(&c, a); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// tinyDarcy is the same with fields on the unit square.
func tinyDarcy(t testing.TB, assignments ...string) config.Config {
	t.Helper()
	c, err := config.PresetByName("darcy-quick")
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range append([]string{"data.train=6", "data.test=8", "features.count=8", "data.grid=33", "train.grid=17"}, assignments...) {
		if err := config.Assign(&c, a); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// patience is how long what must come is waited for: machines are slow, busy, or under the race detector.
const patience = 5 * time.Minute

// person drives a model as Bubble Tea would, one message after another, without a terminal.
type person struct {
	t *testing.T
	m *Model
}

func newPerson(t *testing.T, o Options) *person {
	p := &person{t, New(o)}
	p.m.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	return p
}

func key(name string) tea.KeyPressMsg {
	special := map[string]rune{"enter": tea.KeyEnter, "esc": tea.KeyEscape, "up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight, "tab": tea.KeyTab,
		"home": tea.KeyHome, "end": tea.KeyEnd, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "backspace": tea.KeyBackspace, " ": tea.KeySpace}
	switch code, ok := special[name]; {
	case ok:
		return tea.KeyPressMsg{Code: code}
	case name == "ctrl+c":
		return tea.KeyPressMsg{Code: 'c', Mod: tea.ModCtrl}
	case name == "shift+tab":
		return tea.KeyPressMsg{Code: tea.KeyTab, Mod: tea.ModShift}
	}
	return tea.KeyPressMsg{Code: []rune(name)[0], Text: name}
}

// press presses keys and lets everything that they start finish.
func (p *person) press(names ...string) {
	p.t.Helper()
	for _, name := range names {
		_, cmd := p.m.Update(key(name))
		p.settle(cmd)
	}
}

// begin presses a key that starts a job and returns once the job runs.
func (p *person) begin(name string) {
	p.t.Helper()
	_, cmd := p.m.Update(key(name))
	if p.m.session.preparing != "" {
		p.m.Update(cmd())
	}
	if p.m.session.job == nil {
		p.t.Fatalf("%s starts nothing:\n%s", name, p.screen())
	}
}

// settle waits for what a command finds out, prepares or computes. Of several commands at once none is run.
func (p *person) settle(cmd tea.Cmd) {
	p.t.Helper()
	for {
		s := &p.m.session
		switch {
		case s.job != nil:
			select {
			case <-s.job.done:
			case <-time.After(patience):
				p.t.Fatal("the job does not end")
			}
			_, cmd = p.m.Update(s.job.result)
		case cmd != nil:
			_, cmd = p.m.Update(cmd())
		default:
			return
		}
	}
}

// visit goes to a parameter on the configuration screen.
func (p *person) visit(name string) {
	p.t.Helper()
	p.m.configure.visit(&p.m.session, name)
	if e := p.m.configure.selected(&p.m.session); e.key == nil || e.key.Name != name {
		p.t.Fatalf("there is no parameter %s", name)
	}
}

func (p *person) screen() string { return ansi.Strip(p.m.content()) }

func (p *person) see(want ...string) {
	p.t.Helper()
	for _, w := range want {
		for end := time.Now().Add(patience); !strings.Contains(p.screen(), w); time.Sleep(time.Millisecond) {
			if time.Now().After(end) {
				p.t.Fatalf("the screen does not show %q:\n%s", w, p.screen())
			}
			p.m.Update(pollMsg{p.m.generation}) // as a job has it looked at
		}
	}
}

func TestEnterOnlyLeadsToAnEvaluatedModel(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t), Workers: 2, Runs: t.TempDir(), Name: "first"})
	p.see("an input a", "enter generate")
	p.press("enter")
	p.see("generate done", "training pair 1 of 40", "enter train")
	p.press("enter")
	p.see("train done", "of 48", "eigenvalues of G", "enter evaluate")
	p.press("enter")
	p.resize(120, 40)
	p.see("expected relative", "median of 24", "first")
	if text := p.m.Epilogue(); !strings.Contains(text, "expected relative test error 0.") || !strings.Contains(text, "first") {
		t.Errorf("epilogue %q", text)
	}
}

func TestAutoRunsAllSteps(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t), Workers: 2})
	p.press("a")
	p.see("expected relative")
}

func TestSamplesAreBrowsedByError(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t), Workers: 2})
	p.press("a", "b")
	errors := p.m.session.experiment.Evaluation().Test
	p.see("best of 24", fmt.Sprintf("error %.4f", errors.Ascending[0]))
	p.press("left")
	p.see("best of 24")
	p.press("right")
	p.see("2 of 24", fmt.Sprintf("error %.4f", errors.Ascending[1]))
	p.press("w")
	p.see("worst of 24", fmt.Sprintf("error %.4f", errors.Ascending[23]))
	p.press("m")
	p.see("median of 24")
}

func TestEditingAValue(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t), Workers: 2})
	p.visit("data.train")
	p.press("enter", "3", "2", "enter")
	if n := p.m.session.config.Data.Train; n != 32 {
		t.Fatalf("n = %d after typing 32", n)
	}
	p.press("enter", "0")
	p.see("must be a whole number")
	p.press("enter")
	p.see("must be a whole number") // a wrong value is not kept
	p.press("esc")
	if n := p.m.session.config.Data.Train; n != 32 {
		t.Errorf("n = %d after a cancelled edit", n)
	}
	p.press("backspace")
	if n := p.m.session.config.Data.Train; n != 40 {
		t.Errorf("n = %d after a reset, want the 40 of the start", n)
	}
}

func TestLettersAreTextWhileEditing(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t), Workers: 2})
	t.Chdir(t.TempDir())
	if err := os.WriteFile("q?1", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	p.visit("data.train_file")
	p.press("enter", "q", "?", "1", "enter")
	if got := p.m.session.config.Data.TrainFile; got != "q?1" {
		t.Errorf("file name %q", got)
	}
}

func TestArrowsChangeValues(t *testing.T) {
	p := newPerson(t, Options{Config: config.Presets()[0].Config, Workers: 2})
	p.press("right")
	if p.m.session.source != "burgers" {
		t.Fatalf("preset %q", p.m.session.source)
	}
	c := &p.m.session.config
	p.visit("data.train")
	p.press("right")
	if c.Data.Train != 1024 {
		t.Errorf("n = %d", c.Data.Train)
	}
	p.visit("seed")
	p.press("left", "left")
	if c.Seed != 0 {
		t.Errorf("seed %d", c.Seed)
	}
}

func TestWrongConfigurationIsNotStarted(t *testing.T) {
	c := tiny(t)
	c.Train.Grid = 100
	p := newPerson(t, Options{Config: c, Workers: 2})
	p.press("enter")
	p.see("train.grid (K) = 100", "1 configure")
	if p.m.session.experiment != nil {
		t.Error("an experiment was started")
	}
}

func TestFailureIsShownAndCanBeRepaired(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t, "viscosity=1e-6"), Workers: 2})
	p.press("a")
	p.see("Burgers solver", "generate is not complete")
	p.press("1")
	p.m.session.config.Burgers.Viscosity = 0.01
	p.press("a")
	p.see("expected relative")
	if strings.Contains(p.screen(), "Burgers solver") {
		t.Error("the old failure is still shown")
	}
}

func TestChangedConfigurationStartsAgainAndKeepsData(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t), Workers: 2})
	p.press("a")
	before, _ := p.m.session.experiment.Pairs()
	p.press("1")
	p.m.session.config.Features.Count = 24
	p.see("enter generate")
	p.press("enter")
	after, _ := p.m.session.experiment.Pairs()
	if &before.Inputs.Data[0] != &after.Inputs.Data[0] {
		t.Error("data were made again although only m has changed")
	}
	p.press("enter")
	p.see("of 24")
}

func TestCancelKeepsWhatIsDone(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t, "data.test=100000"), Workers: 2})
	p.begin("enter")
	p.see("100040 pairs")
	p.m.Update(key("q"))
	p.see("Press q again")
	p.m.Update(key("x"))
	if p.m.session.job == nil {
		t.Fatal("the job is gone")
	}
	p.press("esc")
	p.see("cancelled", "generate is not complete")
}

func TestMessagesOfOldJobsAreDropped(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t), Workers: 2})
	p.press("enter")
	p.m.Update(doneMsg{generation: p.m.generation - 1, err: errors.New("stale")})
	p.m.Update(pollMsg{generation: p.m.generation - 1})
	if p.m.session.failure != nil || p.m.session.reached != generating {
		t.Error("a stale message changed the session")
	}
}

func TestQuit(t *testing.T) {
	for _, name := range []string{"q", "ctrl+c"} {
		_, cmd := newPerson(t, Options{Config: tiny(t)}).m.Update(key(name))
		if cmd == nil {
			t.Fatalf("%s does nothing", name)
		}
		if _, ok := cmd().(tea.QuitMsg); !ok {
			t.Errorf("%s does not quit", name)
		}
	}
}

func TestPaperIsOpenBesideAnExperiment(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t), Workers: 2})
	p.press("5")
	p.see("Enter computes this study", "quick size")
	p.press("right")
	p.see("the paper's size")
	p.press("1", "a")
	p.see("expected relative")
	p.press("tab")
	p.see("Enter computes this study")
	p.press("tab", "tab")
	p.see("an input a")
}

// Results of studies are stored where the command finds them, and are found again.
func TestStudiesAreStored(t *testing.T) {
	t.Chdir(t.TempDir())
	for range 2 {
		p := newPerson(t, Options{Config: tiny(t), Workers: 2, Runs: "runs"})
		p.press("5", "down", "down", "enter") // a feature costs nothing
		p.see("Figure 3.1", "page 1 of")
	}
	if _, err := os.Stat(filepath.Join(study.DirectoryName(true), "burgers-feature.json")); err != nil {
		t.Error(err)
	}
}
