package runs

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"rfm/config"
	"rfm/model/store"
	"rfm/model/study"
	"rfm/solver/printable"
	"rfm/tui/layout"
	"rfm/tui/quantity"
	"rfm/tui/theme"
	"rfm/tui/ui"
)

// column is one of the table.
type column struct {
	order string // of store.Orders that sorts by it
	title string
	words bool // to the left; numbers are to the right
	least int  // it is left out before those with a smaller number
	cell  func(e store.Entry, at time.Time) string
}

// ofRun is a cell that runs which cannot be read do not have.
func ofRun(cell func(l store.Listed) string) func(store.Entry, time.Time) string {
	return func(e store.Entry, _ time.Time) string {
		if e.Fault != nil {
			return ""
		}
		return cell(e.Listed())
	}
}

// columns are all there are.
var columns = []column{
	{"name", "name", true, 0, func(e store.Entry, _ time.Time) string { return printable.Line(e.Name) }},
	{"problem", "problem", true, 5, ofRun(func(l store.Listed) string { return printable.Line(l.Problem) })},
	{"method", "method", true, 8, ofRun(func(l store.Listed) string { return l.Method })},
	{"n", "n", false, 4, ofRun(func(l store.Listed) string { return fmt.Sprint(l.N) })},
	{"m", "m", false, 3, ofRun(func(l store.Listed) string { return fmt.Sprint(l.M) })},
	{"", "grid", false, 6, ofRun(func(l store.Listed) string {
		return fmt.Sprintf("%s=%d", config.Config{Problem: l.Problem}.GridSymbol(), l.Grid)
	})},
	{"error", "error", false, 0, func(e store.Entry, _ time.Time) string { return state(e) }},
	{"time", "time", false, 7, ofRun(func(l store.Listed) string { return quantity.Age(time.Duration(l.Time * 1e9)) })},
	{"size", "size", false, 9, ofRun(func(l store.Listed) string { return quantity.Bytes(float64(l.Bytes)) })},
	{"when", "age", false, 1, func(e store.Entry, at time.Time) string {
		if e.Fault != nil {
			return ""
		}
		return quantity.Age(at.Sub(e.Manifest.Updated))
	}},
	{"", "note", true, 2, func(e store.Entry, _ time.Time) string { return e.Note }},
}

// state is the error of a complete run, or how far a run is.
func state(e store.Entry) string {
	name, stage := e.Manifest.Next()
	switch {
	case e.Fault != nil:
		return "cannot be read"
	case e.Manifest.TestError != nil:
		return fmt.Sprintf("%.5f", *e.Manifest.TestError)
	case e.Manifest.Complete():
		return "complete"
	}
	return fmt.Sprintf("%s %d%%", name, stage.Percent())
}

const (
	headLines = 2 // where the runs are, and the names of the columns
	detail    = 3 // about the selected run
	gap       = 2 // between columns
	marks     = 5 // cells for the brackets of the selected line, its mark and its state
)

// rows is the room for the runs: a blank line and details are below.
func (l *Screen) rows(height int) int { return height - headLines - 1 - detail }

// sheet is the cells of the table, with as many columns as there is room for.
func (l *Screen) sheet(width int) (chosen []column, cells [][]string) {
	most := func(c column) int {
		w := lipgloss.Width(c.title) + 1 // and an arrow
		for _, e := range l.shown {
			w = max(w, lipgloss.Width(c.cell(e, l.from.At)))
		}
		return w
	}
	least := func(c column) int { // names and notes may be cut
		switch c.title {
		case "name":
			return min(most(c), 34)
		case "note":
			return min(most(c), 12)
		}
		return most(c)
	}
	chosen = slices.DeleteFunc(slices.Clone(columns), func(c column) bool {
		return c.title == "note" && most(c) <= len("note")+1 // there are none
	})
	rest := func() int {
		sum := -gap
		for _, c := range chosen {
			sum += gap + least(c)
		}
		return sum
	}
	for rest() > width-marks {
		last := 0
		for i, c := range chosen {
			if c.least > chosen[last].least {
				last = i
			}
		}
		if chosen[last].least == 0 {
			break
		}
		chosen = slices.Delete(chosen, last, last+1)
	}
	free := width - marks - rest() // for names, then for notes; names alone may be too wide
	widths := make([]int, len(chosen))
	for i, c := range chosen {
		widths[i] = max(0, min(most(c), least(c)+free))
		free -= widths[i] - least(c)
	}
	pad := func(c column, text string, w int) string {
		text = layout.Cut(text, w)
		blank := strings.Repeat(" ", w-lipgloss.Width(text))
		if c.words {
			return text + blank
		}
		return blank + text
	}
	head := make([]string, len(chosen))
	for i, c := range chosen {
		title := c.title
		if c.order == store.Orders()[l.order] {
			title += string(l.arrow())
		}
		head[i] = pad(c, title, widths[i])
	}
	cells = [][]string{head}
	for _, e := range l.shown {
		row := make([]string, len(chosen))
		for i, c := range chosen {
			row[i] = pad(c, c.cell(e, l.from.At), widths[i])
		}
		cells = append(cells, row)
	}
	return chosen, cells
}

