package draw

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"rfm/model/run/engine"
	"rfm/model/show/report"
	"rfm/solver/base/fault"
	"rfm/tui/layout"
	"rfm/tui/plot"
	"rfm/tui/theme"
	"rfm/tui/ui"
)

// box is a part of the screen in cells.
type box struct{ left, top, width, height int }

// headLines is the number of lines above the pictures: how unlike the input is, and how wrong the model.
const headLines = 2

// View implements ui.Dialog: two lines in words, and pictures of the input and of the answers.
func (s *Screen) View(c ui.Canvas) string {
	return s.picture.Get(c.Theme, c.Width, c.Height, []any{s.shown, s.help, s.turned, s.mouse}, func() string {
		return layout.Fit(s.draw(c), c.Width, c.Height)
	})
}

// draw draws the last frame.
func (s *Screen) draw(c ui.Canvas) string {
	if s.help {
		return s.keyList(c)
	}
	f := s.shown
	if f == nil {
		return c.Theme.Muted.Render(" computing " + string(c.Theme.Glyphs.Ellipsis))
	}
	head := " " + f.alarm(c.Theme, c.Width-1) + "\n " + f.outcome(c.Theme, c.Width-1) + "\n"
	if f.sketch.isField() {
		return head + s.maps(c, f)
	}
	left, right := sides(c)
	input := f.inputPicture(c.Theme, left.width, left.height)
	return head + layout.Beside(left.height, strings.Repeat(" ", gap), input, left.width,
		f.outputPicture(c.Theme, right.width, right.height))
}

const gap = 2 // cells between pictures

// sides returns the places of the pictures of input and output of functions.
func sides(c ui.Canvas) (input, output box) {
	height := c.Height - headLines
	width := (c.Width - gap) / 2
	return box{0, headLines, width, height}, box{width + gap, headLines, c.Width - gap - width, height}
}

// alarm says how unlike the training inputs the input is, in words and on a gauge with a mark at the limit.
func (f *frame) alarm(th theme.Theme, width int) string {
	a := f.answers
	switch {
	case !f.sketch.trial.Predicts():
		return th.Muted.Render(layout.Cut("The solution of your input. No model yet: ctrl+r trains one, on configure.", width))
	case a.predErr != nil:
		return th.Bad.Render(layout.Cut(fmt.Sprintf("%c no prediction: %v", th.Glyphs.Cross, a.predErr), width))
	case a.answer == nil:
		return th.Muted.Render("predicting " + string(th.Glyphs.Ellipsis))
	}
	style := th.Good
	text := string(th.Glyphs.Check) + " like the training inputs"
	switch a.answer.Likeness() {
	case engine.Unknown:
		return th.Muted.Render(layout.Cut("This model does not know its training inputs: train it again to be warned.", width))
	case engine.Unusual:
		style = th.Warn
		text = "! unusual: not like the training inputs"
	case engine.Outside:
		style = th.Bad
		text = string(th.Glyphs.Cross) + " far outside the training inputs"
	}
	const cells = 14
	numbers := fmt.Sprintf(" %.2f, limit %.2f", a.answer.Deviation, a.answer.Limit)
	line := style.Render(text) + "  " + gauge(th, style, a.answer.Deviation, a.answer.Limit, cells) + th.Muted.Render(numbers)
	if lipgloss.Width(line) > width {
		return style.Render(text) + th.Muted.Render(numbers)
	}
	return line
}

// gauge draws a number from 0 to 1 as a bar, with a mark at a limit.
func gauge(th theme.Theme, style lipgloss.Style, value, limit float64, cells int) string {
	full := th.Glyphs.Filling[len(th.Glyphs.Filling)-1]
	filled := int(math.Round(value * float64(cells)))
	mark := min(int(limit*float64(cells)), cells-1)
	var text strings.Builder
	for i := range cells {
		switch {
		case i == mark:
			text.WriteString(th.Value.Render(string(th.Glyphs.Vertical)))
		case i < filled:
			text.WriteString(style.Render(string(full)))
		default:
			text.WriteString(th.Muted.Render(string(th.Glyphs.Unfilled)))
		}
	}
	return text.String()
}

// outcome says how wrong the model is here, beside what it is wrong usually.
func (f *frame) outcome(th theme.Theme, width int) string {
	a := f.answers
	t := f.sketch.trial
	usual := ""
	if t.Error > 0 {
		usual = "median of the test inputs " + report.Error(t.Error, 4)
	}
	switch {
	case a.solveErr != nil:
		return th.Warn.Render(layout.Cut("no solution: "+reason(a.solveErr), width))
	case !t.Predicts():
		return ""
	case !t.Solves():
		return th.Muted.Render(layout.Cut(usual+"; there is no solver to compare with", width))
	case math.IsNaN(a.distance):
		return th.Muted.Render("solving " + string(th.Glyphs.Ellipsis))
	case math.IsInf(a.distance, 1):
		return th.Muted.Render("the solution is zero: there is no relative error")
	case t.Error == 0:
		return "error " + th.Value.Render(report.Error(a.distance, 4))
	}
	const (
		much = 2  // times the usual error: worth a warning
		far  = 10 // times: the model fails
	)
	factor := a.distance / t.Error
	style := th.Good
	text := "error " + report.Error(a.distance, 4)
	switch {
	case factor >= far:
		style = th.Bad
		text = "the model fails: " + text
	case factor >= much:
		style = th.Warn
	}
	rest := fmt.Sprintf(", %.2g times the %s", factor, usual)
	if factor < much {
		rest = ", " + usual
	}
	return style.Render(text) + th.Muted.Render(layout.Cut(rest, max(0, width-ansi.StringWidth(text))))
}

