// This file is the end of the tour: a search for better features before the eyes of those who watch.

package demo

import (
	"fmt"
	"math"

	"rfm/model/report"
	"rfm/model/study"
	"rfm/model/tune"
	"rfm/tui/chart"
	"rfm/tui/plot"
)

// searchFrames is how many pictures a search takes that is shown again.
const searchFrames = 12

// searchScenes are the search for the paper's experiment and, if there is a file, for its pairs.
func searchScenes(p study.Tour) []scene {
	list := []scene{{
		chapter: "One thing more", title: "Better features, live",
		words: fmt.Sprintf("So far the features were the paper's. Now a search tries %d others on the training examples, "+
			"some "+
			"fifteen seconds. The test inputs have no part in it. Watch the error fall.", p.Models),
		equation: "min over the features: error on examples left out",
		plain:    "min over the features: error on examples left out",
		notes: "Be silent while it runs, and let the curve speak. Then read out the two numbers. The same command works on " +
			"their data: rfm demo --data pairs.npz.",
		needs: improving,
	}}
	if p.Own != nil {
		list = append(list, scene{chapter: "Your data", title: "And the same on your own pairs",
			words: "Nothing is known of this operator but the pairs in your file. The same features, the same search, " +
				"for fifteen seconds.",
			equation: "F(a) ≈ u for pairs that were kept aside", plain: "F(a) = u, nearly, for pairs that were kept aside",
			notes: "Ask whose data it is, and what error would be useful to them.",
			needs: improvingOwn})
	}
	for i := range list {
		own := list[i].needs == improvingOwn
		of := func(f *findings) improvement {
			if own {
				return f.own
			}
			return f.large
		}
		list[i].seconds, list[i].frames = 6, searchFrames
		list[i].fact = func(f *findings, _ int) string { return of(f).fact() }
		list[i].draw = func(p painter, f *findings, frame int) string { return p.improvement(of(f), frame) }
	}
	return append(list, ending(list[len(list)-1]))
}

// ending is the last scene: a sample before and after the last search, and how to go on.
func ending(last scene) scene {
	s := scene{chapter: "The end", title: "The same model, better features",
		words: "One unseen input, with the features of the paper and with those that the search found. Where to go next: " +
			"rfm opens the interface, rfm tune searches for every equation, rfm run takes your own pairs.",
		equation: "F(a) = (1/m) Σ_j α_j φ(a; θ_j)", plain: "F(a) = (1/m) sum_j alpha_j phi(a; theta_j)",
		notes:   "Leave this on while they ask. Read out the number: how many times smaller the error is.",
		seconds: 7, frames: 1, needs: last.needs, fact: last.fact}
	s.draw = func(p painter, f *findings, _ int) string {
		i := f.large
		if last.needs == improvingOwn {
			i = f.own
		}
		return p.beforeAndAfter(i)
	}
	return s
}

// beforeAndAfter draws the prediction of the median input before a search and after it, on a common scale.
func (p painter) beforeAndAfter(i improvement) string {
	before, after := i.before.Evaluation(), i.after.Evaluation()
	at := ranked(before, 0)
	truth := before.TestPairs.Outputs.At(at)
	old, now := before.Predictions.At(at), after.Predictions.At(at)
	names := [2]string{"before: " + report.Error(before.Test.Relative[at], 4),
		"now: " + report.Error(after.Test.Relative[at], 4)}
	if after.Side > 0 {
		lo, hi := extent(truth, old, now)
		one := func(title string, field []float64) plot.HeatMap {
			return plot.HeatMap{Title: title, Field: field, R: after.Side, Min: lo, Max: hi, Smooth: true}
		}
		return p.maps(one(names[0], old), one(names[1], now))
	}
	one := func(title, solver, model string, y []float64) func(painter) string { // half of the legend each: it is narrow
		return func(p painter) string {
			l := plot.Line{Title: title, X1: 1, XLabel: "x", Series: []plot.Series{
				{Name: solver, Y: truth, Style: p.Theme.Truth, Pen: plot.Heavy}, {Name: model, Y: y, Style: p.Theme.Prediction}}}
			l.YMin, l.YMax = extent(truth, old, now)
			return p.on(l)
		}
	}
	return p.columns(one(names[0], "solver", "", old), one(names[1], "", "model", now))
}

// fact is what came of a search.
func (i improvement) fact() string {
	before, after := i.before.Evaluation().Test, i.after.Evaluation().Test
	return fmt.Sprintf("test error %s before, %s now: %.1f times smaller", report.Error(before.ExpectedRelative, 4),
		report.Error(after.ExpectedRelative, 4), before.ExpectedRelative/after.ExpectedRelative)
}

// improvement draws the course of a search beside an unseen input with the predictions before and after.
func (p painter) improvement(i improvement, frame int) string {
	return p.columns(func(p painter) string { return p.course(i.search, float64(frame+1)/searchFrames) },
		func(p painter) string {
			before, after := i.before.Evaluation(), i.after.Evaluation()
			at := ranked(before, 0)
			if after.Side > 0 {
				lo, hi := extent(before.TestPairs.Outputs.At(at), after.Predictions.At(at))
				return p.maps(plot.HeatMap{Title: "truth", Field: before.TestPairs.Outputs.At(at), R: after.Side, Min: lo,
					Max: hi, Smooth: true}, plot.HeatMap{Title: "model, now", Field: after.Predictions.At(at), R: after.Side,
					Min: lo, Max: hi, Smooth: true})
			}
			difference := func(v []float64) []float64 {
				sizes := chart.Sample{Truth: before.TestPairs.Outputs.At(at), Prediction: v}.Error()
				for k, d := range sizes {
					sizes[k] = math.Abs(d)
				}
				return sizes
			}
			zero := 0.0
			l := plot.Line{Title: "|truth - model|", X0: 0, X1: 1, XLabel: "x", YMin: &zero, Series: []plot.Series{
				{Name: "before", Y: difference(before.Predictions.At(at)), Style: p.Theme.Muted, Pen: plot.Dotted},
				{Name: "now", Y: difference(after.Predictions.At(at)), Style: p.Theme.Prediction}}}
			return p.on(l)
		})
}

// course draws the best error so far against the number of models that were tried, up to a share of the search. Each
// step to more features begins anew: its errors cannot be compared with those before.
func (p painter) course(s *tune.Snapshot, share float64) string {
	last := max(2, float64(s.Evaluations))
	l := plot.Line{Title: "error, best so far", XLabel: "models tried", LogY: true, X0: 1, X1: last}
	var x, y []float64
	end := func(upTo float64) {
		if len(x) > 0 {
			l.Series = append(l.Series, plot.Series{X: append(x, upTo), Y: append(y, y[len(y)-1]), Style: p.Theme.Prediction,
				Pen: plot.Heavy})
		}
		x, y = nil, nil
	}
	features := 0
	for _, c := range s.Curve {
		at := float64(c.Evaluation)
		if at > share*last && features > 0 {
			break
		}
		if c.Features != features {
			end(at)
			features = c.Features
		} else {
			x, y = append(x, at), append(y, y[len(y)-1]) // a step
		}
		x, y = append(x, at), append(y, c.Error)
	}
	end(max(1, share*last))
	if !math.IsNaN(s.Start) {
		l.Series = append([]plot.Series{{Name: "at first", X: []float64{1, last}, Y: []float64{s.Start, s.Start},
			Style: p.Theme.Published, Pen: plot.Dotted}}, l.Series...)
	}
	return p.on(l)
}
