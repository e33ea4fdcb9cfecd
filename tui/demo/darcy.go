// This file is the scenes about Darcy flow, and the one about what an evaluation costs.

package demo

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"rfm/model/engine"
	"rfm/model/report"
	"rfm/tui/chart"
	"rfm/tui/layout"
	"rfm/tui/plot"
)

func darcyScenes() []scene {
	list := []scene{{
		title: "Flow through the ground",
		words: "The same idea for another law: water seeps through two kinds of ground. The input is the permeability " +
			"a, which jumps; the output is the pressure u.",
		equation: "−∇·(a ∇u) = 1 inside,   u = 0 on the edge", plain: "-div(a grad u) = 1 inside,   u = 0 on the edge",
		notes:   "Another law, two dimensions, and an input that jumps. Nothing in the recipe has to change.",
		seconds: 8, draw: drawPermeability,
		fact: func(f *findings, _ int) string {
			c := f.darcy.Config
			return fmt.Sprintf("a is %g or %g; %d examples", c.Darcy.Low, c.Darcy.High, c.Data.Train)
		},
	}, {
		title: "A feature that knows some physics",
		words: "Again random, but informed: a guess at the pressure from a random field theta, then one correction " +
			"with the gradient of a. Two fast Poisson solves P make a feature.",
		equation: "φ = P[ f/a + σ(θ₂) + ∇log a · ∇p₀ ]", plain: "phi = P[ f/a + s(theta_2) + grad log a . grad p0 ]",
		notes:   "Random does not mean blind: the features may contain what is known of the physics.",
		seconds: 8, draw: drawFlowFeature,
	}, {
		title: "The same recipe, another operator",
		words: "One matrix, one linear solve. An unseen permeability: the solver's pressure, the model's, and the " +
			"difference between them.",
		equation: "F(a) = (1/m) Σ_j α_j φ(a; θ_j)", plain: "F(a) = (1/m) sum_j alpha_j phi(a; theta_j)",
		notes:   "Same scale for solver and model. The difference has a scale of its own, look at its ends.",
		seconds: 8, draw: drawPressure,
		fact: func(f *findings, _ int) string {
			v := f.darcy.Evaluation()
			return fmt.Sprintf("median input: error %s; mean of %d: %s", report.Error(v.Test.Relative[ranked(v, 0)], 4),
				v.TestPairs.Count(), report.Error(v.Test.ExpectedRelative, 4))
		},
	}, {
		title: "What does an evaluation cost?",
		words: "So, well enough to do without the simulation? Where a solver is as fast as these, no: a star marks what " +
			"beats the model. Where solves take minutes, or nobody knows the equation, yes: it needs only examples.",
		equation: "speed-up = t(solver) / t(F)", plain: "speed-up = t(solver) / t(F)",
		notes: "Honest numbers: where the solver is fast, a model does not beat it. It pays where solves are dear, or " +
			"no equation is known.",
		seconds: 8, frames: growing, draw: drawCost,
		fact: func(f *findings, _ int) string {
			return "here: Burgers " + speedUp(f.burgers) + ", Darcy " + speedUp(f.darcy)
		},
	}}
	for i := range list {
		list[i].chapter, list[i].needs, list[i].frames = "Darcy flow", flowing, max(1, list[i].frames)
	}
	return list
}

func drawPermeability(p painter, f *findings, _ int) string {
	v := f.darcy.Evaluation()
	at := ranked(v, 0)
	return p.maps(plot.HeatMap{Title: "permeability a", Field: v.TestPairs.Inputs.At(at), R: v.Side},
		plot.HeatMap{Title: "pressure u", Field: v.TestPairs.Outputs.At(at), R: v.Side, Smooth: true})
}

func drawFlowFeature(p painter, f *findings, _ int) string {
	v := f.preview
	return p.maps(plot.HeatMap{Title: symbols(p.Theme, "random field theta_1"), Field: v.Theta, R: v.Side, Smooth: true,
		Signed: true}, plot.HeatMap{Title: "feature", Field: v.Feature, R: v.Side, Smooth: true})
}

