// This file is the study of chance: how numbers scatter from one draw of features or data to the next.

package study

import (
	"context"
	"fmt"
	"math"

	"rfm/config"
)

// value is a quantity in one draw.
type value struct {
	quantity
	value float64
}

// measure computes all quantities that other studies compare with published numbers, in an order of their own.
func (l *lab) measure(ctx context.Context) (values []value, err error) {
	record := func(rows [][]float64, q func(i, j int) quantity) {
		for i, row := range rows {
			for j, v := range row {
				values = append(values, value{q(i, j), v})
			}
		}
	}
	e, err := l.samplingErrors(ctx)
	if err != nil {
		return nil, err
	}
	record(e, func(i, j int) quantity {
		return quantity{Kind: "error", M: l.samplingM[j], N: l.samplingN[i], Grid: l.samplingGrid}
	})
	if e, err = l.resolutionErrors(ctx); err != nil {
		return nil, err
	}
	record(e, func(i, j int) quantity {
		return quantity{Kind: "error", M: l.resolutionM[i], N: l.n, Grid: l.grids[j]}
	})
	if e, err = l.coefficientDistances(ctx); err != nil {
		return nil, err
	}
	for i := range e { // the last grid is the reference
		e[i] = e[i][:len(l.grids)-1]
	}
	record(e, func(i, j int) quantity {
		return quantity{Kind: "coefficients", M: l.resolutionM[i], N: l.n, Grid: l.grids[j]}
	})
	if e, err = l.transferErrors(ctx); err != nil {
		return nil, err
	}
	record(e, func(i, j int) quantity {
		return quantity{Kind: "transfer", M: l.m, N: l.n, Grid: l.transferFrom[i], Test: l.transferTo[j]}
	})
	if l.base.Problem == config.Burgers {
		steps, err := l.compositionErrors(ctx)
		if err != nil {
			return nil, err
		}
		record([][]float64{steps}, func(_, j int) quantity {
			return quantity{Kind: "composition", M: l.m, N: l.n, Grid: l.base.Train.Grid, Step: j + 1}
		})
	}
	return values, nil
}

// scatter is the mean and the standard deviation of quantity i over draws, with the divisor of an unbiased variance.
func scatter(draws [][]value, i int) (mean, deviation float64) {
	for _, d := range draws {
		mean += d[i].value / float64(len(draws))
	}
	for _, d := range draws {
		deviation += (d[i].value - mean) * (d[i].value - mean) / float64(len(draws)-1)
	}
	return mean, math.Sqrt(deviation)
}

// variation is the standard deviation of the relative test errors of single inputs, divided by their mean, for the model with
// all samples and features.
func (l *lab) variation(ctx context.Context) (float64, error) {
	grid := l.base.Train.Grid
	alpha, err := l.alpha(ctx, grid, l.m)
	if err != nil {
		return 0, err
	}
	models, err := l.problem.fit(ctx, [][]float64{alpha}, l.workers)
	if err != nil {
		return 0, err
	}
	relative, err := l.relative(ctx, models, grid)
	if err != nil {
		return 0, err
	}
	average, square := mean(relative[0]), 0.0
	for _, e := range relative[0] {
		square += (e - average) * (e - average) / float64(len(relative[0])-1)
	}
	return math.Sqrt(square) / average, nil
}

// measureSpreads measures several draws of the features with the data of the first seed, and several draws of the data with the
// features of the first seed.
func measureSpreads(ctx context.Context, s *Session, problem string) (spreads []Spread, p plan, draws int, err error) {
	p, draws = s.sizes.seeds(problem)
	var features, data [][]value
	sampling := 0.0 // of a test error, relative to it
	for draw := range draws {
		l, err := newLab(ctx, p, s.options.Seed+uint64(draw), s.options.Workers, &s.tracker)
		if err != nil {
			return nil, p, 0, err
		}
		if draw > 0 {
			if l, err = l.redrawn(ctx, s.options.Seed); err != nil {
				return nil, p, 0, err
			}
		}
		values, err := l.measure(ctx)
		if err != nil {
			return nil, p, 0, err
		}
		data = append(data, values)
		if draw > 0 {
			continue
		}
		variation, err := l.variation(ctx)
		if err != nil {
			return nil, p, 0, err
		}
		sampling = variation / math.Sqrt(float64(s.sizes.studies(problem).base.Data.Test))
		features = append(features, values)
		for again := 1; again < draws; again++ {
			other, err := l.redrawn(ctx, s.options.Seed+uint64(again))
			if err != nil {
				return nil, p, 0, err
			}
			if values, err = other.measure(ctx); err != nil {
				return nil, p, 0, err
			}
			features = append(features, values)
		}
	}
	for i, v := range features[0] {
		spread := Spread{quantity: v.quantity}
		spread.Mean, spread.Features = scatter(features, i)
		_, spread.Data = scatter(data, i)
		if v.Kind != "coefficients" {
			spread.Sampling = sampling * spread.Mean
		}
		spreads = append(spreads, spread)
	}
	return spreads, p, draws, nil
}

// seedsOf is the mean and the scatter of the test error over draws.
func seedsOf(problem string) func(context.Context, *Session) (Result, error) {
	return func(ctx context.Context, s *Session) (Result, error) {
		all, p, draws, err := measureSpreads(ctx, s, problem)
		if err != nil {
			return Result{}, err
		}
		r := Result{Spreads: all}
		t := Table{Title: fmt.Sprintf("expected relative test error over %d draws", draws), Header: []string{"", "mean", "features", "data", "one draw"}}
		for _, spread := range all {
			r.Cells = append(r.Cells, Cell{Where: spread.Kind + " " + spread.where(p.base), Ours: spread.Mean, Spread: spread.Total()})
			if spread.Kind == "coefficients" || spread.N != p.n && spread.M != p.m {
				continue
			}
			t.Rows = append(t.Rows, []string{spread.Kind + " " + spread.where(p.base), number(spread.Mean), number(spread.Features), number(spread.Data),
				fmt.Sprintf("%.1f%%", 100*spread.Total()/spread.Mean)})
		}
		r.Tables = []Table{t}
		r.Notes = []string{
			fmt.Sprintf("Standard deviations over %d draws of the features with the same data, over %d draws of the data (training and test) with the "+
				"same features, and of one draw of both, "+
				"relative to the mean: the square root of the sum of squares. With so few draws a standard deviation is known to about %.0f%%; "+
				"that over the data counts as no less than the standard error of a mean over %d test inputs.", draws, draws, 100/math.Sqrt(float64(2*(draws-1))), s.sizes.studies(problem).base.Data.Test),
			fmt.Sprintf("Measured with %d test inputs and data on %s=%d. Other items take the relative spread of the quantity that is nearest in m, n and grid.", p.base.Data.Test, p.base.GridSymbol(), p.base.Data.Grid),
		}
		return r, nil
	}
}
