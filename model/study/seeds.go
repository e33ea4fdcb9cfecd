package study

import (
	"context"
	"fmt"
	"math"

	"rfm/config"
	"rfm/model/report"
)

// value is the value of a quantity in one draw.
type value struct {
	quantity
	Number float64 `json:"number"`
}

// measure computes all quantities that other studies compare with published numbers, always in the same order.
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

// variation returns the standard deviation of the relative test errors of single inputs, divided by their mean, for the
// model with all samples and features.
func (l *lab) variation(ctx context.Context) (float64, error) {
	grid := l.base.Train.Grid
	alpha, err := l.alpha(ctx, grid, l.m)
	if err != nil {
		return 0, err
	}
	models, err := l.models(ctx, [][]float64{alpha})
	if err != nil {
		return 0, err
	}
	relative, err := l.relative(ctx, models, grid)
	if err != nil {
		return 0, err
	}
	return report.Spread(relative[0]) / report.Mean(relative[0]), nil
}

// measureSpreads measures every quantity in several draws of data and features; the first draw is the session's own.
func measureSpreads(ctx context.Context, s *Session, problem string) (spreads []Spread, p plan, draws int, err error) {
	p, draws = s.sizes.seeds(problem)
	var all [][]value
	sampling := 0.0 // of a test error, relative to it
	for draw := range draws {
		d, known := s.draft.load(draw)
		if !known {
			s.tracker.draw(draw+1, draws)
			if d, err = s.draw(ctx, p, draw); err != nil {
				return nil, p, 0, err
			}
			if err := s.draft.keep(draw, d); err != nil {
				return nil, p, 0, err
			}
		}
		all = append(all, d.Values)
		if draw == 0 {
			sampling = d.Variation / math.Sqrt(float64(s.sizes.studies(problem).base.Data.Test))
		}
	}
	for i, v := range all[0] {
		spread := Spread{quantity: v.quantity, Own: v.Number}
		numbers := make([]float64, len(all))
		for j, d := range all {
			numbers[j] = d[i].Number
		}
		spread.Mean, spread.Deviation = report.Mean(numbers), report.Spread(numbers)
		if v.Kind != "coefficients" {
			spread.Sampling = sampling * spread.Mean
		}
		spreads = append(spreads, spread)
	}
	return spreads, p, draws, nil
}

// draw measures every quantity in one draw of data and features.
func (s *Session) draw(ctx context.Context, p plan, draw int) (d drawn, err error) {
	l, err := newLab(ctx, p, s.options.Seed+uint64(draw), s.options.Workers, &s.tracker)
	if err != nil {
		return d, err
	}
	if d.Values, err = l.measure(ctx); err == nil && draw == 0 {
		d.Variation, err = l.variation(ctx)
	}
	return d, err
}

// seedsStudy computes the mean and the scatter of the test error over draws.
func seedsStudy(ctx context.Context, s *Session, problem string) (Result, error) {
	all, p, draws, err := measureSpreads(ctx, s, problem)
	if err != nil {
		return Result{}, err
	}
	r := Result{Spreads: all}
	t := report.Table{Title: fmt.Sprintf("expected relative test error over %d draws", draws),
		Header: []string{"", "seed " + fmt.Sprint(s.options.Seed), "mean", "one draw", ""}}
	for _, spread := range all {
		r.Cells = append(r.Cells, Cell{Where: spread.Kind + " " + spread.where(p.base), Ours: spread.Mean,
			Spread: spread.Total()})
		if spread.Kind == "coefficients" || spread.N != p.n && spread.M != p.m {
			continue
		}
		t.Rows = append(t.Rows, []string{spread.Kind + " " + spread.where(p.base), number(spread.Own), number(spread.Mean),
			number(spread.Total()),
			fmt.Sprintf("%.1f%%", 100*spread.Total()/spread.Mean)})
	}
	r.Tables = []report.Table{t}
	r.Notes = []string{
		fmt.Sprintf("One draw: the standard deviation over %d draws, in each of which data (training and test) and "+
			"features are new, also relative to the "+
			"mean. With so few draws it is known to about %.0f%%; it counts as no less than the standard error of a mean "+
			"over %d test inputs.",
			draws, 100/math.Sqrt(float64(2*(draws-1))), s.sizes.studies(problem).base.Data.Test),
		fmt.Sprintf("Measured with %d test inputs and data on %s=%d. Other items compare the mean over draws with what "+
			"was published: their number times the "+
			"mean over seed %d of the quantity that is nearest in m, n and grid. They take the relative deviation of that, "+
			"too. Quantities of one problem share their draws.",
			p.base.Data.Test, p.base.GridSymbol(), p.base.Data.Grid, s.options.Seed),
	}
	return r, nil
}
