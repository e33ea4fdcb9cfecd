// The mouse, for those who ask for it.

package screen

import (
	"testing"

	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

// click clicks on the first place of the screen that shows a text.
func (p *person) click(text string) {
	p.t.Helper()
	for y, line := range strings.Split(p.screen(), "\n") {
		if before, _, found := strings.Cut(line, text); found {
			_, cmd := p.m.Update(tea.MouseClickMsg{X: ansi.StringWidth(before), Y: y, Button: tea.MouseLeft})
			p.settle(cmd)
			return
		}
	}
	p.t.Fatalf("%q is not on screen:\n%s", text, p.screen())
}

func TestMouseIsTakenOnlyOnRequest(t *testing.T) {
	for _, wanted := range []bool{false, true} {
		p := newPerson(t, Options{Config: tiny(t), Mouse: wanted})
		if got := p.m.View().MouseMode != tea.MouseModeNone; got != wanted {
			t.Errorf("mouse %t, want %t", got, wanted)
		}
	}
}

func TestClicksSelectSteps(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t), Workers: 2, Mouse: true})
	p.click("5 paper")
	p.see("Enter computes")
	p.click("2 generate") // nothing to see there yet
	p.see("Enter computes")
	p.click("1 configure")
	p.see("an input a")
	p.press("enter")
	for _, width := range []int{60, 80, 120} {
		p.resize(width, 24)
		p.click("1 configure")
		if p.m.visible != configuring {
			t.Errorf("screen %d at width %d", p.m.visible, width)
		}
		p.click("2 generate")
		if p.m.visible != generating {
			t.Errorf("screen %d at width %d", p.m.visible, width)
		}
	}
}

func TestClicksSelectParametersAndEditThem(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t), Workers: 2, Mouse: true})
	p.click("viscosity")
	if e := p.m.configure.selected(&p.m.session); e.key == nil || e.key.Name != "burgers.viscosity" {
		t.Fatalf("at %+v", e)
	}
	p.click("viscosity")
	if !p.m.typing() {
		t.Error("the second click does not edit")
	}
	p.press("esc", "p")
	p.click("darcy-quick")
	p.click("darcy-quick")
	if p.m.session.source != "darcy-quick" {
		t.Errorf("preset %s", p.m.session.source)
	}
}

func TestWheelMovesTheLine(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t), Workers: 2, Mouse: true})
	p.m.Update(tea.MouseWheelMsg{Button: tea.MouseWheelDown})
	p.m.Update(tea.MouseWheelMsg{Button: tea.MouseWheelDown})
	p.m.Update(tea.MouseWheelMsg{Button: tea.MouseWheelUp})
	if p.m.configure.line != 1 {
		t.Errorf("line %d", p.m.configure.line)
	}
}

// The places of the steps in the header are those of their names, whatever the width.
func TestHeaderPlaces(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t)})
	for width := MinWidth; width <= 130; width++ {
		p.resize(width, 24)
		line, _, _ := strings.Cut(p.screen(), "\n")
		for i, name := range stepNames {
			before, _, _ := strings.Cut(line, name)
			if at, ok := p.m.stepAt(lipgloss.Width(before)); !ok || at != step(i) {
				t.Errorf("width %d: %s is not at %d", width, name, lipgloss.Width(before))
			}
		}
	}
}
