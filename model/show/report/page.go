// Package report represents results for readers as pages of tables, figures, fields and notes in plain data. It formats
// their numbers and renders pages as text, CSV, Markdown and vector graphics for screens, commands and exports.
package report

import "math"

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
	Title  string  `json:"title"`
	XLabel string  `json:"x_label"`
	YLabel string  `json:"y_label"`
	LogX   bool    `json:"log_x,omitempty"`
	LogY   bool    `json:"log_y,omitempty"`
	Curves []Curve `json:"curves"`

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

// Field holds R x R values on the closed unit square, row-major: value i*R + j belongs to the point (i h, j h), h =
// 1/(R-1).
type Field struct {
	Title  string    `json:"title"`
	R      int       `json:"r"`
	Values []float64 `json:"values"`
	Signed bool      `json:"signed,omitempty"` // an error, whose zero matters

	// Settings of the drawing; zero values follow from the data.
	Min    *float64 `json:"min,omitempty"` // ends of the scale
	Max    *float64 `json:"max,omitempty"`
	Smooth bool     `json:"smooth,omitempty"` // interpolated between the points
}

// Columns returns the number of values along x2, R on a square.
func (f Field) Columns() int { return len(f.Values) / max(1, f.R) }

// Extent returns the range of the finite values and the number of values that are not finite.
func (f Field) Extent() (data Span, lost int) {
	data = NewSpan()
	for _, v := range f.Values {
		if !data.Add(v) {
			lost++
		}
	}
	return data, lost
}

// Scale returns the ends of the scale, given the range of the data; see Span.Pinned. That of a signed field is
// symmetric.
func (f Field) Scale(data Span) Span {
	s := data.Pinned(f.Min, f.Max, false)
	if m := max(math.Abs(s.Lo), math.Abs(s.Hi)); f.Signed {
		return Span{-m, m}
	}
	return s
}

// Middle returns the values on the line through the middle, along x1.
func (f Field) Middle() []float64 {
	line, at := make([]float64, f.R), f.Columns()/2
	for i := range line {
		line[i] = f.Values[i*f.Columns()+at]
	}
	return line
}
