// The help page.

package screen

import (
	"strings"
	"testing"

	"rfm/tui/glossary"
	"rfm/tui/shell"
)

// Every key that does something now is in the list, at every size.
func TestHelpListsEveryKeyAtEverySize(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t)})
	for _, size := range sizes([2]int{shell.MinWidth, shell.MinHeight}, [2]int{80, 24}, [2]int{200, 60}) {
		p.Resize(size[0], size[1])
		list := p.M.Commands()
		p.Press("?")
		all := p.Screen()
		for range list {
			p.Press("down")
			all += p.Screen()
		}
		p.Press("esc")
		for _, c := range list {
			if c.Why == "" && !strings.Contains(all, c.Key.All()+" ") {
				t.Errorf("%dx%d: %s is not listed", size[0], size[1], c.Key.All())
			}
		}
	}
}

// Words find commands and all terms; names that match come before texts, and available commands before others. Enter
// does a command, and so does its key.
func TestHelpIsSearchedAndObeyed(t *testing.T) {
	t.Chdir(t.TempDir())
	p := newPerson(t, Options{Config: tiny(t), Workers: 2, Runs: "runs"})
	p.Press(":")
	p.Type("bochner")
	p.See("/bochner", "Bochner error", "The root of the sum")
	p.Press("esc", "/")
	p.Type("no such thing")
	p.See("none has these words")
	p.Press("enter", "enter", "esc", "esc")
	p.See("an input a")
	p.Press("?")
	p.See("start the next step", "not now: there is no chang")
	p.Press("pgdown", "pgdown")
	p.See("stop the running step; finished work is kept (not now")
	p.Press("?")
	p.See("an input a")
	p.Press(":")
	p.Type("runs")
	p.Press("enter") // q, whose help mentions running steps, would leave
	p.See("no run is stored yet")
	p.Press("?", "ctrl+r", ":")
	p.Type("runs")
	p.Press("enter")
	if p.S.Shown() != "runs" {
		t.Errorf("screen %s", p.S.Shown())
	}
}

// The selected setting is explained, and on other screens the visible row and column heads.
func TestTermsOnShowAreExplained(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t, "evaluation.baselines=yes"), Workers: 2})
	explained := func(want ...string) {
		t.Helper()
		p.Press("?", "end")
		p.See(want...)
		p.Press("esc")
	}
	p.Visit("train.lambda")
	explained("solution of minimum norm")
	p.Visit("seed")
	explained("seed", "root of every random stream")
	p.Press("ctrl+r")
	p.Resize(120, 60)
	explained("expected relative test error", "Bochner error", "full solve", "equal solve", "equivariant kernel",
		"kernel ridge")
}

// Every row and column of the tables of errors and of methods has an entry.
func TestHeadsOfTablesAreInTheGlossary(t *testing.T) {
	for _, c := range []Options{{Config: tiny(t), Workers: 2}, {Config: tinyDarcy(t), Workers: 2}} {
		p := newPerson(t, c)
		p.Press("ctrl+r")
		e := p.S.Experiment().Evaluation()
		heads := []string{"relative L2 error", "one evaluation", "paper, one draw"}
		for _, row := range p.S.Experiment().ErrorTable(e).Rows {
			heads = append(heads, row[0])
		}
		for _, r := range e.Rivals {
			heads = append(heads, r.Name)
		}
		for _, head := range heads {
			if len(glossary.On("  "+head+"  0.1")) == 0 {
				t.Errorf("%s: %q has no entry", c.Config.Problem, head)
			}
		}
	}
}
