// This file draws functions of one variable.

package chart

import (
	"math"

	"rfm/model/engine"
	"rfm/tui/look"
	"rfm/tui/plot"
)

// unitLine is what all plots of functions on [0,1] have in common.
func unitLine(l look.Look, width, height int) plot.Line {
	return plot.Line{Width: width, Height: height, X0: 0, X1: 1, XLabel: "x", Theme: l.Theme}
}

// Pair draws an input and its solution.
func Pair(l look.Look, sample *engine.Sample, title string, width, height int) string {
	line := unitLine(l, width, height)
	line.Title = title
	line.Series = []plot.Series{
		{Name: "input a", Y: sample.Input, Style: l.Theme.Input, Pen: plot.Dotted},
		{Name: "solution u", Y: sample.Truth, Style: l.Theme.Truth},
	}
	return line.Render()
}

// Sample draws a test sample and its prediction above the pointwise error.
func Sample(l look.Look, input, truth, prediction []float64, width, height int) string {
	th := l.Theme
	difference := make([]float64, len(truth))
	for x := range truth {
		difference[x] = math.Abs(truth[x] - prediction[x])
	}
	upper := height * 3 / 5
	functions := unitLine(l, width, upper)
	functions.XLabel = ""
	functions.Series = []plot.Series{
		{Name: "a", Y: input, Style: th.Input, Pen: plot.Dotted},
		{Name: "truth", Y: truth, Style: th.Truth},
		{Name: "prediction", Y: prediction, Style: th.Prediction, Mark: th.Glyphs.PredictionMark, Spacing: 4},
	}
	zero := 0.0
	errors := unitLine(l, width, height-upper)
	errors.YMin = &zero
	errors.Series = []plot.Series{{Name: "|truth - prediction|", Y: difference, Style: th.Error}}
	return functions.Render() + "\n" + errors.Render()
}
