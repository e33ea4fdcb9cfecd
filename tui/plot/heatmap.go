// Heat maps: a field on a rectangle as coloured half-blocks or characters.

package plot

import (
	"math"
	"strconv"

	"gonum.org/v1/gonum/floats"

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
		note = string(th.Glyphs.Cross) + " " + strconv.Itoa(lost) + " not finite"
	}
	f := newFrame(width, height, th)
	f.header(h.Title, note, 0, 0, nil)
	if data.Empty() {
		f.left = 0
		f.bottom = height
		f.nothing("no data")
		return f
	}
	m := newMosaic(f.canvas, h.Signed)
	m.masked = h.Masked
	s := h.Scale(data)
	key := keyOf(width)
	f.place(h, key)
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
	mark := func(x, y float64, r rune) {
		isInside := x >= 0 && x <= 1 && y >= 0 && y <= 1
		if !isInside {
			return
		}
		across := int(math.Floor(x * float64(f.columns())))
		up := int(math.Floor(y * float64(f.rows())))
		column := min(f.left+across, f.right-1)
		row := max(f.bottom-1-up, f.top)
		f.set(column, row, r, reversed)
	}
	mark(b.X-b.Radius, b.Y, '-')
	mark(b.X+b.Radius, b.Y, '-')
	mark(b.X, b.Y-b.Radius, '|')
	mark(b.X, b.Y+b.Radius, '|')
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

// key draws the scale from low, at the bottom, to high, with labels at its ends, and of a signed scale at its zero. The
// two values of a field that has no others have a half of the bar each. An arrow indicates values beyond an end.
func (m mosaic) key(h report.Field, k key, s, data report.Span, x, y, rows int) {
	low, high, isTwo := h.Distinct()
	two := isTwo && s == data && !h.Signed && rows > 1
	perCell := 1
	if m.halves() {
		perCell = 2
	}
	pixels := rows * perCell
	colour := func(pixel int) float64 { // counted from the top
		t := 1 - (float64(pixel)+0.5)/float64(pixels)
		if two {
			return math.Round(t)
		}
		return t
	}
	for row := range rows {
		upper := colour(row * perCell)
		lower := colour((row+1)*perCell - 1)
		for column := range k.bar {
			m.paint(x+column, y+row, upper, lower)
		}
	}
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
	text(0, s.Hi, data.Hi > s.Hi, g.Up)
	if rows > 1 {
		text(rows-1, s.Lo, data.Lo < s.Lo, g.Down)
	}
	if h.Signed && rows > 2 {
		text(rows/2, 0, false, 0)
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
	perCell := 1
	if m.halves() {
		perCell = 2
	}
	pixels := resample(h.Values, h.R, columns, rows*perCell, h.Smooth)
	if h.Masked {
		pixels = resampleInside(h, columns, rows*perCell)
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
		upper := pixels[y*perCell*columns:]
		lower := pixels[(y*perCell+perCell-1)*columns:]
		for x := range columns {
			m.paint(left+x, top+y, upper[x], lower[x])
		}
	}
}

// resample returns rows x columns pixels, row-major, row 0 at the top (x2 = 1). A pixel is not finite if one of the
// values it shows is not.
func resample(field []float64, r, columns, rows int, smooth bool) []float64 {
	n := len(field) / r // values along x2
	across := footprints(r, columns, smooth)
	up := footprints(n, rows, smooth)
	pixels := make([]float64, rows*columns)
	line := make([]float64, rows*r) // line[y*r+i] is averaged over x2 only
	for i := range r {
		values := field[i*n : (i+1)*n]
		for y, p := range up {
			line[(rows-1-y)*r+i] = p.mean(values)
		}
	}
	for y := range rows {
		values := line[y*r : (y+1)*r]
		for x, p := range across {
			pixels[y*columns+x] = p.mean(values)
		}
	}
	return pixels
}

// resampleInside does the same for a field whose values outside of its domain are not finite: a pixel shows the mean of
// those inside, and is not finite if less than half of it is inside.
func resampleInside(h report.Field, columns, rows int) []float64 {
	inside := make([]float64, len(h.Values))
	values := make([]float64, len(h.Values))
	for i, v := range h.Values {
		if math.Abs(v) <= report.Largest {
			inside[i] = 1
			values[i] = v
		}
	}
	shares := resample(inside, h.R, columns, rows, false)
	pixels := resample(values, h.R, columns, rows, false)
	for i, share := range shares {
		if share < 0.5 {
			pixels[i] = math.NaN()
		} else {
			pixels[i] /= share
		}
	}
	return pixels
}

// A footprint is the set of grid points that a pixel shows, first, first+1, ..., with weights, positive and with sum 1.
type footprint struct {
	first   int
	weights []float64
}

// mean returns the weighted mean of the values at the grid points.
func (p footprint) mean(values []float64) float64 {
	shown := values[p.first : p.first+len(p.weights)]
	return floats.Dot(p.weights, shown)
}

// footprints returns the footprints of equal pixels that cover [0,1] with r grid points. Pixels smaller than the cells
// of the grid show the nearest point or, if the field is smooth, the linear interpolant in their middle, which is the
// mean over the width of a cell.
func footprints(r, pixels int, smooth bool) []footprint {
	out := make([]footprint, pixels)
	last := float64(r - 1)
	for p := range out {
		from := float64(p) / float64(pixels) * last
		to := float64(p+1) / float64(pixels) * last
		middle := (from + to) / 2
		switch {
		case pixels < r:
			out[p] = average(from, to, r)
		case smooth:
			out[p] = average(middle-0.5, middle+0.5, r)
		default:
			nearest := int(math.Round(middle))
			out[p] = footprint{first: nearest, weights: []float64{1}}
		}
	}
	return out
}

// average returns the footprint of [from, to], in units of h: point i covers the interval of positions closer to it
// than to any other point.
func average(from, to float64, r int) footprint {
	const negligible = 1e-9 // weight of a point included by rounding
	p := footprint{first: int(from + 0.5 + negligible)}
	for i := p.first; i < r; i++ {
		left := max(from, float64(i)-0.5)
		right := min(to, float64(i)+0.5)
		w := right - left
		if w <= negligible {
			break
		}
		p.weights = append(p.weights, w/(to-from))
	}
	return p
}
