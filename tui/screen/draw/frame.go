// What is shown of one version of the input: a frame, which knows no screen.

package draw

import (
	"rfm/model/run/engine"
	"rfm/model/show/report"
)

// answers are what model and solver say about one version of the input.
type answers struct {
	version  int
	predicts bool           // a prediction is to come
	answer   *engine.Answer // of the model; nil before it is known
	predErr  error
	solves   bool      // a solution is to come
	solution []float64 // nil before it is known
	solveErr error
	distance float64 // of the prediction from the solution, relative to it; NaN if one of them is not known
}

// complete reports whether nothing is to come.
func (a answers) complete() bool { return !a.predicts && !a.solves }

// A frame is a sketch as it is shown, with the answers to it. It does not change once it is shown.
type frame struct {
	sketch      sketch // a copy
	answers     answers
	inputScale  scale
	outputScale scale
}

// compare measures the prediction once the solution is known.
func (a *answers) compare(t *engine.Trial) {
	isPredicted := a.answer != nil && a.predErr == nil
	if !isPredicted || a.solution == nil {
		return
	}
	prediction := a.answer.Prediction
	if len(prediction) == len(a.solution) {
		a.distance = t.Distance(prediction, a.solution)
	}
}

// A scale is the vertical range of a picture. It stays while curves change within it, so that nothing but the curves moves,
// and few bytes are written.
type scale struct{ low, high float64 }

// around returns the scale for curves: the same one if they fit and are not small in it.
func (s scale) around(curves ...[]float64) scale {
	const (
		margin   = 0.15 // on each side of a new scale, in lengths of the data
		smallest = 0.3  // the share of the scale that the curves fill at least
	)
	low, high := report.Extent(curves...)
	if !(low <= high) {
		return s
	}
	fits := low >= s.low && high <= s.high
	if fits && high-low >= smallest*(s.high-s.low) {
		return s
	}
	if high == low {
		low -= 1
		high += 1
	}
	length := high - low
	return scale{low - margin*length, high + margin*length}
}

// inputCurves returns the values that the picture of the input shows.
func (f *frame) inputCurves() [][]float64 {
	law := f.sketch.trial.Law
	return [][]float64{
		f.sketch.of(f.sketch.values),
		f.sketch.of(law.Low),
		f.sketch.of(law.High),
	}
}

// outputCurves returns the values that the picture of the output shows.
func (f *frame) outputCurves() [][]float64 {
	curves := [][]float64{f.solution()}
	if p := f.prediction(); p != nil {
		curves = append(curves, p)
	}
	return curves
}

// solution returns the solution; nil if it is not known.
func (f *frame) solution() []float64 { return f.answers.solution }

// prediction returns the prediction of the channel that is shown; nil if it is not known.
func (f *frame) prediction() []float64 {
	if f.answers.answer == nil || f.answers.predErr != nil {
		return nil
	}
	values := f.answers.answer.Prediction
	size := f.sketch.trial.Domain.One().Values(f.sketch.trial.Points)
	channels := len(values) / size
	return channelOf(values, min(f.sketch.channel, channels-1), channels)
}
