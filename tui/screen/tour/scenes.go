// This file defines the scenes in their order: words, an equation, and pages of figures and fields.

package tour

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"rfm/model/run/engine"
	"rfm/model/show/paper"
	"rfm/model/show/report"
	"rfm/tui/words"
)

// scene is one step of the tour.
type scene struct {
	chapter  string
	title    string
	words    string  // plain words, at most three lines of 78 cells
	equation string  // one line
	plain    string  // the same in ASCII
	seconds  float64 // duration on screen
	frames   int     // pictures that follow one another
	needs    part    // of the findings
	page     func(f *findings, i int) report.Page
}

const burgers = "Burgers' equation"

const model = "F(a) = (1/m) Σ_j α_j φ(a; θ_j)"

// thePaper names the source of the method.
const thePaper = "Nelsen & Stuart, SIAM J. Sci. Comput. 43 (2021), A3212"

const plainModel = "F(a) = (1/m) sum_j alpha_j phi(a; theta_j)"

// scenes returns the scenes; they take three minutes together, including the search for better features.
func scenes(p paper.Tour) []scene {
	return []scene{{
		chapter: "Random features",
		title:   "A simulation, learned from examples",
		words: "Can a computer learn a simulation from examples? The random feature model (Nelsen & Stuart 2021) does so " +
			"without gradient descent. In three minutes it learns a law of motion: crests steepen to shocks and are smoothed.",
		equation: "u_t + (u²/2)_x = ν u_xx,   a = u(x, 0)  ⟶  u(x, 1)",
		plain:    "u_t + (u^2/2)_x = nu u_xx,   a = u(x, 0)  ->  u(x, 1)",
		seconds:  14,
		frames:   25,
		needs:    looking,
		page:     evolution,
	}, {
		chapter: "Brownian bridges",
		title:   "The idea in its simplest form",
		words: "First a function of one number x. Features are random paths that begin and end at zero. A weighted mean of " +
			"few of them wobbles; with more it settles to a deterministic limit, the interpolant of a kernel.",
		equation: "φ(x; θ) = Σ_j θ_j √2 sin(jπx) / (jπ),   θ_j ~ N(0, 1)",
		plain:    "phi(x; theta) = sum_j theta_j sqrt2 sin(j pi x)/(j pi)",
		seconds:  14,
		frames:   len(p.Bridge.Counts) + 3,
		needs:    bridging,
		page:     bridge,
	}, {
		chapter: burgers,
		title:   "A random feature",
		words: "The examples are random waves a, so that the map is learned for all waves of a kind. A feature multiplies " +
			"it by a random theta, frequency by frequency, filters the product and applies a nonlinearity. Nothing is trained.",
		equation: "φ(a; θ) = ELU( F⁻¹[ χ · Fa · Fθ ] )",
		plain:    "phi(a; theta) = ELU( F^-1[ chi . Fa . Ftheta ] )",
		seconds:  11,
		frames:   1,
		needs:    bridging,
		page:     randomFeature,
	}, {
		chapter: burgers,
		title:   "Many random features",
		words: "Each theta gives a different response to the same input. The model is a weighted mean of them; only the " +
			"weights alpha are learned, and they enter linearly.",
		equation: model,
		plain:    plainModel,
		seconds:  11,
		frames:   6,
		needs:    bridging,
		page: func(f *findings, i int) report.Page {
			drawn := f.look.Features
			title := fmt.Sprintf("feature %d of %d", i+1, p.Burgers.Features.Count)
			return family(title, "feature", drawn.Count, i, drawn.At)
		},
	}, {
		chapter: burgers,
		title:   "One matrix, one linear solve",
		words: "How similar are two features, over all examples? The inner products fill the matrix G. Training is one " +
			"least squares problem with one answer: no gradient descent, no epochs, no learning rate.",
		equation: "G α = b,  G_jl = (1/m) Σ_i ⟨φ_j(a_i), φ_l(a_i)⟩",
		plain:    "G alpha = b,  G_jl = (1/m) sum_i <phi_j(a_i), phi_l(a_i)>",
		seconds:  14,
		frames:   10,
		needs:    learning,
		page:     system,
	}, {
		chapter: burgers,
		title:   "The model predicts",
		words: "Inputs that the model has never seen. The line is the solver's answer, the marks are the model's: it " +
			"knows the examples, but not the equation.",
		equation: "F(a) ≈ u(x, 1)",
		plain:    "F(a) = u(x, 1), nearly",
		seconds:  16,
		frames:   len(ranks) * landing,
		needs:    learning,
		page:     prediction,
	}, {
		chapter: burgers,
		title:   "How wrong is it?",
		words: "First the mean relative error of unseen inputs: with twice the features it falls, and again. Then the " +
			"same weights on coarser and finer grids: features are functions, not arrays.",
		equation: "e = mean of ‖u − F(a)‖ / ‖u‖",
		plain:    "e = mean of |u - F(a)| / |u|",
		seconds:  15,
		frames:   len(p.Grids),
		needs:    measuring,
		page:     howWrong,
	}, {
		chapter: burgers,
		title:   "It knows what it has not seen",
		words: "The examples are waves of one kind. Now an input is pulled out of that kind, step by step. The model fails, and warns " +
			"you first: it measures how far an input is from its examples. Press d to draw an input yourself.",
		equation: "s(a)² = 1 − k(a)ᵀ K⁻¹ k(a)",
		plain:    "s(a)^2 = 1 - k(a)' K^-1 k(a)",
		seconds:  14,
		frames:   paper.Pulls,
		needs:    measuring,
		page:     pulled,
	}, {
		chapter: "Darcy flow",
		title:   "The same recipe, another operator",
		words: "Water seeps through two kinds of ground. The input is the permeability a, which jumps; the output is the " +
			"pressure u. A feature makes two fast Poisson solves P, so it is nearly a solver itself; then one linear solve.",
		equation: "φ = P[ f/a + σ(θ₂) + ∇log a · ∇p₀ ]",
		plain:    "phi = P[ f/a + s(theta_2) + grad log a . grad p0 ]",
		seconds:  18,
		frames:   2,
		needs:    flowing,
		page:     pressure,
	}, {
		chapter: "In short",
		title:   "When does it pay?",
		words: "Can it be learned? Yes. Does it pay? Not where the solver is this fast. With few examples kernels win, because they " +
			"compare with each; features cost the same for a million. It pays where solves take minutes or no equation is known.",
		equation: "error of one evaluation, against its time",
		plain:    "error of one evaluation, against its time",
		seconds:  18,
		frames:   1,
		needs:    flowing,
		page:     cost,
	}, {
		chapter: "One thing more",
		title:   "Better features, live",
		words: fmt.Sprintf("So far the features were the paper's. Now a search tries %d others on the training examples "+
			"for about fifteen seconds. The test inputs have no part in it. Watch the error fall.", p.Models),
		equation: "min over the features: error on examples left out",
		plain:    "min over the features: error on examples left out",
		seconds:  9,
		frames:   1,
		needs:    improving,
		page:     func(f *findings, _ int) report.Page { return f.large.page() },
	}, {
		chapter: "The end",
		title:   "The same model, better features",
		words: "One unseen input, with the features of the paper and with those found. " + thePaper + ". To get the program: clone its " +
			"repository, go build. rfm opens the interface, rfm run takes your own pairs.",
		equation: model,
		plain:    plainModel,
		seconds:  11,
		frames:   1,
		needs:    improving,
		page:     func(f *findings, _ int) report.Page { return f.large.card() },
	}}
}

