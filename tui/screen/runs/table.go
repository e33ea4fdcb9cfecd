package runs

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"rfm/model/run/store"
	"rfm/model/show/report"
	"rfm/tui/chart"
	"rfm/tui/formula"
	"rfm/tui/layout"
	"rfm/tui/plot"
	"rfm/tui/theme"
	"rfm/tui/ui"
)

const (
	detailLines = 3 // about the selected run, in a low terminal

	sideBySide = 110 // columns from which the selected run stands beside the list
	stacked    = 18  // lines from which it stands below

	marks = 5 // cells for the brackets of the selected line, its mark and its state
)

// View draws the table with details of the selected run below; or the page over it.
func (l *Screen) View(c ui.Canvas) string {
	th, stock := c.Theme, l.from
	if l.over != nil {
		return l.over.View(c)
	}
	title := th.Title.Render(layout.Cut(" runs in "+filepath.Clean(l.session.Options().Runs)+string(filepath.Separator),
		c.Width))
	if n := len(l.marked); n > 0 {
		title = layout.Opposite(c.Width, title, th.Value.Render(fmt.Sprintf("%d marked ", n)))
	}
	lines := []string{title}
	switch {
	case stock.Err != nil:
		return strings.Join(append(lines, layout.Styled(th.Bad, layout.Wrap(stock.Err.Error(), c.Width-1))...), "\n")
	case len(l.shown) == 0 && l.at.Filtered():
		return strings.Join(append(lines, l.at.Draw(th, 0, c.Height, nil)...), "\n")
	case len(l.shown) == 0 && stock.At.IsZero():
		return strings.Join(append(lines, "", th.Muted.Render(" they are being read")), "\n")
	case len(l.shown) == 0:
		return strings.Join(append(lines, "", th.Muted.Render(" there are none yet")), "\n")
	}
	sorted := string(th.Glyphs.Down)
	if th.ASCII { // a letter
		sorted = " " + sorted
	}
	rest := c.Height - 1
	switch {
	case c.Width >= sideBySide: // the list, and beside it the selected run
		const gap = "  "
		left := c.Width*11/20 - len(gap)
		body := layout.Beside(rest, gap, l.list(th, sorted, left, rest), left, l.shownPanel(th, c.Width-left-len(gap)-1, rest))
		return strings.Join(append(lines, body), "\n")
	case c.Height >= stacked:
		high := max(8, rest*2/5)
		lines = append(lines, l.list(th, sorted, c.Width, high))
		panel := l.shownPanel(th, c.Width-2, rest-high)
		return strings.Join(append(lines, " "+strings.ReplaceAll(panel, "\n", "\n ")), "\n")
	}
	lines = append(lines, l.list(th, sorted, c.Width, rest-1-detailLines), "")
	below := layout.Styled(th.Muted, layout.Wrap(facts(l.selected()), c.Width-2))
	return strings.Join(append(lines, " "+strings.Join(layout.Head(below, c.Width-2, detailLines), "\n ")), "\n")
}

// list draws the table in a width and a height, and below it, if there is room, the errors of all runs.
func (l *Screen) list(th theme.Theme, sorted string, width, height int) string {
	const least, plotted = 10, 12 // lines of the table that remain, and of the plot
	sheet := chart.RunLines(l.shown, l.from.At, width-marks, store.Orders()[l.order], sorted)
	lines := []string{th.Label.Render(layout.Cut(strings.Repeat(" ", marks-1)+sheet[0], width))}
	figure, below := l.errorsFigure()
	below = below && width < 2*sideBySide && height-1-plotted >= max(least, min(len(l.shown)+1, 2*least))
	rows := height - 1
	if below {
		rows -= plotted
	}
	lines = append(lines, l.at.Draw(th, len(l.shown), rows, func(i int) string {
		e, marked := l.shown[i], " "
		if slices.Contains(l.marked, e.Path) {
			marked = string(th.Glyphs.Bullet)
		}
		return layout.Cut(marked+string(mark(th, e))+" "+sheet[i+1], width-2)
	})...)
	text := layout.Fit(strings.Join(lines, "\n"), width, 1+rows)
	if !below {
		return text
	}
	return text + "\n" + l.errors.Get(th, width, plotted, []any{l.from.At, l.selected().Path, strings.Join(l.marked, "\n")},
		func() string { return indented(plot.Figure(th, figure, width-1, plotted)) })
}

// indented returns a text one cell to the right.
func indented(text string) string { return " " + strings.ReplaceAll(text, "\n", "\n ") }

// shownPanel returns the panel of the selected run, drawn again when anything of it has changed.
func (l *Screen) shownPanel(th theme.Theme, width, height int) string {
	of := []any{l.selected().Path, l.below().Path, l.from.At, l.reads}
	return l.drawn.Get(th, width, height, of, func() string { return l.panel(th, width, height) })
}

// mark returns a glyph for the state of a run.
func mark(th theme.Theme, e store.Entry) rune {
	g := th.Glyphs
	switch {
	case e.Fault != nil:
		return g.Cross
	case e.Run.Complete():
		return g.Check
	case e.Holder != nil:
		return g.Current
	}
	return g.Todo
}

// facts describes the computation of a run, or its fault.
func facts(e store.Entry) string {
	m := e.Run
	if e.Fault != nil {
		return e.Fault.Error()
	}
	text := fmt.Sprintf("%s, %d test pairs, seed %d; %s; begun %s with rfm %s", formula.Describe(m.Config), e.Test, e.Seed,
		report.Bytes(float64(m.Bytes)), m.Created.Format("2006-01-02 15:04"), m.Program.Version)
	if e.Note != "" {
		text = e.Note + "; " + text
	}
	if e.Holder != nil {
		text += "; in use by " + e.Holder.String()
	}
	return text
}
