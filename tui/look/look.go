// Package look decides how to draw on the terminal at hand.
package look

import (
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"rfm/tui/kitty"
	"rfm/tui/plot"
	"rfm/tui/theme"
)

// Terminal is what is known about where something is drawn.
type Terminal struct {
	Asked   theme.Options        // what the command line asks for
	Profile colorprofile.Profile // colorprofile.Unknown before the terminal has said it
	Light   bool                 // its background
	Remote  bool                 // it is at the other end of an SSH connection
	Album   *kitty.Album         // of pictures that it may be able to show; nil for none
}

// Hear draws as the terminal asks for it in a message, and asks it for more.
func (l *Look) Hear(t *Terminal, msg tea.Msg) tea.Cmd {
	cmd := t.Album.Hear(msg)
	if t.describedBy(msg) || t.Album.Turn() != l.Pictures {
		l.Follow(*t)
	}
	return cmd
}

// Follow draws as the terminal asks for it, with the cursor where it is.
func (l *Look) Follow(t Terminal) {
	cursor := l.Cursor
	*l = t.Look()
	l.Cursor = cursor
}

// describedBy takes note of what a message says about the terminal, and reports whether it does.
func (t *Terminal) describedBy(msg tea.Msg) bool {
	switch msg := msg.(type) {
	case tea.EnvMsg:
		t.Remote = msg.Getenv("SSH_TTY") != "" || msg.Getenv("SSH_CONNECTION") != ""
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
	Theme    theme.Theme
	Depth    plot.ColorDepth // of heat maps
	Cursor   plot.Cursor     // in all plots
	Album    *kitty.Album    // of pictures for heat maps; nil if the terminal shows none
	Pictures int             // its turn
}

// Appearance is the comparable part of a look, for keys of caches: equal appearances make equal pictures.
type Appearance struct {
	Options theme.Options
	Depth   plot.ColorDepth
	Cursor  plot.Cursor

	Pictures int
}

// Appearance is the comparable part of l.
func (l Look) Appearance() Appearance {
	return Appearance{l.Theme.Options, l.Depth, l.Cursor, l.Pictures}
}

// Look follows from the terminal. Heat maps of 24 bits a pixel are several times the bytes of those of the palette:
// they are for terminals on the same machine. The colours of terminals with 16 or fewer are their owner's choice and
// make no scale.
func (t Terminal) Look() Look {
	o := t.Asked
	o.Light = o.Light || t.Light
	o.NoColor = o.NoColor || t.Profile != colorprofile.Unknown && t.Profile <= colorprofile.ASCII
	depth := plot.NoColor
	switch {
	case o.NoColor:
	case t.Profile == colorprofile.TrueColor && !t.Remote:
		depth = plot.TrueColor
	case t.Profile >= colorprofile.ANSI256:
		depth = plot.Palette256
	}
	l := Look{Theme: theme.New(o), Depth: depth, Pictures: t.Album.Turn()}
	if l.Pictures > 0 {
		l.Album = t.Album
	}
	return l
}
