// What the screens do with fields on the unit square.

package screen

import (
	"fmt"
	"math"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"rfm/config"
	"rfm/model/engine"
	"rfm/tui/plot"
)

func (p *person) resize(width, height int) {
	p.m.Update(tea.WindowSizeMsg{Width: width, Height: height})
}

func TestFieldsOfASampleAreBrowsedByView(t *testing.T) {
	p := newPerson(t, Options{Config: tinyDarcy(t), Workers: 2})
	p.press("a")
	for _, test := range []struct {
		width, height int
		pages         [][]string
	}{
		{80, 24, [][]string{{"permeability a", "truth u"}, {"truth u", "prediction F(a)"}, {"prediction F(a)", "error u - F(a)"}, {"truth u", "cut at x2"}}},
		{120, 40, [][]string{{"permeability a", "truth u", "prediction F(a)", "error u - F(a)", "expected relative", "cut at x2"}, {"cut at x2"}}},
		{60, 15, [][]string{{"permeability a", "expected relative"}, {"truth u"}, {"prediction F(a)"}, {"error u - F(a)"}, {"cut at x2"}}},
	} {
		p.resize(test.width, test.height)
		for i, page := range test.pages {
			p.see(fmt.Sprintf("view %d of %d", i+1, len(test.pages)))
			p.see(page...)
			p.press("v")
		}
	}
}

func TestCutMovesBetweenTheEdges(t *testing.T) {
	p := newPerson(t, Options{Config: tinyDarcy(t), Workers: 2})
	p.press("a", "up") // brings the cut
	p.see("cut at x2 = 0.5")
	p.press("up")
	p.see("cut at x2 = 0.562")
	p.press("down", "down")
	p.see("cut at x2 = 0.438")
	for range 20 {
		p.press("down")
	}
	p.see("cut at x2 = 0 ")
	for range 20 {
		p.press("up")
	}
	p.see("cut at x2 = 1 ")
}

func TestBothFieldsOfAPairAreShown(t *testing.T) {
	p := newPerson(t, Options{Config: tinyDarcy(t), Workers: 2})
	p.press("enter")
	p.see("permeability a", "solution u", "training pair 1 of 6 on r=33", "-div(a grad u) = 1")
	p.resize(60, 15)
	p.press("right")
	p.see("permeability a", "solution u", "training pair 2 of 6")
}

func TestBetterRivalsAreMarked(t *testing.T) {
	p := newPerson(t, Options{Config: tinyDarcy(t), Workers: 2})
	p.press("a")
	p.resize(120, 40)
	v := p.m.session.experiment.Evaluation()
	v.Rivals = []engine.Rival{{Name: "model", Error: 0.04}, {Name: "worse", Error: 0.05}, {Name: "better", Error: 0.03}, {Name: "truth", Error: math.NaN()}}
	p.see("0.05000 ", "0.03000*", "* better than the trained model")
	v.Rivals = v.Rivals[:2]
	p.resize(121, 40)
	if strings.Contains(p.screen(), "*") {
		t.Errorf("something is marked:\n%s", p.screen())
	}
}

func TestAnotherProblemBringsItsKeysAndPreviews(t *testing.T) {
	p := newPerson(t, Options{Config: config.Presets()[0].Config, Workers: 2})
	p.press("v", "v", "v")
	p.see("a feature phi(a; theta)", "4 of 4; v: an input a")
	p.visit("problem")
	p.press("right")
	if s := p.m.session; s.config.Problem != config.Darcy || s.source != config.Darcy || s.config != s.base {
		t.Fatalf("problem %s of preset %s", s.config.Problem, s.source)
	}
	p.see("an input a", "1 of 3; v: a feature parameter theta", "a+", "high")
	if strings.Contains(p.screen(), "viscosity") {
		t.Error("a key of another problem is listed")
	}
}

func TestSSHIsSeenInTheEnvironment(t *testing.T) {
	for _, entry := range []string{"SSH_TTY=/dev/pts/1", "SSH_CONNECTION=10.0.0.1 5 10.0.0.2 22"} {
		m := New(Options{Config: tinyDarcy(t)})
		m.Update(tea.ColorProfileMsg{Profile: colorprofile.TrueColor})
		if m.session.Depth != plot.TrueColor {
			t.Fatal("a local terminal of 24 bits is not used")
		}
		m.Update(tea.EnvMsg{entry})
		if m.session.Depth != plot.Palette256 {
			t.Errorf("%s: depth %d", entry, m.session.Depth)
		}
	}
}
