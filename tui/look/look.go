// Package look decides how to draw on the terminal at hand.
package look

import (
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"rfm/tui/plot"
	"rfm/tui/theme"
)

// Terminal is what is known about where something is drawn.
type Terminal struct {
	Asked   theme.Options        // what the command line asks for
	Profile colorprofile.Profile // colorprofile.Unknown before the terminal has said it
	Light   bool                 // its background
}

// Hear draws as the terminal asks for it in a message.
func (l *Look) Hear(t *Terminal, msg tea.Msg) {
	if t.describedBy(msg) {
		l.Follow(*t)
	}
}

// Follow draws as the terminal asks for it, with the cursor where it is.
func (l *Look) Follow(t Terminal) {
	cursor, log := l.Cursor, l.Log
	*l = t.Look()
	l.Cursor, l.Log = cursor, log
}

// describedBy takes note of what a message says about the terminal, and reports whether it does.
func (t *Terminal) describedBy(msg tea.Msg) bool {
	switch msg := msg.(type) {
	case tea.BackgroundColorMsg:
		t.Light = !msg.IsDark()
	case tea.ColorProfileMsg:
		t.Profile = msg.Profile
	default:
		return false
	}
	return true
}

// Look is how everything is drawn.
type Look struct {
	Theme  theme.Theme
	Depth  plot.ColorDepth // of heat maps
	Cursor plot.Cursor     // in all plots
	Log    bool            // vertical axes are logarithmic where they would be linear, and the other way round
}

// Appearance is the comparable part of a look, for keys of caches: equal appearances make equal pictures.
type Appearance struct {
	Options theme.Options
	Depth   plot.ColorDepth
	Cursor  plot.Cursor
	Log     bool
}

// Appearance returns the comparable part of l.
func (l Look) Appearance() Appearance {
	return Appearance{l.Theme.Options, l.Depth, l.Cursor, l.Log}
}

// Look follows from the terminal. The colours of terminals with 16 or fewer are their owner's choice and
// make no scale.
func (t Terminal) Look() Look {
	o := t.Asked
	o.Light = o.Light || t.Light
	o.NoColor = o.NoColor || t.Profile != colorprofile.Unknown && t.Profile <= colorprofile.ASCII
	o.Few = t.Profile == colorprofile.ANSI
	depth := plot.NoColor
	switch {
	case o.NoColor:
	case t.Profile == colorprofile.TrueColor:
		depth = plot.TrueColor
	case t.Profile >= colorprofile.ANSI256:
		depth = plot.Palette256
	}
	return Look{Theme: theme.New(o), Depth: depth}
}
