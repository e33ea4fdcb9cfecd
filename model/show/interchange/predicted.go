// This file describes predictions: as JSON, and as pictures of the first ones.

package interchange

import (
	"fmt"

	"rfm/model/show/report"
	"rfm/model/trained/bands"
	"rfm/model/trained/unlike"
	"rfm/solver/space/grid"
)

// Predicted describes the predictions. Its JSON form is the output of `rfm predict --json`.
type Predicted struct {
	Model   string  `json:"model"`
	In      string  `json:"in"`
	Out     string  `json:"out"`
	Count   int     `json:"count"`
	Grid    int     `json:"grid"` // K, or r along an axis, both ends counted
	Shape   []int   `json:"shape"`
	Axes    string  `json:"axes"` // of the inputs and the predictions, as "(count, K)"
	Seconds float64 `json:"seconds"`
	// numbers of the inputs that are unlike the training inputs, where nobody knows the error; null if the model cannot tell
	Unlike []int `json:"unlike"`
	// how far each input is from the training inputs, from 0 to 1, and the limit beyond which it is in Unlike; missing if
	// the model does not know its training inputs
	Deviations []float64 `json:"deviations,omitempty"`
	Limit      float64   `json:"limit,omitempty"`
	// mean relative L2 error after every step, if compared with the solver
	Errors []float64 `json:"errors,omitempty"`
	// geometric mean of these over the first 100 steps, or all if they are fewer
	GMean100 float64 `json:"gmean100,omitempty"`

	// errors relative to the outputs in the file of the inputs; missing if it has none
	Compared    *Compared `json:"compared,omitempty"`
	NotCompared string    `json:"not_compared,omitempty"` // why outputs that it has are not compared
	Notes       []string  `json:"notes,omitempty"`        // assumptions about the file of the inputs

	Domain grid.Domain `json:"-"` // of the functions

	// of the first functions, if they are kept
	inputs  grid.Batch
	outputs grid.Batch
	truth   grid.Batch // without functions if the file has no outputs
	half    grid.Batch // half the widths of their bands; without functions if there are no bands
	level   float64    // probability that the truth lies in the bands

	found unlike.Found
}

// UnlikeNumbers lists the numbers of inputs that are unlike the training inputs, the first of many.
func (p Predicted) UnlikeNumbers() string { return unlike.List(p.Unlike) }

// mostKept bounds the number of predictions that are kept for pictures.
const mostKept = 64

// keep keeps the first inputs and predictions, with half the widths of their bands if the model has bands.
func (p *Predicted) keep(modelFile string, inputs, outputs, truth grid.Batch, o Prediction) {
	count := min(mostKept, outputs.Count)
	p.inputs = inputs.Range(0, count)
	p.outputs = outputs.Range(0, count)
	if truth.Count > 0 {
		p.truth = truth.Range(0, count)
	}
	calibrated, err := bands.ReadFile(bandsOf(modelFile))
	if err != nil {
		return // it was trained without bands
	}
	checked, err := calibrated.Check(p.inputs, p.outputs)
	if err != nil {
		return
	}
	widths := checked.Widths(o.Level, o.Whole)
	if !unbounded(widths) {
		p.half = widths
		p.level = o.Level
	}
}

// Kept returns how many of the predictions can be drawn.
func (p Predicted) Kept() int { return p.outputs.Count }

// UnlikeLine says in one line how unlike the training inputs input i is; empty if it is like them, or if nobody knows.
func (p Predicted) UnlikeLine(i int) string {
	if i >= len(p.found.Deviations) {
		return ""
	}
	return p.found.Line(i)
}

// Shown returns input i and its prediction, between the ends of its band if the model has bands: for each channel a figure,
// or fields on a square. Jumps tells whether inputs have jumps.
func (p Predicted) Shown(i int, jumps bool) ([]report.Figure, []report.Field) {
	in := p.inputs.Domain.Width()
	out := p.outputs.Domain.Width()
	var figures []report.Figure
	var fields []report.Field
	for channel := range max(in, out) {
		title := report.Channels(channel, in, out)
		ofInput := channel % in
		ofOutput := channel % out
		if p.Domain.Dims == 2 {
			fields = append(fields, p.fields(i, ofInput, ofOutput, title, jumps)...)
			continue
		}
		figures = append(figures, p.figure(i, ofInput, ofOutput, title))
	}
	return figures, fields
}

// fields returns a channel of input i and one of its prediction, and of the truth if that is known, on a square.
func (p Predicted) fields(i, ofInput, ofOutput int, channels string, jumps bool) []report.Field {
	field := func(name string, values []float64, isSmooth bool) report.Field {
		title := name
		if channels != "" {
			title += ", " + channels
		}
		return report.Field{
			Title:  title,
			R:      p.outputs.Points,
			Values: values,
			Smooth: isSmooth,
		}
	}
	fields := []report.Field{
		field("input a", p.inputs.Of(i, ofInput), !jumps),
		field("prediction F(a)", p.outputs.Of(i, ofOutput), true),
	}
	if p.truth.Count > 0 {
		fields = append(fields, field("truth", p.truth.Of(i, ofOutput), true))
	}
	return fields
}

// figure returns a channel of input i and one of its prediction, between the ends of its band if the model has bands.
func (p Predicted) figure(i, ofInput, ofOutput int, title string) report.Figure {
	input := p.inputs.Of(i, ofInput)
	output := p.outputs.Of(i, ofOutput)
	curves := []report.Curve{{
		Name: "a",
		X:    report.UnitPoints(len(input)),
		Y:    input,
		Role: report.AsInput,
	}}
	if p.half.Count > 0 {
		curves = append(curves, p.band(i, ofOutput)...)
	}
	if p.truth.Count > 0 {
		curves = append(curves, report.Curve{
			Name: "truth",
			X:    report.UnitPoints(len(output)),
			Y:    p.truth.Of(i, ofOutput),
			Role: report.AsTruth,
		})
	}
	prediction := report.Curve{
		Name: "prediction",
		X:    report.UnitPoints(len(output)),
		Y:    output,
		Role: report.AsPrediction,
	}
	curves = append(curves, prediction) // last, so that it is drawn above the band
	return report.Figure{
		Title:  title,
		X1:     1,
		XLabel: "x",
		Curves: curves,
	}
}

// band returns the lower and the upper end of the band of a channel of prediction i.
func (p Predicted) band(i, channel int) []report.Curve {
	name := fmt.Sprintf("%g%% band", 100*p.level)
	return report.Band(name, p.outputs.Of(i, channel), p.half.Of(i, channel))
}
