package widget

import (
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
)

// NewInput returns a line of text to edit, with the cursor at its end. The cursor does not blink, which would cost bytes
// on a slow line, and ctrl+v does nothing: pasting is up to the terminal, because the clipboard of this machine need not
// be the one of the person in front of it.
func NewInput(text string) textinput.Model {
	input := textinput.New()
	input.Prompt = ""
	input.SetVirtualCursor(true)
	styles := input.Styles()
	styles.Cursor.Blink = false
	input.SetStyles(styles)
	input.KeyMap.Paste.SetEnabled(false)
	input.SetValue(text)
	input.CursorEnd()
	input.Focus() // its command would make the cursor blink
	return input
}

// Typing returns an input after a key or a paste. An input of NewInput has no commands to run: see there.
func Typing(input textinput.Model, msg tea.Msg) textinput.Model {
	input, _ = input.Update(msg)
	return input
}

// SetWidth gives an input its width; longer text scrolls.
func SetWidth(input *textinput.Model, width int) {
	if input.Width() != width {
		input.SetWidth(width)
		input.SetCursor(input.Position())
	}
}
