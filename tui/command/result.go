// This file prints results of studies: titles, tables, pictures, notes.

package command

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"rfm/model/study"
	"rfm/tui/chart"
	"rfm/tui/look"
	"rfm/tui/plot"
	"rfm/tui/theme"
)

// Plots fit the smallest terminal.
const (
	plotWidth  = 76
	plotHeight = 18
)

// resultText is a result for a terminal of 80 columns.
func resultText(r study.Result, th theme.Theme, colours plot.ColorDepth) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s  %s\n", th.Title.Render(r.Title), th.Muted.Render(r.Source))
	for _, t := range r.Tables {
		fmt.Fprintf(&b, "\n%s\n%s\n", th.Label.Render(t.Title), chart.Table(t))
	}
	for _, picture := range pictures(r, th, colours) {
		fmt.Fprintf(&b, "\n%s\n", picture)
	}
	if len(r.Notes) > 0 {
		b.WriteString("\n")
	}
	for _, note := range r.Notes {
		fmt.Fprintln(&b, ansi.Wordwrap(note, plotWidth, ""))
	}
	for _, line := range chart.Verdicts(r, th) {
		fmt.Fprintln(&b, line)
	}
	return b.String()
}

// pictures are the figures and fields of a result as text.
func pictures(r study.Result, th theme.Theme, colours plot.ColorDepth) []string {
	var all []string
	for _, f := range r.Figures {
		all = append(all, chart.Figure(look.Look{Theme: th}, f, plotWidth, plotHeight))
	}
	for _, f := range r.Fields {
		all = append(all, chart.Field(look.Look{Theme: th, Depth: colours}, f, plotWidth, plotHeight))
	}
	return all
}

// colourDepth is what heat maps on standard output may use.
func (a *app) colourDepth() plot.ColorDepth {
	switch profile := a.profile(a.terminal.out); {
	case profile < colorprofile.ANSI256:
		return plot.NoColor
	case profile == colorprofile.TrueColor:
		return plot.TrueColor
	}
	return plot.Palette256
}
