// Package layout puts blocks of text side by side and on top of each other. Widths are in cells of the terminal,
// heights in lines; control sequences of colours take no cells.
package layout

import (
	"regexp"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

// The size of the smallest terminal that can show everything.
const (
	MinWidth  = 60
	MinHeight = 15
)

// TooSmall reports whether a terminal of some size is smaller than that.
func TooSmall(width, height int) bool { return width < MinWidth || height < MinHeight }

// ellipsis marks a cut text. A theme in ASCII has another one, see theme.Theme.Text.
const ellipsis = "…"

// numbers matches numbers, which are never cut in two: half a number is another number.
var numbers = regexp.MustCompile(`[-+]?[0-9]+(\.[0-9]*)?(e[-+]?[0-9]+)?`)

// Cut shortens a line to at most width cells, with an ellipsis at the end. A number stays whole or is left out. Control
// sequences stay; trailing blanks do not count.
func Cut(line string, width int) string {
	if ansi.StringWidth(line) <= width {
		return line
	}
	plain := ansi.Strip(line)
	if ansi.StringWidth(strings.TrimRight(plain, " ")) <= width {
		return ansi.Truncate(line, width, "")
	}
	keep := max(0, width-1)
	for _, n := range numbers.FindAllStringIndex(plain, -1) {
		first := ansi.StringWidth(plain[:n[0]])
		after := ansi.StringWidth(plain[:n[1]])
		if first < keep && keep < after {
			keep = first
			break
		}
	}
	return ansi.Truncate(line, min(keep+1, width), ellipsis)
}

// Fit cuts and pads text to at most width cells and exactly height lines; see Cut.
func Fit(text string, width, height int) string {
	lines := strings.Split(text, "\n")
	lines = lines[:min(len(lines), max(0, height))]
	for i, line := range lines {
		lines[i] = Cut(line, width)
	}
	for len(lines) < height {
		lines = append(lines, "")
	}
	return strings.Join(lines, "\n")
}

// Head returns the first most >= 1 lines of a text of some width; an ellipsis ends the last one if there are more.
func Head(lines []string, width, most int) []string {
	if len(lines) <= most {
		return lines
	}
	head := slices.Clone(lines[:most])
	head[most-1] = Cut(head[most-1]+" "+ellipsis, width)
	return head
}

// Beside puts right next to left, which is cut and padded to leftWidth cells, with gap between them in every line. The
// result has exactly height lines; right is not cut.
func Beside(height int, gap string, left string, leftWidth int, right string) string {
	lefts := strings.Split(left, "\n")
	rights := strings.Split(right, "\n")
	lines := make([]string, height)
	for i := range lines {
		l := ""
		if i < len(lefts) {
			l = Cut(lefts[i], leftWidth)
		}
		r := ""
		if i < len(rights) {
			r = rights[i]
		}
		lines[i] = l + blanks(leftWidth-lipgloss.Width(l)) + gap + r
	}
	return strings.Join(lines, "\n")
}

// blanks returns n blanks, none if n is negative.
func blanks(n int) string { return strings.Repeat(" ", max(0, n)) }

// A Block draws a part of a screen: at most height lines of at most width cells.
type Block func(width, height int) string

// Tiles draws blocks row by row in the given number of columns; the blocks of the last row share its width. Unused
// lines stay blank.
func Tiles(width, height, columns int, blocks ...Block) string {
	const gap = 2
	count := (len(blocks) + columns - 1) / columns
	rows := make([]string, count)
	for r := range rows {
		h := height / count
		first := r * columns
		last := min(first+columns, len(blocks))
		beside := last - first // number of blocks in the row
		w := (width - gap*(beside-1)) / beside
		row := blocks[first](w, h)
		for i, b := range blocks[first+1 : last] {
			drawn := (w+gap)*(i+1) - gap // cells on the left
			row = Beside(h, blanks(gap), row, drawn, b(w, h))
		}
		rows[r] = Fit(row, width, h)
	}
	return Fit(strings.Join(rows, "\n"), width, height)
}

// Styled returns the lines of a text, each in a style of its own.
func Styled(style lipgloss.Style, text string) []string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = style.Render(line)
	}
	return lines
}

// Wrap breaks text into lines of at most width cells, at blanks: a hyphen in a number or a name is no place to break.
// Longer words are broken.
func Wrap(text string, width int) string { return atBlanks(ansi.Wrap, text, width) }

func atBlanks(wrap func(text string, width int, breakpoints string) string, text string, width int) string {
	const kept = "\u2011" // a hyphen at which nothing breaks
	text = strings.ReplaceAll(text, "-", kept)
	lines := wrap(text, width, "")
	return strings.ReplaceAll(lines, kept, "-")
}

// Hanging breaks text behind a beginning into lines of at most width cells, all but the first indented. Words stay whole:
// they may be names of files and flags.
func Hanging(begin, text string, indent, width int) string {
	text = strings.Join(strings.Fields(text), " ")
	used := ansi.StringWidth(begin)
	if used+ansi.StringWidth(text) <= width {
		return begin + text
	}
	if used != indent { // then the text does not begin where its other lines do
		text = begin + text
		begin = ""
	}
	lines := atBlanks(ansi.Wordwrap, text, width-indent)
	return begin + strings.ReplaceAll(lines, "\n", "\n"+blanks(indent))
}

// Paragraph returns the lines of a text in a style, wrapped to width cells with a margin.
func Paragraph(style lipgloss.Style, text string, width int) []string {
	lines := Styled(style, Wrap(text, width-2))
	for i, line := range lines {
		lines[i] = " " + line
	}
	return lines
}

// apart is the number of cells between two texts in one line.
const apart = 2

// HaveRoom reports whether a line of width cells has room for both texts with a gap between them.
func HaveRoom(width int, left, right string) bool {
	return lipgloss.Width(left)+apart+lipgloss.Width(right) <= width
}

// Opposite puts texts at both ends of a line; the right one only if there is room, see HaveRoom.
func Opposite(width int, left, right string) string {
	if !HaveRoom(width, left, right) {
		return Cut(left, width)
	}
	between := width - lipgloss.Width(left) - lipgloss.Width(right)
	return left + blanks(between) + right
}

// A Shape is an arrangement of equal blocks.
type Shape struct {
	Columns int
	Rows    int
}

// Count returns the number of blocks in the arrangement.
func (s Shape) Count() int { return s.Columns * s.Rows }
