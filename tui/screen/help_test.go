// The help page.

package screen

import (
	"slices"
	"strings"
	"testing"

	"rfm/tui/glossary"
	"rfm/tui/keys"
	"rfm/tui/shell"
)

// everyKey returns the keys in the order of the help page.
func everyKey() (list []keys.Key) {
	for _, g := range keys.Groups() {
		list = append(list, slices.Concat(g.Lines...)...)
	}
	return list
}

func TestHelpExplainsEveryKeyAtEverySize(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t)})
	for _, size := range sizes([2]int{shell.MinWidth, shell.MinHeight}, [2]int{80, 24}, [2]int{200, 60}) {
		p.Resize(size[0], size[1])
		p.Press("?")
		all := p.Screen()
		for range 2 * len(everyKey()) / size[1] {
			p.Press("pgdown")
			all += p.Screen()
		}
		p.Press("esc")
		for _, g := range keys.Groups() {
			if !strings.Contains(all, "\n "+g.Title) {
				t.Errorf("%dx%d: no group %s", size[0], size[1], g.Title)
			}
			for _, line := range g.Lines {
				label := keys.Label(line)
				if _, text, found := strings.Cut(all, "\n  "+label+" "); !found || strings.TrimSpace(text[:20]) == "" {
					t.Errorf("%dx%d: no line begins with %q", size[0], size[1], label)
				}
			}
		}
	}
}

// The keys of a line are explained together, and no key twice.
func TestKeysAreInOneGroup(t *testing.T) {
	seen := map[keys.Key]bool{}
	for _, k := range everyKey() {
		if seen[k] || k.String() == "" {
			t.Errorf("the key %q is explained twice, or has no name", k)
		}
		seen[k] = true
	}
	for _, name := range []string{"up", "g", "m", "tab", "x", "6", "u", "e", "esc", "ctrl+c"} {
		if !seen[keys.Lookup(name)] {
			t.Errorf("%s is not explained", name)
		}
	}
}

func TestHelpIsSearched(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t)})
	p.Press("?")
	p.Type("bochner")
	p.See("/bochner", "Bochner error")
	p.Press("esc")
	p.See("Move")
	p.Press("/")
	p.Type("nosuchword")
	p.See("nothing has these words")
	p.Press("esc", "esc")
	p.See("an input a")
	p.Press("?", "down", "q")
	p.See("an input a")
	p.Press("?")
	p.See("1 to 20 of") // from the beginning again
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
