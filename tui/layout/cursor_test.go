package layout

import (
	"testing"

	"charm.land/lipgloss/v2"
)

// The place of a cursor is found in a text with styles and wide characters, also in a box over another text.
func TestCursorIsCarriedAlong(t *testing.T) {
	bold := lipgloss.NewStyle().Bold(true)
	field := "[" + bold.Render("漢a") + CursorMark + bold.Render("b") + "]"
	box := lipgloss.NewStyle().Border(lipgloss.RoundedBorder()).Render("name\n" + field)
	below := lipgloss.NewLayer("..........\n..........\n..........\n..........")
	over := lipgloss.NewCompositor(below, lipgloss.NewLayer(box).X(2)).Render()
	for text, want := range map[string]Place{
		field:                        {X: 4},
		"one\n" + field:              {X: 4, Y: 1},
		CursorMark + "old\n" + field: {X: 4, Y: 1},
		over:                         {X: 2 + 1 + 4, Y: 2},
	} {
		plain, at, found := TakeCursor(text)
		if !found || at != want {
			t.Errorf("%q: %t at %v, want %v", text, found, at, want)
		}
		if _, _, again := TakeCursor(plain); again {
			t.Errorf("%q: a mark remains", text)
		}
		if lipgloss.Width(plain) != lipgloss.Width(text) {
			t.Errorf("%q: the mark takes a cell", text)
		}
	}
	if plain, _, found := TakeCursor("no field"); found || plain != "no field" {
		t.Errorf("%q: %t", plain, found)
	}
}
