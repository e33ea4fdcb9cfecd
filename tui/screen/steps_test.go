// What is shown while the data are made and the model is trained, and after it.

package screen

import (
	"os"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"rfm/model/engine"
)

// running makes the interface believe that a step still runs.
func (p *person) running(which step) {
	m := p.m
	m.session.reached, m.session.job = which-1, &job{step: which, generation: m.generation}
}

func TestGeneratingShowsTheNewestPairsAndTheSpectrum(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t), Workers: 1})
	p.press("enter")
	p.running(generating)
	p.resize(120, 40)
	p.see("newest pair", "pair before", "spectrum of a", "mean |a_k|^2", "64 of 64 pairs", "|a|", "spread", "of expected")
}

func TestSpectrumStaysForTheTrainingPairs(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t), Workers: 1})
	p.press("a", "2")
	p.see("training pair 1 of 40", "spectrum of a", "energy")
	p.press("left")
	p.see("training pair 40 of 40")
}

func TestGeneratingFieldsShowsTwoPairsWhereTheyFit(t *testing.T) {
	p := newPerson(t, Options{Config: tinyDarcy(t), Workers: 1})
	p.press("enter")
	p.running(generating)
	for _, test := range []struct{ width, height, before int }{{120, 40, 1}, {80, 24, 0}} {
		p.resize(test.width, test.height)
		p.screen()
		if got := p.m.views[generating].(*generate).before(&p.m.session); got != test.before {
			t.Errorf("%dx%d: %d pairs before the newest, want %d", test.width, test.height, got, test.before)
		}
	}
}

func TestValidationErrorIsDrawnWhileTraining(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t), Workers: 1})
	p.press("enter", "enter")
	p.running(training)
	p.m.session.seen[training].Validation = []engine.Validation{{Samples: 8, Error: 0.5}, {Samples: 16, Error: 0.25}}
	p.see("validation error, 0.25 at n=16")
	p.m.session.job, p.m.session.reached = nil, training
	p.press("v")
	p.see("validation error, 0.25 at n=16")
	p.resize(120, 40)
	p.see("eigenvalues of G", "|alpha_j|", "validation error")
}

func TestReducedMotionLooksTwiceASecond(t *testing.T) {
	for calm, want := range map[bool]time.Duration{false: 100 * time.Millisecond, true: 500 * time.Millisecond} {
		if got := New(Options{Config: tiny(t), Calm: calm}).session.pollEvery(); got != want {
			t.Errorf("calm %t: %v, want %v", calm, got, want)
		}
	}
}

// Coming back to a screen finds it as it was.
func TestScreensKeepTheirStateWhenTheyAreLeft(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t), Workers: 1})
	p.visit("input.tau")
	p.press("v", "a", "2", "right", "right", "1")
	p.see("a feature parameter theta", "2 of 4")
	if e := p.m.configure.selected(&p.m.session); e.key == nil || e.key.Name != "input.tau" {
		t.Errorf("at %+v", e)
	}
	p.press("tab")
	p.see("training pair 3 of 40")
}

// A paste goes where something is typed, and nowhere else.
func TestPasteIsText(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("pairs.npy", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	p := newPerson(t, Options{Config: tiny(t), Workers: 1})
	p.m.Update(tea.PasteMsg{Content: "qqq"})
	p.visit("data.train_file")
	p.press("enter")
	p.m.Update(tea.PasteMsg{Content: "pairs.npy"})
	p.press("enter")
	if got := p.m.session.config.Data.TrainFile; got != "pairs.npy" {
		t.Errorf("file %q", got)
	}
}
