// Pictures of inputs and outputs that are functions of one variable, or numbers.

package draw

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"rfm/model/show/report"
	"rfm/tui/layout"
	"rfm/tui/plot"
	"rfm/tui/theme"
)

// inputPicture draws the input: the curve with the cursor between the training inputs, or the numbers.
func (f *frame) inputPicture(th theme.Theme, width, height int) string {
	if f.sketch.isNumber() {
		return f.sliders(th, width)
	}
	return plot.Figure(th, f.inputFigure(), width, height)
}

// inputFigure returns the curve of the edited channel with the cursor, and where the bump would end, between the least and
// the largest of the training inputs.
func (f *frame) inputFigure() report.Figure {
	k := f.sketch
	law := k.trial.Law
	values := k.of(k.values)
	x := report.UnitPoints(len(values))
	title := "your input a"
	if len(law.Numbers) > 1 {
		title = fmt.Sprintf("your input, channel %d of %d", k.channel+1, len(law.Numbers))
	}
	least := report.Curve{
		Name: "training",
		X:    x,
		Y:    k.of(law.Low),
		Role: report.AsLevel,
	}
	largest := report.Curve{
		X:    x,
		Y:    k.of(law.High),
		Role: report.AsLevel,
	}
	input := report.Curve{
		X:    x,
		Y:    values,
		Role: report.AsInput,
	}
	figure := report.Figure{
		Title:  title,
		XLabel: "x",
		X1:     1,
		YMin:   &f.inputScale.low,
		YMax:   &f.inputScale.high,
		Curves: []report.Curve{least, largest, input},
	}

	cursor := k.place.first
	reach := int(math.Round(k.width * float64(len(values)-1)))
	for _, end := range []int{cursor - reach, cursor + reach} {
		if end >= 0 && end < len(values) {
			figure.Curves = append(figure.Curves, pointOn(input, end, report.AsInput))
		}
	}
	figure.Curves = append(figure.Curves, pointOn(input, cursor, report.AsLevel))
	return figure
}

// pointOn returns the i-th point of a curve, as a curve of its own.
func pointOn(curve report.Curve, i int, role report.Role) report.Curve {
	return report.Curve{
		X:      curve.X[i : i+1],
		Y:      curve.Y[i : i+1],
		Points: true,
		Role:   role,
	}
}

// sliders draws the numbers of the input, each over its training range.
func (f *frame) sliders(th theme.Theme, width int) string {
	k := f.sketch
	law := k.trial.Law
	channels := len(law.Numbers)
	title := layout.Cut("your input: numbers", width)
	lines := []string{th.Title.Render(title), ""}
	for c, isNumber := range law.Numbers {
		if !isNumber {
			continue
		}
		value := channelOf(k.values, c, channels)[0]
		low := channelOf(law.Low, c, channels)[0]
		high := slices.Max(channelOf(law.High, c, channels))
		share := (value - low) / (high - low)
		line := fmt.Sprintf("number %d  %s  %s", c+1, slider(th, share), report.FormatValue(value))
		mark := " "
		if c == k.channel {
			mark = th.Focus.Render(string(th.Glyphs.FocusLeft))
		}
		lines = append(lines, layout.Cut(mark+line, width))
	}
	lines = append(lines, "", th.Muted.Render(" a bar is the training range"))
	return strings.Join(lines, "\n")
}

// slider draws a bar with a mark at a share of its length. A share below 0 or above 1 becomes an arrow at that end.
func slider(th theme.Theme, share float64) string {
	const cells = 16
	at := int(math.Round(share * (cells - 1)))
	var text strings.Builder
	for i := range cells {
		switch {
		case i == at:
			text.WriteString(th.Input.Render(string(th.Glyphs.Current)))
		case i == 0 && at < 0:
			text.WriteString(th.Bad.Render(string(th.Glyphs.Left)))
		case i == cells-1 && at >= cells:
			text.WriteString(th.Bad.Render(string(th.Glyphs.Right)))
		default:
			text.WriteString(th.Muted.Render(string(th.Glyphs.Horizontal)))
		}
	}
	return text.String()
}

// outputPicture draws solution and prediction, and below them their difference if there is room.
func (f *frame) outputPicture(th theme.Theme, width, height int) string {
	const roomy = 15 // lines
	below := f.differenceFigure()
	if height < roomy || len(below.Curves) == 0 {
		return plot.Figure(th, f.outputFigure(), width, height)
	}
	upper := height * 5 / 8
	outputs := plot.Figure(th, f.outputFigure(), width, upper)
	difference := plot.Figure(th, below, width, height-upper)
	return outputs + "\n" + difference
}

// outputFigure returns solution and prediction with its band.
func (f *frame) outputFigure() report.Figure {
	figure := report.Figure{
		Title:  "output u",
		XLabel: "x",
		X1:     1,
		YMin:   &f.outputScale.low,
		YMax:   &f.outputScale.high,
	}
	solution := f.solution()
	prediction := f.prediction()
	answer := f.answers.answer
	hasBand := answer != nil && answer.Band != nil
	if hasBand && prediction != nil {
		figure.Curves = report.Band("90%", prediction, answer.Band)
	}
	if solution != nil {
		figure.Curves = append(figure.Curves, report.Curve{
			Name: "solver",
			X:    report.UnitPoints(len(solution)),
			Y:    solution,
			Role: report.AsTruth,
		})
	}
	if prediction != nil {
		figure.Curves = append(figure.Curves, report.Curve{
			Name: "model",
			X:    report.UnitPoints(len(prediction)),
			Y:    prediction,
			Role: report.AsPrediction,
		})
	}
	return figure
}

// differenceFigure returns the difference of solution and prediction on the scale of both, so that one sees whether it
// matters; without curves unless both are known.
func (f *frame) differenceFigure() report.Figure {
	solution := f.solution()
	prediction := f.prediction()
	areKnown := solution != nil && prediction != nil
	if !areKnown || len(solution) != len(prediction) {
		return report.Figure{}
	}
	values := make([]float64, len(solution))
	for i, v := range solution {
		values[i] = v - prediction[i]
	}
	half := (f.outputScale.high - f.outputScale.low) / 2
	low := -half
	curve := report.Curve{
		Name: "solver - model",
		X:    report.UnitPoints(len(values)),
		Y:    values,
		Role: report.AsError,
	}
	return report.Figure{
		XLabel: "x",
		X1:     1,
		YMin:   &low,
		YMax:   &half,
		Curves: []report.Curve{curve},
	}
}
