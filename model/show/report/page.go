// Package report represents results for readers as pages of tables, figures, fields and notes in plain data. It formats
// their numbers and renders pages as text, CSV, Markdown and vector graphics for screens, commands and exports.
package report

import (
	"math"
	"slices"
)

// Page is the content of one screen, the output of one command, or one part of an export.
type Page struct {
	Name    string   `json:"name"` // of the files to which it is exported
	Title   string   `json:"title,omitempty"`
	Source  string   `json:"source,omitempty"`  // source of the numbers, e.g. a figure or table of the paper
	Heading string   `json:"heading,omitempty"` // the displayed part, e.g. a sample and its error
	Tables  []Table  `json:"tables,omitempty"`
	Figures []Figure `json:"figures,omitempty"` // curves in one frame
	Fields  []Field  `json:"fields,omitempty"`  // pictures of functions on the unit square
	Notes   []string `json:"notes,omitempty"`   // sentences
}

// Table holds text in rows and columns.
type Table struct {
	Title  string     `json:"title"`
	Header []string   `json:"header"`
	Rows   [][]string `json:"rows"`
	Words  []int      `json:"words,omitempty"` // columns of text, besides the first one
}

// Figure is a set of curves in one frame.
type Figure struct {
	Title  string `json:"title"`
	XLabel string `json:"x_label"`
	YLabel string `json:"y_label"`
	LogX   bool   `json:"log_x,omitempty"`
	Timed  bool   `json:"x_timed,omitempty"` // the horizontal axis has seconds, which are written as 20 us, 5 ms
	LogY   bool   `json:"log_y,omitempty"`
	// the horizontal axis has whole numbers, between which there is nothing
	Counted bool    `json:"x_counted,omitempty"`
	Curves  []Curve `json:"curves"`

	// Settings of the drawing; zero values follow from the data.
	X0    float64  `json:"x0,omitempty"` // ends of the horizontal axis
	X1    float64  `json:"x1,omitempty"`
	YMin  *float64 `json:"y_min,omitempty"` // ends of the vertical one
	YMax  *float64 `json:"y_max,omitempty"`
	Below bool     `json:"below,omitempty"` // placed below the previous figure, with the same horizontal axis
}

// Curve holds points (X[i], Y[i]), X ascending, joined by a line unless they are published or single points.
type Curve struct {
	Name      string    `json:"name"`
	X         []float64 `json:"x"`
	Y         []float64 `json:"y"`
	Published bool      `json:"published,omitempty"`
	Points    bool      `json:"points,omitempty"`

	// Settings of the drawing.
	Role   Role `json:"role,omitempty"`
	Marked bool `json:"marked,omitempty"` // points are marked on the line
}

// Band returns the lower and the upper end of a band around a function, given half its width at each point. The first has
// the name of both.
func Band(name string, function, half []float64) []Curve {
	low := make([]float64, len(function))
	high := make([]float64, len(function))
	for i, v := range function {
		low[i] = v - half[i]
		high[i] = v + half[i]
	}
	x := UnitPoints(len(function))
	return []Curve{
		{Name: name, X: x, Y: low, Role: AsLevel},
		{X: x, Y: high, Role: AsLevel},
	}
}

// A Role is the meaning of a curve, which sets its colour and pen. The zero Role is one of several similar curves.
type Role string

// The roles.
const (
	Alike        Role = ""
	AsInput      Role = "input"      // the input function a
	AsTruth      Role = "truth"      // a true or given function
	AsPrediction Role = "prediction" // a prediction of the model
	AsError      Role = "error"      // a deviation
	AsLevel      Role = "level"      // a level of reference
)

// Field holds R x Columns() values on a closed rectangle, row-major: value i*Columns() + j belongs to the i-th position
// from the left and the j-th position from below.
type Field struct {
	Title  string    `json:"title"`
	R      int       `json:"r"` // positions along the horizontal axis
	Values []float64 `json:"values"`
	Signed bool      `json:"signed,omitempty"` // an error, whose zero matters

	// The axes; zero values are x1 and x2, from 0 to 1.
	Across FieldAxis `json:"across,omitzero"` // horizontal
	Up     FieldAxis `json:"up,omitzero"`     // vertical
	// the axes measure different things, as x and t: the picture fills its frame. Otherwise it is a square.
	Unlike bool `json:"unlike,omitempty"`

	// Settings of the drawing; zero values follow from the data.
	Min    *float64 `json:"min,omitempty"` // ends of the scale
	Max    *float64 `json:"max,omitempty"`
	Smooth bool     `json:"smooth,omitempty"` // interpolated between the points
	Masked bool     `json:"masked,omitempty"` // values that are not finite are outside of the domain, and left blank
}

