// Pictures of inputs and outputs that are fields.

package draw

import (
	"fmt"
	"math"

	"rfm/model/show/report"
	"rfm/tui/plot"
)

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
