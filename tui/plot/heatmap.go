// Heat maps: a field on the unit square as coloured half-blocks or characters.

package plot

import (
	"fmt"
	"math"
	"strconv"

	"rfm/model/report"
	"rfm/tui/theme"
)

// HeatMap draws a scalar field on the closed unit square, x1 to the right and x2 upwards. With colours a cell shows two
// pixels, in an ASCII theme or without colours one.
//
// Pixels larger than the cells of the grid show area averages with the weights of the trapezoid rule; the scale is the
// range of the values, not of the averages. A pixel with a value that is not finite shows a cross, and the legend
// counts such values.
type HeatMap struct {
	// Field has R rows of values, as many in each (other lengths panic), on a square R:
	// Field[i*R+j] is the value at x1 = i h, x2 = j h, h = 1/(R-1). So Field[0] is drawn
	// at the lower left and Field[R-1] at the upper left. Rectangles are drawn as squares.
	Field []float64
	R     int

	Width, Height int // cells

	// Min and Max pin the ends of the scale, so that pictures can share one; an end that is nil or not finite follows
	// the data. Values beyond are drawn as the end, and an arrow at the end of the bar indicates them.
	Min, Max *float64
	// Signed is for errors: colours diverge from zero, and the scale is [-M, M]
	// with M the larger absolute value of the two ends.
	Signed bool

	// Smooth interpolates linearly between grid points where pixels are smaller than the cells of the grid; otherwise a
	// pixel shows the nearest grid point, as a discontinuous coefficient needs.
	Smooth bool
	// Bar shows the scale, on the right or below, whichever leaves more space to the picture. The layout does not
	// depend on finite data.
	Bar bool

	// Cut, if not nil, marks the line through the field that [Cut] with the same index returns. An index outside the
	// grid panics.
	Cut *int

	Title string

	Cursor Cursor // reads a value, which is shown in a line of its own; on a cut it moves along x1

	Colors ColorDepth // a Theme without colours overrides it

	Theme theme.Theme
}

// Cut returns the values on a line through a field of r rows (layout of [HeatMap]): along x1 at x2 = index h, h =
// 1/(r-1), at the nearest of the columns. It panics if field does not have whole rows or index is not in [0, r).
func Cut(field []float64, r, index int) []float64 {
	columns := checkField(field, r)
	checkCut(index, r)
	line, at := make([]float64, r), (index*(columns-1)+(r-1)/2)/max(1, r-1)
	for i := range line {
		line[i] = field[i*columns+at]
	}
	return line
}

// checkField returns the number of columns; it panics unless the field consists of r whole rows.
func checkField(field []float64, r int) (columns int) {
	if r < 0 || r == 0 && len(field) > 0 || r > 0 && len(field)%r != 0 {
		panic(fmt.Sprintf("plot: a field has %d values on a grid of %d rows", len(field), r))
	}
	return len(field) / max(1, r)
}

func checkCut(index, r int) {
	if index < 0 || index >= r {
		panic(fmt.Sprintf("plot: cut at index %d of a grid of %d x %d", index, r, r))
	}
}

// Render draws the heat map; see the package comment for the size of the result. If the frame is too small or no value
// is finite, the result is a message.
func (h HeatMap) Render() string {
	checkField(h.Field, h.R)
	if h.Cut != nil {
		checkCut(*h.Cut, h.R)
	}
	th := h.Theme
	if text, small := tooSmall("heat map", h.Width, h.Height, th); small {
		return text
	}
	data, lost := h.extent()
	f := newFrame(h.Width, h.Height, th)
	var legend []legendEntry
	if lost > 0 {
		legend = append(legend, legendEntry{[]rune{th.Glyphs.Cross}, strconv.Itoa(lost) + " not finite", th.Bad})
	}
	f.header(h.Title, "", legend)
	f.left, f.right, f.bottom = 0, h.Width, h.Height
	if data.Empty() {
		f.note("no data")
		return f.String()
	}
	const roomForReading = 8 // lines
	if h.Cursor.Shown && h.Height >= roomForReading {
		f.write(0, f.top, h.reading(), f.width, th.Value)
		f.top++
	}

	scale := h.scale(data)
	m := newMosaic(f.canvas, newRamp(h.Signed, h.Colors, th), th)
	l := h.layout(f)
	h.picture(m, l, scale)
	if h.Cut != nil {
		h.mark(f, m, l)
	}
	if h.Cursor.Shown {
		h.cross(f, m, l)
	}
	b := bar{scale: scale, data: data, signed: h.Signed, theme: th, text: f.text}
	switch l.bar {
	case beside:
		b.vertical(m, l)
	case below:
		b.horizontal(m, l)
	}
	return m.String()
}

// extent returns the range of the finite values and the number of values that are not finite.
func (h HeatMap) extent() (data report.Span, lost int) {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, v := range h.Field {
		switch {
		case v >= lo && v <= hi: // the usual case of a large field
		case v <= report.Largest && v >= -report.Largest:
			lo, hi = min(lo, v), max(hi, v)
		default:
			lost++
		}
	}
	return report.Span{Lo: lo, Hi: hi}, lost
}

