// Package ui is the contract between a screen and what surrounds it.
package ui

import (
	tea "charm.land/bubbletea/v2"

	"rfm/model/report"
	"rfm/tui/keys"
	"rfm/tui/look"
)

// A Screen is a page of the interface. The shell owns header, messages, footer, help, size and keyboard.
type Screen interface {
	// Name is what the header calls it.
	Name() string
	// Open reports whether it has something to show.
	Open() bool
	// Commands is what can be asked of it, most important first.
	Commands() []Command
	// Update takes a message: here, and only here, its state changes. It waits for nothing and reads no file.
	Update(tea.Msg) tea.Cmd
	// View draws at most Height lines of at most Width cells. It is pure: same state, same text; no file, no clock.
	View(Canvas) string
}

// A Command is a key with what it does here: footer, help page and dispatch are made of these; there is no second
// place.
type Command struct {
	Key  keys.Key
	Word string         // for the footer: "train"
	Help string         // for the help page: "start the training"
	Why  string         // if it cannot be done now: the reason, shown when it is pressed
	Do   func() tea.Cmd // carries it out, in Update
}

// When returns the command, with a reason why it cannot be done unless it can.
func (c Command) When(possible bool, why string) Command {
	if !possible {
		c.Why = why
	}
	return c
}

// A Canvas is room to draw in: a size and a look.
type Canvas struct {
	look.Look
	Width, Height int // cells, lines
}

// Messages that the shell has for screens.
type (
	Begin  struct{}           // the program has begun
	Enter  struct{}           // the screen comes on show
	Leave  struct{}           // another screen comes on show
	Follow struct{ Canvas }   // something has changed; this is the room for the body
	Click  struct{ X, Y int } // of the mouse, from the upper left corner of the body
)

// A Typist is a screen into which text can be typed. It gets key presses and what is pasted as messages then.
type Typist interface{ Typing() bool } // all keys are text, but for those of its commands

// A Cover is a screen over which something may lie that comes first: only its own commands count then, and quitting is
// its command for esc.
type Cover interface{ Covered() bool }

// A screen beside the way has no place in the header: a command leads to it, and it goes back to the one that it names.
type Aside interface{ Aside() string }

// A Form is a screen with settings, of which one may be selected: then Selected is its name.
type Form interface{ Selected() string }

// An Exhibitor is a screen whose content is there as data: tables, curves, fields. Study names the files.
type Exhibitor interface{ Exhibit() report.Page }

// A Leaver is a screen with something left to say, or to be gone on with, when the program has ended.
type Leaver interface {
	Epilogue() string
	Interrupted() bool
}

// Now returns a command without a command of Bubble Tea: all is done at once.
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
