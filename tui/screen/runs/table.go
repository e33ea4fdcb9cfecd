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
	"rfm/tui/theme"
	"rfm/tui/ui"
)

const (
	headLines = 2 // the directory of the runs, and the names of the columns
	detail    = 3 // about the selected run
	marks     = 5 // cells for the brackets of the selected line, its mark and its state
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
	sheet := chart.RunLines(l.shown, l.from.At, c.Width-marks, store.Orders()[l.order], sorted)
	lines = append(lines, th.Label.Render(layout.Cut(strings.Repeat(" ", marks-1)+sheet[0], c.Width)))
	rows := c.Height - headLines - 1 - detail // a blank line and details are below
	lines = append(lines, l.at.Draw(th, len(l.shown), rows, func(i int) string {
		e, marked := l.shown[i], " "
		if slices.Contains(l.marked, e.Path) {
			marked = string(th.Glyphs.Bullet)
		}
		return layout.Cut(marked+string(mark(th, e))+" "+sheet[i+1], c.Width-2)
	})...)
	below := layout.Styled(th.Muted, layout.Wrap(facts(l.selected()), c.Width-2))
	return strings.Join(append(lines, "", " "+strings.Join(layout.Head(below, c.Width-2, detail), "\n ")), "\n")
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
