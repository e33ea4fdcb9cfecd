package plot

import (
	"charm.land/lipgloss/v2"

	"rfm/model/show/report"
	"rfm/tui/theme"
)

// mostAlike is the number of similar curves that are drawn.
const mostAlike = 3

// Figure draws a figure: its curves as [report.Figure.Drawn] decides, in the styles and characters of a theme.
func Figure(th theme.Theme, f report.Figure, width, height int) string {
	if th.Log {
		f = f.Toggled()
	}
	return newGraph(th, f, width, height).Render()
}

// FigureArea returns the area of Figure, whose axes are linear; ok is false if the frame is too small.
func FigureArea(th theme.Theme, f report.Figure, width, height int) (a Area, ok bool) {
	_, small := tooSmall("plot", width, height, th)
	if small {
		return Area{}, false
	}
	g := newGraph(th, f, width, height)
	drawn, _ := g.draw(g.legendSeries(), nil)
	bottom := f.Bottom(drawn.columns())
	left := f.Left(drawn.rows())
	return Area{
		Left:   drawn.left,
		Right:  drawn.right,
		Top:    drawn.top,
		Bottom: drawn.bottom,
		X0:     bottom.Lo,
		X1:     bottom.Hi,
		Y0:     left.Lo,
		Y1:     left.Hi,
	}, true
}

// newGraph returns a figure with its curves in a theme.
func newGraph(th theme.Theme, f report.Figure, width, height int) graph {
	g := graph{
		Figure: f,
		width:  width,
		height: height,
		theme:  th,
	}
	for _, d := range f.Drawn(mostAlike) {
		g.series = append(g.series, seriesOf(th, d, len(f.Curves) == 1))
	}
	return g
}

// seriesOf returns a curve in a theme. A sparse one has marks with about three cells between them. Without colour an input is
// dotted, since its line would look like that of another curve, unless it is alone.
func seriesOf(th theme.Theme, d report.Drawn, alone bool) series {
	s := series{
		Curve: d.Curve,
		style: styleOf(th, d.Ink),
		mark:  th.Symbol(d.Mark),
		right: d.Right,
	}
	if d.Ink == report.InkOther && d.Line != report.NoLine {
		s.style = th.Muted // a level of reference stays behind the curves
	}
	switch d.Line {
	case report.Heavy:
		s.pen = heavy
	case report.Dotted:
		s.pen = dotted
	}
	if d.Ink == report.InkInput && th.Plain() && !alone {
		s.pen = dotted
	}
	if d.Sparse {
		s.spacing = 4
	}
	return s
}

// styleOf returns the style of an ink.
func styleOf(th theme.Theme, ink report.Ink) lipgloss.Style {
	switch ink {
	case report.InkPrediction:
		return th.Prediction
	case report.InkTruth:
		return th.Truth
	case report.InkInput:
		return th.Input
	case report.InkError:
		return th.Error
	case report.InkPublished:
		return th.Published
	}
	return th.Label
}

// Area is where a picture shows its data: the cells of the plotting area, and the data at its edges. A person points at
// a cell, and the program at data.
type Area struct {
	Left, Right int // first column, and the one after the last
	Top, Bottom int // first row, and the one after the last
	X0, X1      float64
	Y0, Y1      float64 // at the bottom, at the top
}

// At returns the data in the middle of a cell, and whether it is in the area; else they are those of the nearest cell in
// it.
func (a Area) At(column, row int) (x, y float64, inside bool) {
	inside = column >= a.Left && column < a.Right && row >= a.Top && row < a.Bottom
	column = max(a.Left, min(column, a.Right-1))
	row = max(a.Top, min(row, a.Bottom-1))
	across := (float64(column-a.Left) + 0.5) / float64(a.Right-a.Left)
	up := (float64(a.Bottom-1-row) + 0.5) / float64(a.Bottom-a.Top)
	x = a.X0 + across*(a.X1-a.X0)
	y = a.Y0 + up*(a.Y1-a.Y0)
	return x, y, inside
}
