// This file describes the studies whose numbers are curves: over m, over the grid, over time.

package paper

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"rfm/config"
	"rfm/model/paper/published"
	"rfm/model/report"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// panels are the items that are panels, in the order in which a draw measures them.
var panels = []string{"m-n", "resolution", "coefficients", "transfer", "semigroup"}

// panel is curves of numbers: values[i][j] is that of the quantity of[i][j], on curve i at abscissa j.
type panel struct {
	title, x, y string
	linear      bool // axes that are not logarithmic
	curves      []string
	abscissae   []float64
	columns     []string // names of the abscissae
	of          [][]quantity
	values      [][]float64
	notes       []string
	pictures    []report.Figure
}

// name sets the curves and abscissae by the values of their parameters, and the quantities of both.
func (p *panel) name(curve string, curves []int, column string, columns []int, of func(curve, column int) quantity) {
	for i, c := range curves {
		p.curves = append(p.curves, fmt.Sprintf(curve, c))
		p.of = append(p.of, nil)
		for _, x := range columns {
			p.of[i] = append(p.of[i], of(c, x))
		}
	}
	for _, x := range columns {
		p.columns = append(p.columns, fmt.Sprintf(column, x))
		p.abscissae = append(p.abscissae, float64(x))
	}
}

// fill sets the values, those of an abscissa at a time.
func (p *panel) fill(columns []int, measure func(column int) ([]float64, error)) error {
	p.values = make([][]float64, len(p.curves))
	for _, x := range columns {
		values, err := measure(x)
		if err != nil {
			return err
		}
		for i, v := range values {
			p.values[i] = append(p.values[i], v)
		}
	}
	return nil
}

// panel trains and tests the models of an item, one of panels.
func (l *lab) panel(ctx context.Context, item string) (p panel, err error) {
	symbol, last := l.base.GridSymbol(), len(l.grids)-1
	p = panel{x: symbol, y: "relative test error"}
	switch item {
	case "m-n":
		g, ns, ms := l.samplingGrid, l.samplingN, l.samplingM
		p.title, p.x = fmt.Sprintf("error against m, %s=%d", symbol, g), "m"
		p.name("n=%d", ns, "m=%d", ms, func(n, m int) quantity { return quantity{Kind: "error", M: m, N: n, Grid: g} })
		alphas, err := l.train(ctx, l.horizon, g, ns, ms)
		if err != nil {
			return p, err
		}
		errors, err := l.errors(ctx, alphas, g)
		if err != nil {
			return p, err
		}
		p.values = slices.Collect(slices.Chunk(errors, len(ms)))
		var known []float64
		for _, q := range p.of[len(ns)-1] {
			known = append(known, l.published(q))
		}
		p.notes = []string{fmt.Sprintf("Fitted rate at n=%d, m=%d to %d: error ~ m^%.2f, published m^%.2f; the Monte Carlo "+
			"rate is m^-0.5.", ns[len(ns)-1], ms[0], ms[len(ms)-1], rate(p.abscissae, p.values[len(ns)-1]),
			rate(p.abscissae, known))}
	case "resolution":
		p.title = fmt.Sprintf("error against %s, n=%d", symbol, l.n)
		p.name("m=%d", l.resolutionM, symbol+"=%d", l.grids,
			func(m, g int) quantity { return quantity{Kind: "error", M: m, N: l.n, Grid: g} })
		err = p.fill(l.grids, func(g int) ([]float64, error) {
			alphas, err := l.own(ctx, g)
			if err != nil {
				return nil, err
			}
			return l.errors(ctx, alphas, g)
		})
		var ms, finest []float64
		for i, m := range l.resolutionM {
			if err == nil {
				ms, finest = append(ms, float64(m)), append(finest, p.values[i][last])
			}
		}
		p.notes = []string{fmt.Sprintf("Fitted rate on %s=%d: error ~ m^%.2f; the Monte Carlo rate is m^-0.5.", symbol,
			l.grids[last], rate(ms, finest))}
	case "coefficients": // |alpha_K - alpha*| / |alpha*|, alpha* on the finest grid; theta is the same on all grids
		p.title = fmt.Sprintf("coefficients against those on %s=%d, n=%d", symbol, l.grids[last], l.n)
		p.y = "relative distance of alpha"
		p.name("m=%d", l.resolutionM, symbol+"=%d", l.grids[:last],
			func(m, g int) quantity { return quantity{Kind: "coefficients", M: m, N: l.n, Grid: g} })
		finest, err := l.own(ctx, l.grids[last])
		if err != nil {
			return p, err
		}
		err = p.fill(l.grids[:last], func(g int) (distances []float64, err error) {
			alphas, err := l.own(ctx, g)
			for i, alpha := range alphas {
				distances = append(distances, floats.Distance(alpha, finest[i], 2)/floats.Norm(finest[i], 2))
			}
			return distances, err
		})
		if err != nil {
			return p, err
		}
		for i, name := range p.curves {
			p.notes = append(p.notes, fmt.Sprintf("%s: distance ~ %s^%.1f.", name, symbol, rate(p.abscissae, p.values[i])))
		}
	case "transfer":
		p.title = fmt.Sprintf("error against the test grid, n=%d, m=%d", l.n, l.m)
		p.name("trained on %d", l.transferFrom, symbol+"=%d", l.transferTo, func(from, to int) quantity {
			return quantity{Kind: "transfer", M: l.m, N: l.n, Grid: from, Test: to}
		})
		var alphas [][]float64
		for _, from := range l.transferFrom {
			alpha, err := l.whole(ctx, from)
			if err != nil {
				return p, err
			}
			alphas = append(alphas, alpha)
		}
		err = p.fill(l.transferTo, func(to int) ([]float64, error) { return l.errors(ctx, alphas, to) })
	case "semigroup":
		return l.semigroup(ctx)
	}
	return p, err
}

