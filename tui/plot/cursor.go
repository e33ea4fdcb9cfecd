// Reading values off plots: a cursor at the same place of all of them, and how to find the place under the mouse.

package plot

import (
	"fmt"
	"math"
	"unicode/utf8"
)

// A Cursor reads values off plots, at the same place of each. The zero Cursor reads nothing.
type Cursor struct {
	Shown bool
	X     float64 // from 0 to 1, the ends of the horizontal axis
	Y     float64 // of maps: from 0 to 1, the ends of the vertical one
	Zoom  int     // the axes show a part of 1/2^Zoom of their length, around the cursor
	Ruler bool    // plots are drawn as rulers, for Under
}

// Rulers hold in each cell of a plot where on the axes it is: a character of private use, 1024 steps across and 127 up;
// the last of 128 says that the vertical axis does not count.
const (
	rulerBase    = 0xf0000
	rulerAcross  = 1023
	rulerUp      = 126
	rulerNowhere = 127
)

// onRuler is the character of a place.
func onRuler(x, y float64) rune {
	up := rulerNowhere
	if !math.IsNaN(y) {
		up = int(math.Round(y * rulerUp))
	}
	return rulerBase + rune(int(math.Round(x*rulerAcross))<<7+up)
}

// Under is the place in a plot that a ruler has in a cell, the first character of text; y is NaN where only x counts,
// and ok false where there is no plot.
func Under(text string) (x, y float64, ok bool) {
	r, _ := utf8.DecodeRuneInString(text)
	step := int(r - rulerBase)
	if step < 0 || step>>7 > rulerAcross {
		return 0, 0, false
	}
	if y = float64(step&rulerNowhere) / rulerUp; y > 1 {
		y = math.NaN()
	}
	return float64(step>>7) / rulerAcross, y, true
}

// ruler fills the plotting area of a frame with places: from lo to hi across.
func (f *frame) ruler(lo, hi float64) {
	for c := range f.columns() {
		t := (float64(c) + 0.5) / float64(f.columns())
		for r := f.top; r < f.bottom; r++ {
			f.set(f.left+c, r, onRuler(lo+t*(hi-lo), math.NaN()), 0)
		}
	}
}

// zoomed is the part of an axis around the cursor.
func (c Cursor) zoomed(a axis) axis {
	lo, hi := c.window()
	from := a.lo
	a.lo, a.hi = from+lo*(a.hi-from), from+hi*(a.hi-from)
	return a
}

// window is the part that is shown of the horizontal axis, as fractions of it.
func (c Cursor) window() (lo, hi float64) {
	part := math.Pow(2, -float64(c.Zoom))
	lo = max(0, min(c.X-part/2, 1-part))
	return lo, lo + part
}

// explicit is the series with the positions of its values, which on an axis that is zoomed do not follow from its ends.
func (s Series) explicit(x axis) Series {
	if s.X != nil {
		return s
	}
	at := make([]float64, len(s.Y))
	for i := range at {
		at[i] = s.position(i, x)
		if x.log {
			at[i] = math.Pow(10, at[i])
		}
	}
	s.X = at
	return s
}

// read is what the cursor reads of a plot in a legend: where it is, the nearest place at which there is a sample, and
// the values there. Lines are interpolated between their samples, marks are read where they are. at is the place as a
// coordinate; ok is false if there is none.
func (l Line) read(x axis) (entries []legendEntry, at float64, ok bool) {
	want, nearest := x.lo+l.Cursor.X*(x.hi-x.lo), math.Inf(1)
	for _, s := range l.Series {
		for i, v := range s.X {
			c := coordinate(v, x.log)
			if d := math.Abs(c - want); d < nearest && !math.IsNaN(s.Y[i]) && c >= x.lo && c <= x.hi {
				nearest, at = d, c
			}
		}
	}
	if math.IsInf(nearest, 1) {
		return nil, 0, false
	}
	value := at
	if x.log {
		value = math.Pow(10, at)
	}
	name := l.XLabel
	if name == "" {
		name = "x"
	}
	here := l.Theme.Glyphs.Here
	entries = append(entries, legendEntry{[]rune{here}, name + " " + FormatValue(value), l.Theme.Value})
	read := map[string]float64{}
	const longest = 12 // name beside a value
	for _, s := range l.Series {
		named := s.Name
		if len(printable(named, false)) > longest {
			named = "" // its colour tells
		}
		if s.Name == "" && (len(l.Series) > 1 || s.Mark != 0) {
			continue
		}
		v, found := s.at(value)
		if !found {
			continue
		}
		read[s.Name] = v
		entries = append(entries, legendEntry{l.sample(s), spaced(named, FormatValue(v)), s.Style})
	}
	truth, known := read[l.Difference[0]]
	prediction, both := read[l.Difference[1]]
	if known && both && l.Difference[0] != "" {
		entries = append(entries, legendEntry{[]rune{l.Theme.Glyphs.PointMark},
			"difference " + FormatValue(truth-prediction), l.Theme.Error})
	}
	return entries, at, true
}

func spaced(name, value string) string {
	if name == "" {
		return value
	}
	return name + " " + value
}

