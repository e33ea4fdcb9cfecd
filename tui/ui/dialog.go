package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"rfm/tui/layout"
)

// A Dialog lies over the screen and takes all keys until it closes.
type Dialog interface {
	// Commands returns the dialog's keys; one without Do is for the footer alone, and left to Update.
	Commands() []Command
	// Update handles any other key, or a paste. A dialog that does work in the background is a Hearer.
	Update(tea.Msg) tea.Cmd
	// View draws over the screen: all of it if the text is as high as the canvas, else a box in the middle. Empty text
	// draws nothing: the dialog is part of the screen or of the dialog below.
	View(Canvas) string
}

// A Follower is a dialog that lists what is below it. Follow looks at that again: the shell calls it at the end of every
// Update, so that what is drawn and what a key acts on are the same lines.
type Follower interface{ Follow() }

// A Covering dialog draws over all of the screen, so that it may have the line that is kept free for messages.
type Covering interface{ Covers() }

// Dialogs are the open dialogs, the newest last. While there is one, no other screen becomes active.
type Dialogs struct {
	// Press carries out the key of a screen, for dialogs that leave it to them; the shell sets it
	Press func(Key) tea.Cmd
	open  []Dialog
}

// Open opens a dialog.
func (s *Dialogs) Open(d Dialog) {
	s.open = append(s.open, d)
}

// Close closes a dialog.
func (s *Dialogs) Close(d Dialog) {
	s.open = slices.DeleteFunc(s.open, func(o Dialog) bool { return o == d })
}

// Cover reports whether an open dialog covers the screen.
func (s *Dialogs) Cover() bool {
	return slices.ContainsFunc(s.open, func(d Dialog) bool {
		_, covers := d.(Covering)
		return covers
	})
}

// Has reports whether a dialog is open.
func (s *Dialogs) Has(d Dialog) bool {
	return slices.Contains(s.open, d)
}

// Top returns the dialog that takes the keys; nil if there is none.
func (s *Dialogs) Top() Dialog {
	if len(s.open) == 0 {
		return nil
	}
	return s.open[len(s.open)-1]
}

// Do carries out the command of a key: of the newest dialog, or of the screen if none is open. Dialogs call it for keys that
// they leave to what is below them.
func (s *Dialogs) Do(key Key) tea.Cmd {
	top := s.Top()
	if top == nil {
		return s.Press(key)
	}
	o, _ := Find(top.Commands(), key)
	if o.Do == nil || o.Why != "" {
		return nil
	}
	return o.Do()
}

// Follow lets the open dialogs that list what is below them look at it again; see Follower.
func (s *Dialogs) Follow() {
	for _, d := range s.open {
		if f, ok := d.(Follower); ok {
			f.Follow()
		}
	}
}

// View draws the open dialogs over a screen, the oldest first: a question over a list leaves the list in view.
func (s *Dialogs) View(c Canvas, screen func() string) string {
	whole := ""
	var boxes []string
	for _, d := range s.open {
		text := d.View(c)
		switch {
		case text == "":
		case lipgloss.Height(text) >= c.Height: // nothing of what is below it remains
			whole = text
			boxes = nil
		default:
			boxes = append(boxes, text)
		}
	}
	if whole == "" {
		whole = layout.Fit(screen(), c.Width, c.Height)
	}
	if len(boxes) == 0 {
		return whole
	}
	layers := []*lipgloss.Layer{lipgloss.NewLayer(whole)}
	for _, box := range boxes {
		x := (c.Width - lipgloss.Width(box)) / 2
		y := (c.Height - lipgloss.Height(box)) / 2
		layers = append(layers, lipgloss.NewLayer(box).X(x).Y(y))
	}
	return lipgloss.NewCompositor(layers...).Render()
}

// Hear gives a message to the open dialogs that handle messages: one that is about a closed dialog reaches nobody.
func (s *Dialogs) Hear(msg tea.Msg) tea.Cmd {
	var cmds []tea.Cmd
	for _, d := range slices.Clone(s.open) { // because a dialog may close itself
		if h, ok := d.(Hearer); ok {
			cmds = append(cmds, h.Hear(msg))
		}
	}
	return tea.Batch(cmds...)
}

// Prepared is the message that a dialog was prepared in the background, or why it could not be. The shell opens it unless
// another one was opened meanwhile.
type Prepared struct {
	Dialog Beginner
	Err    error
}

// A Beginner is a dialog that begins something when it is opened.
type Beginner interface {
	Dialog
	Begin() tea.Cmd
}

// A Pointed is a dialog that may be pointed at with the mouse. The terminal reports the mouse only while Mouse says so:
// otherwise it selects text with it.
type Pointed interface {
	Mouse() bool
	Point(Pointer, Canvas) tea.Cmd
}

// A Pointer is an event of the mouse, in cells of the canvas.
type Pointer struct {
	Kind  Press
	X, Y  int
	Picks bool // by the right button
}

// Press is what a button of the mouse does.
type Press int

// The kinds of presses.
const (
	Pressed Press = iota
	Dragged
	Released
)