// curve returns the curve of a function on [0, 1].
func curve(name string, role report.Role, y []float64) report.Curve {
	return report.Curve{
		Name: name,
		X:    report.UnitPoints(len(y)),
		Y:    y,
		Role: role,
	}
}

// unit returns a figure of functions on [0, 1]; if on is not empty, its range is the common range of on.
func unit(title string, on [][]float64, curves ...report.Curve) report.Figure {
	f := report.Figure{
		Title:  title,
		XLabel: "x",
		X1:     1,
		Curves: curves,
	}
	if len(on) > 0 {
		lo, hi := report.Extent(on...)
		f.YMin = &lo
		f.YMax = &hi
	}
	return f
}

func single(fact string, f report.Figure) report.Page {
	return report.Page{Heading: fact, Figures: []report.Figure{f}}
}

// family returns function i of count in front of those before it.
func family(fact, name string, count, i int, at func(int) []float64) report.Page {
	var all [][]float64
	var curves []report.Curve
	for k := range count {
		all = append(all, at(k))
		if k < i {
			curves = append(curves, curve("", report.AsLevel, at(k)))
		}
	}
	curves = append(curves, curve(name, report.AsPrediction, at(i)))
	return single(fact, unit("", all, curves...))
}

func evolution(f *findings, i int) report.Page {
	a := f.look.Evolution.At(0)
	input := curve("input a", report.AsInput, a)
	state := curve("u(x, t)", report.AsTruth, f.look.Evolution.At(i))
	fact := fmt.Sprintf("t = %.2f", f.look.Times[i])
	return single(fact, unit("", [][]float64{a}, input, state))
}

