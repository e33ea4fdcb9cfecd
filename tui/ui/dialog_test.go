package ui

import (
	"testing"

	tea "charm.land/bubbletea/v2"
)

// heard is a dialog that counts messages.
type heard struct{ messages int }

func (h *heard) Commands() []Command { return nil }
func (h *heard) View(Canvas) string  { return "" }
func (h *heard) Update(tea.Msg) tea.Cmd {
	h.messages++
	return nil
}

// A message for a dialog reaches that dialog alone, and nobody once it is closed.
func TestMessageForAClosedDialogIsDropped(t *testing.T) {
	var d Dialogs
	below, above := &heard{}, &heard{}
	d.Open(below)
	d.Open(above)
	result := d.Then(below, func() tea.Cmd { return below.Update(nil) })
	result()
	if below.messages != 1 || above.messages != 0 {
		t.Errorf("%d and %d messages", below.messages, above.messages)
	}
	d.Close(below)
	result()
	if below.messages != 1 || d.Has(below) || d.Top() != above {
		t.Errorf("%d messages after closing", below.messages)
	}
}

// A dialog of a screen waits while another screen is active; one over all screens does not.
func TestDialogsBelongToScreens(t *testing.T) {
	var d Dialogs
	own, all := &heard{}, &heard{}
	d.Switch("one")
	d.Open(own)
	if d.Switch("two"); d.Top() != nil {
		t.Error("the dialog lies over another screen")
	}
	if d.OpenOverAll(all); d.Top() != all {
		t.Error("the dialog over all screens is not on top")
	}
	d.Close(all)
	if d.Switch("one"); d.Top() != own {
		t.Error("the dialog is gone")
	}
}
