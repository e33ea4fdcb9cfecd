// Package stages contains the common parts of the stages' screens: the key that starts the next one, the progress.
package stages

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"rfm/model/engine"
	"rfm/model/report"
	"rfm/solver/printable"
	"rfm/tui/keys"
	"rfm/tui/look"
	"rfm/tui/plot"
	"rfm/tui/session"
	"rfm/tui/theme"
	"rfm/tui/ui"
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
		how, took := " in ", [...]float64{session.Generate: seconds.Generate, session.Train: seconds.Train,
			session.Evaluate: seconds.Evaluate}[which]
		if which == session.Generate && p.Reused {
			how = ": the pairs are reused, features are drawn in "
		}
		return th.Good.Render(text) + th.Muted.Render(how+report.Duration(took))
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
	if stage, ok := session.StageOf(name); ok && stage < session.Evaluate {
		return (stage + 1).String()
	}
	return ""
}
