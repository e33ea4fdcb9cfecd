// The frame around a plot: header, axes, and the area between them.

package plot

import (
	"math"
	"slices"
	"strings"

	"rfm/model/show/report"
	"rfm/tui/theme"
)

// frame is a canvas with a plotting area, axes and a header line or two.
//
//	header   Title  y label            ── legend
//	top      1.0 ┤
//	         0.5 ┤   plotting area
//	bottom   0.0 ┤
//	         └────┬─────────┬─
//	              0   x     1
type frame struct {
	*canvas
	left, right int // first column of the plotting area, and the column after it
	top, bottom int // first row of the plotting area, and the row after it
	tickLabels  bool
	muted       ink // of the axes
	ink         ink // of their labels
}

func newFrame(width, height int, th theme.Theme) *frame {
	const lowestWithLabels = 6 // rows; below, the plotting area needs the row of the labels more
	f := &frame{
		canvas:     newCanvas(width, height, th),
		left:       1,
		right:      width,
		bottom:     height - 1,
		tickLabels: height >= lowestWithLabels,
		muted:      inkOf(th.Muted),
		ink:        inkOf(th.Label),
	}
	if f.tickLabels {
		f.bottom--
	}
	return f
}

func (f *frame) columns() int { return f.right - f.left }
func (f *frame) rows() int    { return f.bottom - f.top }

const legendGap = 3 // columns between entries

// shortened returns a legend that fits in a line. The longest name loses its first words, since the last ones distinguish
// names, then letters; numbers stay. Then entries are dropped.
func (f *frame) shortened(entries []series) []series {
	entries = slices.Clone(entries)
	for f.legendWidth(entries) > f.width {
		longest := -1
		shorter := ""
		for i, e := range entries {
			if longest >= 0 && f.cellsOf(e.Name) <= f.cellsOf(entries[longest].Name) {
				continue
			}
			name, ok := f.cutName(e.Name)
			if ok {
				longest = i
				shorter = name
			}
		}
		if longest < 0 {
			entries = entries[:len(entries)-1]
			continue
		}
		entries[longest].Name = shorter
	}
	return entries
}

// cutName returns a name without its first word, or without its last letter, and false if it would lose a number or what
// is left of its meaning.
func (f *frame) cutName(name string) (string, bool) {
	const fewest = 4 // letters of a cut name
	const digits = "0123456789"
	first, rest, _ := strings.Cut(name, " ")
	if rest != "" && !strings.ContainsAny(first, digits) {
		return rest, true
	}
	cells := f.cellsOf(name)
	if cells > fewest && !strings.ContainsAny(name, digits) {
		return f.shorten(name, cells-1), true
	}
	return name, false
}

func (f *frame) legendWidth(entries []series) int {
	w := legendGap * max(0, len(entries)-1)
	for _, e := range entries {
		w += f.cellsOf(e.sample(f.theme) + " " + e.Name)
	}
	return w
}

