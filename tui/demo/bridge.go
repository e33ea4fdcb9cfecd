// This file is the scenes about the scalar example.

package demo

import (
	"fmt"

	"rfm/model/report"
	"rfm/model/study"
	"rfm/tui/plot"
)

func bridgeScenes(p study.Tour) []scene {
	const chapter = "Brownian bridges"
	return []scene{{
		chapter: chapter, title: "The idea in its simplest form",
		words: "Learn a function of one number x from some of its values. The features are random paths that begin and " +
			"end at zero: Brownian bridges.",
		equation: "φ(x; θ) = Σ_j θ_j √2 sin(jπx) / (jπ),   θ_j ~ N(0, 1)",
		plain:    "phi(x; theta) = sum_j theta_j sqrt2 sin(j pi x)/(j pi)",
		notes: "An aside that shows the idea without any equation of physics; skip it with the arrow key if time is " +
			"short.",
		seconds: 6, frames: 5, needs: bridging, draw: drawPaths,
		fact: func(_ *findings, i int) string { return fmt.Sprintf("path %d", i+1) },
	}, {
		chapter: chapter, title: "More features, less chance",
		words: "With few features the model wobbles, and another draw would wobble elsewhere. With more it settles to " +
			"a limit without chance: the interpolant of a kernel.",
		equation: "k(x, x′) = min(x, x′) − x x′", plain: "k(x, x') = min(x, x') - x x'",
		notes:   "The limit of infinitely many features is a kernel method: no chance is left.",
		seconds: 8, frames: len(p.BridgeCounts) + 1, needs: bridging, draw: drawBridge,
		fact: func(f *findings, i int) string {
			b := f.bridge
			if i == len(b.Counts) {
				return fmt.Sprintf("m = infinity, through %d values", len(b.Data.X))
			}
			return fmt.Sprintf("m = %d: distance to the limit %s", b.Counts[i], report.Error(b.Distances[i], 4))
		},
	}}
}

func drawPaths(p painter, f *findings, i int) string {
	return p.family(f.bridge.Features, i, "a random path")
}

// drawBridge draws the model of Counts[i] features, or the limit.
func drawBridge(p painter, f *findings, i int) string {
	b := f.bridge
	curve, name := b.Interpolant, "limit"
	if i < len(b.Counts) {
		curve, name = b.Curves[i], fmt.Sprintf("m = %d", b.Counts[i])
	}
	return p.unit("", append([][]float64{b.Target, b.Interpolant}, b.Curves...),
		plot.Series{Name: "the function", Y: b.Target, Style: p.Theme.Input, Pen: plot.Dotted},
		plot.Series{Name: name, Y: curve, Style: p.Theme.Truth},
		plot.Series{Name: "values", X: b.Data.X, Y: b.Data.Y, Style: p.Theme.Prediction,
			Mark: p.Theme.Glyphs.PredictionMark})
}
