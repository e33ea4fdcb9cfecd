package widget

import (
	"testing"

	tea "charm.land/bubbletea/v2"
)

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
