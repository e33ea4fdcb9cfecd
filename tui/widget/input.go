package widget

import "charm.land/bubbles/v2/textinput"

// NewInput is a line of text that is typed, with the cursor behind it.
func NewInput(text string) textinput.Model {
	input := textinput.New()
	input.Prompt = ""
	input.SetVirtualCursor(true)
	input.SetValue(text)
	input.CursorEnd()
	input.Focus()
	return input
}
