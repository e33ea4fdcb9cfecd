// Package report is what people are shown: pages of tables, figures, fields and notes as plain data, how numbers are
// written in them, and their renderings as text, CSV, Markdown and vector graphics. Screens show pages, commands print
// them, exports write them.
package report

// Page is what one screen shows, one command prints or one export writes.
type Page struct {
	Name    string   `json:"name"` // of the files to which it is exported
	Title   string   `json:"title,omitempty"`
	Source  string   `json:"source,omitempty"`  // where the numbers come from, e.g. a figure or table of the paper
	Heading string   `json:"heading,omitempty"` // the part that is on show, e.g. a sample and its error
	Tables  []Table  `json:"tables,omitempty"`
	Figures []Figure `json:"figures,omitempty"` // curves in one frame
	Fields  []Field  `json:"fields,omitempty"`  // pictures of functions on the unit square
	Notes   []string `json:"notes,omitempty"`   // sentences
}

// Table is text in rows and columns.
type Table struct {
	Title  string     `json:"title"`
	Header []string   `json:"header"`
	Rows   [][]string `json:"rows"`
	Words  []int      `json:"-"` // columns of words, besides the first one
}

// Figure is curves in one frame.
type Figure struct {
	Title  string  `json:"title"`
	XLabel string  `json:"x_label"`
	YLabel string  `json:"y_label"`
	LogX   bool    `json:"log_x,omitempty"`
	LogY   bool    `json:"log_y,omitempty"`
	Curves []Curve `json:"curves"`

	// How it is drawn; zero follows from the data.
	X0, X1     float64  `json:"-"` // ends of the horizontal axis
	YMin, YMax *float64 `json:"-"` // ends of the vertical one
	Below      bool     `json:"-"` // it stands below the figure before, on the same horizontal axis
	// in text: how the values of the first curve are distributed, with a mark at the second, which is one point
	Histogram bool `json:"-"`
}

// Curve is points (X[i], Y[i]), X ascending, to be joined by a line unless they were published or are single points.
type Curve struct {
	Name      string    `json:"name"`
	X         []float64 `json:"x"`
	Y         []float64 `json:"y"`
	Published bool      `json:"published,omitempty"`
	Points    bool      `json:"points,omitempty"`

	// How it is drawn.
	Role    Role `json:"-"`
	Marked  bool `json:"-"` // its points are marked on the line
	Spacing int  `json:"-"` // in text: marks so many columns apart in place of the line, which would hide what lies below
}

// A Role is what a curve stands for, which has a colour and a pen. The zero Role is one of several curves alike.
type Role int

// The roles.
const (
	Alike        Role = iota
	AsInput           // the input function a
	AsTruth           // what is true or given
	AsPrediction      // what the model makes of it
	AsError           // a deviation
	AsLevel           // what the others are held against
)

// Field is R x R values on the closed unit square, row-major: value i*R + j belongs to the point (i h, j h), h =
// 1/(R-1).
type Field struct {
	Title  string    `json:"title"`
	R      int       `json:"r"`
	Values []float64 `json:"values"`
	Signed bool      `json:"signed,omitempty"` // an error, whose zero matters

	// How it is drawn; zero follows from the data.
	Min, Max *float64 `json:"-"` // ends of the scale
	Smooth   bool     `json:"-"` // interpolated between the points
	Cut      *int     `json:"-"` // the line x2 = Cut h is marked
}