// FieldAxis is an axis of a field. It points the other way, left or down, if From is larger than To.
type FieldAxis struct {
	Name string  `json:"name"`
	From float64 `json:"from"`
	To   float64 `json:"to"`
}

// or returns the axis, or the unit interval with a name if nothing is known of it.
func (a FieldAxis) or(name string) FieldAxis {
	if a == (FieldAxis{}) {
		return FieldAxis{Name: name, To: 1}
	}
	return a
}

// At returns the coordinate of position i of count equispaced ones.
func (a FieldAxis) At(i, count int) float64 {
	if count < 2 {
		return a.From
	}
	return a.From + (a.To-a.From)*float64(i)/float64(count-1)
}

// Horizontal and Vertical return the axes of the field.
func (f Field) Horizontal() FieldAxis { return f.Across.or("x1") }
func (f Field) Vertical() FieldAxis   { return f.Up.or("x2") }

// Axes returns the axes with their ticks for a picture of columns x rows cells.
func (f Field) Axes(columns, rows int) (x, y Axis) {
	x = f.Horizontal().ticked(func(s Span) Axis {
		return columnAxis(s.Lo, s.Hi, columns, false)
	})
	const perLabel = 2 // rows that count as one: a map needs fewer numbers than a curve
	y = f.Vertical().ticked(func(s Span) Axis {
		return rowAxis(s, max(2, rows/perLabel), true, true, false)
	})
	return x, y
}

// ticked returns the axis with the ticks that choose sets for its range.
func (a FieldAxis) ticked(choose func(Span) Axis) Axis {
	axis := choose(Span{min(a.From, a.To), max(a.From, a.To)}.Widened(false))
	const long = 8
	if axis.Hi-axis.Lo >= long { // ticks at 2.5, 5, 7.5 would be odd for an index
		axis.Ticks = slices.DeleteFunc(axis.Ticks, func(t Tick) bool {
			return t.At != math.Round(t.At)
		})
		for i := range axis.Ticks {
			axis.Ticks[i].Label = trimZeros(axis.Ticks[i].Label)
		}
	}
	if a.From > a.To {
		axis.Lo, axis.Hi = axis.Hi, axis.Lo
	}
	return axis
}

// Distinct returns the two values of a field that has no others, as a coefficient of two materials; ok is false if it
// has fewer, more, or values that are not finite.
func (f Field) Distinct() (low, high float64, ok bool) {
	data, lost := f.Extent()
	for _, v := range f.Values {
		if v != data.Lo && v != data.Hi {
			return 0, 0, false
		}
	}
	return data.Lo, data.Hi, lost == 0 && data.Lo < data.Hi
}

// Columns returns the number of positions along the vertical axis, R on a square.
func (f Field) Columns() int { return len(f.Values) / max(1, f.R) }

// Extent returns the range of the finite values and the number of values that are not finite.
func (f Field) Extent() (data Span, lost int) {
	data = newSpan()
	for _, v := range f.Values {
		if !data.Add(v) && !f.Masked {
			lost++
		}
	}
	return data, lost
}

// Scale returns the ends of the scale, given the range of the data; see Span.Pinned. That of a signed field is
// symmetric.
func (f Field) Scale(data Span) Span {
	s := data.Pinned(f.Min, f.Max, false)
	if !f.Signed {
		return s
	}
	most := max(math.Abs(s.Lo), math.Abs(s.Hi))
	return Span{Lo: -most, Hi: most}
}

// Middle returns the values on the line through the middle, along x1.
func (f Field) Middle() []float64 {
	columns := f.Columns()
	middle := columns / 2
	line := make([]float64, f.R)
	for i := range line {
		line[i] = f.Values[i*columns+middle]
	}
	return line
}
