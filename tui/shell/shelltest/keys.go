package shelltest

import (
	"strings"

	tea "charm.land/bubbletea/v2"
)

// special maps the names of keys that are not characters.
var special = map[string]rune{
	"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "space": tea.KeySpace, "backspace": tea.KeyBackspace,
	"home": tea.KeyHome, "end": tea.KeyEnd, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown,
	"up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight,
}

// Key returns a key press by its name: a character or one of special, possibly after ctrl+ or shift+.
func Key(name string) tea.KeyPressMsg {
	var k tea.KeyPressMsg
	rest, ctrl := strings.CutPrefix(name, "ctrl+")
	rest, shift := strings.CutPrefix(rest, "shift+")
	if ctrl {
		k.Mod = tea.ModCtrl
	}
	if shift {
		k.Mod = tea.ModShift
	}
	characters := []rune(rest)
	switch code, ok := special[rest]; {
	case ok:
		k.Code = code
	case len(characters) == 1:
		k.Code = characters[0]
		if k.Mod == 0 {
			k.Text = rest
		}
	default:
		panic("shelltest: no key is called " + name)
	}
	return k
}
