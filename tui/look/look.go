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

// Hear updates the look if a message describes the terminal. The user's choices stay.
func (l *Look) Hear(t *Terminal, msg tea.Msg) {
	switch msg := msg.(type) {
	case tea.BackgroundColorMsg:
		t.Light = !msg.IsDark()
	case tea.ColorProfileMsg:
		t.Profile = msg.Profile
	default:
		return
	}
	now := t.Look()
	l.Theme, l.Depth = now.Theme, now.Depth
}

// Look is how everything is drawn.
type Look struct {
	Theme theme.Theme
	Depth plot.ColorDepth // of heat maps
	Log   bool            // swap linear and logarithmic vertical axes
	Zoom  bool            // one picture of a page at a time, without the text
}

// Key returns the comparable values that a look consists of, for keys of caches: equal ones make equal pictures.
func (l Look) Key() []any { return []any{l.Theme.Options, l.Depth, l.Log, l.Zoom} }

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
