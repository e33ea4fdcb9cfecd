// Package ui is the contract between screens and the shell around them: what a screen is, its commands and their keys, and the
// dialogs that lie over it, with those that several screens open: a question, a line of text.
package ui

import (
	tea "charm.land/bubbletea/v2"

	"rfm/model/show/report"
	"rfm/tui/theme"
)

// A Screen is a page of the interface. The shell owns header, messages, footer, help, size and keyboard.
type Screen interface {
	// Name returns the screen's name in the header.
	Name() string
	// Commands returns the commands of the screen, the most important first; the first one of a key counts.
	Commands() []Command
	// Update handles a message while the screen is active, after the session and the command of a key. It waits for
	// nothing and reads no file.
	Update(tea.Msg) tea.Cmd
	// Arrange makes the page and lays it out on a canvas. The shell calls it at the end of each of its Updates, so that
	// Commands, View and Page of the next frame read one layout.
	Arrange(Canvas)
	// View draws the layout: at most as many lines and cells as the canvas has. It is pure: same state, same text; no file,
	// no clock.
	View() string
	// Page returns the content as data: tables, curves, fields. The page's name names files.
	Page() report.Page
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

// A Command is a key with its effect on a screen. Commands are made once, when their screen is; what depends on the state is
// asked by functions. Footer, help, palette and dispatch all use this one definition, and so does the page of keys. It has
// no key.Binding of bubbles, which cannot be compared: dialogs and the shell carry out commands by their keys.
type Command struct {
	Key  Key
	Word string                     // for the footer: "train"
	Help string                     // for the help page: "start the training"
	Text func() (word, help string) // in place of Word and Help, where they depend on the state; nil where they do not
	If   func() bool                // whether there is the command now; nil: always
	Why  func() string              // reason why it cannot act now, empty if it can; nil: it always can
	Do   func() tea.Cmd             // carries it out, in Update
}

// When returns the command with a reason why it cannot act unless something is possible.
func (c Command) When(possible func() bool, why string) Command {
	c.Why = func() string {
		if possible() {
			return ""
		}
		return why
	}
	return c
}

// Offer returns what the command offers now.
func (c Command) Offer() Offer {
	o := Offer{
		Key:  c.Key,
		Word: c.Word,
		Help: c.Help,
		Do:   c.Do,
	}
	if c.Text != nil {
		o.Word, o.Help = c.Text()
	}
	if c.Why != nil {
		o.Why = c.Why()
	}
	return o
}

// isThere reports whether there is the command now.
func (c Command) isThere() bool { return c.If == nil || c.If() }

// An Offer is what a command offers in the state of now.
type Offer struct {
	Key  Key
	Word string
	Help string
	Why  string // reason why it cannot act; empty if it can
	Do   func() tea.Cmd
}

// Offers returns what commands offer now, without those that are not there.
func Offers(list []Command) []Offer {
	var offers []Offer
	for _, c := range list {
		if c.isThere() {
			offers = append(offers, c.Offer())
		}
	}
	return offers
}

// Find returns what the first command of a key offers now, and whether there is one.
func Find(list []Command, key Key) (Offer, bool) {
	for _, c := range list {
		if c.Key == key && c.isThere() {
			return c.Offer(), true
		}
	}
	return Offer{}, false
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
