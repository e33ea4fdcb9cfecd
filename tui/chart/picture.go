package chart

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"

	"rfm/model/report"
	"rfm/tui/look"
	"rfm/tui/plot"
	"rfm/tui/widget"
)

// FigurePicture returns a figure as a picture of a gallery.
func FigurePicture(on look.Look, name string, f report.Figure) widget.Picture {
	return widget.Picture{Name: name, Draw: func(width, height int) string { return Figure(on, f, width, height) }}
}

// FieldPicture returns a field as a picture of a gallery.
func FieldPicture(on look.Look, f report.Field) widget.Picture {
	return widget.Picture{Name: f.Title, Map: true, Draw: func(width, height int) string {
		return Field(on, f, width, height)
	}}
}

// Pictures returns the fields of a page and then its figures, by their titles, for a gallery. If tall is set, a figure
// below another one is part of the other's picture.
func Pictures(on look.Look, p report.Page, tall bool) []widget.Picture {
	var list []widget.Picture
	for _, f := range p.Fields {
		list = append(list, FieldPicture(on, f))
	}
	for i, f := range p.Figures {
		switch {
		case f.Below && tall: // drawn in the previous picture
		case tall && i+1 < len(p.Figures) && p.Figures[i+1].Below:
			list = append(list, widget.Picture{Name: f.Title, Draw: func(width, height int) string {
				upper := height * 3 / 5
				return Figure(on, f, width, upper) + "\n" + Figure(on, p.Figures[i+1], width, height-upper)
			}})
		case f.Title == "" && len(f.Curves) > 0:
			list = append(list, FigurePicture(on, f.Curves[0].Name, f))
		default:
			list = append(list, FigurePicture(on, f.Title, f))
		}
	}
	return list
}

// LeastTall is the number of lines below which a figure and the one below it are not worth drawing in one picture.
const LeastTall = 14

// histogram draws the distribution of the values of the first curve, in bins of equal length (of equal ratio if the
// vertical axis is logarithmic) by the rule of Freedman and Diaconis (1981), with marks below the median and below the
// value of the second curve, whose bin is highlighted. The legend counts the values without a place on the axis.
func histogram(on look.Look, f report.Figure, width, height int) string {
	th, all := on.Theme, f.Curves[0]
	line := plot.Line{Title: f.Title, XLabel: f.YLabel, LogX: f.LogY, YMin: new(float64), Width: width, Height: height,
		Theme: th}
	var shown, values []float64 // coordinates, and the same values
	for _, v := range all.Y {
		if c := report.Coordinate(v, f.LogY); math.Abs(c) <= report.Largest {
			shown, values = append(shown, c), append(values, v)
		}
	}
	if len(shown) == 0 {
		return line.Render()
	}
	slices.Sort(shown)
	value := func(c float64) float64 {
		if f.LogY {
			return math.Pow(10, c)
		}
		return c
	}
	s := report.Span{Lo: shown[0], Hi: shown[len(shown)-1]}.Widened(f.LogY)
	const fewest, most = 6, 40
	bins, n := fewest, float64(len(shown))
	if length := 2 * (report.Quantile(shown, 0.75) - report.Quantile(shown, 0.25)) / math.Cbrt(n); length > 0 {
		bins = max(fewest, int(math.Ceil(min(most, (s.Hi/2-s.Lo/2)/length*2))))
	}
	columns := max(1, width-len(fmt.Sprint(len(shown)))-1)
	bins = columns / max(1, columns/bins)
	bars := plot.Series{Name: all.Name, X: make([]float64, bins), Y: make([]float64, bins), Pen: plot.Bars,
		Style: drawn(th, all)[0].Style}
	axis := report.Axis{Lo: s.Lo, Hi: s.Hi}
	bin := func(c float64) int { return max(0, min(int(axis.Fraction(c)*float64(bins)), bins-1)) }
	for i := range bins {
		bars.X[i] = value(s.Lo + (s.Hi-s.Lo)*(float64(i)+0.5)/float64(bins))
	}
	for _, c := range shown {
		bars.Y[bin(c)]++
	}
	line.YMax = new(slices.Max(bars.Y))
	line.X0, line.X1, line.Series = value(s.Lo), value(s.Hi), []plot.Series{bars}
	mark := func(name string, v float64, style lipgloss.Style, glyph rune) {
		line.Series = append(line.Series, plot.Series{Name: strings.TrimSpace(name + " " + report.FormatValue(v)),
			X: []float64{v}, Y: []float64{0}, Style: style, Mark: glyph})
	}
	mark("median", report.Median(values), th.Value, th.Glyphs.Here)
	if len(f.Curves) > 1 {
		own := f.Curves[1].Y[0]
		if c := report.Coordinate(own, f.LogY); c >= s.Lo && c <= s.Hi {
			here := plot.Series{X: bars.X, Y: slices.Repeat([]float64{math.NaN()}, bins), Pen: plot.Bars, Style: th.Prediction}
			here.Y[bin(c)] = bars.Y[bin(c)]
			line.Series = append(line.Series, here)
		}
		mark(f.Curves[1].Name, own, th.Prediction, th.Glyphs.PredictionMark)
	}
	if lost := len(all.Y) - len(shown); lost > 0 {
		line.Series = append(line.Series, plot.Series{Name: fmt.Sprintf("%d not shown", lost), Style: th.Warn,
			Mark: th.Glyphs.Cross})
	}
	return line.Render()
}

// Field draws a field on the unit square.
func Field(on look.Look, f report.Field, width, height int) string {
	return plot.HeatMap{Field: f, Width: width, Height: height, Colors: on.Depth, Theme: on.Theme}.Render()
}
