// This file draws fields on the unit square: maps, and cuts through them.

package chart

import (
	"cmp"
	"fmt"
	"math"

	"rfm/config"
	"rfm/tui/layout"
	"rfm/tui/look"
	"rfm/tui/plot"
)

// HeatMap is what all maps of fields have in common. Fields have side x side values, as plot.HeatMap has them.
func HeatMap(l look.Look, title string, field []float64, side int) plot.HeatMap {
	return plot.HeatMap{Title: title, Field: field, R: side, Smooth: true, Bar: true, Colors: l.Depth, Theme: l.Theme}
}

// InputMap is the map of an input of a problem with fields. Where it jumps, nothing is interpolated.
func InputMap(l look.Look, c config.Config, a []float64, side int) plot.HeatMap {
	problem := c.Of()
	h := HeatMap(l, cmp.Or(problem.Input, "input a"), a, side)
	h.Smooth = !problem.Jumps
	return h
}

// MapBlock draws a map in whatever room there is.
func MapBlock(h plot.HeatMap) layout.Block {
	return func(width, height int) string {
		h.Width, h.Height = width, height
		return h.Render()
	}
}

// MapShape is the arrangement of most maps, at most the given number, in width x height cells of which each is still large
// enough to recognise something. One map is always shown.
func MapShape(width, height, most int) layout.Shape {
	const leastWidth, leastHeight = 28, 14
	for _, s := range []layout.Shape{{Columns: 2, Rows: 2}, {Columns: 4, Rows: 1}, {Columns: 2, Rows: 1}, {Columns: 1, Rows: 2}} {
		if s.Count() <= most && width/s.Columns >= leastWidth && height/s.Rows >= leastHeight {
			return s
		}
	}
	return layout.Shape{Columns: 1, Rows: 1}
}

// Extent is the range of the finite values of fields.
func Extent(fields ...[]float64) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, f := range fields {
		for _, v := range f {
			if !math.IsInf(v, 0) && !math.IsNaN(v) {
				lo, hi = min(lo, v), max(hi, v)
			}
		}
	}
	return lo, hi
}

// FieldSample is a test sample whose functions are fields.
type FieldSample struct {
	Side                     int
	Input, Truth, Prediction []float64
}

// Maps are the four fields of a sample, those of the truth and of the prediction on one scale. The line x2 = cut h is
// marked unless cut is nil.
func (f FieldSample) Maps(l look.Look, c config.Config, cut *int) []plot.HeatMap {
	lo, hi := Extent(f.Truth, f.Prediction)
	truth, prediction := HeatMap(l, "truth u", f.Truth, f.Side), HeatMap(l, "prediction F(a)", f.Prediction, f.Side)
	truth.Min, truth.Max, prediction.Min, prediction.Max = &lo, &hi, &lo, &hi
	miss := HeatMap(l, "error u - F(a)", f.Difference(), f.Side)
	miss.Signed = true
	list := []plot.HeatMap{InputMap(l, c, f.Input, f.Side), truth, prediction, miss}
	for i := range list {
		list[i].Cut = cut
	}
	return list
}

// Difference is the error u - F(a) at every point.
func (f FieldSample) Difference() []float64 {
	difference := make([]float64, len(f.Truth))
	for i := range difference {
		difference[i] = f.Truth[i] - f.Prediction[i]
	}
	return difference
}

// CutLine draws truth and prediction along x1 at x2 = cut h. The scale is that of the fields, so that it stays when the
// cut moves.
func (f FieldSample) CutLine(l look.Look, cut int) layout.Block {
	th := l.Theme
	lo, hi := Extent(f.Truth, f.Prediction)
	return func(width, height int) string {
		return plot.Line{Width: width, Height: height, X0: 0, X1: 1, YMin: &lo, YMax: &hi, XLabel: "x1", Theme: th,
			Title: fmt.Sprintf("cut at x2 = %.3g", float64(cut)/float64(f.Side-1)),
			Series: []plot.Series{
				{Name: "truth", Y: plot.Cut(f.Truth, f.Side, cut, plot.AlongX1), Style: th.Truth},
				{Name: "prediction", Y: plot.Cut(f.Prediction, f.Side, cut, plot.AlongX1), Style: th.Prediction, Mark: th.Glyphs.PredictionMark, Spacing: 3},
			}}.Render()
	}
}
