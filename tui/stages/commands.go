// Package stages contains the common parts of the stages' screens: the key that starts the next one, the progress.
package stages

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"rfm/tui/keys"
	"rfm/tui/session"
	"rfm/tui/ui"
)

// With adds to the commands of a screen the one that advances the experiment by a stage: Enter, unless the screen uses
// it itself. On the screen of a complete stage Enter shows the next one.
func With(s *session.Session, name string, own []ui.Command) []ui.Command {
	next := s.Next()
	word, help, onward := "", "", func() tea.Cmd { return s.Begin(false) }
	switch {
	case next == session.Generate && s.Config().Validate() != nil:
		word, help = "correct", "go to the invalid setting"
	case next <= session.Evaluate:
		word, help = next.String(), "start the next step, "+next.String()
	case following(name) != "":
		word, help, onward = "next step", "show the next step", ui.Now(func() { s.Show(following(name)) })
	}
	if _, taken := ui.Find(own, keys.Enter); !taken && word != "" {
		own = slices.Insert(own, 0, ui.Command{Key: keys.Enter, Word: word, Help: help, Why: s.Occupied(), Do: onward})
	}
	return own
}

// following returns the name of the stage after the one of this name; empty if there is none.
func following(name string) string {
	for stage := session.None; stage < session.Evaluate; stage++ {
		if stage.String() == name {
			return (stage + 1).String()
		}
	}
	return ""
}
