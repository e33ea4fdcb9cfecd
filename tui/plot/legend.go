// The lines above a plot: title, name of the vertical axis, and a legend that is shortened until it fits.

package plot

import (
	"slices"
	"strings"

	"charm.land/lipgloss/v2"

	"rfm/model/show/report"
	"rfm/tui/theme"
)

// series is one curve or one set of points of a graph; see newPath for its values. A name is shown in the legend.
type series struct {
	report.Curve
	style lipgloss.Style
	pen   pen // characters of the line
	// mark, if not 0, draws the values as points with this character instead of a line, at least so many columns apart
	// so that a line below stays visible; 0 and 1 draw every point
	mark    rune
	spacing int
	right   bool // the axis on the right measures it
}

// sample returns the glyphs of a series in a legend.
func (s series) sample(th theme.Theme) string {
	if s.mark != 0 {
		return string(s.mark)
	}
	return s.pen.sample(th)
}

const legendGap = 3 // columns between entries

// shortened returns a legend that fits in a line. The longest name loses its first words, since the last ones distinguish
// names, then letters; numbers stay. Then entries are dropped.
func (f *frame) shortened(entries []series) []series {
	entries = slices.Clone(entries)
	for f.legendWidth(entries) > f.width {
		longest, shorter := f.longestName(entries)
		if longest < 0 {
			last := len(entries) - 1
			entries = entries[:last]
			continue
		}
		entries[longest].Name = shorter
	}
	return entries
}

// longestName returns the entry with the longest name of those that can be cut, and the name after one cut; -1 if none can.
func (f *frame) longestName(entries []series) (longest int, shorter string) {
	longest = -1
	cells := 0
	for i, e := range entries {
		length := f.cellsOf(e.Name)
		if longest >= 0 && length <= cells {
			continue
		}
		name, ok := f.cutName(e.Name)
		if ok {
			longest = i
			cells = length
			shorter = name
		}
	}
	return longest, shorter
}

// cutName returns a name without its first word, or without its last letter, and false if it would lose a number or what
// is left of its meaning.
func (f *frame) cutName(name string) (string, bool) {
	const fewest = 4 // letters of a cut name
	const digits = "0123456789"
	first, rest, _ := strings.Cut(name, " ")
	losesNumber := strings.ContainsAny(first, digits)
	if rest != "" && !losesNumber {
		return rest, true
	}
	cells := f.cellsOf(name)
	hasNumber := strings.ContainsAny(name, digits)
	if cells <= fewest || hasNumber {
		return name, false
	}
	return f.shorten(name, cells-1), true
}

// legendWidth returns the number of cells that a legend takes.
func (f *frame) legendWidth(entries []series) int {
	gaps := max(0, len(entries)-1)
	width := legendGap * gaps
	for _, e := range entries {
		entry := e.sample(f.theme) + " " + e.Name
		width += f.cellsOf(entry)
	}
	return width
}

// header writes title and y label on the left and a legend of some width on the right of the first line; on two lines
// if one is too narrow and the height allows it: twoLines rows of the whole plot at least.
func (f *frame) header(title, yLabel string, need, twoLines int, legend func(x, y int)) {
	empty := title == "" && yLabel == "" && need == 0
	if empty || f.height <= minHeight {
		return
	}
	f.top = 1
	both := strings.TrimSpace(title + "  " + yLabel)
	left := f.cellsOf(both)
	room := f.width // for title and label
	if need > 0 {
		line := 0
		isNarrow := left+legendGap+need > f.width
		switch {
		case left == 0:
		case isNarrow && f.height >= twoLines:
			line = 1
			f.top = 2
		default:
			room -= need + legendGap // because the picture is unintelligible without its legend
		}
		legend(f.width-need, line)
	}
	const shortestTitle = 6
	if room < min(left, shortestTitle) {
		return
	}
	shown := f.shorten(title, room)
	x := f.text(0, 0, shown, inkOf(f.theme.Title))
	if title != "" {
		x += 2
	}
	f.text(x, 0, f.shorten(yLabel, room-x), f.muted)
}

// legend writes a legend from a cell on.
func (f *frame) legend(entries []series, x, y int) {
	for _, e := range entries {
		entry := e.sample(f.theme) + " " + e.Name
		x = f.text(x, y, entry, inkOf(e.style)) + legendGap
	}
}
