package runs

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"rfm/model/run/store"
	"rfm/model/show/report"
	"rfm/tui/layout"
	"rfm/tui/plot"
	"rfm/tui/theme"
	"rfm/tui/ui"
	"rfm/tui/words"
)

const (
	detailLines = 3 // about the selected run, in a low terminal

	sideBySide = 110 // columns from which the selected run stands beside the list
	stacked    = 18  // lines from which it stands below

	marks = 5 // cells for the brackets of the selected line, its mark and its state
)

// View draws the table with details of the selected run below; or the page over it.
func (l *Screen) View() string {
	if l.over != nil {
		return l.over.View()
	}
	c := l.on
	lines := []string{l.title(c)}
	if len(l.shown) == 0 || l.from.Err != nil {
		lines = append(lines, l.absence(c)...)
		return strings.Join(lines, "\n")
	}
	rest := c.Height - len(lines)
	switch {
	case c.Width >= sideBySide:
		lines = append(lines, l.besideList(c, rest))
	case c.Height >= stacked:
		high := max(8, rest*2/5)
		list := l.list(c.Theme, c.Width, high)
		panel := l.shownPanel(c.Theme, c.Width-2, rest-high)
		lines = append(lines, list, indented(panel))
	default:
		width := c.Width - 2
		text := facts(l.selected())
		about := layout.Styled(c.Theme.Muted, layout.Wrap(text, width))
		about = layout.Head(about, width, detailLines)
		below := strings.Join(about, "\n")
		list := l.list(c.Theme, c.Width, rest-1-detailLines)
		lines = append(lines, list, "", indented(below))
	}
	return strings.Join(lines, "\n")
}

// title names the directory of the runs, and the number of marked ones.
func (l *Screen) title(c ui.Canvas) string {
	root := filepath.Clean(l.session.Options().Runs)
	text := " runs in " + root + string(filepath.Separator)
	title := c.Theme.Title.Render(layout.Cut(text, c.Width))
	if len(l.marked) == 0 {
		return title
	}
	count := fmt.Sprintf("%d marked ", len(l.marked))
	marked := c.Theme.Value.Render(count)
	return layout.Opposite(c.Width, title, marked)
}

// absence says why there is no list.
func (l *Screen) absence(c ui.Canvas) []string {
	th := c.Theme
	switch {
	case l.from.Err != nil:
		why := layout.Wrap(l.from.Err.Error(), c.Width-1)
		return layout.Styled(th.Bad, why)
	case l.at.Filtered():
		return l.at.Draw(th, 0, c.Height, nil)
	case l.from.At.IsZero():
		return []string{"", th.Muted.Render(" they are being read")}
	}
	return []string{"", th.Muted.Render(" there are none yet")}
}

// besideList draws the list with the selected run beside it.
func (l *Screen) besideList(c ui.Canvas, height int) string {
	const gap = "  "
	between := len(gap)
	left := c.Width*11/20 - between
	right := c.Width - left - between - 1
	list := l.list(c.Theme, left, height)
	panel := l.shownPanel(c.Theme, right, height)
	return layout.Beside(height, gap, list, left, panel)
}

// list draws the table in a width and a height, and below it, if there is room, the errors of all runs.
func (l *Screen) list(th theme.Theme, width, height int) string {
	const (
		least   = 10 // lines of the table that remain
		plotted = 12 // lines of the plot
	)
	count := len(l.shown)
	rows := height - 1
	figure, isPlotted := l.errorsFigure()
	wanted := max(least, min(count+1, 2*least))
	isWide := width >= 2*sideBySide
	if isWide || rows-plotted < wanted {
		isPlotted = false
	}
	if isPlotted {
		rows -= plotted
	}
	table := l.table(th, width, rows)
	if !isPlotted {
		return table
	}
	state := []any{l.from.At, l.selected().Path, strings.Join(l.marked, "\n")}
	draw := func() string {
		picture := plot.Figure(th, figure, width-1, plotted)
		return indented(picture)
	}
	return table + "\n" + l.errors.Get(th, width, plotted, state, draw)
}

// table draws the names of the columns, and below them as many rows.
func (l *Screen) table(th theme.Theme, width, rows int) string {
	order := store.Orders()[l.order]
	sheet := words.RunLines(l.shown, l.from.At, width-marks, order, sortMark(th))
	names := strings.Repeat(" ", marks-1) + sheet[0]
	names = layout.Cut(names, width)
	lines := []string{th.Label.Render(names)}
	line := func(i int) string {
		e := l.shown[i]
		chosen := " "
		if slices.Contains(l.marked, e.Path) {
			chosen = string(th.Glyphs.Bullet)
		}
		state := string(mark(th, e))
		text := chosen + state + " " + sheet[i+1]
		return layout.Cut(text, width-2)
	}
	drawn := l.at.Draw(th, len(l.shown), rows, line)
	lines = append(lines, drawn...)
	text := strings.Join(lines, "\n")
	return layout.Fit(text, width, 1+rows)
}

// sortMark returns the mark at the name of the column by which the table is sorted. In ASCII it is a letter, which needs
// a space before it.
func sortMark(th theme.Theme) string {
	mark := string(th.Glyphs.Down)
	if th.ASCII {
		return " " + mark
	}
	return mark
}

// indented returns a text one cell to the right.
func indented(text string) string { return " " + strings.ReplaceAll(text, "\n", "\n ") }

// shownPanel returns the panel of the selected run, drawn again when anything of it has changed.
func (l *Screen) shownPanel(th theme.Theme, width, height int) string {
	state := []any{l.selected().Path, l.below().Path, l.from.At, l.reads}
	draw := func() string { return l.panel(th, width, height) }
	return l.drawn.Get(th, width, height, state, draw)
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
	method := words.Describe(m.Config)
	size := report.Bytes(float64(m.Bytes))
	begun := m.Created.Format("2006-01-02 15:04")
	text := fmt.Sprintf("%s, %d test pairs, seed %d; %s; begun %s with rfm %s",
		method, e.Test, e.Seed, size, begun, m.Program.Version)
	if e.Note != "" {
		text = e.Note + "; " + text
	}
	if e.Holder != nil {
		text += "; in use by " + e.Holder.String()
	}
	return text
}
