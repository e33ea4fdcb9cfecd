// This file contains the studies of pictures: a test sample with its prediction, a random feature, Brownian bridges.

package paper

import (
	"context"
	"fmt"
	"slices"

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
	n := l.sampleN
	m := l.sampleM
	g := l.sampleGrid
	ms := []int{m}
	if n == l.n && m == l.m {
		ms = l.resolutionM // trained already
	}
	alpha, err := l.alpha(ctx, []int{n}, ms, n, m, g)
	if err != nil {
		return r, err
	}
	relative, err := l.relative(ctx, [][]float64{alpha}, g)
	if err != nil {
		return r, err
	}
	errors := relative[0]
	median := report.Median(errors)
	chosen := floats.NearestIdx(errors, median)
	pair, err := l.pairs(ctx, &l.tests, l.horizon, g, chosen, 1)
	if err != nil {
		return r, err
	}
	model, err := l.features(ctx, m, g)
	if err != nil {
		return r, err
	}
	predicted, err := model.Predict(ctx, [][]float64{alpha}, pair.Inputs, l.workers, nil)
	if err != nil {
		return r, err
	}
	full := planOf(study.Problem, false)
	symbol := l.base.GridSymbol()
	known, _ := published.Of(study.Problem, published.Quantity{
		Kind: "sample",
		N:    full.sampleN,
		M:    full.sampleM,
		Grid: full.sampleGrid,
	})
	asGood := floats.Count(func(e float64) bool { return e <= known.Value }, errors)
	row := []string{
		number(score.Quantile(errors, 0)),
		number(score.Quantile(errors, 0.1)),
		number(median),
		number(report.Mean(errors)),
		number(errors[chosen]),
		number(known.Value),
	}
	r.Tables = []report.Table{{
		Title:  fmt.Sprintf("relative error of one prediction, n=%d, m=%d, %s=%d", n, m, symbol, g),
		Header: []string{"best", "10% quantile", "median", "mean", "this sample", "published sample"},
		Rows:   [][]string{row},
	}}
	ofShown := fmt.Sprintf("Shown is test sample %d of %d, the one with the error nearest to the median.",
		chosen, len(errors))
	ofPaper := fmt.Sprintf("The paper's sample has %.4f (n=%d, m=%d, %s=%d), chosen by its authors;",
		known.Value, full.sampleN, full.sampleM, symbol, full.sampleGrid)
	compared := fmt.Sprintf("%d of our test samples have an error as small as that.", asGood)
	r.Notes = []string{ofShown + " " + ofPaper + " " + compared}
	shown := report.Sample{
		Name:       "input a",
		Input:      pair.Inputs.At(0),
		Truth:      pair.Outputs.At(0),
		Prediction: predicted[0].At(0),
	}
	if study.Problem == config.Darcy {
		const pictured = 65 // points along an axis: more than the resolution of a terminal
		shown.Jumps = true
		shown.Side = min(g, pictured)
		for _, field := range []*[]float64{&shown.Input, &shown.Truth, &shown.Prediction} {
			coarse := make([]float64, shown.Side*shown.Side)
			grid.Square.Sample(coarse, *field)
			*field = coarse
		}
		r.Fields = shown.Fields()
		return r, nil
	}
	r.Figures = shown.Functions()
	r.Figures[0].Title = "input, truth and prediction"
	r.Figures[1].Title = "pointwise error"
	return r, nil
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
	k := floats.Span(make([]float64, len(p.Filter)), 0, float64(len(p.Filter)-1))
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
	t := report.Table{
		Title:  fmt.Sprintf("distance to the interpolant, root mean square of %d draws", sweep.Draws),
		Header: []string{"m", "L2", "largest"},
	}
	var measured report.Curve
	from := 10 * p.Points // the mean square distance is proportional to 1/(m-n-1)
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
	r.Tables = []report.Table{t}
	at := slices.IndexFunc(sweep.Counts, func(m int) bool { return m >= from })
	distances := report.Figure{
		Title:  "distance to the interpolant",
		XLabel: "m",
		YLabel: "L2 distance",
		LogX:   true,
		LogY:   true,
		Curves: []report.Curve{measured},
	}
	r.Figures = append(r.Figures, distances)
	fitted := fmt.Sprintf("n=%d, lambda=0. Fitted rate from m=%d on: distance ~ m^%.2f; theory has m^-0.5 for many draws, "+
		"down to the part of the interpolant that %d sine modes leave out.",
		p.Points, from, rate(measured.X[at:], measured.Y[at:]), p.Truncation)
	r.Notes = []string{
		fitted,
		"The paper shows curves and no numbers; its target function is not given, ours is another one.",
	}
	return r, nil
}