// bridge shows random paths first, then models of Counts[i] features, then their limit.
func bridge(f *findings, i int) report.Page {
	const paths = 2 // pictures of them
	b := f.bridge
	if i < paths {
		path := func(k int) []float64 { return b.Features[k] }
		return family("random paths", "a path", len(b.Features), i*2+1, path)
	}
	i -= paths
	y := b.Interpolant
	name := "limit"
	fact := fmt.Sprintf("m = infinity, through %d values", len(b.Data.X))
	if i < len(b.Levels) {
		y = b.Curves[i]
		name = fmt.Sprintf("m = %d", b.Levels[i].Count)
		fact = fmt.Sprintf("%s: distance to the limit %s", name, report.Error(b.Levels[i].RMS, 4))
	}
	target := curve("the function", report.AsInput, b.Target)
	shown := curve(name, report.AsPrediction, y)
	values := report.Curve{
		Name:   "values",
		X:      b.Data.X,
		Y:      b.Data.Y,
		Role:   report.AsError,
		Points: true,
	}
	all := append([][]float64{b.Target, b.Interpolant}, b.Curves...)
	return single(fact, unit("", all, target, shown, values))
}

func randomFeature(f *findings, _ int) report.Page {
	l := f.look
	input := curve("input a", report.AsInput, l.Evolution.At(0))
	theta := curve("theta", report.AsError, l.Theta)
	feature := curve("feature", report.AsPrediction, l.Features.At(0))
	return report.Page{Figures: []report.Figure{
		unit("in", nil, input, theta),
		unit("out", nil, feature),
	}}
}

// likened is the number of features whose likeness is shown.
const likened = 24

// system shows the normalized Gram matrix, the first row at the top, feature by feature, and the eigenvalues of G.
func system(f *findings, i int) report.Page {
	const m = likened
	c := f.burgers.Config
	s := f.burgers.Model().Solution()
	part := func(n int) int { return (i + 1) * n / 10 } // that is filled in already
	picture := make([]float64, m*m)
	for row := range part(m) {
		for column := range part(m) {
			picture[column*m+m-1-row] = f.likeness[row*m+column]
		}
	}
	zero := 0.0
	one := 1.0
	gram := report.Field{
		Title:  "|G_jl| / sqrt(G_jj G_ll)",
		R:      m,
		Values: picture,
		Min:    &zero,
		Max:    &one,
		Across: report.FieldAxis{
			Name: "l",
			From: 1,
			To:   m,
		},
		Up: report.FieldAxis{
			Name: "j",
			From: m,
			To:   1,
		},
	}
	last := len(s.Eigenvalues)
	largest := s.Eigenvalues[0]
	cut := c.Train.Rcond * largest
	least := min(s.Eigenvalues[last-1], cut)
	if least <= 0 {
		least = cut // because the axis is logarithmic
	}
	eigenvalues := report.Curve{
		Name: "eigenvalue j of G",
		X:    report.Counting(part(last)),
		Y:    s.Eigenvalues[:part(last)],
		Role: report.AsTruth,
	}
	kept := report.Curve{
		Name: "kept above",
		X:    []float64{1, float64(last)},
		Y:    []float64{cut, cut},
		Role: report.AsLevel,
	}
	spectrum := report.Figure{
		XLabel: "j",
		LogY:   true,
		X0:     1,
		X1:     float64(last),
		YMin:   &least,
		YMax:   &largest,
		Curves: []report.Curve{eigenvalues, kept},
	}
	fact := fmt.Sprintf("%d examples, rank %d of %d; data %s, training %s", c.Data.Train, s.Rank, c.Features.Count,
		report.Duration(f.took.Generate), report.Duration(f.took.Train))
	return report.Page{
		Heading: fact,
		Fields:  []report.Field{gram},
		Figures: []report.Figure{spectrum},
	}
}

