package widget

import (
	"strings"

	"charm.land/lipgloss/v2"

	"rfm/tui/layout"
	"rfm/tui/theme"
)

// Tabs is a bar of names, of which one is current.
type Tabs struct {
	Names []string
	At    int
}

// row is the range of names that fit into a bar, with gap cells between them.
type row struct{ first, last, gap int }

// row returns all tabs if they fit, and else those around the current one.
func (b Tabs) row(th theme.Theme, width int) row {
	for _, gap := range []int{2, 1} {
		if r := (row{0, len(b.Names), gap}); lipgloss.Width(b.names(th, r)) <= width {
			return r
		}
	}
	r := row{b.At, b.At + 1, 1}
	const arrows = 2
	fits := func(r row) bool { return lipgloss.Width(b.names(th, r)) <= width-arrows }
	for grown := true; grown; {
		grown = false
		if next := (row{r.first, r.last + 1, 1}); r.last < len(b.Names) && fits(next) {
			r, grown = next, true
		}
		if next := (row{r.first - 1, r.last, 1}); r.first > 0 && fits(next) {
			r, grown = next, true
		}
	}
	return r
}

// Draw draws the names of the tabs, the current one in brackets. Arrows indicate hidden tabs.
func (b Tabs) Draw(th theme.Theme, width int) string {
	r := b.row(th, width)
	line := b.names(th, r)
	if r.first > 0 {
		line = th.Muted.Render(string(th.Glyphs.Left)) + line
	}
	if r.last < len(b.Names) {
		line += th.Muted.Render(string(th.Glyphs.Right))
	}
	return layout.Cut(line, width)
}

// names draws the names of a row. The brackets of the current one take up cells of the gaps around it.
func (b Tabs) names(th theme.Theme, r row) string {
	line, space := "", " "
	for i := r.first; i < r.last; i++ {
		if i == b.At {
			line += strings.Repeat(" ", len(space)-1) + th.Key.Render(string(th.Glyphs.FocusLeft)) +
				th.StepCurrent.Render(b.Names[i]) + th.Key.Render(string(th.Glyphs.FocusRight))
			space = strings.Repeat(" ", r.gap-1)
			continue
		}
		line += space + th.Muted.Render(b.Names[i])
		space = strings.Repeat(" ", r.gap)
	}
	return line + space
}
