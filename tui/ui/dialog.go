package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"rfm/tui/keys"
)

// A Dialog lies over the screen and takes all keys until it closes.
type Dialog interface {
	// Commands returns the dialog's keys, for the footer; one without Do is left to Update.
	Commands() []Command
	// Update handles any other key, or a paste. Results of commands of the dialog come back by Dialogs.Then.
	Update(tea.Msg) tea.Cmd
	// View draws over the screen: all of it if the text is as high as the canvas, else a box in the middle. Empty text
	// draws nothing: the dialog is part of the screen or of the dialog below.
	View(Canvas) string
}

// Dialogs are the open dialogs, the newest last. While there is one, no other screen becomes active.
type Dialogs struct {
	// Press carries out the key of a screen, for dialogs that leave it to them; the shell sets it
	Press func(keys.Key) tea.Cmd
	open  []Dialog
}

// Open opens a dialog.
func (s *Dialogs) Open(d Dialog) { s.open = append(s.open, d) }

// Close closes a dialog.
func (s *Dialogs) Close(d Dialog) {
	s.open = slices.DeleteFunc(s.open, func(o Dialog) bool { return o == d })
}

// Has reports whether a dialog is open.
func (s *Dialogs) Has(d Dialog) bool { return slices.Contains(s.open, d) }

// Top returns the dialog that takes the keys; nil if there is none.
func (s *Dialogs) Top() Dialog {
	if len(s.open) == 0 {
		return nil
	}
	return s.open[len(s.open)-1]
}

// Do carries out the command of a key: of the newest dialog, or of the screen if none is open.
func (s *Dialogs) Do(key keys.Key) tea.Cmd {
	top := s.Top()
	if top == nil {
		return s.Press(key)
	}
	if c, _ := Find(top.Commands(), key); c.Do != nil && c.Why == "" {
		return c.Do()
	}
	return nil
}

// View draws the newest dialog that draws something.
func (s *Dialogs) View(c Canvas) (text string) {
	for _, d := range slices.Backward(s.open) {
		if text = d.View(c); text != "" {
			break
		}
	}
	return text
}

// Then returns the end of background work for a dialog. It does nothing if the dialog has been closed.
func (s *Dialogs) Then(d Dialog, do func() tea.Cmd) func() tea.Cmd {
	return func() tea.Cmd {
		if !s.Has(d) {
			return nil
		}
		return do()
	}
}
