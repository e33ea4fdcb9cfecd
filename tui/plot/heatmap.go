// Heat maps: a field on a rectangle as coloured half-blocks or characters.

package plot

import (
	"math"
	"slices"
	"strconv"

	"rfm/model/show/report"
	"rfm/tui/theme"
)

// Field draws a field with its axes, and to its right its scale. With colours a cell shows two pixels, in an ASCII theme
// or without colours one. A rectangle is drawn as a square, and a field whose axes are unlike as wide as the frame.
//
// Pixels larger than the cells of the grid show area averages with the weights of the trapezoid rule; the scale is the
// range of the values, not of the averages. Smaller ones show the nearest grid point, as a discontinuous coefficient
// needs, or the linear interpolant if the field is smooth. A pixel with a value that is not finite shows a cross, and
// the title counts such values. Values beyond an end of the scale are drawn as the end, and an arrow there indicates
// them. If the size is too small or no value is finite, the result is a message.
func Field(th theme.Theme, h report.Field, width, height int) string {
	text, small := tooSmall("heat map", width, height, th)
	if small {
		return text
	}
	return fieldFrame(th, h, width, height).String()
}

// fieldFrame draws a field that is large enough.
func fieldFrame(th theme.Theme, h report.Field, width, height int) *frame {
	data, lost := h.Extent()
	note := ""
	if lost > 0 {
		cross := string(th.Glyphs.Cross)
		note = cross + " " + strconv.Itoa(lost) + " not finite"
	}
	f := newFrame(width, height, th)
	f.header(h.Title, note, 0, 0, nil)
	if data.Empty() {
		f.left = 0
		f.bottom = height
		f.nothing("no data")
		return f
	}
	s := h.Scale(data)
	key := keyOf(width)
	f.place(h, key)
	m := newMosaic(f.canvas, f.rows(), h.Signed)
	m.masked = h.Masked
	across, up := h.Axes(f.columns(), f.rows())
	f.vertical(up)
	f.besideAxis(h.Vertical().Name)
	f.horizontal(across, h.Horizontal().Name)
	m.picture(h, f.left, f.top, f.columns(), f.rows(), s)
	if key.labels > 0 {
		m.key(h, key, s, data, f.right+1, f.top, f.rows())
	}
	return f
}

// FieldArea returns the area of Field, with positions from 0 to 1 along both axes; ok is false if the frame is too small.
func FieldArea(th theme.Theme, h report.Field, width, height int) (a Area, ok bool) {
	_, small := tooSmall("heat map", width, height, th)
	if small {
		return Area{}, false
	}
	f := fieldFrame(th, h, width, height)
	return Area{
		Left:   f.left,
		Right:  f.right,
		Top:    f.top,
		Bottom: f.bottom,
		X1:     1,
		Y1:     1,
	}, true
}

// A Brush is a disc on a field, in parts of the lengths of its axes.
type Brush struct {
	X, Y, Radius float64
}

// FieldWith draws a field as Field does, with a brush on it: a cross in the middle, and marks as far from it as the brush
// reaches. They are reversed, so that they are visible on any colour.
func FieldWith(th theme.Theme, h report.Field, b Brush, width, height int) string {
	text, small := tooSmall("heat map", width, height, th)
	if small {
		return text
	}
	f := fieldFrame(th, h, width, height)
	reversed := ink{fg: "1;7"}
	columns := float64(f.columns())
	rows := float64(f.rows())
	mark := func(x, y float64, r rune) {
		isAcross := x >= 0 && x <= 1
		isUp := y >= 0 && y <= 1
		if !isAcross || !isUp {
			return
		}
		across := int(math.Floor(x * columns))
		up := int(math.Floor(y * rows))
		column := min(f.left+across, f.right-1)
		row := max(f.bottom-1-up, f.top)
		f.set(column, row, r, reversed)
	}
	left := b.X - b.Radius
	right := b.X + b.Radius
	bottom := b.Y - b.Radius
	top := b.Y + b.Radius
	mark(left, b.Y, '-')
	mark(right, b.Y, '-')
	mark(b.X, bottom, '|')
	mark(b.X, top, '|')
	mark(b.X, b.Y, '+')
	return f.String()
}

// place reserves the area of a picture: left of it the labels of the vertical axis, right of it the key.
func (f *frame) place(h report.Field, key key) {
	room := f.width - key.width()
	_, up := h.Axes(f.width, f.rows())
	f.left = 1 + labelWidth(up.Ticks, f.width)
	columns := max(2, room-f.left)
	if !h.Unlike { // a cell is twice as high as wide
		side := max(1, min(f.rows(), columns/2))
		columns = 2 * side
		f.bottom = f.top + side
	}
	f.right = f.left + columns
}

