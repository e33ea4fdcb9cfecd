// Package screen is the list of screens, each of which is a package below.
package screen

import (
	"rfm/model/show/paper"
	"rfm/tui/screen/form"
	studied "rfm/tui/screen/paper"
	"rfm/tui/screen/results"
	"rfm/tui/screen/run"
	"rfm/tui/screen/runs"
	"rfm/tui/screen/tour"
	"rfm/tui/screen/tune"
	"rfm/tui/session"
	"rfm/tui/shell"
	"rfm/tui/ui"
)

// New returns the interface of a session, whose guided tour follows a plan. It computes nothing yet.
func New(of session.Options, o shell.Options, plan paper.Tour) *shell.Model {
	s := session.New(of)
	d := &ui.Dialogs{}
	screens := append(all(s, d), tour.New(s, d, plan))
	return shell.New(s, d, o, screens...)
}

// all returns the screens of a session in the order of the header, without the tour. Add yours here.
func all(s *session.Session, d *ui.Dialogs) []ui.Screen {
	return []ui.Screen{
		form.New(s, d),
		run.New(s.Runner),
		results.New(s, d),
		studied.New(s, d),
		tune.New(s),
		runs.New(s, d),
	}
}
