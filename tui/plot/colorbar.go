// The colour bar of a heat map: its scale, next to or below the picture.

package plot

import (
	"math"

	"rfm/model/report"
	"rfm/tui/theme"
)

// barPlace is the position of the bar of a heat map.
type barPlace uint8

const (
	nowhere barPlace = iota
	beside           // on the right, as high as the picture
	below            // in the line under the picture
)

// Sizes of a bar in cells. They do not depend on its labels, so that the picture does not move when the data change.
const (
	gap         = 1
	stripWidth  = 2
	labelWidth  = 10 // of FormatValue
	besideWidth = gap + stripWidth + gap + labelWidth
	belowHeight = 1
)

// bar is a scale with labels at its ends, and at zero if it is signed.
type bar struct {
	scale, data report.Span
	signed      bool
	theme       theme.Theme
	text        ink
}

// labels returns the labels of the ends; an arrow indicates values beyond an end.
func (b bar) labels() (lo, hi string) {
	lo, hi = b.label(b.scale.Lo), b.label(b.scale.Hi)
	g := b.theme.Glyphs
	if b.data.Lo < b.scale.Lo {
		lo += string(g.Down)
	}
	if b.data.Hi > b.scale.Hi {
		hi += string(g.Up)
	}
	return lo, hi
}

// label formats an end of the scale; magnitudes far below the resolution of the colours become zero.
func (b bar) label(v float64) string {
	const steps = 256 // of the finest colours
	if math.Abs(v) < (b.scale.Hi-b.scale.Lo)/steps {
		v = 0
	}
	return report.FormatValue(v)
}

// vertical draws the bar to the right of the picture, low values at the bottom.
func (b bar) vertical(m *mosaic, l layout) {
	left := l.left + l.columns + l.marginX + gap
	n := float64(2 * l.rows)
	for y := range l.rows {
		upper := 1 - (float64(2*y)+0.5)/n
		lower := upper - 1/n
		if !m.halves() {
			upper = (upper + lower) / 2
			lower = upper
		}
		for x := range stripWidth {
			m.paint(left+x, l.top+y, upper, lower)
		}
	}
	lo, hi := b.labels()
	write := func(y int, s string) {
		m.text(left+stripWidth+gap, l.top+y, m.shorten(s, labelWidth), b.text)
	}
	write(l.rows-1, lo)
	write(0, hi)
	if b.signed && l.rows > 2 {
		write(l.rows/2, "0")
	}
}

// horizontal draws the bar under the picture, low values on the left: as wide as the picture, or wider if labels and
// strip need it.
func (b bar) horizontal(m *mosaic, l layout) {
	const enough = 16 // cells that resolve the scale well
	lo, hi := b.labels()
	labels := len([]rune(lo)) + len([]rune(hi)) + 2*gap
	width := min(max(l.columns, labels+enough), m.width)
	strip := width - labels
	if b.signed && strip%2 == 0 {
		strip-- // the cell of zero
	}
	const shortest = 3
	if strip < shortest {
		strip = 0
	}
	y := l.top + l.rows
	left := max(0, l.left+(l.columns-labels-strip)/2)
	end := min(left+len([]rune(lo))+strip+2*gap, m.width-len([]rune(hi)))
	x := m.text(left, y, m.shorten(lo, end-left-1), b.text) + gap
	for i := range strip {
		t := (float64(i) + 0.5) / float64(strip)
		m.paint(x+i, y, t, t)
	}
	if b.signed && strip > 0 {
		b.zero(m, x+strip/2, y)
	}
	m.text(end, y, hi, b.text)
}

// zero labels the middle of a strip.
func (b bar) zero(m *mosaic, x, y int) {
	if m.ramp.colored() {
		m.write(x, y, '0', m.ramp.steps()/2)
		return
	}
	m.set(x, y, '0', b.text)
}

// layout is the position of picture and bar, in cells.
type layout struct {
	left, top, columns, rows int // of the picture
	marginX                  int // columns to the left and right of it
	bar                      barPlace
}
