// This file contains the studies of the grid: error against resolution, coefficients against resolution, and training
// on one grid for tests on others.

package study

import (
	"cmp"
	"context"
	"fmt"

	"rfm/model/linalg"
	"rfm/model/paper"
	"rfm/model/report"
)

// trained returns the coefficients for each of ms, trained on a grid.
func (l *lab) trained(ctx context.Context, grid int, ms []int) (alphas [][]float64, err error) {
	for _, m := range ms {
		alpha, err := l.alpha(ctx, grid, m)
		if err != nil {
			return nil, err
		}
		alphas = append(alphas, alpha)
	}
	return alphas, nil
}

// resolutionErrors returns the expected relative test errors e[i][j] for the first resolutionM[i] features, trained and
// tested on grids[j].
func (l *lab) resolutionErrors(ctx context.Context) ([][]float64, error) {
	e := make([][]float64, len(l.resolutionM))
	for _, grid := range l.grids {
		alphas, err := l.trained(ctx, grid, l.resolutionM)
		if err != nil {
			return nil, err
		}
		errors, err := l.errors(ctx, alphas, grid)
		if err != nil {
			return nil, err
		}
		for i, v := range errors {
			e[i] = append(e[i], v)
		}
	}
	return e, nil
}

// coefficientDistances returns the distances |alpha_K - alpha*| / |alpha*|, d[i][j] for the first resolutionM[i]
// features and K = grids[j]. The reference alpha* is on the finest of the grids. theta is the same on all grids.
func (l *lab) coefficientDistances(ctx context.Context) ([][]float64, error) {
	finest, err := l.trained(ctx, l.grids[len(l.grids)-1], l.resolutionM)
	if err != nil {
		return nil, err
	}
	d := make([][]float64, len(l.resolutionM))
	for _, grid := range l.grids {
		alphas, err := l.trained(ctx, grid, l.resolutionM)
		if err != nil {
			return nil, err
		}
		for i, alpha := range alphas {
			d[i] = append(d[i], linalg.RelativeDistance(alpha, finest[i]))
		}
	}
	return d, nil
}

// transferErrors returns the expected relative test errors e[i][j] of the models trained on transferFrom[i] with all
// features, tested on transferTo[j]. It makes one pass over the features for each test grid.
func (l *lab) transferErrors(ctx context.Context) ([][]float64, error) {
	var alphas [][]float64
	for _, grid := range l.transferFrom {
		alpha, err := l.alpha(ctx, grid, l.m)
		if err != nil {
			return nil, err
		}
		alphas = append(alphas, alpha)
	}
	models, err := l.models(ctx, alphas)
	if err != nil {
		return nil, err
	}
	e := make([][]float64, len(alphas))
	for _, grid := range l.transferTo {
		errors, err := l.errorsOf(ctx, models, grid)
		if err != nil {
			return nil, err
		}
		for i, v := range errors {
			e[i] = append(e[i], v)
		}
	}
	return e, nil
}

// gridStudy describes a study with curves over grids: values has one row for each curve in names, and one column for
// each of grids.
type gridStudy struct {
	figure    report.Figure
	names     []string
	grids     []int
	values    [][]float64
	quantity  func(curve, grid int) quantity // of values[curve][grid]
	published func(q quantity) float64       // 0: none
	notes     []string
}

// result judges the numbers, and plots them.
func (g gridStudy) result(s *Session, l *lab) Result {
	r := Result{Page: report.Page{Figures: []report.Figure{g.figure}, Notes: g.notes}}
	x := abscissae(g.grids)
	var published []report.Curve
	for i, name := range g.names {
		p := report.Curve{Name: "paper, " + name, Published: true}
		for j := range g.grids {
			q := g.quantity(i, j)
			c := s.cell(l.base.Problem, q, g.values[i][j], g.published(q))
			r.Cells = append(r.Cells, c)
			if c.Published != 0 {
				p.X, p.Y = append(p.X, x[j]), append(p.Y, c.Published)
			}
		}
		r.Figures[0].Curves = append(r.Figures[0].Curves, report.Curve{Name: name, X: x, Y: g.values[i]})
		if len(p.X) > 0 {
			published = append(published, p)
		}
	}
	r.Figures[0].Curves = append(r.Figures[0].Curves, published...)
	r.Tables = comparison(g.figure.YLabel, g.names, labels(l.base.GridSymbol()+"=%d", g.grids), r.Cells)
	return r
}

