// Package layout puts blocks of text side by side and on top of each other. Widths are in cells of the terminal, heights
// in lines; control sequences of colours take no cells.
package layout

import (
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

// Fit cuts and pads text to at most width cells and exactly height lines.
func Fit(text string, width, height int) string {
	lines := strings.Split(text, "\n")
	lines = lines[:min(len(lines), max(0, height))]
	for i, line := range lines {
		lines[i] = ansi.Truncate(line, width, "")
	}
	for len(lines) < height {
		lines = append(lines, "")
	}
	return strings.Join(lines, "\n")
}

// Beside puts right next to left, which is cut and padded to leftWidth cells, with gap between them in every line. The
// result has exactly height lines; those of right are not cut.
func Beside(height int, gap string, left string, leftWidth int, right string) string {
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

// A Block draws a part of a screen: at most height lines of at most width cells.
type Block func(width, height int) string

// Tiles draws blocks of equal size, row by row, as many in a row as there are columns.
func Tiles(width, height, columns int, blocks ...Block) string {
	const gap = 2
	w := (width - gap*(columns-1)) / columns
	count := (len(blocks) + columns - 1) / columns
	rows := make([]string, count)
	for r := range rows {
		h := height*(r+1)/count - height*r/count
		first := r * columns
		row := blocks[first](w, h)
		for i, b := range blocks[first+1 : min(first+columns, len(blocks))] {
			row = Beside(h, strings.Repeat(" ", gap), row, (w+gap)*(i+1)-gap, b(w, h))
		}
		rows[r] = Fit(row, width, h)
	}
	return strings.Join(rows, "\n")
}

// apart is how many cells are between two texts in one line.
const apart = 2

// HaveRoom reports whether a line of width cells has room for both texts with a gap between them.
func HaveRoom(width int, left, right string) bool {
	return lipgloss.Width(left)+apart+lipgloss.Width(right) <= width
}

// Opposite writes text at both ends of a line; the right one only if there is room, see HaveRoom.
func Opposite(width int, left, right string) string {
	if !HaveRoom(width, left, right) {
		return ansi.Truncate(left, width, "")
	}
	return left + strings.Repeat(" ", width-lipgloss.Width(left)-lipgloss.Width(right)) + right
}
