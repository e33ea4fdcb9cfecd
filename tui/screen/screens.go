// Package screen is the list of screens, each of which is a package below.
package screen

import (
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
	"rfm/tui/ui"
)

// New returns the interface of a session; it computes nothing yet.
func New(of session.Options, o shell.Options) *shell.Model {
	s := session.New(of)
	return shell.New(s, o, All(s)...)
}

// All returns the screens of a session.
func All(s *session.Session) []ui.Screen { return screens(s, studies.NewLibrary(s)) }

// screens returns all screens, in the order of the header. Add yours here: one line.
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
