// Small defects: text cut, missing or wrong.

package screen

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"rfm/tui/shell"
)

// The reason why a key is refused is shown as long as it holds.
func TestRefusalsEndWithTheirReasons(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t), Workers: 2})
	p.Press("4")
	p.See("evaluate has nothing to show yet: ctrl+r on configure runs all steps")
	p.Hold = true
	p.Press("enter", "4")
	p.See("evaluate has nothing to show yet: generate is running")
	p.Hold = false
	p.Press("esc")
	p.Run(p.S.Begin(true))
	p.Settle()
	if strings.Contains(p.Screen(), "nothing to show yet") {
		t.Errorf("there is something:\n%s", p.Screen())
	}
}

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

// A filter leaves the lines with its words, in every list; esc shows all again.
func TestListsAreFiltered(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t)})
	p.Press("/")
	p.Type("tau len")
	p.See("/tau len", "tau'")
	if strings.Contains(p.Screen(), "training pairs") {
		t.Errorf("more is left:\n%s", p.Screen())
	}
	p.Press("down", "enter")
	p.selected("features.tau")
	p.Press("esc")
	p.See("theta_file")        // the group is open
	p.selected("features.tau") // still
	p.Press("/", "q", "q", "enter", "esc")
	if p.Left {
		t.Error("a letter of a filter is a command")
	}
	p.Press("p", "/")
	p.Type("tuned 128")
	if p.Press("enter"); !strings.Contains(p.Screen(), "no preset has these words") {
		t.Errorf("presets are found:\n%s", p.Screen())
	}
	p.Press("esc", "/")
	p.Type("darcy corrections")
	p.Press("enter")
	if got := p.S.Draft().Source; got != "darcy-tuned" {
		t.Errorf("preset %q is taken", got)
	}
	p.Press("5", "/")
	p.Type("darcy")
	if p.Press("enter"); strings.Contains(p.Screen(), "Burgers") {
		t.Errorf("studies of Burgers are left:\n%s", p.Screen())
	}
	p.Press("/", "%", "enter", "enter")
	p.See("no study has these words")
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

// Esc is harmless everywhere.
func TestEscapeNeverScolds(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t)})
	for _, screen := range []string{"1", "5", "6"} {
		if p.Press(screen, "esc"); strings.Contains(p.Screen(), "nothing is running") {
			t.Errorf("esc scolds on screen %s:\n%s", screen, p.Screen())
		}
	}
}
