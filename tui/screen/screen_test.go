package screen

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"rfm/config"
	"rfm/tui/theme"
)

var update = flag.Bool("update", false, "rewrite the golden screens in testdata")

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
		"home": tea.KeyHome, "end": tea.KeyEnd, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "backspace": tea.KeyBackspace}
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

// press presses keys and lets every job that they start finish.
func (p *person) press(names ...string) {
	p.t.Helper()
	for _, name := range names {
		p.m.Update(key(name))
		for p.m.session.job != nil {
			select {
			case <-p.m.session.job.done:
			case <-time.After(time.Minute):
				p.t.Fatal("the job does not end")
			}
			p.m.Update(p.m.session.job.result)
		}
	}
}

func (p *person) screen() string { return ansi.Strip(p.m.content()) }

func (p *person) see(want ...string) {
	p.t.Helper()
	for _, w := range want {
		for end := time.Now().Add(5 * time.Second); !strings.Contains(p.screen(), w); time.Sleep(time.Millisecond) {
			if time.Now().After(end) {
				p.t.Fatalf("the screen does not show %q:\n%s", w, p.screen())
			}
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
	p.press("down", "down", "down", "enter", "3", "2", "enter")
	if n := p.m.session.config.Data.Train; n != 32 {
		t.Fatalf("n = %d after typing 32", n)
	}
	p.press("enter", "0")
	p.see("(n) = 0 must be a whole")
	p.press("enter")
	p.see("(n) = 0 must be a whole") // a wrong value is not kept
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
	for range 6 {
		p.press("down")
	}
	p.press("enter", "q", "?", "1", "enter") // train_file
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
	p.press("down", "down", "down", "right")
	if c.Data.Train != 1024 {
		t.Errorf("n = %d", c.Data.Train)
	}
	p.press("up", "left", "left")
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

func TestStoringFailureKeepsTheResult(t *testing.T) {
	occupied := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(occupied, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	p := newPerson(t, Options{Config: tiny(t), Workers: 2, Runs: occupied})
	p.press("a")
	p.see("expected relative", "cannot be made")
}

func TestCancelKeepsWhatIsDone(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t, "data.test=100000"), Workers: 2})
	p.m.Update(key("enter"))
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

// states are all the pictures there are, by name. They share one finished experiment.
func states(t *testing.T, th theme.Options) map[string]*person {
	t.Helper()
	list := map[string]*person{}
	at := func(name string, press ...string) {
		p := newPerson(t, Options{Config: tiny(t), Workers: 2, Theme: th})
		p.press(press...)
		list[name] = p
	}
	at("configure")
	at("configure-filter", "v", "v", "end")
	at("configure-edit", "down", "down", "down", "enter", "7", "x")
	at("generate", "enter")
	at("train", "enter", "enter")
	at("evaluate", "a")
	at("evaluate-errors", "a", "v", "w")
	at("help", "?")
	wrong := newPerson(t, Options{Config: tiny(t, "train.grid=17", "data.grid=513"), Theme: th})
	wrong.m.session.config.Train.Grid = 100
	wrong.press("enter")
	list["invalid"] = wrong
	running := newPerson(t, Options{Config: tiny(t), Workers: 1, Theme: th}) // one worker, so that the newest pair is always the same
	running.press("enter")
	running.m.session.reached, running.m.session.job = configuring, &job{step: generating, generation: running.m.generation}
	list["generate-running"] = running
	asking := newPerson(t, Options{Config: tiny(t), Workers: 2, Theme: th})
	asking.press("enter")
	asking.m.session.job = &job{step: generating, generation: asking.m.generation}
	asking.m.Update(key("q"))
	list["asking"] = asking
	return list
}

func TestEveryStateFitsEverySize(t *testing.T) {
	for name, p := range states(t, theme.Options{}) {
		for w := 1; w <= 130; w += 3 {
			for h := 1; h <= 45; h += 2 {
				p.m.Update(tea.WindowSizeMsg{Width: w, Height: h})
				lines := strings.Split(p.m.content(), "\n")
				if len(lines) > h {
					t.Fatalf("%s at %dx%d has %d lines", name, w, h, len(lines))
				}
				for _, line := range lines {
					if ansi.StringWidth(line) > w {
						t.Fatalf("%s at %dx%d: line %q has width %d", name, w, h, ansi.Strip(line), ansi.StringWidth(line))
					}
				}
			}
		}
	}
}

func TestASCIIStatesAreASCII(t *testing.T) {
	for name, p := range states(t, theme.Options{ASCII: true}) {
		for _, r := range p.screen() {
			if r != '\n' && (r < 0x20 || r > 0x7e) {
				t.Errorf("%s shows %q:\n%s", name, r, p.screen())
				break
			}
		}
	}
}

// times and the machine differ from run to run.
var changing = regexp.MustCompile(`(about )?[0-9.]+ (ms|s|min \d+ s|MiB)\b|AVX2\+FMA|AVX-512|pure Go|[0-9.e+]+/s`)

func TestGoldenScreens(t *testing.T) {
	for mode, th := range map[string]theme.Options{"": {}, "-ascii": {ASCII: true, NoColor: true}} {
		for name, p := range states(t, th) {
			for _, size := range [][2]int{{80, 24}, {120, 40}, {60, 15}} {
				p.m.Update(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
				var lines []string
				for line := range strings.SplitSeq(p.screen(), "\n") {
					line = changing.ReplaceAllString(line, "#")
					lines = append(lines, strings.TrimRight(line, " "))
				}
				got := strings.Join(lines, "\n") + "\n"
				file := filepath.Join("testdata", fmt.Sprintf("%s-%dx%d%s.txt", name, size[0], size[1], mode))
				if *update {
					if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
						t.Fatal(err)
					}
					continue
				}
				want, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				if got != string(want) {
					t.Errorf("%s has changed; it is now\n%s", file, got)
				}
			}
		}
	}
}

func TestNeighboursOfValues(t *testing.T) {
	c := config.Presets()[1].Config
	for _, test := range []struct {
		key       string
		direction int
		want      string
	}{
		{"data.train", 1, "1024"}, {"data.train", -1, "256"},
		{"data.grid", 1, "2049"}, {"data.grid", -1, "513"},
		{"train.grid", 1, "257"}, {"train.grid", -1, "65"}, {"evaluation.grid", 1, "9"},
		{"train.lambda", 1, "1e-12"}, {"features.delta", 1, "0.005"}, {"features.delta", -1, "0.002"},
		{"burgers.time", 1, "2"}, {"features.activation", 1, "relu"}, {"features.activation", -1, "gelu"}, {"seed", 1, "2"},
	} {
		k, err := config.Lookup(test.key)
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := neighbour(k, c, test.direction); !ok || got != test.want {
			t.Errorf("%s %+d: %q, want %q", test.key, test.direction, got, test.want)
		}
	}
}

// Whatever the arrows do, the value stays one that the key allows.
func TestNeighboursAreAllowed(t *testing.T) {
	for _, k := range config.Keys() {
		for _, direction := range []int{-1, 1} {
			c := config.Presets()[1].Config
			for range 80 {
				text, ok := neighbour(k, c, direction)
				if !ok {
					break
				}
				if err := k.Set(&c, text); err != nil {
					t.Errorf("%s %+d: %v", k.Name, direction, err)
					break
				}
			}
		}
	}
}