// drawPressure draws truth, prediction and error.
func drawPressure(p painter, f *findings, _ int) string {
	v := f.darcy.Evaluation()
	at := ranked(v, 0)
	s := chart.Sample{Truth: v.TestPairs.Outputs.At(at), Prediction: v.Predictions.At(at)}
	lo, hi := extent(s.Truth, s.Prediction)
	return p.maps(plot.HeatMap{Title: "solver", Field: s.Truth, R: v.Side, Min: lo, Max: hi, Smooth: true},
		plot.HeatMap{Title: "model", Field: s.Prediction, R: v.Side, Min: lo, Max: hi, Smooth: true},
		plot.HeatMap{Title: "difference", Field: s.Error(), R: v.Side, Smooth: true, Signed: true})
}

// speedUp is the time of the fastest solver of the model's error in units of the model's.
func speedUp(e *engine.Experiment) string {
	p := e.Summary().Payoff
	if p == nil { // it fails on this grid
		return "unknown"
	}
	return fmt.Sprintf("%.2g", p.Faster)
}

// growing is how many pictures the bars take.
const growing = 8

// drawCost is a table of the rivals of both models, with a bar for each time on a common logarithmic scale.
func drawCost(p painter, f *findings, frame int) string {
	th := p.Theme
	least, most := math.Inf(1), 0.0
	for _, e := range []*engine.Experiment{f.burgers, f.darcy} {
		for _, r := range e.Evaluation().Rivals {
			least, most = min(least, r.Seconds), max(most, r.Seconds)
		}
	}
	const text = 44
	var lines []string
	room := p.height
	for i, e := range []*engine.Experiment{f.burgers, f.darcy} {
		v := e.Evaluation()
		rivals := best(v.Rivals, room/(2-i)-1)
		room -= 1 + len(rivals)
		name := fmt.Sprintf("%-*s", text-1, fmt.Sprintf("%s, %s=%d", e.Config.Problem, e.Config.GridSymbol(), v.Grid))
		lines = append(lines, layout.Cut(" "+th.Label.Render(name)+th.Muted.Render("log scale"), p.width))
		for i, r := range rivals {
			deviation, star := (&engine.Evaluation{Rivals: rivals}).RivalError(i, 4)
			style := th.Truth
			if i == 0 {
				style = th.Prediction
			}
			full := max(0, min(p.width-text-1, 40))
			length := math.Round(float64(full) * (1 + math.Log10(r.Seconds/least)) / (1 + math.Log10(most/least)) *
				float64(frame+1) / growing)
			bar := strings.Repeat(string(th.Glyphs.Filling[len(th.Glyphs.Filling)-1]), int(length))
			lines = append(lines, fmt.Sprintf("   %-21s %8s%s %8s ", r.Name, deviation, star,
				report.Duration(r.Seconds))+style.Render(bar))
		}
	}
	const lowest = 10 // lines of a plot
	if rest := p.height - len(lines) - 1; rest >= lowest {
		lines = append(lines, "", p.part(p.width, rest).columns(
			func(p painter) string { return drawTrade(p, f.burgers) },
			func(p painter) string { return drawTrade(p, f.darcy) }))
	}
	return strings.Join(lines, "\n")
}

// best is at most so many rivals of a model, which is the first of them: those with the largest errors are left out.
func best(rivals []engine.Rival, most int) []engine.Rival {
	rivals = slices.Clone(rivals)
	for len(rivals) > max(1, most) {
		last := 1
		for i, r := range rivals {
			if i > 1 && (r.Error > rivals[last].Error || math.IsNaN(rivals[last].Error)) {
				last = i
			}
		}
		rivals = slices.Delete(rivals, last, last+1)
	}
	return rivals
}

// drawTrade draws the errors of the methods against the times of an evaluation.
func drawTrade(p painter, e *engine.Experiment) string {
	th, others := p.Theme, "others"
	l := plot.Line{Title: e.Config.Problem + ": error", XLabel: "seconds", LogX: true, LogY: true}
	for i, r := range e.Evaluation().Rivals {
		if math.IsNaN(r.Error) {
			continue
		}
		s := plot.Series{Name: others, X: []float64{r.Seconds}, Y: []float64{r.Error}, Style: th.Truth, Mark: 'x'}
		if i == 0 {
			s.Name, s.Style, s.Mark = "model", th.Prediction, th.Glyphs.PredictionMark
		} else {
			others = "" // they are in the legend once
		}
		l.Series = append(l.Series, s)
	}
	return p.on(l)
}
