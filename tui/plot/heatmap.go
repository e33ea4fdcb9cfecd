// Heat maps: a field on the unit square as coloured half-blocks or characters.

package plot

import (
	"math"
	"strconv"

	"gonum.org/v1/gonum/floats"

	"rfm/model/show/report"
	"rfm/tui/theme"
)

// Field draws a field h on the closed unit square, x1 to the right and x2 upwards, below its title and its scale. With
// colours a cell shows two pixels, in an ASCII theme or without colours one. Rectangles are drawn as squares.
//
// Pixels larger than the cells of the grid show area averages with the weights of the trapezoid rule; the scale is the
// range of the values, not of the averages. Smaller ones show the nearest grid point, as a discontinuous coefficient
// needs, or the linear interpolant if the field is smooth. A pixel with a value that is not finite shows a cross, and
// the title counts such values. Values beyond an end of the scale are drawn as the end, and an arrow there indicates
// them. If the size is too small or no value is finite, the result is a message.
func Field(th theme.Theme, h report.Field, width, height int) string {
	if text, small := tooSmall("heat map", width, height, th); small {
		return text
	}
	data, lost := h.Extent()
	f, note := newFrame(width, height, th), ""
	if lost > 0 {
		note = string(th.Glyphs.Cross) + " " + strconv.Itoa(lost) + " not finite"
	}
	m := newMosaic(f.canvas, h.Signed)
	s, twoLines := h.Scale(data), 6 // the title tells one map from another, also in a low picture
	const shortTitle = 15
	wide := width // a line of its own: maps side by side are alike, whatever their titles
	if width >= shortTitle+legendGap+narrowest {
		wide = max(narrowest, min(width-f.cellsOf(h.Title+"  "+note)-legendGap, widest))
	}
	f.header(h.Title, note, wide, twoLines, func(x, y int) {
		if !data.Empty() {
			m.bar(h, s, data, x, y)
		}
	})
	f.left, f.right, f.bottom = 0, width, height
	if data.Empty() {
		f.noData()
		return f.String()
	}
	rows := min(f.rows(), width/2)
	m.picture(h, (width-2*rows)/2, f.top+(f.rows()-rows)/2, rows, s)
	return f.String()
}

// narrowest and widest bound the width of a scale next to the title, with the labels of its ends. The width does not
// depend on the labels, so that the picture does not move when the data change.
const narrowest, widest = 20, 28

// bar draws the scale from low to high, with labels at its ends, and without colours at the zero of a signed one. An
// arrow indicates values beyond an end.
func (m mosaic) bar(h report.Field, s, data report.Span, x, y int) {
	label := func(v float64, beyond bool, arrow rune) (text string) {
		const steps = 256 // of the finest colours; magnitudes far below their resolution become zero
		if math.Abs(v) < (s.Hi-s.Lo)/steps {
			v = 0
		}
		if text = report.FormatValue(v); beyond {
			text += string(arrow)
		}
		return text
	}
	g, k, end := m.theme.Glyphs, inkOf(m.theme.Label), m.width
	lo, hi := label(s.Lo, data.Lo < s.Lo, g.Down), label(s.Hi, data.Hi > s.Hi, g.Up)
	end -= len([]rune(hi))
	m.text(end, y, hi, k)
	lo = m.shorten(lo, end-x-1)
	strip := end - x - len([]rune(lo)) - 2
	if h.Signed && strip%2 == 0 {
		strip-- // zero has a cell
	}
	const shortest = 3
	if strip < shortest {
		strip = 0
	}
	x = end - 1 - strip
	m.text(x-1-len([]rune(lo)), y, lo, k)
	for i := range strip {
		t := (float64(i) + 0.5) / float64(strip)
		m.paint(x+i, y, t, t)
	}
	if h.Signed && strip > 0 && len(m.fg) == 0 {
		m.set(x+strip/2, y, '0', k)
	}
}

// picture paints the field as a square of 2 rows x rows cells.
func (m mosaic) picture(h report.Field, left, top, rows int, scale report.Span) {
	perCell, columns := 1, 2*rows
	if m.halves() {
		perCell = 2
	}
	pixels := resample(h.Values, h.R, columns, rows*perCell, h.Smooth)
	a := report.Axis{Lo: scale.Lo, Hi: scale.Hi}
	for i, v := range pixels {
		if !(math.Abs(v) <= report.Largest) {
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
	across, up := footprints(r, columns, smooth), footprints(n, rows, smooth)
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

// A footprint is the set of grid points that a pixel shows, first, first+1, ..., with weights, positive and with sum 1.
type footprint struct {
	first   int
	weights []float64
}

// mean returns the weighted mean of the values at the grid points.
func (p footprint) mean(values []float64) float64 {
	return floats.Dot(p.weights, values[p.first:p.first+len(p.weights)])
}

// footprints returns the footprints of equal pixels that cover [0,1] with r grid points. Pixels smaller than the cells
// of the grid show the nearest point or, if the field is smooth, the linear interpolant in their middle, which is the
// mean over the width of a cell.
func footprints(r, pixels int, smooth bool) []footprint {
	out := make([]footprint, pixels)
	last := float64(r - 1)
	for p := range out {
		from, to := float64(p)/float64(pixels)*last, float64(p+1)/float64(pixels)*last
		middle := (from + to) / 2
		switch {
		case pixels < r:
			out[p] = average(from, to, r)
		case smooth:
			out[p] = average(middle-0.5, middle+0.5, r)
		default:
			out[p] = footprint{int(math.Round(middle)), []float64{1}}
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
		w := min(to, float64(i)+0.5) - max(from, float64(i)-0.5)
		if w <= negligible {
			break
		}
		p.weights = append(p.weights, w/(to-from))
	}
	return p
}
