// This file contains the studies of pictures: a test sample with its prediction, a random feature, Brownian bridges.

package paper

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"

	"rfm/config"
	"rfm/model/learn/score"
	"rfm/model/run/engine"
	"rfm/model/show/brownian"
	"rfm/model/show/paper/published"
	"rfm/model/show/report"
	"rfm/solver/space/grid"
)

// sampleStudy shows the test sample whose error is nearest to the median.
func sampleStudy(ctx context.Context, s *Session, study Study) (r Result, err error) {
	l, err := s.lab(ctx, study.Problem)
	if err != nil {
		return r, err
	}
	q := quantity{
		Kind: "sample",
		N:    l.sampleN,
		M:    l.sampleM,
		Grid: l.sampleGrid,
	}
	alpha, err := l.alpha(ctx, l.sampleModels(), q)
	if err != nil {
		return r, err
	}
	alphas := [][]float64{alpha}
	relative, err := l.relative(ctx, alphas, q.Grid)
	if err != nil {
		return r, err
	}
	errors := relative[0]
	chosen := floats.NearestIdx(errors, report.Median(errors))
	pair, err := l.pairs(ctx, &l.tests, l.horizon, q.Grid, chosen, 1)
	if err != nil {
		return r, err
	}
	model, err := l.features(ctx, q.M, q.Grid)
	if err != nil {
		return r, err
	}
	predicted, err := model.Predict(ctx, alphas, pair.Inputs, l.workers, nil)
	if err != nil {
		return r, err
	}
	compared := sampleErrors{
		problem: study.Problem,
		symbol:  l.base.GridSymbol(),
		ours:    q,
		errors:  errors,
		chosen:  chosen,
	}
	r.Tables = []report.Table{compared.table()}
	r.Notes = []string{compared.note()}
	shown := report.Sample{
		Name:       "input a",
		Input:      pair.Inputs.At(0),
		Truth:      pair.Outputs.At(0),
		Prediction: predicted[0].At(0),
	}
	if study.Problem == config.Darcy {
		r.Fields = pictured(shown, q.Grid).Fields()
		return r, nil
	}
	r.Figures = shown.Functions()
	r.Figures[0].Title = "input, truth and prediction"
	r.Figures[1].Title = "pointwise error"
	return r, nil
}

// sampleModels returns the models with which that of the sample is trained: those of other studies if it is one of them, so
// that it is trained once.
func (l *lab) sampleModels() models {
	all := models{
		ns: []int{l.sampleN},
		ms: []int{l.sampleM},
	}
	if l.sampleN == l.n && l.sampleM == l.m {
		all.ms = l.resolutionM
	}
	return all
}

// sampleErrors compares the errors of our test samples with that of the paper's sample.
type sampleErrors struct {
	problem string
	symbol  string    // of the grid
	ours    quantity  // sizes of our model
	errors  []float64 // of our test samples
	chosen  int       // the one that is shown
}

// published returns the error of the paper's sample, and the sizes of its model.
func (e sampleErrors) published() (value float64, of quantity) {
	full := planOf(e.problem, false)
	of = quantity{
		Kind: "sample",
		N:    full.sampleN,
		M:    full.sampleM,
		Grid: full.sampleGrid,
	}
	known, _ := published.Of(e.problem, of)
	return known.Value, of
}

func (e sampleErrors) table() report.Table {
	known, _ := e.published()
	title := fmt.Sprintf("relative error of one prediction, n=%d, m=%d, %s=%d", e.ours.N, e.ours.M, e.symbol, e.ours.Grid)
	row := []string{
		number(score.Quantile(e.errors, 0)),
		number(score.Quantile(e.errors, 0.1)),
		number(report.Median(e.errors)),
		number(report.Mean(e.errors)),
		number(e.errors[e.chosen]),
		number(known),
	}
	return report.Table{
		Title:  title,
		Header: []string{"best", "10% quantile", "median", "mean", "this sample", "published sample"},
		Rows:   [][]string{row},
	}
}

func (e sampleErrors) note() string {
	const (
		shown    = "Shown is test sample %d of %d, the one with the error nearest to the median."
		paper    = "The paper's sample has %.4f (n=%d, m=%d, %s=%d), chosen by its authors;"
		compared = "%d of our test samples have an error as small as that."
	)
	known, of := e.published()
	asGood := floats.Count(func(v float64) bool { return v <= known }, e.errors)
	return strings.Join([]string{
		fmt.Sprintf(shown, e.chosen, len(e.errors)),
		fmt.Sprintf(paper, known, of.N, of.M, e.symbol, of.Grid),
		fmt.Sprintf(compared, asGood),
	}, " ")
}

