// Package plot draws functions, histograms and progress as text of an exact size. asciigraph draws the lines; this
// package adds scales, axes, legends, marks and the treatment of data that cannot be drawn.
//
// Every picture is a pure function of data, size and theme. It has height lines of width cells, padded with spaces,
// joined by newlines without a final one; it is empty if either is not positive.
package plot

import (
	"math"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"

	"rfm/model/show/report"
	"rfm/tui/theme"
)

// graph is a plot of several series in one frame. Series are drawn in order, later ones over earlier ones. Values
// beyond the frame appear as arrows at its upper or lower edge. If X0 >= X1 the horizontal axis spans the X of all
// series. YMin and YMax pin the ends of the vertical one, which otherwise follows the data.
type graph struct {
	report.Figure
	series        []series
	width, height int // cells
	theme         theme.Theme
}

// series is one curve or one set of points of a graph; see newPath for its values. A name is shown in the legend.
type series struct {
	report.Curve
	style lipgloss.Style
	pen   pen // characters of the line
	// mark, if not 0, draws the values as points with this character instead of a line, at least so many columns apart
	// so that a line below stays visible; 0 and 1 draw every point
	mark    rune
	spacing int
}

// sample returns the glyphs of a series in a legend.
func (s series) sample(th theme.Theme) string {
	if s.mark != 0 {
		return string(s.mark)
	}
	return s.pen.sample(th)
}

// Render draws the plot; see the package comment for the size of the result. If the frame is too small or the plot is
// empty, the result is a message. Several single points have their names next to them if there is room for all of them.
func (l graph) Render() string {
	if text, small := tooSmall("plot", l.width, l.height, l.theme); small {
		return text
	}
	single := func(s series) bool { return s.mark != 0 && len(s.X) == 1 }
	if len(l.series) > 1 && !slices.ContainsFunc(l.series, func(s series) bool { return !single(s) }) {
		if f, room := l.draw(nil); room {
			return f.String()
		}
	}
	f, _ := l.draw(slices.DeleteFunc(slices.Clone(l.series), func(s series) bool { return s.Name == "" }))
	return f.String()
}

// draw draws the plot with a legend, or with the names of points next to them, and reports whether these have room.
func (l graph) draw(legend []series) (f *frame, room bool) {
	f, room = newFrame(l.width, l.height, l.theme), true
	x, paths, up := l.ranges()
	name := f.noted(l, legend)
	legend = f.shortened(legend)
	f.header(l.Title, name, f.legendWidth(legend), 9, func(x, y int) { f.legend(legend, x, y) })
	y := report.RowAxis(up, f.rows(), l.YMin != nil, l.YMax != nil, l.LogY)
	f.vertical(y)
	f.horizontal(report.ColumnAxis(x.Lo, x.Hi, f.columns(), x.Log), l.XLabel)
	for i, s := range l.series {
		switch p, k := paths[i], inkOf(s.style); {
		case p.inside == nil:
		case s.mark != 0:
			f.marks(p, y, s.mark, s.spacing, k)
		default:
			f.curve(p, y, s.pen, k)
		}
	}
	if !slices.ContainsFunc(paths, func(p path) bool { return p.inside != nil }) {
		f.noData()
	}
	for i, s := range l.series {
		if legend == nil && paths[i].inside != nil {
			room = f.beside(paths[i], y, s.Name) && room
		}
	}
	return f, room
}

// noted returns the name of the vertical axis with a note if the axis is logarithmic, unless the note costs one of few
// lines.
func (f *frame) noted(l graph, legend []series) string {
	name := strings.TrimLeft(l.YLabel+logNote, " ")
	const many = 12
	used := f.cellsOf(l.Title+name) + 2
	if len(legend) > 0 {
		used += legendGap + f.legendWidth(legend)
	}
	if !l.LogY || l.Title+l.YLabel == "" || used > f.width && f.height < many {
		return l.YLabel
	}
	return name
}

// ranges returns the horizontal axis without ticks, the series in its coordinates, and the range of the vertical axis:
// the pinned ends, or the range of the data inside the horizontal one.
func (l graph) ranges() (x report.Axis, paths []path, y report.Span) {
	across, up := report.NewSpan(), report.NewSpan()
	for _, s := range l.series {
		for _, v := range s.X {
			across.Add(report.Coordinate(v, l.LogX))
		}
	}
	if across = across.Widened(l.LogX); l.X0 < l.X1 {
		across = across.Pinned(&l.X0, &l.X1, l.LogX)
	}
	x = report.Axis{Lo: across.Lo, Hi: across.Hi, Log: l.LogX}
	for _, s := range l.series {
		p := newPath(s, x, l.LogY)
		paths = append(paths, p)
		lo, hi := report.Extent(p.inside)
		if l.LogY {
			lo = max(lo, floorOfDips(p.inside))
		}
		up.Add(lo) // infinite if empty, and then ignored
		up.Add(hi)
	}
	return x, paths, up.Pinned(l.YMin, l.YMax, l.LogY)
}

// floorOfDips returns a lower end for decimal logarithms c that a few of them may cross: a decade below all but the
// lowest fiftieth. An error that changes sign comes arbitrarily close to zero at single points, and would otherwise
// squeeze all other values into the uppermost rows. It is -Inf for fewer than 50 values.
func floorOfDips(c []float64) float64 {
	const few = 50
	if len(c) < few {
		return math.Inf(-1)
	}
	return slices.Sorted(slices.Values(c))[len(c)/few] - 1
}

// Progress draws a bar of width cells of which fraction is filled, in eighths of a cell, or in ASCII in whole cells. A
// fraction outside [0,1] is clipped, NaN counts as 0. Only a fraction of 1 fills the bar, and any positive fraction is
// visible.
func Progress(fraction float64, width int, th theme.Theme) string {
	if width <= 0 {
		return ""
	}
	levels := th.Glyphs.Filling
	steps := width * len(levels)
	filled := 0
	switch {
	case fraction >= 1:
		filled = steps
	case fraction > 0:
		filled = max(1, min(int(fraction*float64(steps)), steps-1))
	}
	full, part := filled/len(levels), filled%len(levels)
	done := strings.Repeat(string(levels[len(levels)-1]), full)
	if part > 0 {
		done += string(levels[part-1])
		full++
	}
	return th.Good.Render(done) + th.Muted.Render(strings.Repeat(string(th.Glyphs.Unfilled), width-full))
}
