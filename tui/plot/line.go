// Package plot draws functions, histograms and progress as text of an exact size. asciigraph draws the lines; this
// package adds scales, axes, legends, marks and the treatment of data that cannot be drawn.
//
// Every picture is a pure function of data, size and theme. It has height lines of width cells, padded with spaces,
// joined by newlines without a final one; it is empty if either is not positive.
package plot

import (
	"slices"
	"strings"

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

// Render draws the plot; see the package comment for the size of the result. If the frame is too small or the plot is
// empty, the result is a message. Several single points have their names next to them, and the legend has the names that
// find no room there.
func (l graph) Render() string {
	text, small := tooSmall("plot", l.width, l.height, l.theme)
	if small {
		return text
	}
	named := l.legendSeries()
	if !l.hasPointsOnly() {
		f, _ := l.draw(named, nil)
		return f.String()
	}
	var legend []series
	beside := named
	for {
		f, lacking := l.draw(legend, beside)
		if len(lacking) == 0 {
			return f.String()
		}
		legend = append(legend, lacking...) // whose line may take the room of others: they are tried again
		beside = slices.DeleteFunc(slices.Clone(beside), func(s series) bool {
			return slices.ContainsFunc(lacking, func(without series) bool { return without.Name == s.Name })
		})
	}
}

// hasPointsOnly reports whether each series is a single point, and there are several.
func (l graph) hasPointsOnly() bool {
	isOther := func(s series) bool { return s.mark == 0 || len(s.X) != 1 }
	return len(l.series) > 1 && !slices.ContainsFunc(l.series, isOther)
}

// legendSeries returns the series that have names.
func (l graph) legendSeries() []series {
	var named []series
	for _, s := range l.series {
		if s.Name != "" {
			named = append(named, s)
		}
	}
	return named
}

// draw draws the plot with a legend, and with the names of some points next to them. It returns those without room.
func (l graph) draw(legend, beside []series) (f *frame, lacking []series) {
	f = newFrame(l.width, l.height, l.theme)
	legend = f.shortened(legend)
	const twoLines = 9 // rows of a plot whose header has two lines
	drawLegend := func(x, y int) { f.legend(legend, x, y) }
	f.header(l.Title, f.upName(l, legend), f.legendWidth(legend), twoLines, drawLegend)
	left := l.Left(f.rows())
	right, two := l.Right(f.rows())
	f.vertical(left)
	if two {
		f.rightAxis(right, inkOf(l.theme.Input))
	}
	bottom := l.Bottom(f.columns())
	f.horizontal(bottom, l.XLabel)

	empty := true
	single := l.hasPointsOnly()
	spots := map[string]spot{} // of the single points, by their names
	for _, s := range l.series {
		up := left
		if s.right {
			up = right
		}
		p := newPath(s, bottom, l.LogY)
		if p.inside == nil {
			continue
		}
		empty = false
		switch k := inkOf(s.style); {
		case single:
			spots[s.Name] = f.single(p, up, s.mark, k)
		case s.mark != 0:
			f.marks(p, up, s.mark, s.spacing, k)
		default:
			f.curve(p, up, s.pen, k)
		}
	}
	if empty {
		f.nothing(l.Nothing())
	}
	for _, s := range beside {
		at, isDrawn := spots[s.Name]
		if isDrawn && !f.beside(at, s.Name) {
			lacking = append(lacking, s)
		}
	}
	return f, lacking
}

// upName returns the name of the vertical axis. It tells what a logarithmic axis leaves out, and that it is logarithmic
// unless that costs one of few lines.
func (f *frame) upName(l graph, legend []series) string {
	name := l.YLabel
	out := l.LeftOut()
	if out != "" {
		out = "  " + out
	}
	if !l.LogY || l.Title+l.YLabel == "" {
		return strings.TrimSpace(name + out)
	}
	const many = 12
	noted := strings.TrimLeft(name+logNote, " ")
	used := f.cellsOf(l.Title+noted+out) + 2
	if len(legend) > 0 {
		used += legendGap + f.legendWidth(legend)
	}
	if used > f.width && f.height < many {
		return strings.TrimSpace(name + out)
	}
	return noted + out
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
	full := filled / len(levels)
	part := filled % len(levels)
	done := strings.Repeat(string(levels[len(levels)-1]), full)
	if part > 0 {
		done += string(levels[part-1])
		full++
	}
	missing := strings.Repeat(string(th.Glyphs.Unfilled), width-full)
	return th.Good.Render(done) + th.Muted.Render(missing)
}

// Bar returns a bar of some width that is filled to a fraction, without the marks of what is missing.
func Bar(fraction float64, width int, th theme.Theme) string {
	filled := Progress(fraction, width, th)
	unfilled := string(th.Glyphs.Unfilled)
	return strings.ReplaceAll(filled, unfilled, " ")
}
