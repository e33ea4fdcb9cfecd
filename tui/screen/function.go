// This file draws functions of one variable.

package screen

import (
	"math"

	"rfm/model/experiment"
	"rfm/tui/plot"
)

// unitLine is what all plots of functions on [0,1] have in common.
func (s *session) unitLine(width, height int) plot.Line {
	return plot.Line{Width: width, Height: height, X0: 0, X1: 1, XLabel: "x", Theme: s.Theme}
}

// functionPair draws an input and its solution.
func (s *session) functionPair(sample *experiment.Sample, title string, width, height int) string {
	line := s.unitLine(width, height)
	line.Title = title
	line.Series = []plot.Series{
		{Name: "input a", Y: sample.Input, Style: s.Theme.Input, Pen: plot.Dotted},
		{Name: "solution u", Y: sample.Truth, Style: s.Theme.Truth},
	}
	return line.Render()
}

// functionSample draws a test sample and its prediction above the pointwise error.
func (s *session) functionSample(input, truth, prediction []float64, width, height int) string {
	th := s.Theme
	difference := make([]float64, len(truth))
	for x := range truth {
		difference[x] = math.Abs(truth[x] - prediction[x])
	}
	upper := height * 3 / 5
	functions := s.unitLine(width, upper)
	functions.XLabel = ""
	functions.Series = []plot.Series{
		{Name: "a", Y: input, Style: th.Input, Pen: plot.Dotted},
		{Name: "truth", Y: truth, Style: th.Truth},
		{Name: "prediction", Y: prediction, Style: th.Prediction, Mark: th.Glyphs.PredictionMark, Spacing: 4},
	}
	zero := 0.0
	errors := s.unitLine(width, height-upper)
	errors.YMin = &zero
	errors.Series = []plot.Series{{Name: "|truth - prediction|", Y: difference, Style: th.Error}}
	return functions.Render() + "\n" + errors.Render()
}
