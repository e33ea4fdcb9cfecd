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
		g.series = append(g.series, seriesOf(th, d, width, len(f.Curves) == 1))
	}
	return g
}

// seriesOf returns a curve in a theme. A sparse one has marks that leave two or three cells between them, more in a wide
// plot. Without colour an input is dotted, since its line would look like that of another curve, unless it is alone.
func seriesOf(th theme.Theme, d report.Drawn, width int, alone bool) series {
	const wide = 60
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
		s.spacing = 3
		if width >= wide {
			s.spacing = 4
		}
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
