// What is drawn inside the frame: lines, points, and arrows where they leave it.

package plot

import (
	"math"

	"rfm/model/show/report"
)

// curve draws a line, points where a vertex has no neighbour to connect to, and arrows where the line is beyond the
// frame. With dots, asciigraph draws at the resolution of the dots: a cell in which curves meet shows the dots of all, in
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
	f.lonely(rows, dotsOf, k)
}

// lonely draws the vertices of a line that no stroke shows, in rows of dots: points without a neighbour to connect to, and
// arrows where the line is beyond the frame.
func (f *frame) lonely(rows []float64, of raster, k ink) {
	height := float64(of.down * f.rows())
	gap := func(i int) bool {
		isOutside := i < 0 || i == len(rows)
		return isOutside || math.IsNaN(rows[i])
	}
	for i, r := range rows {
		if gap(i) {
			continue
		}
		isAlone := gap(i-1) && gap(i+1)
		isBeyond := r < 0 || r >= height
		if isAlone || isBeyond {
			column := min(i/of.across, f.columns()-1)
			row := math.Floor(r / float64(of.down))
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

// marks draws samples as points. With a spacing it draws one of each so many columns, of which the last stays free.
func (f *frame) marks(p path, y report.Axis, mark rune, spacing int, k ink) {
	if spacing > 1 {
		for from := 0; from < f.columns(); from += spacing {
			i := f.clearest(p, y, from, from+spacing-1)
			if i >= 0 {
				column := f.column(p.at[i])
				f.point(column, f.row(y, p.c[i]), mark, k)
			}
		}
		return
	}
	for i, c := range p.c {
		column := f.column(p.at[i])
		if column >= 0 && !math.IsNaN(c) {
			f.point(column, f.row(y, c), mark, k)
		}
	}
}

// clearest returns the sample between two columns that is nearest to the middle of its row, so that a mark on a line below
// it does not look like a deviation that is only rounding; -1 if there is none.
func (f *frame) clearest(p path, y report.Axis, from, to int) int {
	best := -1
	least := math.Inf(1)
	highest := float64(f.rows() - 1)
	for i, c := range p.c {
		column := f.column(p.at[i])
		isBetween := column >= from && column < to
		if !isBetween || math.IsNaN(c) {
			continue
		}
		row := y.Fraction(c) * highest
		away := math.Abs(row - math.Round(row))
		if best < 0 || away < least-rounding {
			best = i
			least = away
		}
	}
	return best
}

// spot is a cell of a frame.
type spot struct {
	x int
	y int // from above
}

// single draws a point in its cell, and returns where it stands: beside its cell if another point is in it, so that both
// are seen.
func (f *frame) single(p path, y report.Axis, mark rune, k ink) spot {
	column := f.column(p.at[0])
	row := f.row(y, p.c[0])
	highest := float64(f.rows() - 1)
	inside := max(0, min(row, highest))
	own := spot{
		x: f.left + column,
		y: f.bottom - 1 - int(inside),
	}
	if row != inside {
		f.point(column, row, mark, k)
		return own
	}
	at := f.vacant(own)
	f.set(at.x, at.y, mark, k)
	return at
}

// vacant returns a cell of the plotting area, or the next one in which nothing stands; the cell itself if there is none.
func (f *frame) vacant(own spot) spot {
	steps := []spot{{}, {x: 1}, {x: -1}, {y: -1}, {y: 1}}
	for _, step := range steps {
		x := own.x + step.x
		y := own.y + step.y
		isAcross := x >= f.left && x < f.right
		isDown := y >= f.top && y < f.bottom
		if isAcross && isDown && f.free(y, x, x+1) {
			return spot{x: x, y: y}
		}
	}
	return own
}

// beside writes the name of a single point next to it, on the side and in the row that have room for it, but not next to
// another point.
func (f *frame) beside(at spot, name string) (room bool) {
	cells := f.cellsOf(name)
	right := at.x + 2
	left := at.x - 1 - cells
	for _, row := range []int{at.y, at.y - 1, at.y + 1} {
		if row != at.y && !f.free(row, at.x, at.x+1) {
			continue
		}
		for _, at := range []int{right, left} {
			end := at + cells
			isAcross := at > f.left && end <= f.right
			isDown := row >= f.top && row < f.bottom
			if isAcross && isDown && f.free(row, at-1, end+1) {
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
