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

// Draw draws the names of the tabs, the current one in brackets, close to each other if there is little room. The
// brackets take up cells of the gaps.
func (b Tabs) Draw(th theme.Theme, width int) string {
	line := b.names(th, 2)
	if lipgloss.Width(line) > width {
		line = b.names(th, 1)
	}
	return layout.Cut(line, width)
}

// names draws the names with gaps of some cells between them.
func (b Tabs) names(th theme.Theme, gap int) string {
	line, space := "", " "
	for i, name := range b.Names {
		if i == b.At {
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
