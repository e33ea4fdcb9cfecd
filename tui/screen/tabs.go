// This file is the bar of tabs of the evaluation.

package screen

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"rfm/tui/layout"
)

// tabLines is the height of the bar of tabs.
const tabLines = 1

// tabRow is the tabs that a bar has room for, so many cells apart, and whether some are left out on either side.
type tabRow struct {
	tabs        []*tab
	gap         int
	left, right bool
}

// row is all tabs if there is room for them, and else those around the current one.
func (v *evaluate) row(s *session, width int) tabRow {
	open := v.open(s)
	for _, gap := range []int{2, 1} {
		if lipgloss.Width(v.tabNames(s, open, gap)) <= width {
			return tabRow{tabs: open, gap: gap}
		}
	}
	at := slices.Index(open, v.at)
	first, last := at, at+1 // open[first:last] are shown
	const arrows = 2
	fits := func(first, last int) bool { return lipgloss.Width(v.tabNames(s, open[first:last], 1)) <= width-arrows }
	for grown := true; grown; {
		grown = false
		if last < len(open) && fits(first, last+1) {
			last, grown = last+1, true
		}
		if first > 0 && fits(first-1, last) {
			first, grown = first-1, true
		}
	}
	return tabRow{tabs: open[first:last], gap: 1, left: first > 0, right: last < len(open)}
}

// bar names the tabs, the current one in brackets. Arrows say that there are more.
func (v *evaluate) bar(s *session, width int) string {
	th, r := s.Theme, v.row(s, width)
	line := v.tabNames(s, r.tabs, r.gap)
	if r.left {
		line = th.Muted.Render(string(th.Glyphs.Left)) + line
	}
	if r.right {
		line += th.Muted.Render(string(th.Glyphs.Right))
	}
	return layout.Cut(line, width)
}

// click goes to the tab whose name is at a place of the bar.
func (v *evaluate) click(s *session, x, y int) tea.Cmd {
	if s.reached < evaluating || y >= tabLines {
		return nil
	}
	r := v.row(s, s.width)
	start := 1
	if r.left {
		start++
	}
	for _, t := range r.tabs {
		end := start + lipgloss.Width(t.name)
		if start <= x && x < end {
			v.at = t
			return nil
		}
		start = end + r.gap
	}
	return nil
}

// tabNames writes names of tabs so many cells apart. The brackets of the current one take the place of cells beside it.
func (v *evaluate) tabNames(s *session, tabs []*tab, gap int) string {
	th := s.Theme
	line, space := "", " "
	for _, t := range tabs {
		if t == v.at {
			line += strings.Repeat(" ", len(space)-1) + th.Key.Render(string(th.Glyphs.FocusLeft)) + th.StepCurrent.Render(t.name) + th.Key.Render(string(th.Glyphs.FocusRight))
			space = strings.Repeat(" ", gap-1)
			continue
		}
		line += space + th.Muted.Render(t.name)
		space = strings.Repeat(" ", gap)
	}
	return line + space
}
