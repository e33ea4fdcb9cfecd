package study

import (
	"context"
	"fmt"
	"math"
	"slices"

	"rfm/model/bands"
	"rfm/model/rfm"
	"rfm/model/setup"
	"rfm/solver/dataset"
	"rfm/solver/draw"
	"rfm/solver/grid"
	"rfm/solver/truth"
)

const (
	// posteriorTests is the number of test pairs whose points are held against the posterior.
	posteriorTests = 200
	// posteriorLeftOut is the number of training pairs that are left out in turn, for lambda and the noise.
	posteriorLeftOut = 256
)

// posteriorStudy is the coverage of bands u = F(a)(x) +- z s sqrt(1 + h), with the leverage h of the coefficients'
// Gaussian posterior, and s the noise from the leave-one-out error: the same for all inputs, or in proportion to the
// prediction. The features' rows have to be points of one weight.
func posteriorStudy(ctx context.Context, s *Session, l *lab) (Result, error) {
	c, g := l.base, l.base.Train.Grid
	e, err := l.evaluator(ctx, g, l.m)
	if err != nil {
		return Result{}, err
	}
	pairs, err := l.pairs(ctx, g)(0, l.n)
	if err != nil {
		return Result{}, err
	}
	normal, err := rfm.Accumulate(ctx, e, pairs, l.workers, nil)
	if err != nil {
		return Result{}, err
	}
	left := draw.Permutation(l.seed, draw.LeftOut, l.n)[:min(l.n, posteriorLeftOut)]
	slices.Sort(left)
	loo, err := rfm.LeaveOneOut(ctx, e, pairs.Take(left), normal, rfm.RelativePath(), l.workers, func(int) {})
	if err != nil {
		return Result{}, err
	}
	lambda, missed := loo.Lambda[loo.Best], loo.Error[loo.Best]
	solution, err := normal.Fit(ctx, l.m, rfm.Regularisation{Lambda: lambda}, l.workers)
	if err != nil {
		return Result{}, err
	}
	posterior, err := normal.Posterior(ctx, e, lambda, l.workers)
	if err != nil {
		return Result{}, err
	}
	size := 0.0 // root mean square of the training outputs
	for i := range pairs.Count() {
		size += pairs.Outputs.Domain.Inner(pairs.Outputs.At(i), pairs.Outputs.At(i)) / float64(pairs.Count())
	}
	test, err := l.test(ctx, g, 0, min(posteriorTests, c.Data.Test))
	if err != nil {
		return Result{}, err
	}
	outside, larger := c, largerInputs(l.base.Problem)[1]
	larger.change(&outside)
	far, err := dataset.Generate(ctx, setup.Truth(outside), truth.Wanted{Purpose: draw.InputTest, Count: test.Count(),
		Points: g}, l.workers, nil)
	if err != nil {
		return Result{}, err
	}
	models, err := l.models(ctx, [][]float64{solution.Alpha})
	if err != nil {
		return Result{}, err
	}
	t := Table{Title: fmt.Sprintf("share of points in the band, n=%d, m=%d, %s=%d, lambda=%.3g", l.n, l.m,
		c.GridSymbol(), g, lambda), Header: []string{"test inputs", "noise", "50%", "90%", "99%", "median leverage",
		"largest"}}
	var r Result
	for _, tests := range []struct {
		name string
		of   dataset.Pairs
	}{{"as in training", test}, {larger.name, far}} {
		predictions, err := models.Predict(ctx, tests.of.Inputs, l.workers)
		if err != nil {
			return Result{}, err
		}
		leverages, err := posterior.Leverages(ctx, tests.of.Inputs, l.workers)
		if err != nil {
			return Result{}, err
		}
		all := slices.Concat(leverages...)
		slices.Sort(all)
		for _, relative := range []bool{false, true} {
			row := []string{tests.name, map[bool]string{false: "constant", true: "relative"}[relative]}
			for _, level := range bands.Levels() {
				share := inBand(predictions[0], tests.of.Outputs, leverages, level, func(prediction float64) float64 {
					if relative {
						return missed * prediction
					}
					return missed * math.Sqrt(size)
				})
				row = append(row, fmt.Sprintf("%.1f%%", 100*share))
				r.Cells = append(r.Cells, Cell{Where: fmt.Sprintf("%s, %s noise, %g", tests.name, row[1], level), Ours: share})
			}
			t.Rows = append(t.Rows, append(row, fmt.Sprintf("%.3g", all[len(all)/2]), fmt.Sprintf("%.3g", all[len(all)-1])))
		}
	}
	r.Tables = []Table{t}
	r.Notes = []string{"Outputs have no noise: what the posterior takes for it is what the features cannot represent.",
		"Bands of held-out pairs (evaluation.bands) have the shares that they promise."}
	return r, nil
}

// inBand is the share of points at which the truth is in its band; noise is its deviation for a prediction of that
// norm.
func inBand(predictions, outputs grid.Batch, leverages [][]float64, level float64,
	noise func(prediction float64) float64) float64 {
	z, in, all := math.Sqrt2*math.Erfinv(level), 0, 0
	for i, own := range leverages {
		p, u := predictions.At(i), outputs.At(i)
		s := noise(math.Sqrt(predictions.Domain.Inner(p, p)))
		for x, h := range own {
			all++
			if math.Abs(u[x]-p[x]) <= z*s*math.Sqrt(1+h) {
				in++
			}
		}
	}
	return float64(in) / float64(all)
}
