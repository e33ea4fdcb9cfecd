package ui

import (
	"testing"

	tea "charm.land/bubbletea/v2"
)

// heard is a dialog that counts messages.
type heard struct {
	messages int
	text     string
}

func (h *heard) Commands() []Command { return nil }
func (h *heard) View(Canvas) string  { return h.text }
func (h *heard) Update(tea.Msg) tea.Cmd {
	h.messages++
	return nil
}

// A message for a dialog reaches that dialog alone, and nobody once it is closed. A dialog without text leaves the one
// below in view.
func TestMessageForAClosedDialogIsDropped(t *testing.T) {
	var d Dialogs
	below, above := &heard{text: "below"}, &heard{}
	d.Open(below)
	d.Open(above)
	result := d.Then(below, func() tea.Cmd { return below.Update(nil) })
	result()
	if below.messages != 1 || above.messages != 0 || d.View(Canvas{}) != "below" {
		t.Errorf("%d and %d messages, %q is drawn", below.messages, above.messages, d.View(Canvas{}))
	}
	d.Close(below)
	result()
	if below.messages != 1 || d.Has(below) || d.Top() != above || d.View(Canvas{}) != "" {
		t.Errorf("%d messages after closing", below.messages)
	}
}
