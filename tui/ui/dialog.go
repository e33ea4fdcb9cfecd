package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"rfm/tui/keys"
	"rfm/tui/later"
)

// A Dialog lies over a screen and takes all keys until it closes.
type Dialog interface {
	// Commands returns the dialog's keys, for the footer.
	Commands() []Command
	// Update handles a key or a paste. Results of commands of the dialog come back by Dialogs.Then.
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

// Then returns the end of background work for a dialog. It does nothing if the dialog has been closed.
func (s *Dialogs) Then(d Dialog, do func() tea.Cmd) later.Then {
	return func() tea.Cmd {
		if !s.Has(d) {
			return nil
		}
		return do()
	}
}