// reason returns why there is no solution, in a line without the place, which the person has drawn.
func reason(err error) string {
	text := err.Error()
	if n, ok := errors.AsType[*fault.Numerical](err); ok {
		text = n.What
	}
	return strings.ReplaceAll(text, "\n", "; ")
}

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
	figure := report.Figure{Title: title, XLabel: "x", X1: 1, YMin: &f.inputScale.low, YMax: &f.inputScale.high,
		Curves: []report.Curve{
			{Name: "training", X: x, Y: k.of(law.Low), Role: report.AsLevel},
			{X: x, Y: k.of(law.High), Role: report.AsLevel},
			{X: x, Y: values, Role: report.AsInput}}}
	reach := int(math.Round(k.width * float64(len(values)-1)))
	for _, at := range []int{k.place.first - reach, k.place.first + reach} {
		if at >= 0 && at < len(values) {
			figure.Curves = append(figure.Curves, report.Curve{X: x[at : at+1], Y: values[at : at+1], Points: true,
				Role: report.AsInput})
		}
	}
	at := k.place.first
	figure.Curves = append(figure.Curves, report.Curve{X: x[at : at+1], Y: values[at : at+1], Points: true, Role: report.AsLevel})
	return figure
}

// sliders draws the numbers of the input, each over its training range.
func (f *frame) sliders(th theme.Theme, width int) string {
	k := f.sketch
	lines := []string{th.Title.Render(layout.Cut("your input: numbers", width)), ""}
	const bar = 16
	for c, number := range k.trial.Law.Numbers {
		if !number {
			continue
		}
		channels := len(k.trial.Law.Numbers)
		value := channelOf(k.values, c, channels)[0]
		low := channelOf(k.trial.Law.Low, c, channels)[0]
		high := channelOf(k.trial.Law.High, c, channels)[0]
		for _, v := range channelOf(k.trial.Law.High, c, channels) {
			high = max(high, v)
		}
		at := int(math.Round((value - low) / (high - low) * (bar - 1)))
		var text strings.Builder
		for i := range bar {
			switch {
			case i == at:
				text.WriteString(th.Input.Render(string(th.Glyphs.Current)))
			case i == 0 && at < 0:
				text.WriteString(th.Bad.Render(string(th.Glyphs.Left)))
			case i == bar-1 && at >= bar:
				text.WriteString(th.Bad.Render(string(th.Glyphs.Right)))
			default:
				text.WriteString(th.Muted.Render(string(th.Glyphs.Horizontal)))
			}
		}
		line := fmt.Sprintf("number %d  %s  %s", c+1, text.String(), report.FormatValue(value))
		if c == k.channel {
			line = th.Focus.Render(string(th.Glyphs.FocusLeft)) + line
		} else {
			line = " " + line
		}
		lines = append(lines, layout.Cut(line, width))
	}
	return strings.Join(append(lines, "", th.Muted.Render(" a bar is the training range")), "\n")
}

// outputPicture draws solution and prediction, and below them their difference if there is room.
func (f *frame) outputPicture(th theme.Theme, width, height int) string {
	const roomy = 15 // lines
	below := f.differenceFigure()
	if height < roomy || len(below.Curves) == 0 {
		return plot.Figure(th, f.outputFigure(), width, height)
	}
	upper := height * 5 / 8
	return plot.Figure(th, f.outputFigure(), width, upper) + "\n" + plot.Figure(th, below, width, height-upper)
}

// outputFigure returns solution and prediction with its band.
func (f *frame) outputFigure() report.Figure {
	figure := report.Figure{Title: "output u", XLabel: "x", X1: 1, YMin: &f.outputScale.low, YMax: &f.outputScale.high}
	solution := f.solution()
	prediction := f.prediction()
	if answer := f.answers.answer; answer != nil && answer.Band != nil && prediction != nil {
		low := make([]float64, len(prediction))
		high := make([]float64, len(prediction))
		for i, v := range prediction {
			low[i] = v - answer.Band[i]
			high[i] = v + answer.Band[i]
		}
		x := report.UnitPoints(len(prediction))
		figure.Curves = append(figure.Curves, report.Curve{Name: "90%", X: x, Y: low, Role: report.AsLevel},
			report.Curve{X: x, Y: high, Role: report.AsLevel})
	}
	if solution != nil {
		figure.Curves = append(figure.Curves, report.Curve{Name: "solver", X: report.UnitPoints(len(solution)), Y: solution,
			Role: report.AsTruth})
	}
	if prediction != nil {
		figure.Curves = append(figure.Curves, report.Curve{Name: "model", X: report.UnitPoints(len(prediction)), Y: prediction,
			Role: report.AsPrediction})
	}
	return figure
}

