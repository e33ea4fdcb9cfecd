package chart

import (
	"slices"

	"charm.land/lipgloss/v2"

	"rfm/model/report"
	"rfm/tui/plot"
	"rfm/tui/theme"
	"rfm/tui/widget"
)

// Figure draws a figure: curves by their roles, published values and single points as marks. Curves of few points have
// a mark at each, and published values of such a curve have the same mark, hollow, in its colour. Of more
// curves of role Alike than pens the first, the last and some between are drawn; the tables have all of them.
func Figure(th theme.Theme, f report.Figure, width, height int) string {
	f = scaled(f)
	if th.Log && positive(f) {
		f.LogY = !f.LogY
		f.YMin, f.YMax = nil, nil
	}
	line := plot.Line{Title: f.Title, XLabel: f.XLabel, YLabel: f.YLabel, LogX: f.LogX, LogY: f.LogY, X0: f.X0, X1: f.X1,
		YMin: f.YMin, YMax: f.YMax, Width: width, Height: height, Theme: th}
	pens := [...]plot.Series{{Style: th.Prediction, Pen: plot.Heavy}, {Style: th.Truth, Pen: plot.Light},
		{Style: th.Input, Pen: plot.Dotted}}
	shapes := [...]rune{'o', 'x', '+', '#', '%', '&', '=', '@'}
	const (
		published = 3  // the most published curves that are drawn
		few       = 32 // the most points of a curve that get a mark each
	)
	var lines, marks, points []report.Curve
	for _, c := range f.Curves {
		switch {
		case c.Role != report.Alike:
			series := drawn(th, c)
			if c.Role == report.AsTruth && predicted(f) {
				series[0].Pen = plot.Heavy // under the prediction
			}
			if len(f.Curves) == 1 {
				series[0].Pen = plot.Light // no second curve to distinguish it from
			}
			line.Series = append(line.Series, series...)
		case c.Published:
			marks = append(marks, c)
		case c.Points:
			points = append(points, c)
		default:
			lines = append(lines, c)
		}
	}
	lines = spreadOut(lines, len(pens))
	for i, c := range lines {
		s := pens[i]
		s.X, s.Y = c.X, c.Y
		if len(c.X) > few {
			s.Name = c.Name
			line.Series = append(line.Series, s)
			continue
		}
		s.Pen = plot.Light // marks distinguish it from the others
		line.Series = append(line.Series, s)
		s.Name, s.Mark = c.Name, th.Glyphs.Computed[i]
		line.Series = append(line.Series, s)
	}
	for i, c := range spreadOut(points, len(shapes)) {
		line.Series = append(line.Series, plot.Series{Name: c.Name, X: c.X, Y: c.Y, Style: th.Published, Mark: shapes[i]})
	}
	for _, c := range spreadOut(marks, published) {
		s := plot.Series{Name: c.Name, X: c.X, Y: c.Y, Style: th.Published, Mark: th.Glyphs.PublishedMark}
		if i := computed(lines, c.Name); i >= 0 {
			s.Style, s.Mark = pens[i].Style, th.Glyphs.Published[i]
		}
		line.Series = append(line.Series, s)
	}
	return line.Render()
}

// positive reports whether a figure has curves, none of them with a negative value.
func positive(f report.Figure) bool {
	for _, c := range f.Curves {
		if slices.ContainsFunc(c.Y, func(v float64) bool { return v < 0 }) {
			return false
		}
	}
	return len(f.Curves) > 0
}

// scaled returns a figure whose input is divided by a round number where input and output differ in range by a factor
// of 3 or more, so that both remain legible on one axis.
func scaled(f report.Figure) report.Figure {
	height := func(role report.Role) (extent float64) {
		for _, c := range f.Curves {
			if c.Role == role {
				lo, hi := report.Extent(c.Y)
				extent = max(extent, hi-lo)
			}
		}
		return extent
	}
	a, u := height(report.AsInput), height(report.AsTruth)
	const much = 3
	if !(a > 0 && u > 0) || a < much*u && u < much*a {
		return f
	}
	factor := 1.0 // 1, 2, 5, 10, ...
	for i := 0; a/factor >= much*u/2 && i < 60; i++ {
		factor *= []float64{2, 2.5, 2}[i%3]
	}
	for i := 0; a/factor*much/2 <= u && i < 60; i++ {
		factor /= []float64{2, 2.5, 2}[i%3]
	}
	f.Curves = slices.Clone(f.Curves)
	for i, c := range f.Curves {
		if c.Role != report.AsInput {
			continue
		}
		y := make([]float64, len(c.Y))
		for k, v := range c.Y {
			y[k] = v / factor
		}
		f.Curves[i].Y = y
		if factor > 1 {
			f.Curves[i].Name += " / " + report.FormatValue(factor)
		} else {
			f.Curves[i].Name = report.FormatValue(1/factor) + " " + c.Name
		}
	}
	return f
}