// landing is the number of pictures in which the curve of a prediction appears.
const landing = 8

// ranks are the shown test inputs, by the relative rank of their errors.
var ranks = []struct {
	name  string
	place float64
}{
	{name: "median", place: 0.5},
	{name: "best", place: 0},
	{name: "worst", place: 1},
}

// ranked returns the index of the test input of ranks[i].
func ranked(v *engine.Evaluation, i int) int {
	order := v.Test.Ranking()
	last := float64(len(order) - 1)
	at := int(math.Round(ranks[i].place * last))
	return order[at]
}

func prediction(f *findings, i int) report.Page {
	v := f.burgers.Evaluation()
	at := ranked(v, i/landing)
	y := slices.Clone(v.Predictions.At(at))
	for k := len(y) * (i%landing + 1) / landing; k < len(y); k++ {
		y[k] = math.NaN() // not there yet
	}
	fact := fmt.Sprintf("%s of %d unseen inputs: error %s", ranks[i/landing].name, v.TestPairs.Count(),
		report.Error(v.Test.Relative[at], 4))
	solver := curve("solver", report.AsTruth, v.TestPairs.Outputs.At(at))
	model := curve("model", report.AsPrediction, y)
	return single(fact, unit("", nil, solver, model))
}

// howWrong shows the mean error with fewer features, and on other grids.
func howWrong(f *findings, i int) report.Page {
	m := f.counts
	m.Role = report.AsPrediction
	m.Marked = true
	counts := report.Figure{
		Title:  "error with m features",
		XLabel: "features m",
		LogX:   true,
		LogY:   true,
		X0:     m.X[0],
		X1:     m.X[len(m.X)-1],
		Curves: []report.Curve{m},
	}
	k := f.grids
	k.Role = report.AsPrediction
	k.Marked = true
	zero := 0.0
	highest := slices.Max(k.Y) * 1.1
	grids := report.Figure{
		Title:  "error on grid K",
		XLabel: "grid K",
		LogX:   true,
		X0:     k.X[0],
		X1:     k.X[len(k.X)-1],
		YMin:   &zero,
		YMax:   &highest,
	}
	k.X = k.X[:i+1]
	k.Y = k.Y[:i+1]
	grids.Curves = []report.Curve{k}
	c := f.burgers.Config
	wrong := report.Error(k.Y[i], 4)
	fact := fmt.Sprintf("trained on K=%d, used on K=%d: error %s", c.Train.Grid, int(k.X[i]), wrong)
	c.Data.Train = 512
	c.Features.Count = 1024
	if v, ok := engine.Published(c); ok {
		fact += fmt.Sprintf("; the paper's with n=512, m=1024: %s", report.Error(v.Value, 4))
	}
	return report.Page{Heading: fact, Figures: []report.Figure{counts, grids}}
}

// pulled shows an input that leaves the law of the examples, with solution and prediction.
func pulled(f *findings, i int) report.Page {
	var inputs, outputs [][]float64
	for _, p := range f.pulls {
		inputs = append(inputs, p.Input)
		outputs = append(outputs, p.Solution, p.Answer.Prediction)
	}
	p := f.pulls[i]
	said := "like the examples"
	switch p.Answer.Likeness() {
	case engine.Unusual:
		said = "unusual"
	case engine.Outside:
		said = "far outside the examples"
	}
	fact := fmt.Sprintf("%s: deviation %.2f, limit %.2f; error %s", said, p.Answer.Deviation, p.Answer.Limit,
		report.Error(p.Distance, 4))
	input := curve("input a", report.AsInput, p.Input)
	solver := curve("solver", report.AsTruth, p.Solution)
	model := curve("model", report.AsPrediction, p.Answer.Prediction)
	return report.Page{
		Heading: fact,
		Figures: []report.Figure{
			unit("in", inputs, input),
			unit("out", outputs, solver, model),
		},
	}
}

