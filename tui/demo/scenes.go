// This file is the order of the scenes, and what their pictures have in common.

package demo

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"

	"rfm/model/engine"
	"rfm/model/report"
	"rfm/model/study"
	"rfm/tui/chart"
	"rfm/tui/look"
	"rfm/tui/plot"
)

// scene is one step of the tour.
type scene struct {
	chapter, title string
	words          string                               // plain words, at most three lines of 78 cells
	equation       string                               // one line
	plain          string                               // the same in ASCII
	notes          string                               // for the speaker
	seconds        float64                              // how long it is shown at speed 1
	frames         int                                  // pictures that follow one another
	needs          part                                 // of the findings
	fact           func(f *findings, i int) string      // the numbers that belong to picture i
	draw           func(painter, *findings, int) string // picture i
}

// scenes lists the scenes; they take three minutes together, the search for better features included.
func scenes(p study.Tour) []scene {
	return slices.Concat([]scene{opening}, burgersScenes(p), bridgeScenes(p), darcyScenes(), []scene{closing},
		searchScenes(p))
}

// opening says what it is about.
var opening = scene{
	chapter: "Random features",
	title:   "A simulation, learned from examples",
	words: "Simulations cost time. Can a computer learn one from examples, well enough to do without? In three minutes " +
		"you see it learn a law of motion, live, from 256 examples.",
	equation: "examples (a, u)  ⟶  a model F with F(a) ≈ u",
	plain:    "examples (a, u)  ->  a model F with F(a) = u, nearly",
	notes: "Ask who has waited for a simulation this week. Promise: nothing is prepared, all is computed here while we " +
		"talk, and the best comes at the end.",
	seconds: 7, frames: 25, needs: looking, draw: drawEvolution,
	fact: func(f *findings, i int) string {
		return fmt.Sprintf("a wave, and what becomes of it: t = %.2f", f.look.Times[i])
	},
}

// closing is the last scene.
var closing = scene{
	chapter: "In short",
	title:   "That is the random feature model",
	words: "Draw features, sum one matrix, solve once, predict on any grid. All numbers were computed on this " +
		"machine while you watched. One question is left: which random features?",
	equation: "F(a) = (1/m) Σ_j α_j φ(a; θ_j)",
	plain:    "F(a) = (1/m) sum_j alpha_j phi(a; theta_j)",
	notes: "The recipe in one sentence. Then: all of this was with the features of the paper. Could a machine find " +
		"better ones?",
	seconds: 7, frames: 1, needs: flowing,
	draw: drawResults,
}

// drawResults is a table of the operators that were learned, above a prediction of each.
func drawResults(p painter, f *findings, _ int) string {
	th := p.Theme
	const wide = 70
	last := func(text string) string {
		if p.width < wide {
			return ""
		}
		return "  " + text
	}
	lines := []string{"", " " + th.Label.Render(fmt.Sprintf("%-18s %8s %9s %12s", "operator", "examples", "features",
		"test error")+last("data, training"))}
	for _, row := range []struct {
		name string
		of   *engine.Experiment
	}{{"Burgers' equation", f.burgers}, {"Darcy flow", f.darcy}} {
		c, seconds := row.of.Config, f.seconds[row.of]
		lines = append(lines, fmt.Sprintf(" %-18s %8d %9d %s", row.name, c.Data.Train, c.Features.Count,
			th.Value.Render(fmt.Sprintf("%12s", report.Error(row.of.Evaluation().Test.ExpectedRelative, 4))))+
			last(report.Duration(seconds.Generate)+", "+report.Duration(seconds.Train)))
	}
	const least = 7 // lines of a picture
	if rest := p.height - len(lines) - 1; rest >= least {
		lines = append(lines, "", p.part(p.width, rest).columns(
			func(p painter) string { return drawPrediction(p, f, landing-1) },
			func(p painter) string {
				v := f.darcy.Evaluation()
				return p.field(plot.HeatMap{Title: "pressure, model", Field: v.Predictions.At(ranked(v, 0)), R: v.Side,
					Smooth: true})
			}))
	}
	return strings.Join(lines, "\n")
}

// painter draws in a room of its size.
type painter struct {
	look.Look
	width, height int
}

// part is a painter for a smaller room.
func (p painter) part(width, height int) painter { return painter{p.Look, width, height} }

// unit draws functions on [0,1], those of some, if there are any, on their common scale.
func (p painter) unit(title string, on [][]float64, series ...plot.Series) string {
	l := plot.Line{Title: title, X1: 1, XLabel: "x", Series: series}
	if len(on) > 0 {
		l.YMin, l.YMax = extent(on...)
	}
	return p.on(l)
}

// family draws one of some functions in front of those before it.
func (p painter) family(all [][]float64, i int, name string) string {
	var series []plot.Series
	for _, y := range all[:i] {
		series = append(series, plot.Series{Y: y, Style: p.Theme.Muted, Pen: plot.Dotted})
	}
	return p.unit("", all, append(series, plot.Series{Name: name, Y: all[i], Style: p.Theme.Prediction})...)
}

// every is so many functions of a batch.
func every(count int, at func(int) []float64) (all [][]float64) {
	for i := range count {
		all = append(all, at(i))
	}
	return all
}

// on draws a plot in the painter's room.
func (p painter) on(l plot.Line) string {
	l.Width, l.Height, l.Theme = p.width, p.height, p.Theme
	return l.Render()
}

// field draws a field on the unit square.
func (p painter) field(h plot.HeatMap) string {
	const around = 2 // title and scale
	h.Width, h.Height, h.Theme, h.Colors, h.Bar = p.width, min(p.height, p.width/2+around), p.Theme, p.Depth,
		true
	return h.Render()
}

// columns draws pictures of equal width side by side.
func (p painter) columns(draw ...func(painter) string) string {
	const gap = 2
	width := (p.width - gap*(len(draw)-1)) / len(draw)
	blocks := []string{}
	for i, d := range draw {
		if i > 0 {
			blocks = append(blocks, strings.Repeat(" ", gap))
		}
		blocks = append(blocks, d(p.part(width, p.height)))
	}
	return lipgloss.JoinHorizontal(lipgloss.Top, blocks...)
}

// maps draws fields side by side.
func (p painter) maps(list ...plot.HeatMap) string {
	var draw []func(painter) string
	for _, h := range list {
		draw = append(draw, func(p painter) string { return p.field(h) })
	}
	return p.columns(draw...)
}

// extent is the range of several functions, as a common scale.
func extent(functions ...[]float64) (lo, hi *float64) {
	least, most := chart.Extent(functions...)
	return &least, &most
}
