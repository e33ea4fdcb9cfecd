// What the help page shows.

package screen

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"rfm/tui/keys"
	"rfm/tui/shell"
)

func TestHelpExplainsEveryKeyAtEverySize(t *testing.T) {
	for _, size := range sizes([2]int{shell.MinWidth, shell.MinHeight}, [2]int{80, 24}, [2]int{120, 40}, [2]int{200, 60}) {
		p := newPerson(t, Options{Config: tiny(t)})
		p.Resize(size[0], size[1])
		p.Press("?")
		all := p.Screen()
		for range keys.Every() {
			p.Press("down")
			all += p.Screen()
		}
		for _, k := range keys.Every() {
			begin := fmt.Sprintf("  %-11s ", k.All())
			if _, text, found := strings.Cut(all, begin); !found || strings.TrimSpace(text[:4]) == "" {
				t.Errorf("%dx%d: no line begins with %q", size[0], size[1], begin)
			}
		}
	}
}

func TestHelpPagesAreFull(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t)})
	last := fmt.Sprintf("%d to %[2]d of %[2]d lines", len(keys.Every())-18, len(keys.Every())+1)
	p.Press("?")
	p.See("1 to 20 of")
	p.Press("end")
	p.See(last)
	p.Press("down", "pgdown")
	p.See(last)
	p.Press("pgup", "pgup", "pgup")
	p.See("1 to 20 of")
	p.Send(tea.MouseWheelMsg{Button: tea.MouseWheelDown})
	p.See("2 to 21 of")
}

func TestOtherKeysCloseTheHelp(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t)})
	p.Press("?", "down")
	p.See("Keys of this screen")
	p.Press("q")
	p.See("an input a")
	p.Press("?")
	p.See("1 to 20 of") // from the beginning again
}
