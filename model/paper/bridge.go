package paper

import (
	"context"
	"fmt"
	"slices"

	"rfm/model/brownian"
	"rfm/model/report"
)

// quickDraws is the number of draws of the features for a quick look.
const quickDraws = 3

// bridge plots the scalar example, and the rate at which models approach the interpolant.
func bridge(ctx context.Context, s *Session, _ string) (Result, error) {
	sweep := brownian.PaperSweep(s.options.Seed)
	if s.options.Quick {
		sweep.Draws = quickDraws
	}
	s.tracker.begin("Brownian bridges, draws", sweep.Draws)
	b, err := sweep.Run(ctx, s.options.Workers, func(int) { s.tracker.advance(1) })
	if err != nil {
		return Result{}, err
	}
	p := sweep.Problem
	panel := func(title string, curve []float64) report.Figure {
		return report.Figure{Title: title, XLabel: "x", YLabel: "y", Curves: []report.Curve{
			{Name: "model", X: b.Grid, Y: curve}, {Name: p.Target.Formula, X: b.Grid, Y: b.Target},
			{Name: "data", X: b.Data.X, Y: b.Data.Y, Points: true}}}
	}
	var r Result
	for _, m := range brownian.PaperCounts() {
		if i := slices.Index(sweep.Counts, m); i >= 0 {
			r.Figures = append(r.Figures, panel(fmt.Sprintf("m=%d", m), b.Curves[i]))
		}
	}
	r.Figures = append(r.Figures, panel("m=infinity, the interpolant", b.Interpolant))
	t := report.Table{Title: fmt.Sprintf("distance to the interpolant, root mean square of %d draws", sweep.Draws),
		Header: []string{"m", "L2", "expected", "largest"}}
	measured, expected := report.Curve{Name: "measured"}, report.Curve{Name: "expected"}
	from := 10 * p.Points // the mean square distance is proportional to 1/(m-n-1)
	for _, level := range b.Levels {
		t.Rows = append(t.Rows, []string{fmt.Sprint(level.Count), fmt.Sprintf("%.4g", level.RMS), number(level.Expected),
			fmt.Sprintf("%.4g", level.MaxRMS)})
		measured.X, measured.Y = append(measured.X, float64(level.Count)), append(measured.Y, level.RMS)
		if level.Expected > 0 {
			expected.X, expected.Y = append(expected.X, float64(level.Count)), append(expected.Y, level.Expected)
		}
		r.Cells = append(r.Cells, Cell{Where: fmt.Sprintf("n=%d m=%d L2 distance to the interpolant", p.Points, level.Count),
			Ours: level.RMS})
	}
	r.Tables = []report.Table{t}
	at := slices.IndexFunc(sweep.Counts, func(m int) bool { return m >= from })
	r.Figures = append(r.Figures, report.Figure{Title: "distance to the interpolant", XLabel: "m", YLabel: "L2 distance",
		LogX: true, LogY: true, Curves: []report.Curve{measured, expected}})
	r.Notes = []string{fmt.Sprintf("n=%d, lambda=0. Fitted rate from m=%d on: distance ~ m^%.2f; theory has m^-0.5 for "+
		"many draws, down to %.1e, the part of the interpolant that %d sine modes leave out.",
		p.Points, from, rate(measured.X[at:], measured.Y[at:]), b.Bias, p.Truncation),
		"The paper shows curves and no numbers; its target function is not given, ours is another one."}
	return r, nil
}
