// This file is the scenes about Burgers' equation.

package demo

import (
	"fmt"
	"math"
	"slices"

	"rfm/model/engine"
	"rfm/model/report"
	"rfm/model/study"
	"rfm/tui/plot"
)

const burgersChapter = "Burgers' equation"

func burgersScenes(p study.Tour) []scene {
	list := []scene{{
		title: "Functions in, functions out",
		words: "Put in the state of a system now, get out its state later. A map that takes a function to a function " +
			"is an operator. Here: a wave a, and what becomes of it in one unit of time.",
		equation: "Ψ : a ↦ u(·, 1)", plain: "Psi : a -> u(., 1)",
		notes:   "The word operator is all the mathematics that is needed. Point at the dotted line, then at the full one.",
		seconds: 7, frames: 1, needs: looking, draw: drawOperator,
	}, {
		title: "Inputs are drawn at random",
		words: "The map is to be learned for all waves of a kind, not for one. So the inputs are random: sums of " +
			"waves, the shorter the smaller.",
		equation: "a = Σ_j √(2 λ_j) (c_j cos 2πjx + s_j sin 2πjx)",
		plain:    "a = sum_j sqrt(2 lam_j) (c_j cos 2pi jx + s_j sin 2pi jx)",
		notes:    "One law, all inputs: the model will be asked about waves that nobody has shown to it.",
		seconds:  7, frames: 6, needs: looking, draw: drawInputs,
		fact: func(_ *findings, i int) string { return fmt.Sprintf("draw %d", i+1) },
	}, {
		title: "A solver knows the truth",
		words: "Crests overtake troughs and steepen to shocks, viscosity smooths them. A trusted solver computes pairs " +
			"of a and u: the examples to learn from.",
		equation: "u_t + (u²/2)_x = ν u_xx,   u(x, 0) = a(x)", plain: "u_t + (u^2/2)_x = nu u_xx,   u(x, 0) = a(x)",
		notes:   "Let the shock form before you speak. The solver is the teacher: 256 examples, a second or two.",
		seconds: 9, frames: 25, needs: looking, draw: drawEvolution,
		fact: func(f *findings, i int) string { return fmt.Sprintf("t = %.2f", f.look.Times[i]) },
	}, {
		title: "A random feature",
		words: "Multiply input and a random function theta frequency by frequency, filter, bend the result. Nothing is " +
			"trained in here: theta is drawn once and stays.",
		equation: "φ(a; θ) = ELU( F⁻¹[ χ · Fa · Fθ ] )", plain: "phi(a; theta) = ELU( F^-1[ chi . Fa . Ftheta ] )",
		notes:   "The odd idea: a random machine that nobody trains. Its output is related to the input, and that is enough.",
		seconds: 8, frames: 1, needs: looking, draw: drawFeature,
	}, {
		title: "Many random features",
		words: "Every theta makes another answer to the same input. The model is a weighted mean of them; only the " +
			"weights alpha are learned, and they enter linearly.",
		equation: "F(a) = (1/m) Σ_j α_j φ(a; θ_j)", plain: "F(a) = (1/m) sum_j alpha_j phi(a; theta_j)",
		notes:   "A choir of random answers. Only the loudness of each voice is learned.",
		seconds: 7, frames: 6, needs: looking, draw: drawFeatures,
		fact: func(_ *findings, i int) string {
			return fmt.Sprintf("feature %d of %d", i+1, p.Burgers.Features.Count)
		},
	}, {
		title: "All examples go into one matrix",
		words: "How alike are two features, over all examples? Their inner products fill the matrix G, those with the " +
			"solutions the vector b.",
		equation: "G_jl = (1/m) Σ_i ⟨φ_j(a_i), φ_l(a_i)⟩", plain: "G_jl = (1/m) sum_i <phi_j(a_i), phi_l(a_i)>",
		notes: "The more two features agree over the examples, the brighter. All examples are in here; none is needed " +
			"any more.",
		seconds: 7, frames: 12, needs: learning, draw: drawSystem,
		fact: func(f *findings, _ int) string {
			c := f.burgers.Config
			return fmt.Sprintf("%d of %d features, %d examples", f.system.Count, c.Features.Count, c.Data.Train)
		},
	}, {
		title: "Training is one linear solve",
		words: "No descent, no epochs, no learning rate: a least squares problem with one answer. The eigenvalues of G " +
			"tell how much the features have to say.",
		equation: "G α = b", plain: "G alpha = b",
		notes:   "No iterations to wait for, no luck, no learning rate. The same seed gives the same model to the last bit.",
		seconds: 7, frames: 10, needs: learning, draw: drawSpectrum,
		fact: func(f *findings, _ int) string {
			e := f.burgers
			return fmt.Sprintf("rank %d of %d; data %s, training %s", e.Model().Solution().Rank, e.Config.Features.Count,
				report.Duration(f.seconds[e].Generate), report.Duration(f.seconds[e].Train))
		},
	}, {
		title: "The model predicts",
		words: "Inputs that the model has never seen. One curve is the solver's answer, the other the model's: it " +
			"knows the examples, but not the equation.",
		equation: "F(a) ≈ Ψ(a)", plain: "F(a) = Psi(a), nearly",
		notes: "The prediction lands on a curve that the model has never seen. Median first, then best and worst: nothing " +
			"is hidden.",
		seconds: 9, frames: len(ranks) * landing, needs: learning, draw: drawPrediction,
		fact: func(f *findings, i int) string {
			v := f.burgers.Evaluation()
			return fmt.Sprintf("%s of %d unseen inputs: error %s", ranks[i/landing].name, v.TestPairs.Count(),
				report.Error(v.Test.Relative[ranked(v, i/landing)], 4))
		},
	}, {
		title: "How wrong is it?",
		words: "On the left the relative error of every unseen input, on the right the mean of them: with twice the " +
			"features it falls, and again.",
		equation: "e = mean of ‖u − F(a)‖ / ‖u‖", plain: "e = mean of |u - F(a)| / |u|",
		notes: "Left: every unseen input is counted. Right: twice the features, a smaller error, until the examples are " +
			"used up.",
		seconds: 8, frames: 10, needs: counting, draw: drawErrors,
		fact: errorFact,
	}, {
		title: "The same model on any grid",
		words: "Features are functions, not arrays. Trained on one grid, the same weights predict on coarser and on " +
			"finer ones, and the error settles: it is a property of the functions.",
		equation: "one α and θ for all K", plain: "one alpha and theta for all K",
		notes:   "This is what networks on pixels cannot do: trained on 129 points, asked on 1025.",
		seconds: 8, frames: len(p.Grids), needs: regridding, draw: drawGrids,
		fact: func(f *findings, i int) string {
			v := f.grids[i]
			return fmt.Sprintf("trained on K=%d, used on K=%d: error %s", f.burgers.Config.Train.Grid, v.Grid,
				report.Error(v.Test.ExpectedRelative, 4))
		},
	}, {
		title: "Apply it again, and again",
		words: "A model for half the time, applied to its own prediction, must agree with the solver at later times. " +
			"It has seen no example of these.",
		equation: "Ψ_T ∘ Ψ_T = Ψ_2T", plain: "Psi_T o Psi_T = Psi_2T",
		notes:   "The model eats its own answers and still agrees: it has learned the law, not the pictures.",
		seconds: 8, frames: 4, needs: composing, draw: drawComposition,
		fact: func(f *findings, i int) string {
			c := f.composed[i]
			return fmt.Sprintf("applied %s, t = %g: error %s", times(i+1), c.Time, report.Error(c.Errors.ExpectedRelative, 4))
		},
	}, {
		title: "Asked backwards",
		words: "A few noisy values are all that is known of a later state: which wave began it? The model has an exact " +
			"derivative, so the most probable wave is found in some steps.",
		equation: "‖y − F(a)‖² / σ² + ‖a‖²  ⟶  min", plain: "|y - F(a)|^2 / s^2 + |a|^2  ->  min",
		notes: "Left what was measured, right the cause. What the shock has swallowed cannot come back: the thin curves " +
			"are other waves that explain the values as well.",
		seconds: 7, frames: 3, needs: inverting, draw: drawCause,
		fact: func(f *findings, _ int) string {
			return fmt.Sprintf("%d values, %d steps: error %.2f", len(f.cause.Values), f.cause.Steps, f.cause.Error)
		},
	}}
	for i := range list {
		list[i].chapter = burgersChapter
	}
	return list
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

func drawOperator(p painter, f *findings, _ int) string {
	l := f.look
	return p.unit("", nil, plot.Series{Name: "input a", Y: l.Inputs.At(l.Shown), Style: p.Theme.Input, Pen: plot.Dotted},
		plot.Series{Name: "solution u", Y: l.Evolution.At(l.Evolution.Count - 1), Style: p.Theme.Truth})
}

func drawInputs(p painter, f *findings, i int) string {
	all, series := every(f.look.Inputs.Count, f.look.Inputs.At), []plot.Series{}
	if i > 0 {
		series = []plot.Series{{Name: "the one before", Y: all[i-1], Style: p.Theme.Muted, Pen: plot.Dotted}}
	}
	return p.unit("", all, append(series, plot.Series{Name: "input a", Y: all[i], Style: p.Theme.Input})...)
}

func drawEvolution(p painter, f *findings, i int) string {
	a := f.look.Evolution.At(0)
	return p.unit("", [][]float64{a}, plot.Series{Name: "input a", Y: a, Style: p.Theme.Input, Pen: plot.Dotted},
		plot.Series{Name: "u(x, t)", Y: f.look.Evolution.At(i), Style: p.Theme.Truth})
}

func drawFeature(p painter, f *findings, _ int) string {
	l := f.look
	return p.columns(func(p painter) string {
		return p.unit("in", nil, plot.Series{Name: "input a", Y: l.Inputs.At(l.Shown), Style: p.Theme.Input,
			Pen: plot.Dotted},
			plot.Series{Name: symbols(p.Theme, "theta"), Y: l.Theta, Style: p.Theme.Error})
	}, func(p painter) string {
		return p.unit("out", nil, plot.Series{Name: "feature", Y: l.Features.At(0), Style: p.Theme.Prediction})
	})
}

func drawFeatures(p painter, f *findings, i int) string {
	return p.family(every(f.look.Features.Count, f.look.Features.At), i, fmt.Sprintf("feature %d", i+1))
}

// drawSystem draws the matrix as matrices are written, the first row at the top, feature by feature.
func drawSystem(p painter, f *findings, i int) string {
	likeness, m := f.system.Likeness(), f.system.Count
	picture := make([]float64, len(likeness))
	const frames = 12
	known := (i + 1) * m / frames
	for row := range known {
		for column := range known {
			picture[column*m+m-1-row] = likeness[row*m+column]
		}
	}
	zero, one := 0.0, 1.0
	return p.field(plot.HeatMap{Field: picture, R: m, Min: &zero, Max: &one, Title: "|G_jl| / sqrt(G_jj G_ll)"})
}

func drawSpectrum(p painter, f *findings, i int) string {
	s := f.burgers.Model().Solution()
	j, cut := make([]float64, len(s.Eigenvalues)), make([]float64, len(s.Eigenvalues))
	for i := range j {
		j[i], cut[i] = float64(i+1), f.burgers.Config.Train.Rcond*s.Eigenvalues[0]
	}
	const frames = 10
	known := (i + 1) * len(j) / frames
	least := min(s.Eigenvalues[len(j)-1], cut[0])
	if least <= 0 {
		least = cut[0]
	}
	return p.on(plot.Line{X0: 1, X1: float64(len(j)), XLabel: "j", LogY: true, YMin: &least, YMax: &s.Eigenvalues[0],
		Series: []plot.Series{
			{Name: "eigenvalue j of G", X: j[:known], Y: s.Eigenvalues[:known], Style: p.Theme.Truth},
			{Name: "kept above", X: j, Y: cut, Style: p.Theme.Published, Pen: plot.Dotted},
		}})
}

// landing is how many pictures the dots of a prediction take.
const landing = 8

// ranks are the test inputs that are shown, by the place of their errors.
var ranks = []struct {
	name  string
	place float64
}{{"median", 0.5}, {"best", 0}, {"worst", 1}}

// ranked is the index of such an input.
func ranked(v *engine.Evaluation, i int) int {
	order := v.Test.Ranking()
	return order[int(math.Round(ranks[i].place*float64(len(order)-1)))]
}

// truthAndPrediction draws both, with as many dots as can be told apart, or at every point of a coarse grid.
func (p painter) truthAndPrediction(title string, on [][]float64, name string, truth, prediction []float64) string {
	const perDot = 3 // cells
	return p.unit(title, on, plot.Series{Name: "solver", Y: truth, Style: p.Theme.Truth},
		plot.Series{Name: name, Y: prediction, Style: p.Theme.Prediction, Mark: p.Theme.Glyphs.PredictionMark,
			Spacing: perDot})
}

func drawPrediction(p painter, f *findings, i int) string {
	v := f.burgers.Evaluation()
	at := ranked(v, i/landing)
	prediction := slices.Clone(v.Predictions.At(at))
	for k := len(prediction) * (i%landing + 1) / landing; k < len(prediction); k++ {
		prediction[k] = math.NaN() // not there yet
	}
	return p.truthAndPrediction("", nil, "model", v.TestPairs.Outputs.At(at), prediction)
}

// drawErrors draws the errors of the test inputs beside those of models of fewer features.
func drawErrors(p painter, f *findings, i int) string {
	v := f.burgers.Evaluation()
	mean := v.Test.ExpectedRelative
	const frames = 10
	known := max(1, (i+1)*len(f.counts)/frames)
	var x, y []float64
	for _, c := range f.counts {
		x, y = append(x, float64(c.Features)), append(y, c.Error)
	}
	l := plot.Line{Title: "error", XLabel: "features m", LogX: true, LogY: true, X0: x[0], X1: x[len(x)-1],
		Series: []plot.Series{{X: x[:known], Y: y[:known], Style: p.Theme.Prediction},
			{Name: "mean", X: x[:known], Y: y[:known], Style: p.Theme.Prediction, Mark: p.Theme.Glyphs.PredictionMark}}}
	l.YMin, l.YMax = extent(y)
	return p.columns(func(p painter) string {
		return plot.Histogram{Values: v.Test.Relative[:(i+1)*len(v.Test.Relative)/frames], Width: p.width, Height: p.height,
			Log: true, Current: &mean, CurrentName: "mean", XLabel: "relative error", YLabel: "inputs",
			Style: p.Theme.Error, Theme: p.Theme}.Render()
	}, func(p painter) string { return p.on(l) })
}

// errorFact is the error beside the paper's with more features and examples.
func errorFact(f *findings, _ int) string {
	text := "mean " + report.Error(f.burgers.Evaluation().Test.ExpectedRelative, 4)
	c := f.burgers.Config
	c.Data.Train, c.Features.Count = paperExamples, paperFeatures
	if v, ok := engine.Published(c); ok {
		text += fmt.Sprintf("; the paper's with n=%d, m=%d: %s", paperExamples, paperFeatures, report.Error(v.Value, 4))
	}
	return text
}

// The paper's experiment.
const (
	paperExamples = 512
	paperFeatures = 1024
)

func drawGrids(p painter, f *findings, i int) string {
	var x, y []float64
	for _, v := range f.grids {
		x, y = append(x, float64(v.Grid)), append(y, v.Test.ExpectedRelative)
	}
	v, zero := f.grids[i], 0.0
	at := ranked(v, 0)
	all := plot.Line{Title: "error against K", X0: x[0], X1: x[len(x)-1], LogX: true, XLabel: "K", YMin: &zero,
		Series: []plot.Series{{Name: "test error", X: x[:i+1], Y: y[:i+1], Style: p.Theme.Error,
			Mark: p.Theme.Glyphs.PredictionMark}}}
	_, all.YMax = extent(y)
	return p.columns(func(p painter) string {
		return p.truthAndPrediction(fmt.Sprintf("K = %d", v.Grid), nil, "model", v.TestPairs.Outputs.At(at),
			v.Predictions.At(at))
	}, func(p painter) string { return p.on(all) })
}

func drawComposition(p painter, f *findings, i int) string {
	first, c, last := f.composed[0], f.composed[i], f.composed[len(f.composed)-1].Errors
	at := last.Ranking()[(len(last.Relative)-1)/2] // the same input at all times
	return p.truthAndPrediction(fmt.Sprintf("t = %g", c.Time), [][]float64{first.Truth.At(at), first.Predictions.At(at)},
		"model of models", c.Truth.At(at), c.Predictions.At(at))
}

// drawCause draws the values, then what was found, then the truth.
func drawCause(p painter, f *findings, i int) string {
	c := f.cause
	seen := []plot.Series{{Name: "values", X: c.Places, Y: c.Values, Style: p.Theme.Published,
		Mark: p.Theme.Glyphs.PredictionMark}}
	found := []plot.Series{}
	if i > 0 {
		seen = slices.Insert(seen, 0, plot.Series{Name: "model", Y: c.Outputs.At(0), Style: p.Theme.Prediction})
		for _, y := range every(c.Samples.Count, c.Samples.At) {
			found = append(found, plot.Series{Y: y, Style: p.Theme.Muted})
		}
		found = append(found, plot.Series{Name: "found", Y: c.Best.At(0), Style: p.Theme.Prediction})
	}
	if i > 1 {
		found = append(found, plot.Series{Name: "true", Y: c.True.At(0), Style: p.Theme.Truth})
	}
	return p.columns(func(p painter) string {
		return p.unit("u", [][]float64{c.Values, c.Outputs.At(0)}, seen...)
	}, func(p painter) string {
		if len(found) == 0 {
			return "" // that is the question
		}
		return p.unit("a", [][]float64{c.True.At(0), c.Best.At(0), c.Samples.Data}, found...)
	})
}
