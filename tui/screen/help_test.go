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

func TestHelpIsSearched(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t)})
	p.Press("?", "tab")
	p.Type("bochner")
	p.See(":bochner", "Bochner error")
	p.Press("tab")
	p.See("none has these words")
	p.Press("esc")
	p.See("an input a")
	p.Press("?")
	p.See("start the next step")
	p.Press("pgdown", "pgdown")
	p.See("everywhere space")
	p.Press("?")
	p.See("an input a")
}

// The selected setting is explained, and on other screens the visible row and column heads.
func TestTermsOnShowAreExplained(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t, "evaluation.baselines=yes"), Workers: 2})
	p.Visit("train.lambda")
	p.Press("?", "tab")
	p.See("solution of minimum norm")
	p.Press("esc")
	p.Visit("seed")
	p.Press("?", "tab")
	p.See(" seed", "random")
	p.Press("esc", "a")
	p.Resize(120, 60)
	p.Press("?", "tab")
	p.See("expected relative test error", "Bochner error", "full solve", "equal solve", "equivariant kernel",
		"kernel ridge")
}

// Every row and column of the tables of errors and of methods has an entry.
func TestHeadsOfTablesAreInTheGlossary(t *testing.T) {
	for _, c := range []Options{{Config: tiny(t), Workers: 2}, {Config: tinyDarcy(t), Workers: 2}} {
		p := newPerson(t, c)
		p.Press("a")
		e := p.S.Experiment().Evaluation()
		heads := []string{"relative L2 error", "one evaluation", "paper, one draw"}
		for _, r := range e.Rows() {
			heads = append(heads, r.Name)
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
