// Small defects: text cut, missing or wrong.

package screen

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"rfm/tui/shell"
)

// The message that the terminal is too small fits every such terminal.
func TestSizeMessageIsWhole(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t)})
	for w := 1; w <= shell.MinWidth; w += 3 {
		for h := 1; h <= shell.MinHeight; h++ {
			p.fits("configure", w, h)
		}
	}
	p.Resize(50, 12)
	if text := strings.Join(strings.Fields(p.Screen()),
		" "); text != "rfm needs a terminal of at least 60x15, this one has 50x12" {
		t.Errorf("the screen says %q", text)
	}
}

// Ctrl+c leaves despite open questions and typed text; ctrl+z suspends if a shell can resume the program.
func TestLeavingAndSuspendingComeFirst(t *testing.T) {
	for _, before := range [][]string{nil, {":"}, {"?"}, {"/"}, {"o"}, {"p"}} {
		p := newPerson(t, Options{Config: tiny(t), Workers: 2, Load: preset, Suspends: true})
		p.Press(before...)
		_, cmd := p.M.Update(keyPress("ctrl+z"))
		if _, ok := cmd().(tea.SuspendMsg); !ok {
			t.Errorf("after %v ctrl+z does not suspend", before)
		}
		if p.Press("ctrl+c"); !p.Left {
			t.Errorf("after %v ctrl+c does not leave", before)
		}
	}
	p := newPerson(t, Options{Config: tiny(t, "data.test=100000"), Workers: 2})
	p.Begin("enter")
	p.begins("q")
	p.See("q stop and leave")
	p.begins("ctrl+c")
	p.Until("leaving", func() bool { return p.Left })
	if !p.Left {
		t.Error("ctrl+c does not leave while a question is open")
	}
	alone := newPerson(t, Options{Config: tiny(t), Workers: 2})
	alone.Press("ctrl+z")
	alone.See("no shell waits")
}
