// This file contains the pictures: a test sample with its prediction, and a random feature.

package paper

import (
	"context"
	"fmt"
	"math"

	"rfm/config"
	"rfm/model/engine"
	"rfm/model/paper/published"
	"rfm/model/report"
	"rfm/solver/grid"
)

// pictured is the number of points along an axis of fields in results: more than the resolution of a terminal.
const pictured = 65

// sampleStudy shows the test sample whose error is nearest to the median.
func sampleStudy(ctx context.Context, s *Session, l *lab) (Result, error) {
	n, m, g := l.sampleN, l.sampleM, l.sampleGrid
	ms := []int{m}
	if n == l.n && m == l.m {
		ms = l.resolutionM // trained already
	}
	alpha, err := l.alpha(ctx, []int{n}, ms, n, m, g)
	if err != nil {
		return Result{}, err
	}
	relative, err := l.relative(ctx, [][]float64{alpha}, g)
	if err != nil {
		return Result{}, err
	}
	errors := relative[0]
	median := report.Median(errors)
	chosen := 0
	for i, e := range errors {
		if math.Abs(e-median) < math.Abs(errors[chosen]-median) {
			chosen = i
		}
	}
	pair, err := l.pairs(ctx, &l.tests, l.horizon, g, chosen, 1)
	if err != nil {
		return Result{}, err
	}
	features, err := l.features(ctx, m)
	if err != nil {
		return Result{}, err
	}
	model, err := features.Trained(ctx, alpha, l.workers)
	if err != nil {
		return Result{}, err
	}
	predicted, err := model.Predict(ctx, alpha, pair.Inputs, l.workers, nil)
	if err != nil {
		return Result{}, err
	}
	full := planOf(l.base.Problem, false)
	known, _ := published.At(l.base.Problem, published.Sizes{"n": full.sampleN, "m": full.sampleM,
		"grid": full.sampleGrid, "test": full.sampleGrid}, "sample")
	asGood := 0
	for _, e := range errors {
		if e <= known.Value {
			asGood++
		}
	}
	r := Result{Cells: []Cell{{Where: fmt.Sprintf("n=%d m=%d %s=%d median sample", n, m, l.base.GridSymbol(), g),
		Ours: errors[chosen]},
		{Where: fmt.Sprintf("n=%d m=%d %s=%d mean", n, m, l.base.GridSymbol(), g), Ours: report.Mean(errors)}}}
	r.Tables = []report.Table{{
		Title:  fmt.Sprintf("relative error of one prediction, n=%d, m=%d, %s=%d", n, m, l.base.GridSymbol(), g),
		Header: []string{"best", "10% quantile", "median", "mean", "this sample", "published sample"},
		Rows: [][]string{{number(report.Quantile(errors, 0)), number(report.Quantile(errors, 0.1)), number(median),
			number(report.Mean(errors)), number(errors[chosen]), number(known.Value)}}}}
	r.Notes = []string{fmt.Sprintf("Shown is test sample %d of %d, the one with the error nearest to the median. The "+
		"paper's sample has %.4f (n=%d, m=%d, %s=%d), chosen by its authors; "+
		"%d of our test samples have an error as small as that.",
		chosen, len(errors), known.Value, full.sampleN, full.sampleM, l.base.GridSymbol(), full.sampleGrid, asGood)}
	shown := report.Sample{Name: "input a", Input: pair.Inputs.At(0), Truth: pair.Outputs.At(0),
		Prediction: predicted.At(0)}
	if l.base.Problem == config.Darcy {
		shown.Jumps = true
		for _, field := range []*[]float64{&shown.Input, &shown.Truth, &shown.Prediction} {
			coarse := picture("", *field)
			shown.Side, *field = coarse.R, coarse.Values
		}
		r.Fields = shown.Fields(false)
		return r, nil
	}
	r.Figures = shown.Functions()
	r.Figures[0].Title, r.Figures[1].Title = "input, truth and prediction", "pointwise error"
	return r, nil
}

// picture returns a field, sampled on fewer points if it has many.
func picture(title string, field []float64) report.Field {
	if r := grid.Square.PointsOf(field); r > pictured {
		coarse := make([]float64, pictured*pictured)
		grid.Square.Sample(coarse, field)
		field = coarse
	}
	return report.Field{Title: title, R: grid.Square.PointsOf(field), Values: field}
}

// featureStudy shows one random feature.
func featureStudy(_ context.Context, s *Session, problem string) (Result, error) {
	c := planOf(problem, false).base
	c.Seed = s.options.Seed
	p := engine.NewPreview(c)
	if problem == config.Darcy {
		return Result{Page: report.Page{Fields: []report.Field{picture("input a", p.Input),
			picture("parameter theta_1", p.Theta), picture("feature phi(a; theta)", p.Feature)}}}, nil
	}
	x, k := report.UnitPoints(len(p.Input)), make([]float64, len(p.Filter))
	for i := range k {
		k[i] = float64(i)
	}
	return Result{Page: report.Page{
		Figures: []report.Figure{
			{Title: "input and feature", XLabel: "x", Curves: []report.Curve{{Name: "feature phi(a; theta)", X: x, Y: p.Feature},
				{Name: "input a", X: x, Y: p.Input}}},
			{Title: fmt.Sprintf("filter chi(k), delta=%g, beta=%g", c.Features.Delta, c.Features.Beta), XLabel: "k",
				Curves: []report.Curve{{Name: "chi(k)", X: k, Y: p.Filter}}},
		},
		Notes: []string{"A draw of our own: the paper does not give the random numbers of its figure."},
	}}, nil
}
