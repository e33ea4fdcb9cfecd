// This file puts blocks of text side by side and on top of each other.

package screen

import (
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

// fit cuts and pads text to at most width cells and exactly height lines.
func fit(text string, width, height int) string {
	lines := strings.Split(text, "\n")
	if len(lines) > height {
		lines = lines[:height]
	}
	for i, line := range lines {
		lines[i] = ansi.Truncate(line, width, "")
	}
	for len(lines) < height {
		lines = append(lines, "")
	}
	return strings.Join(lines, "\n")
}

// beside puts blocks next to each other, the first ones padded to their widths, with a gap.
func beside(height int, gap string, left string, leftWidth int, right string) string {
	a, b := strings.Split(left, "\n"), strings.Split(right, "\n")
	lines := make([]string, height)
	for i := range lines {
		l, r := "", ""
		if i < len(a) {
			l = ansi.Truncate(a[i], leftWidth, "")
		}
		if i < len(b) {
			r = b[i]
		}
		lines[i] = l + strings.Repeat(" ", max(0, leftWidth-lipgloss.Width(l))) + gap + r
	}
	return strings.Join(lines, "\n")
}

// A block draws a part of a screen: at most height lines of at most width cells.
type block func(width, height int) string

// tiles draws blocks of equal size, row by row, as many in a row as there are columns.
func tiles(width, height, columns int, blocks ...block) string {
	const gap = 2
	w := (width - gap*(columns-1)) / columns
	count := (len(blocks) + columns - 1) / columns
	rows := make([]string, count)
	for r := range rows {
		h := height*(r+1)/count - height*r/count
		first := r * columns
		row := blocks[first](w, h)
		for i, b := range blocks[first+1 : min(first+columns, len(blocks))] {
			row = beside(h, strings.Repeat(" ", gap), row, (w+gap)*(i+1)-gap, b(w, h))
		}
		rows[r] = fit(row, width, h)
	}
	return strings.Join(rows, "\n")
}

// opposite writes text at both ends of a line; the right one only if there is room.
func opposite(width int, left, right string) string {
	const apart = 2
	if gap := width - lipgloss.Width(left) - lipgloss.Width(right); gap >= apart {
		return left + strings.Repeat(" ", gap) + right
	}
	return ansi.Truncate(left, width, "")
}
