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

	"rfm/model/report"
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
	// mark, if not 0, draws the values as points with this character instead of a line, at least Spacing columns apart
	// so that a line below stays visible; 0 and 1 draw every point
	mark rune
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
	f, _ := l.draw(l.legend())
	return f.String()
}

// draw draws the plot with a legend, or with the names of points next to them, and reports whether these have room.
func (l graph) draw(legend []legendEntry) (f *frame, room bool) {
	f, room = newFrame(l.width, l.height, l.theme), true
	x := l.horizontal()
	name := f.noted(l, legend)
	legend = f.shortened(legend)
	f.header(l.Title, name, legendWidth(legend), 9, func(x, y int) { f.legend(legend, x, y) })
	y := report.RowAxis(l.vertical(x), f.rows(), l.YMin != nil, l.YMax != nil, l.LogY)
	f.vertical(y)
	f.horizontal(report.ColumnAxis(x.Lo, x.Hi, f.columns(), x.Log), l.XLabel)
	empty, paths := true, make([]path, len(l.series))
	for i, s := range l.series {
		p := newPath(s, x, l.LogY)
		if paths[i] = p; !p.drawable(f.columns()) {
			continue
		}
		empty = false
		switch k := inkOf(s.style); {
		case l.thin(s):
			f.curve(p, y, light, k)
		case s.mark != 0:
			f.marks(p, y, s.mark, s.Spacing, k)
		default:
			f.curve(p, y, s.pen, k)
		}
	}
	if empty {
		f.note("no data")
	}
	for i, s := range l.series {
		if legend == nil && paths[i].drawable(f.columns()) {
			room = f.beside(paths[i], y, s.Name) && room
		}
	}
	return f, room
}

// noted returns the name of the vertical axis with a note if the axis is logarithmic, unless the note costs one of few
// lines.
func (f *frame) noted(l graph, legend []legendEntry) string {
	name := strings.TrimLeft(l.YLabel+logNote, " ")
	const many = 12
	used, beside := f.cellsOf(l.Title+name)+2, 0
	if len(legend) > 0 {
		beside = legendGap + legendWidth(legend)
	}
	if !l.LogY || l.Title+l.YLabel == "" || used > f.width || used+beside > f.width && f.height < many {
		return l.YLabel
	}
	return name
}

// horizontal returns the range of the horizontal axis, without ticks.
func (l graph) horizontal() report.Axis {
	a := report.Axis{Lo: report.Coordinate(l.X0, l.LogX), Hi: report.Coordinate(l.X1, l.LogX), Log: l.LogX}
	if a.Lo < a.Hi && !math.IsInf(a.Lo, 0) && math.Abs(a.Lo) <= report.Largest && math.Abs(a.Hi) <= report.Largest {
		return a
	}
	s := report.NewSpan()
	for _, one := range l.series {
		for _, v := range one.X {
			s.Add(report.Coordinate(v, l.LogX))
		}
	}
	s = s.Widened(l.LogX)
	a.Lo, a.Hi = s.Lo, s.Hi
	return a
}

// vertical returns the range of the data inside the horizontal range, or of the pinned ends.
func (l graph) vertical(x report.Axis) report.Span {
	s := report.NewSpan()
	margin := 1e-9 * (x.Hi/2 - x.Lo/2)
	for _, one := range l.series {
		own, inside := report.NewSpan(), make([]float64, 0, len(one.Y))
		for i, v := range one.Y {
			if at := report.Coordinate(one.X[i], x.Log); at >= x.Lo-margin && at <= x.Hi+margin {
				c := report.Coordinate(v, l.LogY)
				own.Add(c)
				inside = append(inside, c)
			}
		}
		if l.LogY {
			own.Lo = max(own.Lo, floorOfDips(inside))
		}
		s.Add(own.Lo) // infinite if empty, and then ignored
		s.Add(own.Hi)
	}
	return s.Pinned(l.YMin, l.YMax, l.LogY)
}

// floorOfDips returns a lower end for decimal logarithms c that a few of them may cross: a decade below all but the
// lowest fiftieth. An error that changes sign comes arbitrarily close to zero at single points, and would otherwise
// squeeze all other values into the uppermost rows. It is -Inf for fewer than 50 values.
func floorOfDips(c []float64) float64 {
	const few, most = 50, 4096
	if len(c) < few {
		return math.Inf(-1)
	}
	var some []float64
	for i := 0; i < len(c); i += (len(c) + most - 1) / most {
		some = append(some, c[i])
	}
	slices.Sort(some) // NaN comes first
	known := slices.IndexFunc(some, func(v float64) bool { return !math.IsNaN(v) })
	if known < 0 {
		return math.Inf(-1)
	}
	return some[known+(len(some)-known)/50] - 1
}

// drawable reports whether a sample lies inside the plot.
func (p path) drawable(columns int) bool {
	for i, at := range p.at {
		if edge := 0.5 / float64(columns); at >= -edge && at <= 1+edge && !math.IsNaN(p.c[i]) {
			return true
		}
	}
	return false
}

// legend lists the named series.
func (l graph) legend() []legendEntry {
	var entries []legendEntry
	for _, s := range l.series {
		if s.Name != "" {
			entries = append(entries, legendEntry{l.sample(s), s.Name, s.style})
		}
	}
	return entries
}

// thin reports whether a series is drawn as a thin line where other glyphs draw marks at some of its points: with dots
// a line is four times as exact. Without colour the line below would look the same.
func (l graph) thin(s series) bool {
	return s.mark != 0 && s.Spacing > 0 && l.theme.Dots() && !l.theme.Plain()
}

// sample returns the glyphs of a series in a legend.
func (l graph) sample(s series) []rune {
	if l.thin(s) {
		return light.sample(l.theme)
	}
	if s.mark != 0 {
		return []rune{s.mark}
	}
	return s.pen.sample(l.theme)
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
