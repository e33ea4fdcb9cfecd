package evaluate

import (
	"fmt"
	"path/filepath"
	"strings"

	"charm.land/lipgloss/v2"

	"rfm/model/engine"
	"rfm/model/report"
	"rfm/tui/formula"
	"rfm/tui/layout"
	"rfm/tui/look"
)

// Widths of what stands beside the samples.
const (
	sideWidth = 36
	sideGap   = 2
)

// leastLines is the width of a plot of functions below which nothing stands beside it.
const leastLines = 38

// leastPlot is the number of lines below which a plot under the tables is not worth drawing.
const leastPlot = 8

// headingLines is the height of the line that names the sample.
const headingLines = 1

// tabLines is the height of the bar of tabs.
const tabLines = 1

// table is the error table with the published value, sideWidth cells wide.
func (c *selection) table(on look.Look) []string {
	th := on.Theme
	lines := errorLines(on, c.of.Rows())
	if p, ok := engine.Published(c.session.Experiment().Config); ok {
		lines = append(lines, th.Published.Render(fmt.Sprintf("%-18s%9s%9s", "paper, one draw", "",
			report.Error(p.Value, 5))),
			th.Muted.Render("  "+p.Source))
	}
	return clipped(lines)
}

// errorLines are the lines of an error table.
func errorLines(on look.Look, rows []engine.Row) []string {
	th := on.Theme
	lines := []string{th.Title.Render(fmt.Sprintf("%-18s%9s%9s", "relative L2 error", "train", "test"))}
	for _, r := range rows {
		line := fmt.Sprintf("%-18s%9s%9s", r.Name, report.Error(r.Train, 5), report.Error(r.Test, 5))
		style := lipgloss.NewStyle()
		if r.Name == "expected relative" {
			style = th.Value.Bold(true)
		}
		lines = append(lines, style.Render(line))
	}
	return lines
}

// rivals compares the model with other ways to the solution: error and time of one evaluation, and a sentence about
// each that is better than the model. It is empty if there are none.
func (c *selection) rivals(on look.Look) []string {
	if len(c.of.Rivals) == 0 {
		return nil
	}
	th := on.Theme
	lines := []string{th.Title.Render(fmt.Sprintf("%-19s%8s%9s", "one evaluation", "error", "time"))}
	better := false
	for i, r := range c.of.Rivals {
		deviation, star := c.of.RivalError(i, 5)
		better = better || star == "*"
		lines = append(lines, fmt.Sprintf("%-19s%8s%s%8s", r.Name, deviation, star, report.Duration(r.Seconds)))
	}
	if better {
		lines = append(lines, th.Warn.Render("* better than the trained model"))
	}
	return lines
}

// facts are the circumstances, as many as fit in room lines: the grid, where the run is stored, the time taken.
func (c *selection) facts(on look.Look, room int) []string {
	th := on.Theme
	e := c.session.Experiment()
	seconds := e.Seconds()
	about := e.ModelTitle()
	if e.Model().Random() {
		about = e.Model().About()
	}
	text := []string{fmt.Sprintf("tested on %s, %s", formula.Grid(e.Config, c.of.Grid), about)}
	if c.session.Stored() != "" && room > 2 { // the name does not stand without its directory
		directory, name := filepath.Split(c.session.Stored())
		text = append(text, "stored in "+directory, "  "+name)
	}
	text = append(text, fmt.Sprintf("data %s, train %s", report.Duration(seconds.Generate),
		report.Duration(seconds.Train)))
	if seconds.Evaluate > 0 {
		text = append(text, fmt.Sprintf("evaluate %s", report.Duration(seconds.Evaluate)))
	}
	return clipped(layout.Styled(th.Muted, strings.Join(text[:min(room, len(text))], "\n")))
}

// clipped cuts lines to sideWidth cells.
func clipped(lines []string) []string {
	for i, line := range lines {
		lines[i] = layout.Cut(line, sideWidth)
	}
	return lines
}

// aside puts a text of sideWidth cells beside what is drawn in the rest of width x height cells.
func aside(width, height int, draw layout.Block, text string) string {
	narrow := width - sideWidth - sideGap
	return layout.Beside(height, strings.Repeat(" ", sideGap), draw(narrow, height), narrow, text)
}
