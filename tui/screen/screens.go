// Package screen is the list of screens, each of which is a package below.
package screen

import (
	"time"

	"rfm/config"
	"rfm/tui/kitty"
	"rfm/tui/screen/configure"
	"rfm/tui/screen/evaluate"
	"rfm/tui/screen/generate"
	"rfm/tui/screen/paper"
	"rfm/tui/screen/runs"
	"rfm/tui/screen/train"
	"rfm/tui/screen/tune"
	"rfm/tui/session"
	"rfm/tui/shell"
	"rfm/tui/studies"
	"rfm/tui/theme"
	"rfm/tui/ui"
)

// Options are what the interface starts with.
type Options struct {
	Config  config.Config
	Workers int    // 0 is one for each core
	Runs    string // directory for stored runs; empty if runs are not stored
	Name    string // name of the first stored run; empty for a name made of date and problem
	Theme   theme.Options
	Album   *kitty.Album // of pictures that the terminal may be able to show; nil for none

	// reads a preset or a configuration file; nil if none can be loaded
	Load          func(name string) (config.Config, error)
	ReducedMotion bool // what changes by itself changes twice a second at most
	// take the mouse: the terminal's own selection then needs the shift key
	Mouse bool
}

// New makes the interface; it computes nothing yet.
func New(o Options) *shell.Model {
	every := time.Duration(0)
	if o.ReducedMotion {
		every = time.Second / 2
	}
	s := session.New(session.Options{Config: o.Config, Workers: o.Workers, Runs: o.Runs, Name: o.Name, Load: o.Load,
		Every: every})
	return shell.New(s, shell.Options{Theme: o.Theme, Album: o.Album, Mouse: o.Mouse},
		screens(s, studies.NewLibrary(s))...)
}

// screens are all screens, in the order of the header. Add yours here: one line.
func screens(s *session.Session, l *studies.Library) []ui.Screen {
	return []ui.Screen{
		configure.New(s),
		generate.New(s),
		train.New(s),
		evaluate.New(s),
		paper.New(s, l),
		tune.New(s),
		runs.New(s),
	}
}
