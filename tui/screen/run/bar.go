package run

import (
	"fmt"

	"charm.land/lipgloss/v2"

	"rfm/tui/plot"
	"rfm/tui/session"
	"rfm/tui/theme"
)

// barOf returns a line with the bar of the stage that runs, its speed and the time left, which are never cut; or with
// the finished part of one that was stopped.
func barOf(runner *session.Runner, th theme.Theme, width int) []string {
	which := runner.RunningStage()
	if which == session.None {
		which = runner.Reached() + 1
	}
	if which > session.Evaluate {
		return nil
	}
	p := runner.Progress(which)
	cells := max(8, width/3-12)
	bar := " " + plot.Progress(p.Fraction(), cells, th) + " "
	isRunning := runner.RunningStage() == which
	switch {
	case isRunning && p.Stage == "":
		begins := which.String() + " begins"
		return []string{" " + th.Label.Render(begins)}
	case isRunning && p.Total == 0:
		stage := th.Label.Render(p.Stage)
		return []string{" " + stage + "  " + p.Line(0)}
	case isRunning:
		room := width - lipgloss.Width(bar)
		return []string{bar + p.Line(room)}
	case p.Stage == "":
		return nil
	}
	incomplete := th.Warn.Render(which.String() + " is not complete")
	if p.Total == 0 || p.Done == p.Total {
		return []string{" " + incomplete}
	}
	done := fmt.Sprintf("%d of %d %s  ", p.Done, p.Total, p.Unit)
	return []string{bar + done + incomplete}
}
