package page

import (
	"slices"
	"strings"

	"charm.land/lipgloss/v2"

	"rfm/model/show/report"
	"rfm/solver/base/printable"
	"rfm/tui/layout"
	"rfm/tui/plot"
	"rfm/tui/theme"
)

// Print returns a page as text of some width for a stream. Its tables are cut to room cells.
func Print(th theme.Theme, p report.Page, width, room int) string {
	var parts []string
	add := func(lines ...string) {
		if len(lines) > 0 {
			parts = append(parts, strings.Join(lines, "\n")+"\n")
		}
	}
	var head []string
	if p.Title != "" {
		head = append(head, th.Title.Render(p.Title))
		const gap = "  "
		switch {
		case p.Source == "":
		case layout.HaveRoom(width, p.Title, p.Source):
			head[0] += gap + th.Muted.Render(p.Source)
		default:
			source := layout.Hanging("", p.Source, 0, width)
			head = append(head, layout.Styled(th.Muted, source)...)
		}
	}
	if p.Heading != "" {
		heading := layout.Hanging("", p.Heading, 2, width)
		head = append(head, layout.Styled(th.Muted, heading)...)
	}
	add(head...)
	for _, t := range p.Tables {
		add(table(th, t, room)...)
	}
	for _, f := range p.Figures { // plots fit a small terminal
		add(plot.Figure(th, f, min(76, width), 18))
	}
	for _, f := range p.Fields {
		add(plot.Field(th, f, min(76, width), 18))
	}
	var notes []string
	for _, note := range p.Notes {
		for line := range strings.SplitSeq(printable.Text(note), "\n") {
			if !strings.HasPrefix(line, " ") { // else it is a line of a recipe
				line = layout.Hanging("", line, 2, width)
			}
			notes = append(notes, line)
		}
	}
	add(notes...)
	return strings.Join(parts, "\n")
}

// areEqual reports whether several cells have the same text.
func areEqual(cells []string) bool {
	distinct := slices.Compact(slices.Clone(cells))
	return len(cells) > 1 && len(distinct) == 1
}

// narrowed returns a table without the last columns of numbers if they do not fit a width, because the beginning of a number
// is another number. An ellipsis in the header stands for them.
func narrowed(t report.Table, width int) report.Table {
	const fewest = 2 // columns
	fits := func() bool { return lipgloss.Width(t.Text()) <= width }
	last := len(t.Header) - 1
	if fits() || slices.Contains(t.Words, last) { // words may be cut
		return t
	}
	header := t.Header
	rows := t.Rows
	for columns := last; columns >= fewest; columns-- {
		t.Header = slices.Clone(header[:columns])
		t.Header[columns-1] += " …"
		t.Rows = nil
		for _, row := range rows {
			t.Rows = append(t.Rows, row[:min(len(row), columns)])
		}
		if fits() {
			break
		}
	}
	return t
}

// table returns the lines of a table, cut to a width. Rows of equal cells are grey.
func table(th theme.Theme, t report.Table, width int) []string {
	t = narrowed(t, width)
	lines := strings.Split(t.Text(), "\n")
	for i, row := range t.Rows {
		if areEqual(row[1:]) {
			lines[i+1] = th.Muted.Render(lines[i+1])
		}
	}
	lines[0] = th.Title.Render(lines[0])
	if t.Title != "" {
		lines = slices.Insert(lines, 0, th.Label.Render(t.Title))
	}
	for i, line := range lines {
		lines[i] = layout.Cut(line, width)
	}
	return lines
}
