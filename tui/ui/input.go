package ui

import (
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"rfm/tui/layout"
)

// NewInput returns a line of text to edit, with the cursor at its end: that of the terminal, see Typed. Ctrl+v does nothing: pasting is up to the terminal,
// because the clipboard of this machine need not be the one of the person in front of it.
func NewInput(text string) textinput.Model {
	input := textinput.New()
	input.SetVirtualCursor(false)
	input.KeyMap.Paste.SetEnabled(false)
	input.SetValue(text)
	input.CursorEnd()
	input.Focus()
	return input
}

// Typing returns an input after a key or a paste. An input of NewInput has no commands to run: see there.
func Typing(input textinput.Model, msg tea.Msg) textinput.Model {
	input, _ = input.Update(msg)
	return input
}

// Typed returns the text of an input with the cursor, which may stand behind it, in width + 1 cells. Longer text scrolls so
// that the cursor is in view; shorter text is filled with blanks. A width of 0 is as wide as the text.
func Typed(input textinput.Model, width int) string {
	text := append([]rune(input.Value()), ' ') // at which the next character is typed
	cursor := input.Position()
	cells := lipgloss.Width(string(text))
	room := width + 1
	if width == 0 {
		room = cells
	}
	first := 0
	for lipgloss.Width(string(text[first:cursor+1])) > room {
		first++
	}
	last := len(text)
	for lipgloss.Width(string(text[first:last])) > room {
		last--
	}
	shown := string(text[first:cursor]) + layout.CursorMark + string(text[cursor:last])
	return shown + strings.Repeat(" ", room-lipgloss.Width(shown))
}