// scale returns the ends of the scale, given the range of the data.
func (h HeatMap) scale(data report.Span) report.Span {
	s := data
	pinnedLo, pinnedHi := h.Min != nil && math.Abs(*h.Min) <= report.Largest, h.Max != nil &&
		math.Abs(*h.Max) <= report.Largest
	if pinnedLo {
		s.Lo = *h.Min
	}
	if pinnedHi {
		s.Hi = *h.Max
	}
	if h.Signed {
		m := max(math.Abs(s.Lo), math.Abs(s.Hi))
		if m < report.Smallest {
			m = 1
		}
		return report.Span{Lo: -m, Hi: m}
	}
	if s.Lo > s.Hi { // all data are beyond a pinned end
		if pinnedHi {
			s.Lo = s.Hi
		} else {
			s.Hi = s.Lo
		}
	}
	return s.Widened(false)
}

// layout divides the space below the header. A cut needs a margin of one cell at both ends, for arrows that are visible
// without colour.
func (h HeatMap) layout(f *frame) layout {
	fit := func(width, height int) (l layout) {
		if h.Cut != nil {
			l.marginX = 1
		}
		l.rows = min(height, (width-2*l.marginX)/2)
		l.columns = 2 * l.rows
		l.left = (width - l.columns) / 2
		l.top = f.top + (height-l.rows)/2
		return l
	}
	width, height := f.columns(), f.rows()
	l := fit(width, height)
	if !h.Bar {
		return l
	}
	side, under := fit(width-besideWidth, height), fit(width, height-belowHeight)
	const fewest = 2 // least rows of a picture with a bar next to or below it
	best := side
	best.bar = beside
	if side.columns < 1 || under.rows*under.columns > side.rows*side.columns {
		best = under
		best.bar = below
	}
	if best.rows < fewest {
		return l
	}
	return best
}

// picture paints the field.
func (h HeatMap) picture(m *mosaic, l layout, scale report.Span) {
	perCell := 1
	if m.halves() {
		perCell = 2
	}
	pixels := resample(h.Field, h.R, l.columns, l.rows*perCell, h.Smooth)
	a := report.Axis{Lo: scale.Lo, Hi: scale.Hi}
	for i, v := range pixels {
		if !(math.Abs(v) <= report.Largest) {
			v = math.NaN()
		}
		pixels[i] = a.Fraction(v)
	}
	for y := range l.rows {
		upper := pixels[y*perCell*l.columns:]
		lower := pixels[(y*perCell+perCell-1)*l.columns:]
		for x := range l.columns {
			m.paint(l.left+x, l.top+y, upper[x], lower[x])
		}
	}
}

// mark draws arrows at the ends of the cut, and a dashed line if cells show two pixels.
func (h HeatMap) mark(f *frame, m *mosaic, l layout) {
	g := h.Theme.Glyphs
	k := f.newInk(h.Theme.Value)
	at := float64(*h.Cut) / float64(max(1, h.R-1))
	y := l.top + l.rows - 1 - level(at, l.rows)
	m.set(l.left-1, y, g.Right, k)
	m.set(l.left+l.columns, y, g.Left, k)
	for x := 0; x < l.columns && m.halves(); x += 2 {
		m.over(l.left+x, y, g.Horizontal)
	}
}

// index returns the row and column of the value of a map at which the cursor reads.
func (h HeatMap) index() (i, j int) {
	columns := len(h.Field) / max(1, h.R)
	j = int(math.Round(h.Cursor.Y * float64(columns-1)))
	if h.Cut != nil {
		j = (*h.Cut*(columns-1) + (h.R-1)/2) / max(1, h.R-1)
	}
	return int(math.Round(h.Cursor.X * float64(h.R-1))), j
}

// reading returns the text of the value at the cursor and its position.
func (h HeatMap) reading() string {
	i, j := h.index()
	columns := len(h.Field) / max(1, h.R)
	x := func(i, n int) string { return report.FormatValue(float64(i) / float64(max(1, n-1))) }
	return fmt.Sprintf("%s at %s, %s", report.FormatValue(h.Field[i*columns+j]), x(i, h.R), x(j, columns))
}

// cross marks the position of the cursor.
func (h HeatMap) cross(f *frame, m *mosaic, l layout) {
	i, j := h.index()
	columns := len(h.Field) / max(1, h.R)
	x := l.left + level(float64(i)/float64(max(1, h.R-1)), l.columns)
	y := l.top + l.rows - 1 - level(float64(j)/float64(max(1, columns-1)), l.rows)
	if !m.halves() {
		m.set(x, y, 'X', f.newInk(h.Theme.Focus))
		return
	}
	m.over(x, y, '┼')
	if s := &m.cells[y*m.width+x]; s.r == h.Theme.Glyphs.Horizontal { // on the cut
		s.r = '┼'
	}
}