// pictured returns a sample of fields on r x r points at fewer points, which are more than a terminal resolves.
func pictured(s report.Sample, r int) report.Sample {
	const most = 65 // points along an axis
	s.Jumps = true
	s.Side = min(r, most)
	coarse := func(field []float64) []float64 {
		some := make([]float64, s.Side*s.Side)
		grid.Square.Sample(some, field)
		return some
	}
	s.Input = coarse(s.Input)
	s.Truth = coarse(s.Truth)
	s.Prediction = coarse(s.Prediction)
	return s
}

// featureStudy shows one random feature.
func featureStudy(_ context.Context, s *Session, study Study) (r Result, err error) {
	c := planOf(study.Problem, false).base
	c.Seed = s.options.Seed
	p := new(engine.Previewer).Preview(c)
	if study.Problem == config.Darcy {
		r.Fields = []report.Field{
			{Title: "input a", R: p.Side, Values: p.Input},
			{Title: "parameter theta_1", R: p.Side, Values: p.Theta},
			{Title: "feature phi(a; theta)", R: p.Side, Values: p.Values},
		}
		return r, nil
	}
	x := report.UnitPoints(len(p.Input))
	k := make([]float64, len(p.Filter)) // frequencies 0, 1, ...
	for i := range k {
		k[i] = float64(i)
	}
	feature := report.Figure{
		Title:  "input and feature",
		XLabel: "x",
		Curves: []report.Curve{
			{Name: "feature phi(a; theta)", X: x, Y: p.Values},
			{Name: "input a", X: x, Y: p.Input},
		},
	}
	filter := report.Figure{
		Title:  fmt.Sprintf("filter chi(k), delta=%g, beta=%g", c.Features.Delta, c.Features.Beta),
		XLabel: "k",
		Curves: []report.Curve{{Name: "chi(k)", X: k, Y: p.Filter}},
	}
	r.Figures = []report.Figure{feature, filter}
	r.Notes = []string{"A draw of our own: the paper does not give the random numbers of its figure."}
	return r, nil
}

// bridgeStudy plots the scalar example, and the rate at which models approach the interpolant.
func bridgeStudy(ctx context.Context, s *Session, _ Study) (r Result, err error) {
	sweep := brownian.PaperSweep(s.options.Seed)
	if s.options.Quick {
		sweep.Draws = 3
	}
	s.tracker.begin("draws", sweep.Draws)
	b, err := sweep.Run(ctx, s.options.Workers, func(int) {
		s.tracker.Advance(1)
	})
	if err != nil {
		return r, err
	}
	p := sweep.Problem
	panel := func(title string, curve []float64) {
		f := report.Figure{
			Title:  title,
			XLabel: "x",
			YLabel: "y",
			Curves: []report.Curve{
				{Name: "model", X: b.Grid, Y: curve},
				{Name: brownian.Formula, X: b.Grid, Y: b.Target},
				{Name: "data", X: b.Data.X, Y: b.Data.Y, Points: true},
			},
		}
		r.Figures = append(r.Figures, f)
	}
	for i, m := range sweep.Counts {
		if slices.Contains(brownian.PaperCounts(), m) {
			panel(fmt.Sprintf("m=%d", m), b.Curves[i])
		}
	}
	panel("m=infinity, the interpolant", b.Interpolant)
	table, measured := distances(sweep, b)
	r.Tables = []report.Table{table}
	r.Figures = append(r.Figures, report.Figure{
		Title:  "distance to the interpolant",
		XLabel: "m",
		YLabel: "L2 distance",
		LogX:   true,
		LogY:   true,
		Curves: []report.Curve{measured},
	})
	from := 10 * p.Points // because the mean square distance is proportional to 1/(m-n-1), and not yet to 1/m before
	isFitted := func(m int) bool { return m >= from }
	at := slices.IndexFunc(sweep.Counts, isFitted)
	slope := rate(measured.X[at:], measured.Y[at:])
	const fitted = "n=%d, lambda=0. Fitted rate from m=%d on: distance ~ m^%.2f; theory has m^-0.5 for many draws, down to " +
		"the part of the interpolant that %d sine modes leave out."
	r.Notes = []string{
		fmt.Sprintf(fitted, p.Points, from, slope, p.Truncation),
		"The paper shows curves and no numbers; its target function is not given, ours is another one.",
	}
	return r, nil
}

// distances returns the distances of models to the interpolant, as a table and as a curve over the number of features.
func distances(sweep brownian.Sweep, b *brownian.Result) (t report.Table, measured report.Curve) {
	t = report.Table{
		Title:  fmt.Sprintf("distance to the interpolant, root mean square of %d draws", sweep.Draws),
		Header: []string{"m", "L2", "largest"},
	}
	for _, level := range b.Levels {
		row := []string{
			fmt.Sprint(level.Count),
			fmt.Sprintf("%.4g", level.RMS),
			fmt.Sprintf("%.4g", level.Greatest),
		}
		t.Rows = append(t.Rows, row)
		measured.X = append(measured.X, float64(level.Count))
		measured.Y = append(measured.Y, level.RMS)
	}
	return t, measured
}