// differenceFigure returns the difference of solution and prediction on the scale of both, so that one sees whether it
// matters; without curves unless both are known.
func (f *frame) differenceFigure() report.Figure {
	solution := f.solution()
	prediction := f.prediction()
	if solution == nil || prediction == nil || len(solution) != len(prediction) {
		return report.Figure{}
	}
	values := make([]float64, len(solution))
	for i, v := range solution {
		values[i] = v - prediction[i]
	}
	half := (f.outputScale.high - f.outputScale.low) / 2
	low := -half
	return report.Figure{XLabel: "x", X1: 1, YMin: &low, YMax: &half, Curves: []report.Curve{
		{Name: "solver - model", X: report.UnitPoints(len(values)), Y: values, Role: report.AsError}}}
}

// maps draws the fields: the input with the brush, and as many answers beside it as fit.
func (s *Screen) maps(c ui.Canvas, f *frame) string {
	answers := f.answerFields()
	places := mapPlaces(c, 1+len(answers))
	blocks := []layout.Block{func(width, height int) string {
		return plot.FieldWith(c.Theme, f.inputField(), f.brush(), width, height)
	}}
	for i := range len(places) - 1 {
		field := answers[(s.turned*(len(places)-1)+i)%len(answers)]
		blocks = append(blocks, func(width, height int) string { return plot.Field(c.Theme, field, width, height) })
	}
	columns := 1
	for _, p := range places[1:] {
		if p.top == places[0].top {
			columns++
		}
	}
	return layout.Tiles(c.Width, c.Height-headLines, columns, blocks...)
}

// mapPlaces returns the places of maps: two in a row, all if there is room for a second row, or for all in one.
func mapPlaces(c ui.Canvas, count int) []box {
	const least, lowest = 30, 13 // of a map
	height := c.Height - headLines
	columns := min(2, count)
	rows := 1
	switch {
	case c.Width >= count*(least+gap):
		columns = count
	case height >= 2*lowest:
		rows = (count + columns - 1) / columns
	}
	var places []box
	for i := range min(count, columns*rows) {
		first := i / columns * columns
		inRow := min(columns, min(count, columns*rows)-first)
		width := (c.Width - gap*(inRow-1)) / inRow
		each := height / rows
		places = append(places, box{(width + gap) * (i - first), headLines + i/columns*each, width, each})
	}
	return places
}

// inputField returns the field of the edited channel.
func (f *frame) inputField() report.Field {
	k := f.sketch
	field := report.Field{Title: "your input a", R: k.trial.Side, Values: k.of(k.values), Min: &f.inputScale.low,
		Max: &f.inputScale.high, Smooth: len(k.trial.Law.Levels) == 0}
	if !field.Smooth {
		field.Min = nil // the two values are the ends of the scale
		field.Max = nil
	}
	pen := "up"
	if k.down {
		pen = "down"
	}
	field.Title += fmt.Sprintf("  brush %s, %s", report.FormatValue(k.value), pen)
	return field
}

// brush returns the brush on the field.
func (f *frame) brush() plot.Brush {
	k := f.sketch
	first, second := k.axes()
	return plot.Brush{X: float64(k.place.first) / float64(first-1), Y: float64(k.place.second) / float64(second-1),
		Radius: k.width}
}

// answerFields returns the prediction, the solution and their difference, as far as they are to come.
func (f *frame) answerFields() []report.Field {
	t := f.sketch.trial
	low := f.outputScale.low
	high := f.outputScale.high
	field := func(title string, values []float64) report.Field {
		if values == nil {
			values = make([]float64, t.Domain.One().Values(t.Points))
			for i := range values {
				values[i] = math.NaN()
			}
		}
		return report.Field{Title: title, R: t.Side, Values: values, Min: &low, Max: &high, Smooth: true}
	}
	var all []report.Field
	if t.Predicts() {
		all = append(all, field("model", f.prediction()))
	}
	if t.Solves() {
		all = append(all, field("solver", f.solution()))
	}
	if difference := f.differenceFigure(); len(difference.Curves) > 0 {
		all = append(all, report.Field{Title: "solver - model", R: t.Side, Values: difference.Curves[0].Y, Min: difference.YMin,
			Max: difference.YMax, Signed: true, Smooth: true})
	}
	return all
}

// keyList lists the keys of the mode, in columns.
func (s *Screen) keyList(c ui.Canvas) string {
	var lines []string
	for _, command := range s.Commands() {
		if command.Help == "" {
			continue
		}
		line := fmt.Sprintf(" %-12s", command.Key.String())
		lines = append(lines, c.Theme.Key.Render(line)+c.Theme.Desc.Render(command.Help))
	}
	const wide = 110
	if c.Width < wide {
		return strings.Join(layout.Head(lines, c.Width, c.Height), "\n")
	}
	half := (len(lines) + 1) / 2
	return layout.Beside(c.Height, "  ", strings.Join(lines[:half], "\n"), c.Width/2-1, strings.Join(lines[half:], "\n"))
}
