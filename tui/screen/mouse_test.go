// The mouse, which is off by default.

package screen

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"rfm/tui/shell"
)

func TestMouseIsTakenOnlyOnRequest(t *testing.T) {
	for _, wanted := range []bool{false, true} {
		p := newPerson(t, Options{Config: tiny(t), Mouse: wanted})
		if got := p.M.View().MouseMode != tea.MouseModeNone; got != wanted {
			t.Errorf("mouse %t, want %t", got, wanted)
		}
	}
}

func TestClicksSelectSteps(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t), Workers: 2, Mouse: true})
	p.Click("5 paper")
	p.See("Enter computes")
	p.Click("2 generate") // nothing to see there yet
	p.See("Enter computes")
	p.Click("1 configure")
	p.See("an input a")
	p.Press("enter")
	for _, width := range []int{68, 80, 120} {
		p.Resize(width, 24)
		p.Click("1 configure")
		if p.M.Visible() != "configure" {
			t.Errorf("screen %s at width %d", p.M.Visible(), width)
		}
		p.Click("2 generate")
		if p.M.Visible() != "generate" {
			t.Errorf("screen %s at width %d", p.M.Visible(), width)
		}
	}
}

func TestClicksSelectParametersAndEditThem(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t), Workers: 2, Mouse: true})
	p.Click("training grid")
	p.selected("train.grid")
	p.Click("training grid")
	p.See("enter keep") // the second click edits
	p.Press("esc", "p")
	p.Resize(120, 40)
	p.Click("darcy-quick")
	p.Click("darcy-quick")
	if p.S.Draft().Source != "darcy-quick" {
		t.Errorf("preset %s", p.S.Draft().Source)
	}
}

func TestWheelMovesTheLine(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t), Workers: 2, Mouse: true})
	p.M.Update(tea.MouseWheelMsg{Button: tea.MouseWheelDown})
	p.M.Update(tea.MouseWheelMsg{Button: tea.MouseWheelDown})
	p.M.Update(tea.MouseWheelMsg{Button: tea.MouseWheelUp})
	p.See("operator to learn") // the second line
}

// The places of the screens in the header match their names at every width.
func TestHeaderPlaces(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t), Mouse: true})
	p.Press("a")
	for width := shell.MinWidth; width <= 130; width += 7 {
		p.Resize(width, 24)
		for _, s := range p.M.Screens()[:6] {
			p.Press("1")
			line, _, _ := strings.Cut(p.Screen(), "\n")
			if strings.Contains(line, s.Name()) {
				if p.Click(s.Name()); p.M.Visible() != s.Name() {
					t.Errorf("width %d: %s is not at its place", width, s.Name())
				}
			}
		}
	}
}
