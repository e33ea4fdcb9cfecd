package draw

import (
	"errors"
	"fmt"
	"math"
	"slices"
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
type box struct {
	left, top     int
	width, height int
}

// headLines is the number of lines above the pictures: how unlike the input is, and how wrong the model.
const headLines = 2

// View implements ui.Dialog: two lines in words, and pictures of the input and of the answers.
func (s *Screen) View(c ui.Canvas) string {
	state := []any{s.shown, s.help, s.turned, s.mouse}
	draw := func() string {
		return layout.Fit(s.draw(c), c.Width, c.Height)
	}
	return s.picture.Get(c.Theme, c.Width, c.Height, state, draw)
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
	alarm := f.alarm(c.Theme, c.Width-1)
	outcome := f.outcome(c.Theme, c.Width-1)
	head := fmt.Sprintf(" %s\n %s\n", alarm, outcome)
	if f.sketch.isField() {
		return head + s.maps(c, f)
	}
	left, right := sides(c)
	input := f.inputPicture(c.Theme, left.width, left.height)
	output := f.outputPicture(c.Theme, right.width, right.height)
	between := strings.Repeat(" ", gap)
	return head + layout.Beside(left.height, between, input, left.width, output)
}

const gap = 2 // cells between pictures

// sides returns the places of the pictures of input and output of functions.
func sides(c ui.Canvas) (input, output box) {
	height := c.Height - headLines
	width := (c.Width - gap) / 2
	input = box{
		left:   0,
		top:    headLines,
		width:  width,
		height: height,
	}
	output = box{
		left:   width + gap,
		top:    headLines,
		width:  c.Width - gap - width,
		height: height,
	}
	return input, output
}

// alarm says how unlike the training inputs the input is, in words and on a gauge with a mark at the limit.
func (f *frame) alarm(th theme.Theme, width int) string {
	const (
		noModel   = "The solution of your input. No model yet: ctrl+r trains one, on configure."
		noMeasure = "This model does not know its training inputs: train it again to be warned."
	)
	a := f.answers
	switch {
	case !f.sketch.trial.Predicts():
		return th.Muted.Render(layout.Cut(noModel, width))
	case a.predErr != nil:
		fault := fmt.Sprintf("%c no prediction: %v", th.Glyphs.Cross, a.predErr)
		return th.Bad.Render(layout.Cut(fault, width))
	case a.answer == nil:
		return th.Muted.Render("predicting " + string(th.Glyphs.Ellipsis))
	}
	style := th.Good
	text := string(th.Glyphs.Check) + " like the training inputs"
	switch a.answer.Likeness() {
	case engine.Unknown:
		return th.Muted.Render(layout.Cut(noMeasure, width))
	case engine.Unusual:
		style = th.Warn
		text = "! unusual: not like the training inputs"
	case engine.Outside:
		style = th.Bad
		text = string(th.Glyphs.Cross) + " far outside the training inputs"
	}
	const cells = 14
	deviation := a.answer.Deviation
	limit := a.answer.Limit
	words := style.Render(text)
	numbers := th.Muted.Render(fmt.Sprintf(" %.2f, limit %.2f", deviation, limit))
	line := words + "  " + gauge(th, style, deviation, limit, cells) + numbers
	if lipgloss.Width(line) > width {
		return words + numbers
	}
	return line
}

// gauge draws a number from 0 to 1 as a bar, with a mark at a limit.
func gauge(th theme.Theme, style lipgloss.Style, value, limit float64, cells int) string {
	filling := th.Glyphs.Filling
	full := filling[len(filling)-1]
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
		text := usual + "; there is no solver to compare with"
		return th.Muted.Render(layout.Cut(text, width))
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
	room := max(0, width-ansi.StringWidth(text))
	return style.Render(text) + th.Muted.Render(layout.Cut(rest, room))
}

// reason returns why there is no solution, in a line without the place, which the person has drawn.
func reason(err error) string {
	text := err.Error()
	n, ok := errors.AsType[*fault.Numerical](err)
	if ok {
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
	lines := []string{th.Title.Render(layout.Cut("your input: numbers", width)), ""}
	for c, number := range law.Numbers {
		if !number {
			continue
		}
		value := channelOf(k.values, c, channels)[0]
		low := channelOf(law.Low, c, channels)[0]
		high := slices.Max(channelOf(law.High, c, channels))
		bar := slider(th, (value-low)/(high-low))
		line := fmt.Sprintf("number %d  %s  %s", c+1, bar, report.FormatValue(value))
		if c == k.channel {
			line = th.Focus.Render(string(th.Glyphs.FocusLeft)) + line
		} else {
			line = " " + line
		}
		lines = append(lines, layout.Cut(line, width))
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
	if answer != nil && answer.Band != nil && prediction != nil {
		figure.Curves = band(prediction, answer.Band)
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

// band returns the lower and the upper end of the band around a prediction, given half its width at each point.
func band(prediction, half []float64) []report.Curve {
	low := make([]float64, len(prediction))
	high := make([]float64, len(prediction))
	for i, v := range prediction {
		low[i] = v - half[i]
		high[i] = v + half[i]
	}
	x := report.UnitPoints(len(prediction))
	lower := report.Curve{
		Name: "90%",
		X:    x,
		Y:    low,
		Role: report.AsLevel,
	}
	upper := report.Curve{
		X:    x,
		Y:    high,
		Role: report.AsLevel,
	}
	return []report.Curve{lower, upper}
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

// maps draws the fields: the input with the brush, and as many answers beside it as fit.
func (s *Screen) maps(c ui.Canvas, f *frame) string {
	answers := f.answerFields()
	places := mapPlaces(c, 1+len(answers))
	blocks := []layout.Block{func(width, height int) string {
		return plot.FieldWith(c.Theme, f.inputField(), f.brush(), width, height)
	}}
	fitting := len(places) - 1 // answers
	for i := range fitting {
		field := answers[(s.turned*fitting+i)%len(answers)]
		blocks = append(blocks, func(width, height int) string {
			return plot.Field(c.Theme, field, width, height)
		})
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
	const (
		least  = 30 // cells, the width of a map
		lowest = 13 // lines, its height where there are two rows
	)
	height := c.Height - headLines
	columns := min(2, count)
	rows := 1
	switch {
	case c.Width >= count*(least+gap):
		columns = count
	case height >= 2*lowest:
		rows = (count + columns - 1) / columns
	}
	fitting := min(count, columns*rows)
	each := height / rows
	var places []box
	for i := range fitting {
		row := i / columns
		first := row * columns
		inRow := min(columns, fitting-first)
		width := (c.Width - gap*(inRow-1)) / inRow
		places = append(places, box{
			left:   (width + gap) * (i - first),
			top:    headLines + row*each,
			width:  width,
			height: each,
		})
	}
	return places
}

// inputField returns the field of the edited channel.
func (f *frame) inputField() report.Field {
	k := f.sketch
	pen := "up"
	if k.down {
		pen = "down"
	}
	field := report.Field{
		Title:  fmt.Sprintf("your input a  brush %s, %s", report.FormatValue(k.value), pen),
		R:      k.trial.Side,
		Values: k.of(k.values),
	}
	// A field of two values needs no ends of the scale, because the values are the ends.
	if len(k.trial.Law.Levels) == 0 {
		field.Smooth = true
		field.Min = &f.inputScale.low
		field.Max = &f.inputScale.high
	}
	return field
}

// brush returns the brush on the field.
func (f *frame) brush() plot.Brush {
	k := f.sketch
	first, second := k.axes()
	return plot.Brush{
		X:      float64(k.place.first) / float64(first-1),
		Y:      float64(k.place.second) / float64(second-1),
		Radius: k.width,
	}
}

// answerFields returns the prediction, the solution and their difference, as far as they are to come.
func (f *frame) answerFields() []report.Field {
	t := f.sketch.trial
	var all []report.Field
	if t.Predicts() {
		all = append(all, f.outputField("model", f.prediction()))
	}
	if t.Solves() {
		all = append(all, f.outputField("solver", f.solution()))
	}
	difference := f.differenceFigure()
	if len(difference.Curves) > 0 {
		all = append(all, report.Field{
			Title:  "solver - model",
			R:      t.Side,
			Values: difference.Curves[0].Y,
			Min:    difference.YMin,
			Max:    difference.YMax,
			Signed: true,
			Smooth: true,
		})
	}
	return all
}

// outputField returns a field on the scale of the outputs; an empty one while its values are to come.
func (f *frame) outputField(title string, values []float64) report.Field {
	t := f.sketch.trial
	if values == nil {
		values = make([]float64, t.Domain.One().Values(t.Points))
		for i := range values {
			values[i] = math.NaN()
		}
	}
	return report.Field{
		Title:  title,
		R:      t.Side,
		Values: values,
		Min:    &f.outputScale.low,
		Max:    &f.outputScale.high,
		Smooth: true,
	}
}

// keyList lists the keys of the mode, in columns.
func (s *Screen) keyList(c ui.Canvas) string {
	var lines []string
	for _, command := range ui.Offers(s.commands) {
		if command.Help == "" {
			continue
		}
		key := fmt.Sprintf(" %-12s", command.Key.String())
		line := c.Theme.Key.Render(key) + c.Theme.Desc.Render(command.Help)
		lines = append(lines, line)
	}
	const wide = 110
	if c.Width < wide {
		return strings.Join(layout.Head(lines, c.Width, c.Height), "\n")
	}
	half := (len(lines) + 1) / 2
	left := strings.Join(lines[:half], "\n")
	right := strings.Join(lines[half:], "\n")
	return layout.Beside(c.Height, "  ", left, c.Width/2-1, right)
}
