// This file draws fields on the unit square: maps, and cuts through them.

package screen

import (
	"cmp"
	"fmt"
	"math"

	"rfm/config"
	"rfm/tui/layout"
	"rfm/tui/plot"
)

// heatMap is what all maps of fields have in common. Fields have side x side values, as plot.HeatMap has them.
func (s *session) heatMap(title string, field []float64, side int) plot.HeatMap {
	return plot.HeatMap{Title: title, Field: field, R: side, Smooth: true, Bar: true, Colors: s.Depth, Theme: s.Theme}
}

// inputMap is the map of an input of a problem with fields. Where it jumps, nothing is interpolated.
func (s *session) inputMap(c config.Config, a []float64, side int) plot.HeatMap {
	problem := c.Of()
	h := s.heatMap(cmp.Or(problem.Input, "input a"), a, side)
	h.Smooth = !problem.Jumps
	return h
}

// mapBlock draws a map in whatever room there is.
func mapBlock(h plot.HeatMap) layout.Block {
	return func(width, height int) string {
		h.Width, h.Height = width, height
		return h.Render()
	}
}

// A shape is an arrangement of equal maps.
type shape struct{ columns, rows int }

func (s shape) count() int { return s.columns * s.rows }

// shapeOf is the arrangement of most maps, at most the given number, in width x height cells of which each is still large
// enough to recognise something. One map is always shown.
func shapeOf(width, height, most int) shape {
	const leastWidth, leastHeight = 28, 14
	for _, s := range []shape{{2, 2}, {4, 1}, {2, 1}, {1, 2}} {
		if s.count() <= most && width/s.columns >= leastWidth && height/s.rows >= leastHeight {
			return s
		}
	}
	return shape{1, 1}
}

// extent is the range of the finite values of fields.
func extent(fields ...[]float64) (lo, hi float64) {
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

// fieldSample is a test sample whose functions are fields.
type fieldSample struct {
	side                     int
	input, truth, prediction []float64
}

// maps are the four fields of a sample, those of the truth and of the prediction on one scale. The line x2 = cut h is
// marked unless cut is nil.
func (f fieldSample) maps(s *session, cut *int) []plot.HeatMap {
	lo, hi := extent(f.truth, f.prediction)
	truth, prediction := s.heatMap("truth u", f.truth, f.side), s.heatMap("prediction F(a)", f.prediction, f.side)
	truth.Min, truth.Max, prediction.Min, prediction.Max = &lo, &hi, &lo, &hi
	miss := s.heatMap("error u - F(a)", f.difference(), f.side)
	miss.Signed = true
	list := []plot.HeatMap{s.inputMap(s.computed(), f.input, f.side), truth, prediction, miss}
	for i := range list {
		list[i].Cut = cut
	}
	return list
}

// difference is the error u - F(a) at every point.
func (f fieldSample) difference() []float64 {
	difference := make([]float64, len(f.truth))
	for i := range difference {
		difference[i] = f.truth[i] - f.prediction[i]
	}
	return difference
}

// cutLine draws truth and prediction along x1 at x2 = cut h. The scale is that of the fields, so that it stays when the
// cut moves.
func (f fieldSample) cutLine(s *session, cut int) layout.Block {
	th := s.Theme
	lo, hi := extent(f.truth, f.prediction)
	return func(width, height int) string {
		return plot.Line{Width: width, Height: height, X0: 0, X1: 1, YMin: &lo, YMax: &hi, XLabel: "x1", Theme: th,
			Title: fmt.Sprintf("cut at x2 = %.3g", float64(cut)/float64(f.side-1)),
			Series: []plot.Series{
				{Name: "truth", Y: plot.Cut(f.truth, f.side, cut, plot.AlongX1), Style: th.Truth},
				{Name: "prediction", Y: plot.Cut(f.prediction, f.side, cut, plot.AlongX1), Style: th.Prediction, Mark: th.Glyphs.PredictionMark, Spacing: 3},
			}}.Render()
	}
}
