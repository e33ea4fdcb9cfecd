// What the help page shows.

package screen

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"rfm/tui/keys"
)

func TestHelpExplainsEveryKeyAtEverySize(t *testing.T) {
	for _, size := range sizes([2]int{MinWidth, MinHeight}, [2]int{80, 24}, [2]int{120, 40}, [2]int{200, 60}) {
		p := newPerson(t, Options{Config: tiny(t)})
		p.resize(size[0], size[1])
		p.press("?")
		all := p.screen()
		for range keys.Table() {
			p.press("down")
			all += p.screen()
		}
		for _, b := range keys.Table() {
			begin := fmt.Sprintf("  %-9s ", b.Show)
			if _, text, found := strings.Cut(all, begin); !found || strings.TrimSpace(text[:4]) == "" {
				t.Errorf("%dx%d: no line begins with %q", size[0], size[1], begin)
			}
		}
	}
}

func TestHelpPagesAreFull(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t)})
	last := fmt.Sprintf("%d to %[2]d of %[2]d lines", len(keys.Table())-18, len(keys.Table())+1)
	p.press("?")
	p.see("1 to 20 of")
	p.press("end")
	p.see(last)
	p.press("down", "pgdown")
	p.see(last)
	p.press("pgup", "pgup", "pgup")
	p.see("1 to 20 of")
	p.m.Update(tea.MouseWheelMsg{Button: tea.MouseWheelDown})
	p.see("2 to 21 of")
}

func TestOtherKeysCloseTheHelp(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t)})
	p.press("?", "down")
	p.see("Keys of this screen")
	p.press("q")
	p.see("an input a")
	p.press("?")
	p.see("1 to 20 of") // from the beginning again
}
