// Package stages contains the screens of the stages: generating pairs, training, and the results.
package stages

import (
	"fmt"

	"charm.land/lipgloss/v2"

	"rfm/model/engine"
	"rfm/model/report"
	"rfm/solver/printable"
	"rfm/tui/plot"
	"rfm/tui/session"
	"rfm/tui/theme"
	"rfm/tui/ui"
)

// New returns the screens of a session in their order.
func New(s *session.Session) []ui.Screen {
	t := &train{stage: stage{s, session.Train}}
	return []ui.Screen{&generate{stage: stage{s, session.Generate}}, t, newEvaluate(s, t.Exhibit)}
}

// stage is the common part of the screens.
type stage struct {
	session *session.Session
	which   session.Stage
}

// Name returns the name of the stage.
func (t stage) Name() string { return t.which.String() }

// progress returns the bar of the stage with its speed and the time left, which are never cut; of a complete one the
// time taken.
func (t stage) progress(th theme.Theme, width int) string {
	s, p := t.session, t.session.Progress(t.which)
	bar := " " + plot.Progress(p.Fraction(), max(8, width/3-12), th) + " "
	switch {
	case s.RunningStage() == t.which:
		return running(th, p, bar, t.which, s.Workers(), width)
	case s.Reached() < t.which:
		text := th.Warn.Render(fmt.Sprintf("%s is not complete", t.which))
		if p.Total == 0 || p.Done == p.Total {
			return " " + text
		}
		return bar + fmt.Sprintf("%d of %d %s  ", p.Done, p.Total, p.Unit) + text
	}
	seconds, how := s.Experiment().Seconds(), " in "
	if t.which == session.Generate && p.Reused {
		how = ": the pairs are reused, features are drawn in "
	}
	took := [...]float64{session.Generate: seconds.Generate, session.Train: seconds.Train,
		session.Evaluate: seconds.Evaluate}[t.which]
	return th.Good.Render(fmt.Sprintf(" %c %s done", th.Glyphs.Check, t.which)) +
		th.Muted.Render(how+report.Duration(took))
}

// running returns the progress of a running stage behind a bar.
func running(th theme.Theme, p engine.Progress, bar string, which session.Stage, workers, width int) string {
	switch {
	case p.Stage == "":
		return " " + th.Label.Render(which.String()+" begins")
	case p.Total == 0:
		return " " + th.Label.Render(p.Stage) + "  " + p.Line(0)
	}
	line := p.Line(width - lipgloss.Width(bar))
	if text := ", " + printable.Several(workers, "worker"); lipgloss.Width(bar+line+text) <= width {
		line += text
	}
	return bar + line
}
