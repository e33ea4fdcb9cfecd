// Package look decides how to draw on the terminal.
package look

import (
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"rfm/tui/plot"
	"rfm/tui/theme"
)

// Terminal holds the known properties of the terminal.
type Terminal struct {
	Asked   theme.Options        // options of the command line
	Profile colorprofile.Profile // colorprofile.Unknown before the terminal has reported it
	Light   bool                 // light background
}

// Hear updates the look if a message describes the terminal.
func (l *Look) Hear(t *Terminal, msg tea.Msg) {
	if t.describedBy(msg) {
		l.Follow(*t)
	}
}

// Follow updates the look from the terminal and keeps the user's choices.
func (l *Look) Follow(t Terminal) {
	before := *l
	*l = t.Look()
	l.Cursor, l.Log, l.Zoom = before.Cursor, before.Log, before.Zoom
}

// describedBy records the description of the terminal in a message, and reports whether it has one.
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
	Log    bool            // swap linear and logarithmic vertical axes
	Zoom   bool            // one picture of a page at a time, without the text
}

// Appearance is the comparable part of a look, for keys of caches: equal appearances make equal pictures.
type Appearance struct {
	Options theme.Options
	Depth   plot.ColorDepth
	Cursor  plot.Cursor
	Log     bool
	Zoom    bool
}

// Appearance returns the comparable part of l.
func (l Look) Appearance() Appearance {
	return Appearance{l.Theme.Options, l.Depth, l.Cursor, l.Log, l.Zoom}
}

// Look derives the look from the terminal. The colours of terminals with 16 or fewer are their owner's choice and do
// not make a scale.
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
