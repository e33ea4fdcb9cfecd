package widget

import (
	"strings"

	"charm.land/lipgloss/v2"

	"rfm/tui/layout"
	"rfm/tui/theme"
)

// Bar draws the names of tabs, the current one in brackets, close to each other if there is little room. The brackets
// take up cells of the gaps.
func Bar(th theme.Theme, names []string, at, width int) string {
	line := bar(th, names, at, 2)
	if lipgloss.Width(line) > width {
		line = bar(th, names, at, 1)
	}
	return layout.Cut(line, width)
}

// bar draws names with gaps of some cells between them.
func bar(th theme.Theme, names []string, at, gap int) string {
	line, space := "", " "
	for i, name := range names {
		if i == at {
			line += strings.Repeat(" ", len(space)-1) + th.Key.Render(string(th.Glyphs.FocusLeft)) +
				th.StepCurrent.Render(name) + th.Key.Render(string(th.Glyphs.FocusRight))
			space = strings.Repeat(" ", gap-1)
			continue
		}
		line += space + th.Muted.Render(name)
		space = strings.Repeat(" ", gap)
	}
	return line + space
}
