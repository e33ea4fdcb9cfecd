package study

import (
	"context"
	"errors"
	"fmt"
	"math"

	"rfm/model/linalg"
	"rfm/model/paper"
	"rfm/model/report"
	"rfm/solver/printable"
)

// lambdaStudy computes the error as a function of the regularisation.
func lambdaStudy(ctx context.Context, s *Session, l *lab) (Result, error) {
	g := l.base.Train.Grid
	kept, alphas, ranks, err := l.regularised(ctx, g)
	if err != nil {
		return Result{}, err
	}
	e, err := l.errors(ctx, alphas, g)
	if err != nil {
		return Result{}, err
	}
	published, _ := paper.ExpectedRelative(publishedConfig(l.base.Problem, l.n, l.m, g, g))
	var r Result
	t := report.Table{Title: fmt.Sprintf("n=%d, m=%d, %s=%d", l.n, l.m, l.base.GridSymbol(), g),
		Header: []string{"lambda", "test error", "|alpha|/m", "rank", ""}}
	curve, choice := report.Curve{Name: "ours"}, report.Curve{Name: "the paper's choice", Published: true}
	best := 0
	for i, lambda := range kept {
		chosen := ""
		if lambda == l.base.Train.Lambda {
			chosen = "the paper's choice"
			c := s.cell(l.base.Problem, quantity{Kind: "error", M: l.m, N: l.n, Grid: g}, e[i], published.Value)
			c.Where += fmt.Sprintf(" lambda=%g", lambda)
			r.Cells = append(r.Cells, c)
			if lambda > 0 && published.Value != 0 {
				choice.X, choice.Y = []float64{lambda}, []float64{published.Value}
			}
		}
		if e[i] < e[best] {
			best = i
		}
		if lambda > 0 {
			curve.X, curve.Y = append(curve.X, lambda), append(curve.Y, e[i])
		}
		t.Rows = append(t.Rows, []string{fmt.Sprintf("%g", lambda), number(e[i]),
			fmt.Sprintf("%.3g", norm(alphas[i])/float64(l.m)), fmt.Sprint(ranks[i]), chosen})
	}
	r.Tables = []report.Table{t}
	figure := report.Figure{Title: fmt.Sprintf("error against lambda, n=%d, m=%d", l.n, l.m), XLabel: "lambda",
		YLabel: "relative test error", LogX: true, LogY: true, Curves: []report.Curve{curve}}
	if kept[0] == 0 {
		figure.Curves = append(figure.Curves, report.Curve{Name: "lambda=0", X: []float64{curve.X[0], curve.X[len(curve.X)-1]},
			Y: []float64{e[0], e[0]}})
	}
	if choice.X != nil {
		figure.Curves = append(figure.Curves, choice)
	}
	r.Figures = []report.Figure{figure}
	r.Notes = []string{fmt.Sprintf("Least error %.4f at lambda=%g.", e[best], kept[best])}
	if len(kept) < len(l.lambdas) {
		r.Notes = append(r.Notes, "Too small: "+printable.Several(len(l.lambdas)-len(kept),
			"value")+" of lambda, with which rounding makes the "+
			"matrix indefinite.")
	}
	return r, nil
}

// regularised returns the coefficients of all features for the plan's lambdas, from one decomposition of the Gram
// matrix on a grid. It omits positive values so small that rounding makes the matrix indefinite; kept are the others.
func (l *lab) regularised(ctx context.Context, grid int) (kept []float64, alphas [][]float64, ranks []int, err error) {
	normal, err := l.normal(ctx, grid)
	if err != nil {
		return nil, nil, nil, err
	}
	spectral, err := linalg.Decompose(ctx, normal.Gram(l.m), l.workers)
	if err != nil {
		return nil, nil, nil, err
	}
	for _, lambda := range l.lambdas {
		alpha, rank := make([]float64, l.m), l.m
		if lambda == 0 {
			rank, err = spectral.SolveTruncated(alpha, normal.RHS, l.base.Train.Rcond)
		} else {
			err = spectral.SolveShifted(alpha, normal.RHS, lambda)
		}
		var indefinite *linalg.NotPositiveDefiniteError
		if errors.As(err, &indefinite) {
			continue
		}
		if err != nil {
			return nil, nil, nil, err
		}
		kept, alphas, ranks = append(kept, lambda), append(alphas, alpha), append(ranks, rank)
	}
	return kept, alphas, ranks, nil
}

func norm(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x * x
	}
	return math.Sqrt(sum)
}
