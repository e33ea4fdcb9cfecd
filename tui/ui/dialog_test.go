package ui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

// heard is a dialog that counts messages.
type heard struct {
	messages int
	text     string
	hears    func() // nil for nothing
}

func (h *heard) Hear(tea.Msg) tea.Cmd {
	h.messages++
	if h.hears != nil {
		h.hears()
	}
	return nil
}

func (h *heard) Commands() []Command    { return nil }
func (h *heard) View(Canvas) string     { return h.text }
func (h *heard) Update(tea.Msg) tea.Cmd { return nil }

// drawn returns the dialogs on a small canvas over a screen of dots, without trailing blanks.
func drawn(d *Dialogs) string {
	text := d.View(Canvas{Width: 5, Height: 3}, func() string { return ".....\n.....\n....." })
	return strings.ReplaceAll(text, " ", "")
}

// Every open dialog is drawn, the newest on top; one without text, and one below another that takes all the room, is not.
func TestAllDialogsAreDrawn(t *testing.T) {
	for _, c := range []struct {
		dialogs []string
		want    string
	}{
		{nil, ".....\n.....\n....."},
		{[]string{"abc"}, ".....\n.abc.\n....."},
		{[]string{"abc", ""}, ".....\n.abc.\n....."},
		{[]string{"abc", "x"}, ".....\n.axc.\n....."},
		{[]string{"a\nb\nc", "x"}, "a\nbx\nc"},
		{[]string{"x", "a\nb\nc"}, "a\nb\nc"},
	} {
		var d Dialogs
		for _, text := range c.dialogs {
			d.Open(&heard{text: text})
		}
		if got := drawn(&d); got != c.want {
			t.Errorf("%q: %q, want %q", c.dialogs, got, c.want)
		}
	}
}

// A message reaches all open dialogs, also one that closes itself because of it. Once a dialog is closed, it receives
// nothing.
func TestMessageForAClosedDialogIsDropped(t *testing.T) {
	var d Dialogs
	below, above := &heard{}, &heard{}
	below.hears = func() { d.Close(below) }
	d.Open(below)
	d.Open(above)
	d.Hear("a result")
	if below.messages != 1 || above.messages != 1 {
		t.Errorf("%d and %d messages", below.messages, above.messages)
	}
	d.Hear("another one")
	if below.messages != 1 || above.messages != 2 || d.Has(below) || d.Top() != above {
		t.Errorf("%d and %d messages after closing", below.messages, above.messages)
	}
}
