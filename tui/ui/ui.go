// Package ui is the contract between a screen and the shell around it.
package ui

import (
	tea "charm.land/bubbletea/v2"

	"rfm/model/show/report"
	"rfm/tui/keys"
	"rfm/tui/theme"
)

// A Screen is a page of the interface. The shell owns header, messages, footer, help, size and keyboard.
type Screen interface {
	// Name returns the screen's name in the header.
	Name() string
	// Commands returns the commands of the screen on a canvas, the most important first.
	Commands(Canvas) []Command
	// Update handles a message while the screen is active, after the session and the command of a key. It waits for
	// nothing and reads no file.
	Update(tea.Msg, Canvas) tea.Cmd
	// View draws at most Height lines of at most Width cells. It is pure: same state, same text; no file, no clock.
	View(Canvas) string
	// Exhibit returns the content as data: tables, curves, fields. The page's name names files.
	Exhibit(Canvas) report.Page
}

// A Hearer is a screen or an open dialog that handles messages other than keys, also while it is not shown: the results of
// its work in the background, and what a session asks for. Each says what it is about. It ignores messages of others, and
// those about something that is gone or has changed.
type Hearer interface{ Hear(tea.Msg) tea.Cmd }

// Ruled is a screen with something to say in the rule above it, as progress that takes no line of the screen.
type Ruled interface {
	Rule(theme.Theme) string
}

// Hinted is a screen with a hint for the line of messages, while there is no message.
type Hinted interface {
	Hint() string
}

// A Command is a key with its effect on a screen. Footer, help page and dispatch all use this one definition. It has no
// key.Binding of bubbles, which cannot be compared: dialogs and the shell carry out commands by their keys.
type Command struct {
	Key  keys.Key
	Word string         // for the footer: "train"
	Help string         // for the help page: "start the training"
	Why  string         // reason shown if it is not available; empty if it is
	Do   func() tea.Cmd // runs it, in Update
}

// When returns the command, with a reason if it is not possible.
func (c Command) When(possible bool, why string) Command {
	if !possible {
		c.Why = why
	}
	return c
}

// A Canvas is room to draw in: a size and a theme.
type Canvas struct {
	theme.Theme
	Width, Height int // cells, lines
}

// Messages from the shell to a screen.
type (
	Enter struct{} // the screen becomes active
	Leave struct{} // another screen becomes active
)

// Now returns a function that does all its work at once, without a command of Bubble Tea.
func Now(do func()) func() tea.Cmd {
	return func() tea.Cmd {
		do()
		return nil
	}
}

// Find returns the command of a key, and whether there is one.
func Find(list []Command, key keys.Key) (Command, bool) {
	for _, c := range list {
		if c.Key == key {
			return c, true
		}
	}
	return Command{}, false
}
