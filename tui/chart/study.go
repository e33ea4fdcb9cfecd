// Package chart draws what is described as data, figures, fields, tables and the results of studies, as text of a given size.
package chart

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"rfm/model/study"
	"rfm/tui/plot"
	"rfm/tui/theme"
)

// Plot draws a figure, published values and single points as marks. Of more curves than there are pens it shows the first, the last and
// some between; the tables have them all.
func Plot(f study.Figure, width, height int, th theme.Theme) string {
	var lines, points []study.Curve
	for _, c := range f.Curves {
		if c.Published || c.Points {
			points = append(points, c)
		} else {
			lines = append(lines, c)
		}
	}
	line := plot.Line{Title: f.Title, XLabel: f.XLabel, YLabel: f.YLabel, LogX: f.LogX, LogY: f.LogY, Width: width, Height: height, Theme: th}
	pens := [...]plot.Series{{Style: th.Prediction, Pen: plot.Heavy}, {Style: th.Truth, Pen: plot.Light}, {Style: th.Input, Pen: plot.Dotted}}
	for i, c := range spreadOut(lines, len(pens)) {
		s := pens[i]
		s.Name, s.X, s.Y = c.Name, c.X, c.Y
		line.Series = append(line.Series, s)
	}
	for i, c := range spreadOut(points, len(pens)) {
		line.Series = append(line.Series, plot.Series{Name: c.Name, X: c.X, Y: c.Y, Style: th.Published, Mark: [...]rune{'o', 'x', '+'}[i]})
	}
	return line.Render()
}

// spreadOut is at most count >= 2 of the curves: the first, the last, and some between.
func spreadOut(curves []study.Curve, count int) []study.Curve {
	if len(curves) <= count {
		return curves
	}
	var some []study.Curve
	for i := range count {
		some = append(some, curves[i*(len(curves)-1)/(count-1)])
	}
	return some
}

// Map draws a field.
func Map(f study.Field, width, height int, th theme.Theme, colors plot.ColorDepth) string {
	return plot.HeatMap{Field: f.Values, R: f.R, Width: width, Height: height, Signed: f.Signed, Bar: true, Title: f.Title, Colors: colors, Theme: th}.Render()
}

// Table writes a table with columns as wide as they need to be, the first one to the left, numbers to the right.
func Table(t study.Table) string {
	rows := append([][]string{t.Header}, t.Rows...)
	widths := make([]int, len(t.Header))
	for _, row := range rows {
		for j, text := range row {
			widths[j] = max(widths[j], ansi.StringWidth(text))
		}
	}
	var lines []string
	for _, row := range rows {
		line := ""
		for j, text := range row {
			pad := strings.Repeat(" ", widths[j]-ansi.StringWidth(text))
			if j == 0 {
				line += text + pad
			} else {
				line += "  " + pad + text
			}
		}
		lines = append(lines, strings.TrimRight(line, " "))
	}
	return strings.Join(lines, "\n")
}

// Verdicts counts the numbers that agree with published ones and lists those that do not.
func Verdicts(r study.Result, th theme.Theme) []string {
	agree, judged := r.Tally()
	if judged == 0 {
		return nil
	}
	lines := []string{fmt.Sprintf("%d of %d published numbers agree with our mean over draws within 3 spreads", agree, judged)}
	for _, c := range r.Cells {
		if c.Verdict == study.Differs {
			lines = append(lines, fmt.Sprintf("%s %s: mean %.4g, published %.4g, %+.1f spreads", th.Warn.Render("differs"), c.Where, c.Expected(), c.Published, c.Distance()))
		}
	}
	return lines
}
