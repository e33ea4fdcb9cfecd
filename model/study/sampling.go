package study

import (
	"context"
	"fmt"

	"rfm/model/paper"
	"rfm/model/report"
	"rfm/model/rfm"
)

// samplingErrors returns the expected relative test errors e[i][j] for ns[i] samples and the first ms[j] features,
// trained and tested on the plan's grid. It makes one pass over the training features and one over the test features.
func (l *lab) samplingErrors(ctx context.Context) (e [][]float64, err error) {
	ns, ms := l.samplingN, l.samplingM
	features, err := l.evaluator(ctx, l.samplingGrid, ms[len(ms)-1])
	if err != nil {
		return nil, err
	}
	var alphas [][]float64
	err = l.snapshots(ctx, features, l.pairs(ctx, l.samplingGrid), ns, func(normal *rfm.Normal) error {
		for _, m := range ms {
			alpha, err := l.solve(ctx, normal, m)
			if err != nil {
				return err
			}
			alphas = append(alphas, alpha)
		}
		return ctx.Err()
	})
	if err != nil {
		return nil, err
	}
	flat, err := l.errors(ctx, alphas, l.samplingGrid)
	if err != nil {
		return nil, err
	}
	for i := range ns {
		e = append(e, flat[i*len(ms):(i+1)*len(ms)])
	}
	return e, nil
}

// samplingStudy computes the error as a function of m and n.
func samplingStudy(ctx context.Context, s *Session, l *lab) (Result, error) {
	ours, err := l.samplingErrors(ctx)
	if err != nil {
		return Result{}, err
	}
	ns, ms, g := l.samplingN, l.samplingM, l.samplingGrid
	var r Result
	for i, n := range ns {
		for j, m := range ms {
			published, _ := paper.ExpectedRelative(publishedConfig(l.base.Problem, n, m, g, g))
			r.Cells = append(r.Cells, s.cell(l.base.Problem, quantity{Kind: "error", M: m, N: n, Grid: g}, ours[i][j],
				published.Value))
		}
	}
	at := func(i, j int) Cell { return r.Cells[i*len(ms)+j] }
	r.Tables = comparison("expected relative test error", labels("n=%d", ns), labels("m=%d", ms), r.Cells)
	figure := report.Figure{Title: fmt.Sprintf("error against m, %s=%d", l.base.GridSymbol(), g), XLabel: "m",
		YLabel: "relative test error", LogX: true, LogY: true}
	x := abscissae(ms)
	published := make([][]float64, len(ns))
	for i, n := range ns {
		figure.Curves = append(figure.Curves, report.Curve{Name: fmt.Sprintf("n=%d", n), X: x, Y: ours[i]})
		for j := range ms {
			published[i] = append(published[i], at(i, j).Published)
		}
	}
	for i, n := range ns {
		figure.Curves = append(figure.Curves, report.Curve{Name: fmt.Sprintf("paper, n=%d", n), X: x, Y: published[i],
			Published: true})
	}
	r.Figures = []report.Figure{figure}
	last := len(ns) - 1
	r.Notes = append(r.Notes,
		fmt.Sprintf("Fitted rate at n=%d, m=%d to %d: error ~ m^%.2f, published m^%.2f; the Monte Carlo rate is m^-0.5.",
			ns[last], ms[0], ms[len(ms)-1], rate(x, ours[last]), rate(x, published[last])))
	return r, nil
}
