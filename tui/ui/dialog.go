package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"rfm/tui/keys"
)

// A Dialog lies over a screen and takes all keys until it closes.
type Dialog interface {
	// Commands returns the dialog's keys, for the footer.
	Commands() []Command
	// Update handles a key, a paste, or the result of a command of the dialog; see For.
	Update(tea.Msg) tea.Cmd
	// View draws over the screen: all of it if the text is as high as the canvas, else a box in the middle. Empty text
	// draws nothing: the dialog is part of the screen.
	View(Canvas) string
}

// Dialogs are the open dialogs, the newest last. A dialog of a screen waits while another screen is active.
type Dialogs struct {
	// Press carries out the key of a screen, for dialogs that leave it to them; the shell sets it
	Press   func(keys.Key) tea.Cmd
	visible string // name of the active screen
	open    []opened
}

// opened is a dialog with the name of its screen; empty if it lies over all.
type opened struct {
	Dialog
	over string
}

// For is a message for a dialog, dropped if the dialog has been closed.
type For struct {
	To  Dialog
	Msg tea.Msg
}

// Switch records the active screen.
func (s *Dialogs) Switch(screen string) { s.visible = screen }

// Open opens a dialog over the active screen.
func (s *Dialogs) Open(d Dialog) { s.open = append(s.open, opened{d, s.visible}) }

// OpenOverAll opens a dialog that stays when another screen becomes active.
func (s *Dialogs) OpenOverAll(d Dialog) { s.open = append(s.open, opened{Dialog: d}) }

// Close closes a dialog.
func (s *Dialogs) Close(d Dialog) {
	s.open = slices.DeleteFunc(s.open, func(o opened) bool { return o.Dialog == d })
}

// Has reports whether a dialog is open.
func (s *Dialogs) Has(d Dialog) bool {
	return slices.ContainsFunc(s.open, func(o opened) bool { return o.Dialog == d })
}

// Top returns the dialog that takes the keys; nil if there is none.
func (s *Dialogs) Top() Dialog {
	for _, o := range slices.Backward(s.open) {
		if o.over == "" || o.over == s.visible {
			return o.Dialog
		}
	}
	return nil
}

// Deliver hands a message to its dialog if that is still open.
func (s *Dialogs) Deliver(msg For) tea.Cmd {
	if !s.Has(msg.To) {
		return nil
	}
	return msg.To.Update(msg.Msg)
}
