package stages

import (
	"fmt"

	"charm.land/lipgloss/v2"

	"rfm/model/engine"
	"rfm/model/report"
	"rfm/solver/printable"
	"rfm/tui/look"
	"rfm/tui/plot"
	"rfm/tui/session"
	"rfm/tui/theme"
)

// Progress returns the bar of a stage with its speed and the time left.
func Progress(on look.Look, s *session.Session, which session.Stage, width int) string {
	th := on.Theme
	p := s.Progress(which)
	if !s.RunsStage(which) {
		text := fmt.Sprintf(" %c %s done", th.Glyphs.Check, which)
		if s.Reached() < which {
			return stopped(th, p, which, width)
		}
		seconds := s.Experiment().Seconds()
		took := [...]float64{session.Generate: seconds.Generate, session.Train: seconds.Train,
			session.Evaluate: seconds.Evaluate}[which]
		if which == session.Generate && p.Reused {
			return th.Good.Render(text) +
				th.Muted.Render(": the pairs are reused, features are drawn in "+report.Duration(took))
		}
		return th.Good.Render(text) + th.Muted.Render(" in "+report.Duration(took))
	}
	return running(th, p, which, s.Workers(), width)
}

// stopped returns the progress of a stage that does not run.
func stopped(th theme.Theme, p engine.Progress, which session.Stage, width int) string {
	text := th.Warn.Render(fmt.Sprintf(" %s is not complete", which))
	if p.Total == 0 || p.Done == p.Total {
		return text
	}
	return " " + plot.Progress(p.Fraction(), max(8, width/3-12), th) +
		fmt.Sprintf(" %d of %d %s ", p.Done, p.Total, p.Unit) + text
}

// running returns the progress of a running stage; the time left is never cut.
func running(th theme.Theme, p engine.Progress, which session.Stage, workers, width int) string {
	if p.Stage == engine.Idle {
		return " " + th.Label.Render(which.String()+" begins")
	}
	if p.Total == 0 {
		return " " + th.Label.Render(p.Stage.String()) + "  " + p.Line(0)
	}
	bar := " " + plot.Progress(p.Fraction(), max(8, width/3-12), th) + " "
	line := p.Line(width - lipgloss.Width(bar))
	if text := ", " + printable.Several(workers, "worker"); lipgloss.Width(bar+line+text) <= width {
		line += text
	}
	return bar + line
}
