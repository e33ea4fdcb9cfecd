// Package stages contains the screens of an experiment: its stages as they proceed, and the results.
package stages

import (
	"fmt"

	"charm.land/lipgloss/v2"

	"rfm/tui/plot"
	"rfm/tui/session"
	"rfm/tui/theme"
)

// barOf returns a line with the bar of the stage that runs, its speed and the time left, which are never cut; or with
// the finished part of one that was stopped.
func barOf(s *session.Session, th theme.Theme, width int) []string {
	which := s.Runner.RunningStage()
	if which == session.None {
		which = s.Runner.Reached() + 1
	}
	if which > session.Evaluate {
		return nil
	}
	p := s.Runner.Progress(which)
	bar := " " + plot.Progress(p.Fraction(), max(8, width/3-12), th) + " "
	text := th.Warn.Render(fmt.Sprintf("%s is not complete", which))
	switch runs := s.Runner.RunningStage() == which; {
	case runs && p.Stage == "":
		return []string{" " + th.Label.Render(which.String()+" begins")}
	case runs && p.Total == 0:
		return []string{" " + th.Label.Render(p.Stage) + "  " + p.Line(0)}
	case runs:
		return []string{bar + p.Line(width-lipgloss.Width(bar))}
	case p.Stage == "":
		return nil
	case p.Total == 0 || p.Done == p.Total:
		return []string{" " + text}
	}
	return []string{bar + fmt.Sprintf("%d of %d %s  ", p.Done, p.Total, p.Unit) + text}
}