// arrow says in which direction the table is sorted: the smallest, the first, the newest at the top, or at the bottom.
func (l *Screen) arrow() rune {
	if l.reversed {
		return l.room.Theme.Glyphs.Up
	}
	return l.room.Theme.Glyphs.Down
}

// View draws the table and, below it, what the selected run is about; or what lies over it.
func (l *Screen) View(c ui.Canvas) string {
	th, stock := c.Theme, l.from
	if l.over != nil {
		return l.over.view(c.Look, c.Width, c.Height)
	}
	title := th.Title.Render(layout.Cut(" runs in "+l.session.Directory(), c.Width))
	if n := len(l.marked); n > 0 {
		title = layout.Opposite(c.Width, title, th.Value.Render(fmt.Sprintf("%d marked ", n)))
	}
	lines := []string{title}
	switch {
	case stock.Err != nil:
		return strings.Join(append(lines, layout.Styled(th.Bad, ansi.Wrap(stock.Err.Error(), c.Width-1, ""))...), "\n")
	case len(l.shown) == 0 && l.at.Filtered():
		return strings.Join(append(lines, "", th.Muted.Render(" no run has these words"), l.at.Typed(th)), "\n")
	case len(l.shown) == 0:
		return strings.Join(append(lines, "", th.Muted.Render(" there are none yet")), "\n")
	}
	_, cells := l.sheet(c.Width)
	join := func(row []string) string { return strings.TrimRight(strings.Join(row, strings.Repeat(" ", gap)), " ") }
	lines = append(lines, th.Label.Render(layout.Cut(strings.Repeat(" ", marks-1)+join(cells[0]), c.Width)))
	rows := l.rows(c.Height)
	lines = append(lines, l.at.Draw(th, len(l.shown), rows, func(i int) string {
		e, marked := l.shown[i], " "
		if slices.Contains(l.marked, e.Path) {
			marked = string(th.Glyphs.Bullet)
		}
		return layout.Cut(marked+string(mark(th, e))+" "+join(cells[i+1]), c.Width-2)
	})...)
	below := layout.Styled(th.Muted, ansi.Wrap(facts(l.selected()), c.Width-2, ""))
	if l.question != nil {
		below = []string{th.Title.Render(layout.Cut(l.question.title, c.Width-2)),
			string(th.Glyphs.FocusLeft) + l.question.input.View() + string(th.Glyphs.FocusRight)}
	}
	return strings.Join(append(lines, "", " "+strings.Join(below[:min(len(below), detail)], "\n ")), "\n")
}

// mark is a glyph for the state of a run.
func mark(th theme.Theme, e store.Entry) rune {
	g := th.Glyphs
	switch {
	case e.Fault != nil:
		return g.Cross
	case e.Manifest.Complete():
		return g.Check
	case e.Holder != nil:
		return g.Current
	}
	return g.Todo
}

// facts is what a run computes, or what is wrong with it.
func facts(e store.Entry) string {
	m := e.Manifest
	if e.Fault != nil {
		return e.Fault.Error()
	}
	text := fmt.Sprintf("%s n=%d m=%d %s=%d, %d test pairs, seed %d; %s; begun %s with rfm %s", m.Problem, m.Train,
		m.Features, config.Config{Problem: m.Problem}.GridSymbol(), m.Grid, m.Test, m.Seed,
		quantity.Bytes(float64(m.Bytes())), m.Created.Format("2006-01-02 15:04"), m.Program.Version)
	if e.Note != "" {
		text = e.Note + "; " + text
	}
	if e.Holder != nil {
		text += "; in use by " + e.Holder.String()
	}
	return text
}

// exhibit is the table with all columns.
func (l *Screen) exhibit() study.Result {
	t := study.Table{Title: "runs"}
	for _, c := range columns {
		t.Header = append(t.Header, c.title)
	}
	for _, e := range l.shown {
		var row []string
		for _, c := range columns {
			row = append(row, c.cell(e, l.from.At))
		}
		t.Rows = append(t.Rows, row)
	}
	return study.Result{Study: l.Name(), Tables: []study.Table{t}}
}
