package shelltest

import (
	"strings"

	tea "charm.land/bubbletea/v2"
)

// special maps the names of keys that are not characters.
var special = map[string]rune{
	"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "space": tea.KeySpace, "f1": tea.KeyF1,
	"backspace": tea.KeyBackspace, "delete": tea.KeyDelete, "home": tea.KeyHome, "end": tea.KeyEnd,
	"up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight,
	"pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown,
}

// parseKey returns the key of a name: a character or one of special, possibly after ctrl+, alt+ or shift+.
func parseKey(name string) (tea.KeyPressMsg, bool) {
	var k tea.KeyPressMsg
	rest := name
	for {
		before, after, ok := strings.Cut(rest, "+")
		mod, known := map[string]tea.KeyMod{"ctrl": tea.ModCtrl, "alt": tea.ModAlt, "shift": tea.ModShift}[before]
		if !ok || !known || after == "" {
			break
		}
		k.Mod |= mod
		rest = after
	}
	if code, ok := special[rest]; ok {
		k.Code = code
		if code == tea.KeySpace && k.Mod == 0 {
			k.Text = " "
		}
		return k, true
	}
	characters := []rune(rest)
	if len(characters) != 1 {
		return k, false
	}
	k.Code = characters[0]
	if k.Mod == 0 {
		k.Text = rest
	}
	return k, true
}
