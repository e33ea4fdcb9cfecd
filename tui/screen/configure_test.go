// What can be done on the configuration screen.

package screen

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rfm/config"
)

func TestGroupsFoldAndSayWhatIsInThem(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t), Workers: 2})
	p.press("z")
	p.see("data", "n=40 n'=24 K=257")
	if strings.Contains(p.screen(), "train_file") {
		t.Error("a folded parameter is shown")
	}
	p.press("down", "down", "right") // opens data
	p.see("train_file")
	p.press("enter")
	if strings.Contains(p.screen(), "train_file") {
		t.Error("the group is open")
	}
	p.press("z")
	p.see("train_file", "viscosity")
}

func TestEveryParameterOfEveryProblemIsListed(t *testing.T) {
	problems := config.Problems()
	if testing.Short() {
		problems = problems[:2]
	}
	for _, problem := range problems {
		c, err := config.PresetByName(problem)
		if err != nil {
			t.Fatal(err)
		}
		p := newPerson(t, Options{Config: c, Workers: 2})
		p.resize(60, 15)
		for _, k := range c.Keys() {
			p.visit(k.Name)
			p.see(k.Short()[:min(len(k.Short()), 8)])
		}
	}
}

func TestUndoTakesBackOneChangeAtATime(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t), Workers: 2})
	c := &p.m.session.config
	p.press("right") // another preset
	p.visit("data.train")
	p.press("enter", "9", "9", "enter", "right")
	for _, want := range []int{99, config.Presets()[0].Config.Data.Train, 40} {
		p.press("u")
		if c.Data.Train != want {
			t.Fatalf("n = %d, want %d", c.Data.Train, want)
		}
	}
	if *c != tiny(t) || p.m.session.base != tiny(t) {
		t.Error("undoing everything does not lead back to the start")
	}
}

func TestResettingThePresetLineResetsEverything(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t), Workers: 2})
	p.visit("data.train")
	p.press("right", "down", "right", "home", "backspace")
	if p.m.session.config != tiny(t) {
		t.Errorf("%+v", p.m.session.config)
	}
}

func TestChangesAreListedBesideTheirOrigin(t *testing.T) {
	p := newPerson(t, Options{Config: config.Presets()[0].Config, Workers: 2})
	p.visit("data.train")
	p.press("enter", "7", "7", "enter", "d")
	p.see("changed from quick: 1 of", "data.train", "77", "256", "512")
	p.press("enter") // goes to it
	if e := p.m.configure.selected(&p.m.session); e.key == nil || e.key.Name != "data.train" {
		t.Errorf("at %+v", e)
	}
	p.press("d", "backspace")
	p.see("nothing any more")
	p.press("q") // back, not out
	p.see("an input a")
}

func TestPresetsArePicked(t *testing.T) {
	p := newPerson(t, Options{Config: config.Presets()[0].Config, Workers: 2})
	p.press("p")
	for _, preset := range config.Presets() {
		p.see(preset.Name)
	}
	p.press("down")
	p.see("would change data.train", "256 → 512")
	p.press("enter")
	if s := p.m.session; s.config != config.Presets()[1].Config || s.source != config.Presets()[1].Name {
		t.Errorf("preset %q", s.source)
	}
}

func TestPreviewFollowsWhatIsTyped(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t), Workers: 2})
	p.see("an input a")
	before := p.m.configure.previews.of
	p.visit("input.tau")
	p.press("enter", "3")
	p.screen()
	if got := p.m.configure.previews.of; got == before || got.Input.Tau != 3 {
		t.Errorf("the preview is of tau = %g", got.Input.Tau)
	}
	p.press("x") // 3x is no number: the last good preview would be of another value
	p.see("must be a number")
	p.press("esc")
	p.screen()
	if got := p.m.configure.previews.of; got != before {
		t.Error("the preview is not that of the configuration again")
	}
}

func TestConfigurationsAreSavedAndLoaded(t *testing.T) {
	name := filepath.Join(t.TempDir(), "own.toml")
	load := func(name string) (config.Config, error) {
		text, err := os.ReadFile(name)
		if err != nil {
			return config.Config{}, err
		}
		return config.Parse(text)
	}
	p := newPerson(t, Options{Config: tiny(t), Workers: 2, Load: load})
	p.visit("data.train")
	p.press("right", "s")
	p.m.configure.prompt.input.SetValue(name)
	p.press("enter")
	p.see("saved as")
	saved := p.m.session.config
	p.press("right", "s", "enter") // the name is still there
	p.see("exists already; enter overwrites it")
	p.press("esc", "o", "enter")
	p.see("loaded")
	if s := p.m.session; s.config != saved || s.base != saved || s.file != name {
		t.Errorf("loaded %+v from %s", s.config, s.file)
	}
}

func TestWrongFileNamesAreAnsweredInPlace(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t), Workers: 2, Load: config.PresetByName})
	p.press("o", "x", "y", "enter")
	p.see(`"xy" does not exist`)
	p.press("z") // typing goes on
	if got := p.m.configure.prompt.input.Value(); got != "xyz" {
		t.Errorf("the prompt has %q", got)
	}
	p.press("esc", "s")
	p.m.configure.prompt.input.SetValue(filepath.Join("missing", "own.toml"))
	p.press("enter")
	p.see("cannot be written")
}

func TestFileNamesAreCompleted(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"first.toml", "finer.toml", "figure.png"} {
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p := newPerson(t, Options{Config: tiny(t), Workers: 2, Load: config.PresetByName})
	p.press("o", "f", "tab")
	p.see("fi", "finer.toml  first.toml")
	p.press("r", "tab")
	if got := p.m.configure.prompt.input.Value(); got != "first.toml" {
		t.Errorf("completed to %q", got)
	}
}

func TestInvalidParametersAreMarked(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t), Workers: 2})
	p.visit("train.grid")
	p.press("enter", "1", "0", "0", "enter")
	p.see("train.grid (K) = 100 must be odd")
	if !wrongKeys(p.m.session.config)["train.grid"] {
		t.Error("the line is not marked")
	}
}
