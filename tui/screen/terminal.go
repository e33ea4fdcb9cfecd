// This file decides how to draw on the terminal at hand.

package screen

import (
	"github.com/charmbracelet/colorprofile"

	"rfm/tui/plot"
	"rfm/tui/theme"
)

// terminal is what is known about where the interface is drawn.
type terminal struct {
	asked   theme.Options        // what the command line asks for
	profile colorprofile.Profile // colorprofile.Unknown before the terminal has said it
	light   bool                 // its background
	remote  bool                 // it is at the other end of an SSH connection
}

// look is how everything is drawn.
type look struct {
	theme theme.Theme
	depth plot.ColorDepth // of heat maps
}

// appearance is the comparable part of a look, for keys of caches: equal appearances make equal pictures.
type appearance struct {
	options theme.Options
	depth   plot.ColorDepth
}

func (l look) appearance() appearance { return appearance{l.theme.Options, l.depth} }

// look follows from the terminal. Heat maps of 24 bits a pixel are several times the bytes of those of the palette: they
// are for terminals on the same machine. The colours of terminals with 16 or fewer are their owner's choice and make no scale.
func (t terminal) look() look {
	o := t.asked
	o.Light = o.Light || t.light
	o.NoColor = o.NoColor || t.profile != colorprofile.Unknown && t.profile <= colorprofile.ASCII
	depth := plot.NoColor
	switch {
	case o.NoColor:
	case t.profile == colorprofile.TrueColor && !t.remote:
		depth = plot.TrueColor
	case t.profile >= colorprofile.ANSI256:
		depth = plot.Palette256
	}
	return look{theme.New(o), depth}
}
