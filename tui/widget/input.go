package widget

import (
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"rfm/tui/keys"
)

// NewInput returns a line of text that is typed, with the cursor behind it.
func NewInput(text string) textinput.Model {
	input := textinput.New()
	input.Prompt = ""
	input.SetVirtualCursor(true)
	input.SetValue(text)
	input.CursorEnd()
	input.Focus()
	return input
}

// Type takes a key or a paste as part of a text; enter and esc, which are not, are returned.
func Type(input *textinput.Model, msg tea.Msg) keys.Key {
	if press, ok := msg.(tea.KeyPressMsg); ok {
		if key := keys.Lookup(press.String()); key == keys.Enter || key == keys.Cancel {
			return key
		}
	}
	*input, _ = input.Update(msg)
	return keys.None
}
