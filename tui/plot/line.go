// Package plot draws functions, histograms and progress as text of an exact size. asciigraph draws the lines; this
// package adds scales, axes, legends, marks and the treatment of data that cannot be drawn.
//
// Every Render is a pure function of the struct: same fields, same string, and nothing is kept or modified. A screen
// may cache the string until data, size or theme change. The result has Height lines of Width cells, padded with
// spaces, joined by newlines without a final one; it is empty if either is not positive.
package plot

import (
	"math"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"

	"rfm/model/report"
	"rfm/tui/theme"
)

// Line is a plot of several series in one frame. Series are drawn in order, later ones over earlier ones. Values beyond
// the frame appear as arrows at its upper or lower edge.
type Line struct {
	Series        []Series
	Width, Height int // cells

	// X0 and X1 bound the horizontal axis. If X0 >= X1 the axis spans the X of all series.
	X0, X1 float64
	// YMin and YMax pin the ends of the vertical axis; nil follows the data.
	YMin, YMax *float64
	LogX, LogY bool // decimal logarithmic axes

	Title, XLabel, YLabel string

	Theme theme.Theme
}

// Render draws the plot; see the package comment for the size of the result. If the frame is too small or the plot is
// empty, the result is a message.
func (l Line) Render() string {
	th := l.Theme
	if text, small := tooSmall("plot", l.Width, l.Height, th); small {
		return text
	}

	f := newFrame(l.Width, l.Height, th)
	x, legend := l.horizontal(), l.legend()
	name := f.noted(l, legend)
	legend = f.shortened(legend)
	f.header(l.Title, name, legendWidth(legend), 9, func(x, y int) { f.legend(legend, x, y) })
	y := report.RowAxis(l.vertical(x), f.rows(), l.YMin != nil, l.YMax != nil, l.LogY)
	f.vertical(y)
	f.horizontal(report.ColumnAxis(x.Lo, x.Hi, f.columns(), x.Log), l.XLabel)
	empty := true
	for _, s := range l.Series {
		p := newPath(s, x, l.LogY)
		if !p.drawable(f.columns()) {
			continue
		}
		empty = false
		switch k := inkOf(s.Style); {
		case l.thin(s):
			f.curve(p, y, Light, k)
		case s.Mark != 0:
			f.marks(p, y, s.Mark, s.Spacing, k)
		default:
			f.curve(p, y, s.Pen, k)
		}
	}
	if empty {
		f.note("no data")
	}
	return f.String()
}

// noted returns the name of the vertical axis with a note if the axis is logarithmic, unless the note costs one of few
// lines.
func (f *frame) noted(l Line, legend []legendEntry) string {
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
func (l Line) horizontal() report.Axis {
	a := report.Axis{Lo: report.Coordinate(l.X0, l.LogX), Hi: report.Coordinate(l.X1, l.LogX), Log: l.LogX}
	if a.Lo < a.Hi && !math.IsInf(a.Lo, 0) && math.Abs(a.Lo) <= report.Largest && math.Abs(a.Hi) <= report.Largest {
		return a
	}
	s := report.NewSpan()
	for _, series := range l.Series {
		for _, v := range series.X {
			s.Add(report.Coordinate(v, l.LogX))
		}
	}
	s = s.Widened(l.LogX)
	a.Lo, a.Hi = s.Lo, s.Hi
	return a
}

// vertical returns the range of the data inside the horizontal range, or of the pinned ends.
func (l Line) vertical(x report.Axis) report.Span {
	s := report.NewSpan()
	margin := 1e-9 * (x.Hi/2 - x.Lo/2)
	for _, series := range l.Series {
		own, inside := report.NewSpan(), make([]float64, 0, len(series.Y))
		for i, v := range series.Y {
			if at := report.Coordinate(series.X[i], x.Log); at >= x.Lo-margin && at <= x.Hi+margin {
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
	s = s.Widened(l.LogY)
	pin := func(v *float64, data float64) (float64, bool) {
		if v != nil {
			if c := report.Coordinate(*v, l.LogY); math.Abs(c) <= report.Largest {
				return c, true
			}
		}
		return data, false
	}
	lo, pinnedLo := pin(l.YMin, s.Lo)
	hi, pinnedHi := pin(l.YMax, s.Hi)
	switch {
	case pinnedLo && pinnedHi && lo >= hi:
		return s
	case pinnedLo && lo >= hi: // no values above the pinned end
		hi = report.Span{Lo: lo, Hi: lo}.Widened(l.LogY).Hi
	case pinnedHi && lo >= hi:
		lo = report.Span{Lo: hi, Hi: hi}.Widened(l.LogY).Lo
	}
	return report.Span{Lo: lo, Hi: hi}
}

// floorOfDips returns a lower end for decimal logarithms c that a few of them may cross: a decade below all but the
// lowest fiftieth. An error that changes sign comes arbitrarily close to zero at single points, and would otherwise
// squeeze all other values into the uppermost rows. It is -Inf for fewer than 50 values.
func floorOfDips(c []float64) float64 {
	const few, most = 50, 4096
	if len(c) < few {
		return math.Inf(-1)
	}
	stride := (len(c) + most - 1) / most
	some := make([]float64, 0, most)
	for i := 0; i < len(c); i += stride {
		if !math.IsNaN(c[i]) {
			some = append(some, c[i])
		}
	}
	if len(some) == 0 {
		return math.Inf(-1)
	}
	slices.Sort(some)
	return some[len(some)/50] - 1
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
func (l Line) legend() []legendEntry {
	var entries []legendEntry
	for _, s := range l.Series {
		if s.Name == "" {
			continue
		}
		entries = append(entries, legendEntry{l.sample(s), s.Name, s.Style})
	}
	return entries
}

// thin reports whether a series is drawn as a thin line where other glyphs draw marks at some of its points: with dots
// a line is four times as exact. Without colour the line below would look the same.
func (l Line) thin(s Series) bool {
	return s.Mark != 0 && s.Spacing > 0 && l.Theme.Dots() && !l.Theme.Plain()
}

// sample returns the glyphs of a series in a legend.
func (l Line) sample(s Series) []rune {
	if l.thin(s) {
		return Light.sample(l.Theme)
	}
	if s.Mark != 0 {
		return []rune{s.Mark}
	}
	return s.Pen.sample(l.Theme)
}

// A Series is one curve or one set of points of a [Line].
type Series struct {
	Name string // shown in the legend; "" leaves the series out of it

	// X are the positions of Y, of the same length. They should be ascending (a copy is sorted if not); NaN and, on a
	// logarithmic axis, positions that are not positive are left out.
	X []float64
	// Y are the values. NaN is a gap. Infinite values, and on a logarithmic axis values that are not positive, are
	// beyond the frame.
	Y []float64

	Style lipgloss.Style
	Pen   Pen // characters of the line

	// Mark, if not 0, draws the values as points with this character instead of a line. Spacing is then the least
	// number of columns from one mark to the next, so that a line below stays visible; 0 and 1 draw every point.
	Mark    rune
	Spacing int
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
	if fraction > 0 {
		filled = min(int(fraction*float64(steps)), steps-1)
		filled = max(filled, 1)
	}
	if fraction >= 1 {
		filled = steps
	}
	full, part := filled/len(levels), filled%len(levels)
	done := strings.Repeat(string(levels[len(levels)-1]), full)
	if part > 0 {
		done += string(levels[part-1])
		full++
	}
	return th.Good.Render(done) + th.Muted.Render(strings.Repeat(string(th.Glyphs.Unfilled), width-full))
}