// computed returns the index in lines of the curve to which the published values called name ("paper" and the curve's
// name) belong, or -1. A single curve needs no name.
func computed(lines []report.Curve, name string) int {
	if len(lines) == 1 {
		return 0
	}
	return slices.IndexFunc(lines, func(c report.Curve) bool { return name == "paper, "+c.Name })
}

// predicted reports whether a figure has a prediction, and not its error.
func predicted(f report.Figure) bool {
	has := func(role report.Role) bool {
		return slices.ContainsFunc(f.Curves, func(c report.Curve) bool { return c.Role == role })
	}
	return has(report.AsPrediction) && !has(report.AsError)
}

// drawn returns the series of a curve, with the style, pen and mark of its role.
func drawn(th theme.Theme, c report.Curve) []plot.Series {
	look := map[report.Role]struct {
		style lipgloss.Style
		pen   plot.Pen
		mark  rune
	}{report.AsInput: {th.Input, plot.Dotted, '+'}, report.AsTruth: {th.Truth, plot.Light, '+'},
		report.AsPrediction: {th.Prediction, plot.Light, th.Glyphs.PredictionMark},
		report.AsError:      {th.Error, plot.Light, th.Glyphs.PointMark},
		report.AsLevel:      {th.Published, plot.Dotted, th.Glyphs.PublishedMark}}[c.Role]
	curve := plot.Series{Name: c.Name, X: c.X, Y: c.Y, Style: look.style, Pen: look.pen}
	if c.Points || c.Spacing > 0 {
		curve.Mark, curve.Spacing = look.mark, c.Spacing
	}
	if !c.Marked {
		return []plot.Series{curve}
	}
	points := curve
	curve.Name, points.Mark = "", look.mark
	return []plot.Series{curve, points}
}

// spreadOut returns at most count >= 2 of the curves: the first, the last, and some between.
func spreadOut(curves []report.Curve, count int) []report.Curve {
	if len(curves) <= count {
		return curves
	}
	var some []report.Curve
	for i := range count {
		some = append(some, curves[i*(len(curves)-1)/(count-1)])
	}
	return some
}

// FigurePicture returns a figure as a picture of a gallery.
func FigurePicture(th theme.Theme, name string, f report.Figure) widget.Picture {
	return widget.Picture{Name: name, Draw: func(width, height int) string { return Figure(th, f, width, height) }}
}

// FieldPicture returns a field as a picture of a gallery.
func FieldPicture(th theme.Theme, f report.Field) widget.Picture {
	return widget.Picture{Name: f.Title, Map: true, Draw: func(width, height int) string {
		return Field(th, f, width, height)
	}}
}

// Pictures returns the fields of a page and then its figures, by their titles, for a gallery. If tall is set, a figure
// below another one is part of the other's picture.
func Pictures(th theme.Theme, p report.Page, tall bool) []widget.Picture {
	var list []widget.Picture
	for _, f := range p.Fields {
		list = append(list, FieldPicture(th, f))
	}
	for i, f := range p.Figures {
		switch {
		case f.Below && tall: // drawn in the previous picture
		case tall && i+1 < len(p.Figures) && p.Figures[i+1].Below:
			list = append(list, widget.Picture{Name: f.Title, Draw: func(width, height int) string {
				upper := height * 3 / 5
				return Figure(th, f, width, upper) + "\n" + Figure(th, p.Figures[i+1], width, height-upper)
			}})
		case f.Title == "" && len(f.Curves) > 0:
			list = append(list, FigurePicture(th, f.Curves[0].Name, f))
		default:
			list = append(list, FigurePicture(th, f.Title, f))
		}
	}
	return list
}

// LeastTall is the number of lines below which a figure and the one below it are not worth drawing in one picture.
const LeastTall = 14

// Field draws a field on the unit square.
func Field(th theme.Theme, f report.Field, width, height int) string {
	return plot.HeatMap{Field: f, Width: width, Height: height, Theme: th}.Render()
}
