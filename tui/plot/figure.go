package plot

import (
	"slices"

	"gonum.org/v1/gonum/floats"

	"rfm/model/show/report"
	"rfm/tui/theme"
)

// Figure draws a figure: curves by their roles, published values and single points as marks. Curves of few points have
// a mark at each, and published values of such a curve have the same mark, hollow, in its colour. Of more
// curves of role Alike than pens the first, the last and some between are drawn; the tables have all of them.
func Figure(th theme.Theme, f report.Figure, width, height int) string {
	f = scaled(f)
	var values [][]float64
	for _, c := range f.Curves {
		values = append(values, c.Y)
	}
	if lo, hi := report.Extent(values...); th.Log && lo >= 0 && lo <= hi {
		f.LogY = !f.LogY
		f.YMin, f.YMax = nil, nil
	}
	g := graph{Figure: f, width: width, height: height, theme: th}
	pens := [...]series{{style: th.Prediction, pen: heavy}, {style: th.Truth, pen: light}, {style: th.Input, pen: dotted}}
	shapes := [...]rune{'o', 'x', '+', '#', '%', '&', '=', '@'}
	const (
		published = 3  // the most published curves that are drawn
		few       = 32 // the most points of a curve that get a mark each
	)
	var lines, marks, points []report.Curve
	for _, c := range f.Curves {
		switch {
		case c.Role != report.Alike:
			g.series = append(g.series, drawn(th, f, c)...)
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
		s := series{Curve: c, style: pens[i].style, pen: pens[i].pen}
		if len(c.X) > few {
			g.series = append(g.series, s)
			continue
		}
		s.Name, s.pen = "", light // marks distinguish it from the others
		g.series = append(g.series, s, series{Curve: c, style: s.style, mark: th.Glyphs.Computed[i]})
	}
	for i, c := range spreadOut(points, len(shapes)) {
		g.series = append(g.series, series{Curve: c, style: th.Published, mark: shapes[i]})
	}
	for _, c := range spreadOut(marks, published) {
		s := series{Curve: c, style: th.Published, mark: th.Glyphs.PublishedMark}
		belongs := func(to report.Curve) bool { return len(lines) == 1 || c.Name == "paper, "+to.Name }
		if i := slices.IndexFunc(lines, belongs); i >= 0 {
			s.style, s.mark = pens[i].style, th.Glyphs.Published[i]
		}
		g.series = append(g.series, s)
	}
	return g.Render()
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
	factor := 1 / report.NiceStep(2*u/(much*a))
	if a > u {
		factor = report.NiceStep(2 * a / (much * u))
	}
	f.Curves = slices.Clone(f.Curves)
	for i, c := range f.Curves {
		if c.Role != report.AsInput {
			continue
		}
		f.Curves[i].Y = floats.ScaleTo(make([]float64, len(c.Y)), 1/factor, c.Y)
		if factor > 1 {
			f.Curves[i].Name += " / " + report.FormatValue(factor)
		} else {
			f.Curves[i].Name = report.FormatValue(1/factor) + " " + c.Name
		}
	}
	return f
}

// drawn returns the series of a curve of a figure, with the style, pen and mark of its role. Of a truth and its
// prediction the truth is heavy below, the prediction thin, which is exact; without colour or dots, where a thin line
// would look the same, the prediction is marks.
func drawn(th theme.Theme, f report.Figure, c report.Curve) []series {
	s := map[report.Role]series{report.AsInput: {style: th.Input, pen: dotted, mark: '+'},
		report.AsTruth:      {style: th.Truth, mark: '+'},
		report.AsPrediction: {style: th.Prediction, mark: th.Glyphs.PredictionMark},
		report.AsError:      {style: th.Error, mark: th.Glyphs.PointMark},
		report.AsLevel:      {style: th.Published, pen: dotted, mark: th.Glyphs.PublishedMark}}[c.Role]
	s.Curve = c
	line, roles := s, map[report.Role]bool{}
	for _, c := range f.Curves {
		roles[c.Role] = roles[c.Role] || !c.Points
	}
	over := roles[report.AsTruth] && roles[report.AsPrediction]
	switch {
	case len(f.Curves) == 1:
		line.pen = light // no second curve to distinguish it from
	case over && c.Role == report.AsTruth:
		line.pen = heavy
	}
	switch {
	case c.Points && over && c.Role == report.AsError:
		line.mark = '+' // observed values, on or next to the marks of the prediction
	case c.Points:
	case over && c.Role == report.AsPrediction && (th.Plain() || !th.Dots()):
		line.spacing = 4
	default:
		line.mark = 0
	}
	if !c.Marked {
		return []series{line}
	}
	line.Name = ""
	return []series{line, s}
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
