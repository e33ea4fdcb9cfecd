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

// columns returns the width of the plotting area.
func (f *frame) columns() int { return f.right - f.left }

// rows returns its height.
func (f *frame) rows() int { return f.bottom - f.top }

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
	return min(widest, width*2/5)
}

// vertical draws the axis on the left, as wide as its labels need.
func (f *frame) vertical(y report.Axis) {
	width := labelWidth(y.Ticks, f.width)
	f.left = width + 1
	highest := f.rows() - 1
	g := f.theme.Glyphs
	for r := f.top; r < f.bottom; r++ {
		f.set(width, r, g.Vertical, f.muted)
	}
	used := make([]bool, f.rows())
	for _, t := range y.Ticks {
		up := int(f.row(y, t.At))
		isInside := up >= 0 && up <= highest
		if !isInside || used[up] {
			continue
		}
		used[up] = true
		r := f.bottom - 1 - up
		f.set(width, r, g.TickLeft, f.muted)
		label := f.shorten(t.Label, width)
		letters := len([]rune(label))
		f.text(width-letters, r, label, f.ink)
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
	twice := f.top + f.bottom // the middle
	for away := range f.rows() {
		above := (twice - away) / 2
		below := (twice + away + 1) / 2
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
	ticks := f.placeTicks(x)
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

// placeTicks returns the ticks of the horizontal axis from left to right; of those whose labels would overlap, the first.
func (f *frame) placeTicks(x report.Axis) []placed {
	var ticks []placed
	end := -1 // column after the last label
	for _, t := range x.Ticks {
		inside := f.column(x.Fraction(t.At))
		if inside < 0 {
			continue
		}
		width := len(t.Label)
		column := f.left + inside
		centered := column - (width-1)/2
		tick := placed{
			column: column,
			start:  max(0, min(centered, f.width-width)),
			label:  t.Label,
		}
		overlaps := tick.start <= end
		if f.tickLabels && overlaps {
			continue
		}
		ticks = append(ticks, tick)
		end = tick.end()
	}
	return ticks
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
		space := strings.LastIndex(name, " ")
		lastWord := name[space+1:]
		names = []string{name + logNote, lastWord + logNote, name}
	}
	for _, name := range names {
		kept, written := f.makeRoom(ticks, name)
		if written {
			return kept
		}
	}
	return ticks
}

// makeRoom writes a text between labels, and returns the ticks that remain beside it: as many as possible, and if some
// must go, neighbours as far to the right as possible.
func (f *frame) makeRoom(ticks []placed, text string) (kept []placed, written bool) {
	n := len(ticks)
	for gone := range max(1, n-1) { // number of ticks removed
		first := min(1, gone)
		for from := max(0, n-1-gone); from >= first; from-- {
			kept = slices.Clone(ticks)
			kept = slices.Delete(kept, from, from+gone)
			if f.between(kept, text) {
				return kept, true
			}
		}
	}
	return ticks, false
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

// nothing tells why there is nothing to draw.
func (f *frame) nothing(why string) {
	f.center(why, f.left, f.top, f.columns(), f.rows(), f.muted)
}
