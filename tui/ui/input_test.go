package ui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"rfm/tui/layout"
)

// A text that is typed fills its width, and its cursor is in view wherever it is.
func TestCursorOfATypedTextIsInView(t *testing.T) {
	for _, text := range []string{"", "short", "a text that is too long", "漢字漢字漢字漢字"} {
		for width := 1; width < 30; width++ {
			input := NewInput(text)
			for at := len([]rune(text)); at >= 0; at-- {
				input.SetCursor(at)
				plain, place, found := layout.TakeCursor(Typed(input, width))
				isWide := strings.HasPrefix(text, "漢") && width < 2
				if cells := ansi.StringWidth(plain); cells != width+1 && !isWide {
					t.Errorf("%q in %d: %d cells", text, width, cells)
				}
				if !found || place.X > width {
					t.Errorf("%q in %d, cursor %d: %t in cell %d", text, width, at, found, place.X)
				}
				under := string([]rune(text + " ")[at])
				if !strings.HasPrefix(ansi.Cut(plain, place.X, width+1), under) && !isWide {
					t.Errorf("%q in %d, cursor %d: it is not on %q in %q", text, width, at, under, plain)
				}
			}
		}
	}
}

// An input that is typed into never asks for a command: none would be run. Ctrl+v would read a clipboard.
func TestTypingNeedsNoCommand(t *testing.T) {
	input := NewInput("a text")
	for _, key := range []tea.Key{{Code: 'x', Text: "x"}, {Code: tea.KeyLeft}, {Code: tea.KeyBackspace}, {Code: tea.KeyEnd},
		{Code: 'v', Mod: tea.ModCtrl}, {Code: 'u', Mod: tea.ModCtrl}, {Code: tea.KeyTab}, {Code: tea.KeyUp}} {
		var cmd tea.Cmd
		if input, cmd = input.Update(tea.KeyPressMsg(key)); cmd != nil {
			t.Errorf("%s asks for %T", tea.KeyPressMsg(key), cmd())
		}
	}
	if input = Typing(input, tea.PasteMsg{Content: "51"}); input.Value() != "51" {
		t.Errorf("after ctrl+u and a paste it is %q", input.Value())
	}
}
