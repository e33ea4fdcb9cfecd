// The interface's reactions to keys.

package screen

import (
	"context"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"rfm/tui/layout"
	"rfm/tui/session"
	"rfm/tui/tuitest"
	"rfm/tui/ui"
	"rfm/tui/words"
)

// Whoever looks elsewhere while all steps run stays there when the next one begins.
func TestNextStepLeavesOtherScreensAlone(t *testing.T) {
	p, other := newPerson(t, Options{Config: tuitest.Tiny(t), Workers: 1}), make(chan struct{})
	p.Before = func(_ context.Context, j session.Job) error {
		if j.Name == session.Generate.String() {
			<-other
		}
		return nil
	}
	p.Begin("ctrl+r")
	p.begins("4")
	close(other)
	p.Settle()
	if p.S.Shown() != "paper" || p.S.Runner.Reached() != session.Evaluate {
		t.Errorf("screen %s after %s", p.S.Shown(), p.S.Runner.Reached())
	}
}

// Ctrl+c leaves despite open questions and typed text; ctrl+z suspends if a shell can resume the program.
func TestLeavingAndSuspendingComeFirst(t *testing.T) {
	for _, before := range [][]string{nil, {":"}, {"?"}, {"/"}, {"o"}, {"p"}} {
		p := newPerson(t, Options{Config: tuitest.Tiny(t), Workers: 2, Load: preset, Suspends: true})
		p.Press(before...)
		_, cmd := p.M.Update(keyPress("ctrl+z"))
		if _, ok := cmd().(tea.SuspendMsg); !ok {
			t.Errorf("after %v ctrl+z does not suspend", before)
		}
		if p.Press("ctrl+c"); !p.Left {
			t.Errorf("after %v ctrl+c does not leave", before)
		}
	}
	p := newPerson(t, Options{Config: tuitest.Tiny(t, "data.test=100000"), Workers: 2})
	p.Begin("ctrl+r")
	p.begins("q")
	p.See("q stop and leave")
	p.begins("ctrl+c")
	p.Until("leaving", func() bool { return p.Left })
	if !p.Left {
		t.Error("ctrl+c does not leave while a question is open")
	}
	alone := newPerson(t, Options{Config: tuitest.Tiny(t), Workers: 2})
	alone.Press("ctrl+z")
	alone.See("no shell waits")
}

// Every key that does something now is in the list, at every size, and no other; the screens share a line.
func TestHelpListsEveryKeyAtEverySize(t *testing.T) {
	p := newPerson(t, Options{Config: tuitest.Tiny(t)})
	for _, size := range sizes([2]int{layout.MinWidth, layout.MinHeight}, [2]int{80, 24}, [2]int{200, 60}) {
		p.Resize(size[0], size[1])
		list := ui.Offers(p.M.Commands())
		p.Press("?")
		all := p.Screen()
		for range list {
			p.Press("down")
			all += p.Screen()
		}
		p.Press("esc")
		for _, c := range list {
			if c.Help == "" {
				continue
			}
			listed := slices.ContainsFunc(strings.Split(all, "\n"), func(line string) bool {
				const at = 12 // behind a mark and the name of the group
				chars := []rune(line)
				return len(chars) > at && strings.HasPrefix(string(chars[at:]), c.Key.All()+" ")
			})
			if c.Key >= "1" && c.Key <= "9" {
				listed = strings.Contains(all, string(c.Key)+" "+strings.TrimPrefix(c.Help, "show "))
				if c.Why != "" || c.Key == "6" { // it has another text
					continue
				}
			}
			if listed != (c.Why == "") {
				t.Errorf("%dx%d: %s is listed: %t; it is available: %t", size[0], size[1], c.Key.All(), listed, c.Why == "")
			}
		}
	}
}

// Every row and column of the tables of errors and of methods has an entry.
func TestHeadsOfTablesAreInTheGlossary(t *testing.T) {
	for _, c := range []Options{{Config: tuitest.Tiny(t), Workers: 2}, {Config: tinyDarcy(t), Workers: 2}} {
		p := newPerson(t, c)
		p.Press("ctrl+r")
		e := p.S.Runner.Experiment().Evaluation()
		heads := []string{"relative L2 error", "one evaluation", "paper, one draw"}
		for _, row := range p.S.Runner.Experiment().ErrorTable(e).Rows {
			heads = append(heads, row[0])
		}
		for _, r := range e.Rows {
			heads = append(heads, r.Name)
		}
		for _, head := range heads {
			if len(words.TermsOn("  "+head+"  0.1")) == 0 {
				t.Errorf("%s: %q has no entry", c.Config.Problem, head)
			}
		}
	}
}