// semigroup returns the panel of Table 4.1, and pictures of one sample at every composition.
func (l *lab) semigroup(ctx context.Context) (panel, error) {
	K := l.base.Train.Grid
	p := panel{title: fmt.Sprintf("error of the composed model, n=%d, m=%d, K=%d", l.n, l.m, K), x: "T",
		y: "relative test error", linear: true, curves: []string{"composed model"}, abscissae: halves[:],
		of: [][]quantity{nil}, values: [][]float64{nil}}
	compositions, err := l.compositions(ctx)
	if err != nil {
		return p, err
	}
	last := compositions[len(compositions)-1].Errors
	median := last.Ranking()[(len(last.Relative)-1)/2]
	for j, c := range compositions {
		p.columns = append(p.columns, fmt.Sprintf("T=%g", c.Time))
		p.of[0] = append(p.of[0], quantity{Kind: "composition", M: l.m, N: l.n, Grid: K, Step: j + 1})
		p.values[0] = append(p.values[0], c.Errors.ExpectedRelative)
		p.pictures = append(p.pictures, report.Figure{Title: fmt.Sprintf("sample %d at T=%g, error %.4f", median, c.Time,
			c.Errors.Relative[median]), XLabel: "x", YLabel: "u",
			Curves: []report.Curve{{Name: "composed model", X: points(K), Y: c.Predictions.At(median)},
				{Name: "truth", X: points(K), Y: c.Truth.At(median)}}})
	}
	p.notes = []string{fmt.Sprintf("Sample %d has the median error at T=%g.", median, halves[len(halves)-1])}
	return p, nil
}

// panelStudy returns the study of a panel.
func panelStudy(item string) run {
	return inLab(func(ctx context.Context, s *Session, l *lab) (Result, error) {
		p, err := l.panel(ctx, item)
		if err != nil {
			return Result{}, err
		}
		return s.judge(l, p), nil
	})
}

// judge compares the numbers of a panel with the published ones, and plots both.
func (s *Session) judge(l *lab, p panel) Result {
	f := report.Figure{Title: p.title, XLabel: p.x, YLabel: p.y, LogX: !p.linear, LogY: !p.linear}
	r := Result{Page: report.Page{Notes: p.notes}}
	var known []report.Curve
	for i, name := range p.curves {
		paper := report.Curve{Name: "paper, " + name, Published: true}
		for j, q := range p.of[i] {
			c := s.cell(l.base.Problem, q, p.values[i][j], l.published(q))
			r.Cells = append(r.Cells, c)
			if c.Published != 0 {
				paper.X, paper.Y = append(paper.X, p.abscissae[j]), append(paper.Y, c.Published)
			}
		}
		f.Curves = append(f.Curves, report.Curve{Name: name, X: p.abscissae, Y: p.values[i]})
		if len(paper.X) > 0 {
			known = append(known, paper)
		}
	}
	f.Curves = append(f.Curves, known...)
	r.Figures = append([]report.Figure{f}, p.pictures...)
	r.Tables = p.tables(r.Cells)
	return r
}

// tables returns our numbers and, as far as they are known, their means over draws, the published numbers and the
// differences, each as a table.
func (p panel) tables(cells []Cell) (tables []report.Table) {
	for _, content := range []struct {
		title string
		text  func(Cell) string
	}{
		{p.y, func(c Cell) string { return number(c.Ours) }},
		{"mean over draws", func(c Cell) string { return number(c.Mean) }},
		{"published", func(c Cell) string { return number(c.Published) }},
		{"difference of the mean in spreads", func(c Cell) string {
			if c.Verdict == "" {
				return "-"
			}
			return fmt.Sprintf("%+.1f", c.Distance())
		}},
	} {
		t, known := report.Table{Title: content.title, Header: append([]string{""}, p.columns...)}, false
		for i, name := range p.curves {
			row := []string{name}
			for j := range p.columns {
				text := content.text(cells[i*len(p.columns)+j])
				row, known = append(row, text), known || text != "-"
			}
			t.Rows = append(t.Rows, row)
		}
		if known {
			tables = append(tables, t)
		}
	}
	return tables
}

// published returns the paper's value of a quantity; 0 if it has none.
func (l *lab) published(q quantity) float64 {
	problem := l.base.Problem
	switch q.Kind {
	case "coefficients":
		return published.Coefficients(problem, q.M, q.Grid, l.grids[len(l.grids)-1])
	case "composition":
		return published.Composition(q.N, q.M, q.Step)
	}
	v, _ := published.ExpectedRelative(publishedConfig(problem, q.N, q.M, q.Grid, cmp.Or(q.Test, q.Grid)))
	return v.Value
}

// publishedConfig returns the paper's experiment with other sizes.
func publishedConfig(problem string, n, m, train, test int) config.Config {
	c := planOf(problem, false).base
	c.Data.Train, c.Features.Count, c.Train.Grid, c.Evaluation.Grid = n, m, train, test
	return c
}

// rate returns the slope of the least squares line through (log x, log y).
func rate(x, y []float64) float64 {
	logX, logY := make([]float64, len(x)), make([]float64, len(x))
	for i := range x {
		logX[i], logY[i] = math.Log(x[i]), math.Log(y[i])
	}
	_, slope := stat.LinearRegression(logX, logY, nil, false)
	return slope
}
