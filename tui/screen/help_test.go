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
