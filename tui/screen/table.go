// This file is the text of an evaluation: the errors, the rivals of the model, and the circumstances.

package screen

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"rfm/model/experiment"
	"rfm/model/paper"
	"rfm/tui/quantity"
)

// table is the error table with the published value, sideWidth cells wide.
func (v *evaluate) table(s *session) []string {
	th := s.theme
	lines := []string{th.Title.Render(fmt.Sprintf("%-18s%9s%9s", "relative L2 error", "train", "test"))}
	for _, r := range v.of.Rows() {
		line := fmt.Sprintf("%-18s%9.5f%9.5f", r.Name, r.Train, r.Test)
		style := lipgloss.NewStyle()
		if r.Name == "expected relative" {
			style = th.Value.Bold(true)
		}
		lines = append(lines, style.Render(line))
	}
	if p, ok := paper.ExpectedRelative(s.experiment.Config); ok {
		lines = append(lines, th.Published.Render(fmt.Sprintf("%-18s%9s%9.5f", "paper, one draw", "", p.Value)), th.Muted.Render("  "+p.Source))
	}
	return clipped(s, lines)
}

// rivals compares the model with other ways to the solution: error and time of one evaluation, and a sentence about each
// that is better than the model. It is empty if there are none.
func (v *evaluate) rivals(s *session, width int) []string {
	if len(v.of.Rivals) == 0 {
		return nil
	}
	th := s.theme
	lines := []string{th.Title.Render(fmt.Sprintf("%-19s%8s%9s", "one evaluation", "error", "time"))}
	for _, r := range v.of.Rivals {
		deviation := "truth"
		if !math.IsNaN(r.Error) {
			deviation = fmt.Sprintf("%.5f", r.Error)
		}
		lines = append(lines, fmt.Sprintf("%-19s%8s%9s", r.Name, deviation, shortTime(r.Seconds)))
	}
	for _, sentence := range verdicts(v.of.Rivals) {
		for line := range strings.SplitSeq(ansi.Wrap(sentence, width, ""), "\n") {
			lines = append(lines, th.Warn.Render(line))
		}
	}
	return lines
}

// verdicts says who beats the model, which is rivals[0]: by a smaller error, or by giving the truth in less time.
func verdicts(rivals []experiment.Rival) []string {
	model := rivals[0]
	var sentences []string
	for _, r := range rivals[1:] {
		time := r.Seconds / model.Seconds
		switch {
		case r.Error < model.Error:
			sentences = append(sentences, fmt.Sprintf("The model is beaten by %s: %s times its error in %s times its time.", r.Name, ratio(r.Error/model.Error), ratio(time)))
		case math.IsNaN(r.Error) && r.Seconds < model.Seconds:
			sentences = append(sentences, fmt.Sprintf("The model is beaten by the %s, which takes %s times its time.", r.Name, ratio(time)))
		}
	}
	return sentences
}

// ratio writes a ratio with about two digits.
func ratio(r float64) string {
	switch {
	case r < 0.095:
		return fmt.Sprintf("%.2g", r)
	case r < 0.95:
		return fmt.Sprintf("%.2f", r)
	case r < 9.5:
		return fmt.Sprintf("%.1f", r)
	}
	return fmt.Sprintf("%.0f", r)
}

// shortTime writes a time that may be as short as a microsecond.
func shortTime(seconds float64) string {
	if seconds < 1e-3 {
		return fmt.Sprintf("%.0f us", seconds*1e6)
	}
	if seconds < 1e-2 {
		return fmt.Sprintf("%.1f ms", seconds*1e3)
	}
	return quantity.Duration(seconds)
}

// facts are the circumstances: the grid, the time taken, where the run is stored.
func (v *evaluate) facts(s *session) []string {
	th := s.theme
	e := s.experiment
	seconds := e.Seconds()
	text := []string{
		fmt.Sprintf("tested on %s, rank %d of %d", gridText(e.Config, v.of.Grid), e.Solution().Rank, e.Config.Features.Count),
		fmt.Sprintf("data %s train %s test %s", quantity.Duration(seconds.Generate), quantity.Duration(seconds.Train), quantity.Duration(seconds.Evaluate)),
	}
	if s.stored != "" {
		directory, name := filepath.Split(s.stored)
		text = append(text, "stored in "+directory, "  "+name)
	}
	for i, line := range text {
		text[i] = th.Muted.Render(line)
	}
	return clipped(s, text)
}

// clipped cuts lines to sideWidth cells.
func clipped(s *session, lines []string) []string {
	for i, line := range lines {
		lines[i] = ansi.Truncate(line, sideWidth, string(s.theme.Glyphs.Ellipsis))
	}
	return lines
}
