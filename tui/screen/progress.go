// This file is the line that says how far a step has come.

package screen

import (
	"fmt"

	"charm.land/lipgloss/v2"

	"rfm/tui/plot"
	"rfm/tui/quantity"
)

// progressLine is the bar of a step with what can be said about its speed.
func progressLine(s *session, which step, width int) string {
	th := s.Theme
	p := s.progress(which)
	running := s.job != nil && s.job.step == which
	if !running {
		text := fmt.Sprintf(" %c %s done", th.Glyphs.Check, stepNames[which])
		if s.reached < which {
			text := fmt.Sprintf(" %s is not complete", stepNames[which])
			if p.Total == 0 || p.Done == p.Total {
				return th.Warn.Render(text)
			}
			return " " + plot.Progress(p.Fraction(), max(8, width/3-12), th) + fmt.Sprintf(" %d of %d %s ", p.Done, p.Total, p.Unit) + th.Warn.Render(text)
		}
		seconds := s.experiment.Seconds()
		took := [steps]float64{generating: seconds.Generate, training: seconds.Train, evaluating: seconds.Evaluate}[which]
		if which == generating && s.experiment.Reused() {
			return th.Good.Render(text) + th.Muted.Render(": the pairs are reused, features are drawn in "+quantity.Duration(took))
		}
		return th.Good.Render(text) + th.Muted.Render(" in "+quantity.Duration(took))
	}
	if p.Total == 0 {
		return " " + th.Label.Render(p.Stage.String()) + "  " + quantity.Duration(p.Elapsed.Seconds())
	}
	facts := fmt.Sprintf(" %*d of %d %s", len(fmt.Sprint(p.Total)), p.Done, p.Total, p.Unit)
	if p.Rate > 0 {
		facts += fmt.Sprintf("  %s/s", plot.FormatValue(p.Rate))
	}
	if p.Flops > 0 {
		facts += fmt.Sprintf("  %.3g GF/s", p.Flops/1e9)
	}
	times := "  " + quantity.Duration(p.Elapsed.Seconds())
	if p.ETA > 0 {
		times += ", " + quantity.Duration(p.ETA.Seconds()) + " left"
	}
	bar := " " + plot.Progress(p.Fraction(), max(8, width/3-12), th)
	if workers := fmt.Sprintf("  %d workers", s.experiment.Workers()); lipgloss.Width(bar+facts+workers+times) <= width {
		facts += workers
	}
	return bar + facts + times
}