// publishedError returns the paper's error for the sizes of a quantity; 0 if it has none.
func (l *lab) publishedError(q quantity) float64 {
	v, _ := paper.ExpectedRelative(publishedConfig(l.base.Problem, q.N, q.M, q.Grid, cmp.Or(q.Test, q.Grid)))
	return v.Value
}

// resolutionStudy computes the error as a function of the grid for several m.
func resolutionStudy(ctx context.Context, s *Session, l *lab) (Result, error) {
	errors, err := l.resolutionErrors(ctx)
	if err != nil {
		return Result{}, err
	}
	symbol, last := l.base.GridSymbol(), len(l.grids)-1
	var finest []float64
	for _, row := range errors {
		finest = append(finest, row[last])
	}
	return gridStudy{
		figure: report.Figure{Title: fmt.Sprintf("error against %s, n=%d", symbol, l.n), XLabel: symbol,
			YLabel: "relative test error", LogX: true, LogY: true},
		names: labels("m=%d", l.resolutionM), grids: l.grids, values: errors, published: l.publishedError,
		quantity: func(i, j int) quantity {
			return quantity{Kind: "error", M: l.resolutionM[i], N: l.n, Grid: l.grids[j]}
		},
		notes: []string{fmt.Sprintf("Fitted rate on %s=%d: error ~ m^%.2f; the Monte Carlo rate is m^-0.5.", symbol,
			l.grids[last], rate(abscissae(l.resolutionM), finest))},
	}.result(s, l), nil
}

// coefficientsStudy computes the distance of the coefficients to those on the finest grid for several m.
func coefficientsStudy(ctx context.Context, s *Session, l *lab) (Result, error) {
	distances, err := l.coefficientDistances(ctx)
	if err != nil {
		return Result{}, err
	}
	symbol, last := l.base.GridSymbol(), len(l.grids)-1
	coarser, finest, reference := l.grids[:last], l.grids[last], publishedCoefficients[l.base.Problem]
	var notes []string
	for i, m := range l.resolutionM {
		distances[i] = distances[i][:last]
		notes = append(notes, fmt.Sprintf("m=%d: distance ~ %s^%.1f.", m, symbol, rate(abscissae(coarser), distances[i])))
	}
	return gridStudy{
		figure: report.Figure{Title: fmt.Sprintf("coefficients against those on %s=%d, n=%d", symbol, finest, l.n), XLabel: symbol,
			YLabel: "relative distance of alpha", LogX: true, LogY: true},
		names: labels("m=%d", l.resolutionM), grids: coarser, values: distances, notes: notes,
		quantity: func(i, j int) quantity {
			return quantity{Kind: "coefficients", M: l.resolutionM[i], N: l.n, Grid: coarser[j]}
		},
		published: func(q quantity) float64 {
			if finest != reference.finest {
				return 0
			}
			return reference.at(q.M, q.Grid)
		},
	}.result(s, l), nil
}

// transferStudy trains on one grid and tests on others.
func transferStudy(ctx context.Context, s *Session, l *lab) (Result, error) {
	errors, err := l.transferErrors(ctx)
	if err != nil {
		return Result{}, err
	}
	return gridStudy{
		figure: report.Figure{Title: fmt.Sprintf("error against the test grid, n=%d, m=%d", l.n, l.m),
			XLabel: l.base.GridSymbol(), YLabel: "relative test error", LogX: true, LogY: true},
		names: labels("trained on %d", l.transferFrom), grids: l.transferTo, values: errors, published: l.publishedError,
		quantity: func(i, j int) quantity {
			return quantity{Kind: "transfer", M: l.m, N: l.n, Grid: l.transferFrom[i], Test: l.transferTo[j]}
		},
	}.result(s, l), nil
}