// at is the value of a series at a position: that of the sample there, of a line also between samples.
func (s Series) at(x float64) (v float64, ok bool) {
	const same = 1e-9
	below, above := -1, -1
	for i, p := range s.X {
		switch {
		case math.IsNaN(s.Y[i]):
		case math.Abs(p-x) <= same*max(1e-12, math.Abs(x)):
			return s.Y[i], true
		case p < x && (below < 0 || p > s.X[below]):
			below = i
		case p > x && (above < 0 || p < s.X[above]):
			above = i
		}
	}
	if s.Mark != 0 && s.Spacing == 0 || below < 0 || above < 0 {
		return 0, false
	}
	t := (x - s.X[below]) / (s.X[above] - s.X[below])
	return (1-t)*s.Y[below] + t*s.Y[above], true
}

// crossing draws the line at which the cursor reads, behind the curves, and its end on the axis.
func (f *frame) crossing(x axis, at float64) {
	c := f.column(x.fraction(at))
	if c < 0 {
		return
	}
	for r := f.top; r < f.bottom; r++ {
		f.set(f.left+c, r, f.theme.Glyphs.Vertical, f.muted)
	}
	f.set(f.left+c, f.bottom, f.theme.Glyphs.Here, f.newInk(f.theme.Value))
}

// index is the value of a map at which the cursor reads, as its row and column.
func (h HeatMap) index() (i, j int) {
	columns := len(h.Field) / max(1, h.R)
	j = int(math.Round(h.Cursor.Y * float64(columns-1)))
	if h.Cut != nil && h.CutAxis == AlongX1 {
		j = (*h.Cut*(columns-1) + (h.R-1)/2) / max(1, h.R-1)
	}
	return int(math.Round(h.Cursor.X * float64(h.R-1))), j
}

// reading is the value of a map at the cursor, and where that is.
func (h HeatMap) reading() string {
	i, j := h.index()
	columns := len(h.Field) / max(1, h.R)
	x := func(i, n int) string { return FormatValue(float64(i) / float64(max(1, n-1))) }
	return fmt.Sprintf("%s at %s, %s", FormatValue(h.Field[i*columns+j]), x(i, h.R), x(j, columns))
}

// part is the rows and columns of a map that are shown, and as fractions of the axes where they begin and end.
type part struct {
	row, rows, column, columns int
	left, right, bottom, top   float64
}

// part follows from the zoom.
func (h HeatMap) part() part {
	columns := len(h.Field) / max(1, h.R)
	i, j := h.index()
	span := func(at, n int) (first, count int, lo, hi float64) {
		count = min(n, max(2, (n-1)>>h.Cursor.Zoom+1))
		first = max(0, min(at-count/2, n-count))
		last := float64(max(1, n-1))
		return first, count, float64(first) / last, float64(first+count-1) / last
	}
	var p part
	p.row, p.rows, p.left, p.right = span(i, h.R)
	p.column, p.columns, p.bottom, p.top = span(j, columns)
	return p
}

// cropped is a map of a part, on the scale of the whole.
func (h HeatMap) cropped(p part, data span) HeatMap {
	columns := len(h.Field) / h.R
	field := make([]float64, 0, p.rows*p.columns)
	for i := range p.rows {
		from := (p.row+i)*columns + p.column
		field = append(field, h.Field[from:from+p.columns]...)
	}
	whole := h.scale(data)
	h.Min, h.Max = &whole.lo, &whole.hi
	if h.Cut != nil {
		_, j := h.index()
		cut := (j - p.column) * (p.rows - 1) / max(1, p.columns-1)
		h.Cut = &cut
	}
	h.Field, h.R = field, p.rows
	return h
}

// cross marks where the cursor reads: a cross on the picture of a part.
func (h HeatMap) cross(f *frame, m *mosaic, l layout, p part, i, j int) {
	x := l.left + level(float64(i-p.row)/float64(max(1, p.rows-1)), l.columns)
	y := l.top + l.rows - 1 - level(float64(j-p.column)/float64(max(1, p.columns-1)), l.rows)
	if !m.halves() {
		m.swatches[y*m.width+x] = swatch{}
		m.set(x, y, 'X', f.newInk(h.Theme.Focus))
		return
	}
	m.over(x, y, '┼')
	if s := &m.swatches[y*m.width+x]; s.glyph == h.Theme.Glyphs.Horizontal { // on the cut
		s.glyph = '┼'
	}
}

// rule fills the picture of a part with places.
func (m *mosaic) rule(l layout, p part) {
	for y := range l.rows {
		up := p.top - (float64(y)+0.5)/float64(l.rows)*(p.top-p.bottom)
		for x := range l.columns {
			across := p.left + (float64(x)+0.5)/float64(l.columns)*(p.right-p.left)
			m.swatches[(l.top+y)*m.width+l.left+x] = swatch{}
			m.set(l.left+x, l.top+y, onRuler(across, up), 0)
		}
	}
}

// readings are how many of the values are in the bin under the cursor, and from where to where that is.
func (h Histogram) readings(counts []int, s span) (bin int, entry legendEntry) {
	bin = min(int(h.Cursor.X*float64(len(counts))), len(counts)-1)
	end := func(i int) string {
		v := s.lo + (s.hi-s.lo)*float64(i)/float64(len(counts))
		if h.Log {
			v = math.Pow(10, v)
		}
		return FormatValue(v)
	}
	return bin, legendEntry{[]rune{h.Theme.Glyphs.Vertical},
		fmt.Sprintf("%d from %s to %s", counts[bin], end(bin), end(bin+1)), h.Theme.Value}
}
