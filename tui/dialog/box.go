package dialog

import (
	"strings"

	"charm.land/lipgloss/v2"

	"rfm/tui/theme"
)

// Box returns lines in a frame, width cells of text wide.
func Box(th theme.Theme, lines []string, width int) string {
	border := lipgloss.RoundedBorder()
	if th.ASCII {
		border = lipgloss.ASCIIBorder()
	}
	const around = 4 // the frame and a blank on each side
	return lipgloss.NewStyle().Border(border).BorderForeground(th.Border.GetForeground()).Padding(0, 1).
		Width(width + around).Render(strings.Join(lines, "\n"))
}
