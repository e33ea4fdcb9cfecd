package widget

import (
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"rfm/tui/keys"
)

// NewInput returns a line of text to edit, with the cursor at its end.
func NewInput(text string) textinput.Model {
	input := textinput.New()
	input.Prompt = ""
	input.SetVirtualCursor(true)
	input.SetValue(text)
	input.CursorEnd()
	input.Focus()
	return input
}

// Type inserts a key or a paste into a text. It returns Enter and Cancel, which end editing, else None.
func Type(input *textinput.Model, msg tea.Msg) keys.Key {
	if press, ok := msg.(tea.KeyPressMsg); ok {
		if key := keys.Lookup(press.String()); key == keys.Enter || key == keys.Cancel {
			return key
		}
	}
	*input, _ = input.Update(msg)
	return keys.None
}

// SetWidth gives an input its width; longer text scrolls.
func SetWidth(input *textinput.Model, width int) {
	if input.Width() != width {
		input.SetWidth(width)
		input.SetCursor(input.Position())
	}
}