// header writes title and y label on the left and a legend of some width on the right of the first line; on two lines
// if one is too narrow and the height allows it: twoLines rows of the whole plot at least.
func (f *frame) header(title, yLabel string, need, twoLines int, legend func(x, y int)) {
	empty := title == "" && yLabel == "" && need == 0
	if empty || f.height <= minHeight {
		return
	}
	f.top = 1
	left := f.cellsOf(strings.TrimSpace(title + "  " + yLabel))
	room := f.width // for title and label
	if need > 0 {
		line := 0
		if left > 0 {
			if left+legendGap+need > f.width && f.height >= twoLines {
				line = 1
				f.top = 2
			} else {
				room -= need + legendGap // because the picture is unintelligible without its legend
			}
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

func (f *frame) legend(entries []series, x, y int) {
	for _, e := range entries {
		entry := e.sample(f.theme) + " " + e.Name
		x = f.text(x, y, entry, inkOf(e.style)) + legendGap
	}
}

// row returns the row of a coordinate counted from the bottom of the plotting area, rounded, possibly outside it or
// infinite.
func (f *frame) row(y report.Axis, c float64) float64 {
	return math.Round(y.Fraction(c) * float64(f.rows()-1))
}

// labelWidth returns the number of cells that labels of a vertical axis take in a plot of some width.
func labelWidth(ticks []report.Tick, width int) int {
	widest := 0
	for _, t := range ticks {
		widest = max(widest, len(t.Label))
	}
	return min(widest, width/3)
}

// vertical draws the axis on the left, as wide as its labels need.
func (f *frame) vertical(y report.Axis) {
	width := labelWidth(y.Ticks, f.width)
	f.left = width + 1
	g := f.theme.Glyphs
	for r := f.top; r < f.bottom; r++ {
		f.set(width, r, g.Vertical, f.muted)
	}
	used := make([]bool, f.rows())
	for _, t := range y.Ticks {
		up := int(f.row(y, t.At))
		if up < 0 || up >= f.rows() || used[up] {
			continue
		}
		used[up] = true
		r := f.bottom - 1 - up
		f.set(width, r, g.TickLeft, f.muted)
		label := f.shorten(t.Label, width)
		f.text(width-len([]rune(label)), r, label, f.ink)
	}
}

// rightAxis draws an axis on the right with labels in an ink, and narrows the plotting area.
func (f *frame) rightAxis(y report.Axis, labels ink) {
	f.right -= 1 + labelWidth(y.Ticks, f.width)
	g := f.theme.Glyphs
	for r := f.top; r < f.bottom; r++ {
		f.set(f.right, r, g.Vertical, f.muted)
	}
	for _, t := range y.Ticks {
		up := int(f.row(y, t.At))
		if up < 0 || up >= f.rows() {
			continue
		}
		r := f.bottom - 1 - up
		f.set(f.right, r, g.TickRight, f.muted)
		room := f.width - f.right - 1
		f.text(f.right+1, r, f.shorten(t.Label, room), labels)
	}
}

// besideAxis writes the name of a vertical axis between its labels, in the free row nearest to the middle.
func (f *frame) besideAxis(name string) {
	column := f.left - 1 - f.cellsOf(name)
	if column < 0 {
		return
	}
	for away := range f.rows() {
		above := (f.top + f.bottom - away) / 2
		below := (f.top + f.bottom + away + 1) / 2
		for _, row := range []int{above, below} {
			isInside := row >= f.top && row < f.bottom
			if isInside && f.free(row, 0, f.left-1) {
				f.text(column, row, name, f.muted)
				return
			}
		}
	}
}

// free reports whether nothing stands in a row from one column to before another.
func (f *frame) free(row, from, to int) bool {
	for x := from; x < to; x++ {
		if f.at(x, row).rune != 0 {
			return false
		}
	}
	return true
}

// column returns the column of the plotting area that holds fraction t of the axis, or -1.
func (f *frame) column(t float64) int {
	inside := t >= -rounding && t <= 1+rounding
	if !inside { // or not a number
		return -1
	}
	n := float64(f.columns())
	column := math.Floor(t*n + rounding)
	return int(max(0, min(column, n-1)))
}

// logNote is appended to the name of a logarithmic axis.
const logNote = " (log)"

// horizontal draws the axis below with ticks, their labels and its name. Ticks whose labels would overlap are left out.
func (f *frame) horizontal(x report.Axis, name string) {
	g := f.theme.Glyphs
	f.set(f.left-1, f.bottom, g.Corner, f.muted)
	for c := f.left; c < f.right; c++ {
		f.set(c, f.bottom, g.Horizontal, f.muted)
	}
	var ticks []placed
	for _, t := range x.Ticks {
		inside := f.column(x.Fraction(t.At))
		if inside < 0 {
			continue
		}
		column := f.left + inside
		centered := column - (len(t.Label)-1)/2
		start := max(0, min(centered, f.width-len(t.Label)))
		overlaps := len(ticks) > 0 && start <= ticks[len(ticks)-1].end()
		if !f.tickLabels || !overlaps {
			ticks = append(ticks, placed{
				column: column,
				start:  start,
				label:  t.Label,
			})
		}
	}
	if f.tickLabels {
		ticks = f.name(ticks, x.Log, name)
	}
	for _, t := range ticks {
		f.set(t.column, f.bottom, g.TickBelow, f.muted)
		if f.tickLabels {
			f.text(t.start, f.bottom+1, t.label, f.ink)
		}
	}
}

// placed is a tick in a column, with a label below it from column start on.
type placed struct {
	column int
	start  int // column of the label's first letter
	label  string
}

// end returns the column after a label.
func (p placed) end() int { return p.start + len(p.label) }

// name writes the name of the horizontal axis into the last gap between labels that is wide enough, not before the
// first of several, which would look like a value of the name. It returns the ticks without those that it has removed
// for the name: as few as possible between the first and the last. The name of a logarithmic axis gets a note, and only
// its last word remains if there is no room for more.
func (f *frame) name(ticks []placed, log bool, name string) []placed {
	names := []string{name}
	if log && name != "" {
		lastWord := name[strings.LastIndex(name, " ")+1:]
		names = []string{name + logNote, lastWord + logNote, name}
	}
	n := len(ticks)
	for _, name := range names {
		for gone := range max(1, n-1) { // number of ticks removed, the rightmost first
			for from := max(0, n-1-gone); from >= min(1, gone); from-- {
				kept := slices.Delete(slices.Clone(ticks), from, from+gone)
				if f.between(kept, name) {
					return kept
				}
			}
		}
	}
	return ticks
}

// between writes a text into the last gap between labels that is wide enough, and reports whether there is one.
func (f *frame) between(ticks []placed, text string) bool {
	cells := f.cellsOf(text)
	if cells == 0 {
		return true
	}
	first := 0
	if len(ticks) >= 2 {
		first = 1 // not before the first label
	}
	for i := len(ticks); i >= first; i-- { // the gap before tick i
		from := f.left
		if i > 0 {
			from = ticks[i-1].end() + 1
		}
		to := min(f.right+1, f.width)
		if i < len(ticks) {
			to = ticks[i].start
		}
		room := to - from - 1
		if room > cells {
			f.text(from+(room-cells+1)/2, f.bottom+1, text, f.muted)
			return true
		}
	}
	return false
}

// curve draws a line, points where a vertex has no neighbour to connect to, and arrows where the line is beyond the
// frame. With dots asciigraph draws at the resolution of the dots: a cell in which curves meet shows the dots of all, in
// the ink of the last.
func (f *frame) curve(p path, y report.Axis, pen pen, k ink) {
	dotsOf, fine := rasterOf(f.theme)
	set := pen.charSet()
	if fine {
		set = dots
	}
	columns := dotsOf.across * f.columns()
	height := dotsOf.down * f.rows()
	middle := float64(dotsOf.down-1) / 2 // of a cell, where ticks are: it lies between its dots
	rowOf := func(c float64) float64 {
		cell := y.Fraction(c) * float64(f.rows()-1)
		row := math.Round(float64(dotsOf.down)*cell + middle)
		return max(-1, min(row, float64(height))) // beyond the frame all rows are alike
	}
	rows := p.vertices(columns, rowOf)
	for r, line := range stroke(rows, height, set) {
		for c, glyph := range line {
			if glyph == ' ' || c >= columns {
				continue
			}
			if !fine {
				f.set(f.left+c, f.top+r, glyph, k)
				continue
			}
			if pen == dotted && c%2 == 1 {
				continue
			}
			f.dot(dotsOf, c, r, k)
			if pen == heavy && r+1 < height {
				f.dot(dotsOf, c, r+1, k)
			}
		}
	}
	gap := func(i int) bool { return i < 0 || i == len(rows) || math.IsNaN(rows[i]) }
	for i, r := range rows {
		if gap(i) {
			continue
		}
		lonely := gap(i-1) && gap(i+1)
		beyond := r < 0 || r >= float64(height)
		if lonely || beyond {
			column := min(i/dotsOf.across, f.columns()-1)
			row := math.Floor(r / float64(dotsOf.down))
			f.point(column, row, f.theme.Glyphs.PointMark, k)
		}
	}
}

// dot sets one dot of the plotting area, counted in dots from its upper left corner.
func (f *frame) dot(of raster, column, row int, k ink) {
	x := f.left + column/of.across
	y := f.top + row/of.down
	there := of.bits(f.at(x, y).rune)
	own := of.bit[row%of.down][column%of.across]
	f.set(x, y, of.with(there|own), k)
}

// marks draws samples as points. With a spacing it draws one of each so many columns: the one nearest to the middle of a
// row, so that a mark on a line below it does not look like a deviation that is only rounding. The last column of each
// group stays free.
func (f *frame) marks(p path, y report.Axis, mark rune, spacing int, k ink) {
	if spacing <= 1 {
		for i, c := range p.c {
			column := f.column(p.at[i])
			if column >= 0 && !math.IsNaN(c) {
				f.point(column, f.row(y, c), mark, k)
			}
		}
		return
	}
	for from := 0; from < f.columns(); from += spacing {
		best := -1
		least := math.Inf(1)
		for i, c := range p.c {
			column := f.column(p.at[i])
			if column < from || column >= from+spacing-1 || math.IsNaN(c) {
				continue
			}
			row := y.Fraction(c) * float64(f.rows()-1)
			away := math.Abs(row - math.Round(row))
			if best < 0 || away < least-rounding {
				best = i
				least = away
			}
		}
		if best >= 0 {
			f.point(f.column(p.at[best]), f.row(y, p.c[best]), mark, k)
		}
	}
}

// beside writes the name of a single point next to it, on the side and in the row that have room for it.
func (f *frame) beside(p path, y report.Axis, name string) (room bool) {
	cells := f.cellsOf(name)
	column := f.left + f.column(p.at[0])
	highest := float64(f.rows() - 1)
	up := max(0, min(f.row(y, p.c[0]), highest))
	own := f.bottom - 1 - int(up)
	right := column + 2
	left := column - 1 - cells
	for _, row := range []int{own, own - 1, own + 1} {
		for _, at := range []int{right, left} {
			isInside := at > f.left && at+cells <= f.right && row >= f.top && row < f.bottom
			if isInside && f.free(row, at-1, at+cells+1) {
				f.text(at, row, name, f.ink)
				return true
			}
		}
	}
	return false
}

// point draws a glyph in a row counted from below, or an arrow at the edge of the frame if the row is beyond it.
func (f *frame) point(column int, row float64, glyph rune, k ink) {
	last := float64(f.rows() - 1)
	if row < 0 {
		glyph = f.theme.Glyphs.Down
		row = 0
	}
	if row > last {
		glyph = f.theme.Glyphs.Up
		row = last
	}
	f.set(f.left+column, f.bottom-1-int(row), glyph, k)
}

// nothing tells why there is nothing to draw.
func (f *frame) nothing(why string) {
	f.center(why, f.left, f.top, f.columns(), f.rows(), f.muted)
}

// Area is where a picture shows its data: the cells of the plotting area, and the data at its edges. A person points at
// a cell, and the program at data.
type Area struct {
	Left, Right int // first column, and the one after the last
	Top, Bottom int // first row, and the one after the last
	X0, X1      float64
	Y0, Y1      float64 // at the bottom, at the top
}

// At returns the data in the middle of a cell, and whether it is in the area; else they are those of the nearest cell in
// it.
func (a Area) At(column, row int) (x, y float64, inside bool) {
	inside = column >= a.Left && column < a.Right && row >= a.Top && row < a.Bottom
	column = max(a.Left, min(column, a.Right-1))
	row = max(a.Top, min(row, a.Bottom-1))
	across := (float64(column-a.Left) + 0.5) / float64(a.Right-a.Left)
	up := (float64(a.Bottom-1-row) + 0.5) / float64(a.Bottom-a.Top)
	x = a.X0 + across*(a.X1-a.X0)
	y = a.Y0 + up*(a.Y1-a.Y0)
	return x, y, inside
}