// pressure shows input and solution, and then the prediction next to the solution.
func pressure(f *findings, i int) report.Page {
	v := f.darcy.Evaluation()
	at := ranked(v, 0)
	s := report.Sample{
		Side:       v.Side,
		Name:       "permeability a",
		Jumps:      true,
		Input:      v.TestPairs.Inputs.At(at),
		Truth:      v.TestPairs.Outputs.At(at),
		Prediction: v.Predictions.At(at),
	}
	fields := s.Fields()
	fields[1].Title = "solver"
	fields[2].Title = "model"
	const format = "%d examples; median input: error %s; mean of %d: %s"
	median := report.Error(v.Test.Relative[at], 4)
	mean := report.Error(v.Test.ExpectedRelative, 4)
	fact := fmt.Sprintf(format, f.darcy.Config.Data.Train, median, v.TestPairs.Count(), mean)
	return report.Page{
		Heading: fact,
		Fields:  []report.Field{fields[2*i], fields[1]},
	}
}

// cost shows the errors of the models, of methods and solvers, against the times of an evaluation.
func cost(f *findings, _ int) report.Page {
	p := report.Page{}
	var facts []string
	add := func(name string, e *engine.Experiment) {
		facts = append(facts, name+": the model is "+words.Speed(e.Summary().Payoff))
		figure := words.Cost(e.Evaluation())
		figure.Title = name + ": error"
		p.Figures = append(p.Figures, figure)
	}
	add("Burgers", f.burgers)
	add("Darcy", f.darcy)
	p.Heading = strings.Join(facts, ", ")
	return p
}

// card shows the prediction of the median input before a search and after it, on a common scale.
func (i improvement) card() report.Page {
	before := i.before.Evaluation()
	after := i.after.Evaluation()
	at := ranked(before, 0)
	truth := before.TestPairs.Outputs.At(at)
	lo, hi := report.Extent(truth, before.Predictions.At(at), after.Predictions.At(at))
	p := report.Page{Heading: i.fact()}
	// Each picture is narrow and has half of the legend.
	add := func(title string, v *engine.Evaluation, solver, model string) {
		title += report.Error(v.Test.Relative[at], 4)
		y := v.Predictions.At(at)
		if v.Side > 0 {
			p.Fields = append(p.Fields, report.Field{
				Title:  title,
				R:      v.Side,
				Values: y,
				Min:    &lo,
				Max:    &hi,
				Smooth: true,
			})
			return
		}
		p.Figures = append(p.Figures, report.Figure{
			Title:  title,
			XLabel: "x",
			X1:     1,
			YMin:   &lo,
			YMax:   &hi,
			Curves: []report.Curve{
				curve(solver, report.AsTruth, truth),
				curve(model, report.AsPrediction, y),
			},
		})
	}
	add("before: ", before, "solver", "")
	add("now: ", after, "", "model")
	return p
}

// fact describes the outcome of a search.
func (i improvement) fact() string {
	before := i.before.Evaluation().Test.ExpectedRelative
	after := i.after.Evaluation().Test.ExpectedRelative
	gain := fmt.Sprintf("%.1f times smaller", before/after)
	if before/after < 1.05 {
		gain = "no better this time"
	}
	return fmt.Sprintf("test error %s before, %s now: %s", report.Error(before, 4), report.Error(after, 4), gain)
}

// page shows the course of a search next to the prediction of an unseen input after it.
func (i improvement) page() report.Page {
	p := i.card()
	course := words.Search(i.search, float64(max(2, i.search.Evaluations)))
	others := p.Figures[min(1, len(p.Figures)):]
	p.Figures = append([]report.Figure{course}, others...)
	p.Fields = p.Fields[min(1, len(p.Fields)):]
	return p
}