// key is the size of the scale next to a heat map in cells. It does not depend on the data, so that the picture does not
// move when they change.
type key struct {
	bar    int // of each row of colours
	labels int // 0: there is no room for a key
}

// keyOf returns the key of a picture of some width, about a third of which may be key.
func keyOf(width int) key {
	const narrowest = 24 // of a picture with a key
	if width < narrowest {
		return key{}
	}
	return key{bar: 2, labels: max(6, min(8, width/4))}
}

// width returns the columns that a key needs next to a picture.
func (k key) width() int {
	if k.labels == 0 {
		return 0
	}
	const gap = 1 // before the bar, and before the labels
	return gap + k.bar + gap + k.labels
}

// perCell returns the number of pixels in a cell, one above the other.
func (m mosaic) perCell() int {
	if m.halves() {
		return 2
	}
	return 1
}

// key draws the scale from low, at the bottom, to high, with labels at its ends, and of a signed scale at its zero. The
// two values of a field that has no others have a half of the bar each. An arrow indicates values beyond an end.
func (m mosaic) key(h report.Field, k key, s, data report.Span, x, y, rows int) {
	low, high, isTwo := h.Distinct()
	hasWholeScale := s == data && !h.Signed
	two := isTwo && hasWholeScale && rows > 1
	m.bar(two, k.bar, x, y, rows)
	text := func(row int, v float64, beyond bool, arrow rune) {
		const steps = 256 // of the finest colours
		if math.Abs(v) < (s.Hi-s.Lo)/steps {
			v = 0 // because no colour tells it from zero
		}
		label := fitted(v, k.labels-1) // with room for the arrow
		if beyond {
			label += string(arrow)
		}
		m.text(x+k.bar+1, y+row, label, inkOf(m.theme.Label))
	}
	if two {
		text(rows/4, high, false, 0)
		text(rows-1-rows/4, low, false, 0)
		return
	}
	g := m.theme.Glyphs
	if s.Lo < s.Hi && fitted(s.Hi, k.labels-1) == fitted(s.Lo, k.labels-1) { // nearly constant
		m.text(x+k.bar+1, y, "+"+fitted(s.Hi-s.Lo, k.labels-1), inkOf(m.theme.Label))
	} else {
		text(0, s.Hi, data.Hi > s.Hi, g.Up)
	}
	if rows > 1 {
		text(rows-1, s.Lo, data.Lo < s.Lo, g.Down)
	}
	if h.Signed && rows > 2 {
		text(rows/2, 0, false, 0)
	}
}

// bar draws the colours of the scale in columns and rows of cells, all of them or only the two ends.
func (m mosaic) bar(two bool, columns, x, y, rows int) {
	perCell := m.perCell()
	pixels := float64(rows * perCell)
	colour := func(pixel int) float64 { // counted from the top
		middle := float64(pixel) + 0.5
		t := 1 - middle/pixels
		if two {
			return math.Round(t)
		}
		return t
	}
	for row := range rows {
		first := row * perCell
		upper := colour(first)
		lower := colour(first + perCell - 1)
		m.row(x, y+row, slices.Repeat([]float64{upper}, columns), slices.Repeat([]float64{lower}, columns))
	}
}

// fitted formats a number with three significant digits, or with fewer if it is longer than room.
func fitted(v float64, room int) string {
	text := report.FormatValue(v)
	for digits := 2; digits > 0 && len(text) > room; digits-- {
		text = strconv.FormatFloat(v, 'g', digits, 64)
	}
	return text
}

// picture paints a field into columns x rows cells.
func (m mosaic) picture(h report.Field, left, top, columns, rows int, scale report.Span) {
	perCell := m.perCell()
	high := rows * perCell
	pixels := resample(h.Values, h.R, columns, high, h.Smooth) // high x columns, row-major
	if h.Masked {
		pixels = resampleInside(h, columns, high)
	}
	a := report.Axis{Lo: scale.Lo, Hi: scale.Hi}
	for i, v := range pixels {
		finite := math.Abs(v) <= report.Largest
		if !finite {
			v = math.NaN()
		}
		pixels[i] = a.Fraction(v)
	}
	for y := range rows {
		first := y * perCell
		last := first + perCell - 1
		upper := pixels[first*columns:][:columns]
		lower := pixels[last*columns:][:columns]
		m.row(left, top+y, upper, lower)
	}
}
