// This file describes the studies whose numbers are curves: over m, over the grid, over time. Each is a table of
// quantities, which one driver measures, also over draws of data and features, by whose scatter the numbers are judged.

package paper

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"gonum.org/v1/gonum/floats"

	"rfm/config"
	"rfm/model/learn/rfm"
	"rfm/model/show/paper/published"
	"rfm/model/show/report"
)

// panels are the items that are panels, in the order in which a draw measures them.
var panels = []string{"m-n", "resolution", "coefficients", "transfer", "semigroup"}

// panels returns the items of the problem of a plan that are panels.
func (l plan) panels() []string {
	if l.base.Problem == config.Darcy {
		return panels[:4] // without the time of semigroup
	}
	return panels
}

// panel is curves of numbers: that of curve i at abscissa j is cells[i*len(abscissae)+j].
type panel struct {
	title, x, y string
	linear      bool // axes that are not logarithmic
	curves      []string
	abscissae   []float64
	columns     []string // names of the abscissae
	cells       []Cell
	ns, ms      []int                // sizes of the models that are trained together on every grid
	note        func(panel) []string // from the numbers
	guaranteed  float64              // the rate in the abscissa that a theorem guarantees; 0: none
	pictures    []report.Figure
}

// curve returns one number of each cell of curve i.
func (p panel) curve(i int, number func(Cell) float64) (y []float64) {
	for _, c := range p.cells[i*len(p.abscissae):][:len(p.abscissae)] {
		y = append(y, number(c))
	}
	return y
}

// rate returns the exponent of the power of the abscissae that a number of curve i follows.
func (p panel) rate(i int, number func(Cell) float64) float64 {
	return rate(p.abscissae, p.curve(i, number))
}

// name sets the curves and abscissae by the values of their parameters, and the quantities of both.
func (p *panel) name(l plan, curve string, curves []int, column string, columns []int,
	of func(curve, column int) quantity) {
	for _, c := range curves {
		p.curves = append(p.curves, fmt.Sprintf(curve, c))
		for _, x := range columns {
			p.cells = append(p.cells, l.cell(of(c, x)))
		}
	}
	for _, x := range columns {
		p.columns = append(p.columns, fmt.Sprintf(column, x))
		p.abscissae = append(p.abscissae, float64(x))
	}
}

// describe returns the panel of an item, one of panels, with the published numbers.
func (l plan) describe(item string) panel {
	symbol, last := l.base.GridSymbol(), len(l.grids)-1
	p := panel{x: symbol, y: "relative test error", ns: []int{l.n}, ms: l.resolutionM}
	switch item {
	case "m-n":
		g, ns, ms := l.samplingGrid, l.samplingN, l.samplingM
		p.title, p.x, p.ns, p.ms = fmt.Sprintf("error against m, %s=%d", symbol, g), "m", ns, ms
		p.name(l, "n=%d", ns, "m=%d", ms,
			func(n, m int) quantity { return quantity{Kind: "error", M: m, N: n, Grid: g} })
		p.guaranteed = rfm.GuaranteedInM
		p.note = func(p panel) []string {
			return p.rates(ns, ms)
		}
	case "resolution":
		p.title = fmt.Sprintf("error against %s, n=%d", symbol, l.n)
		p.name(l, "m=%d", p.ms, symbol+"=%d", l.grids,
			func(m, g int) quantity { return quantity{Kind: "error", M: m, N: l.n, Grid: g} })
		p.note = func(p panel) []string {
			var ms, finest []float64
			for i, m := range p.ms {
				ms, finest = append(ms, float64(m)), append(finest, p.curve(i, Cell.ours)[last])
			}
			return []string{fmt.Sprintf("Fitted rate on %s=%d: error ~ m^%.2f; the Monte Carlo rate is m^-0.5.", symbol,
				l.grids[last], rate(ms, finest))}
		}
	case "coefficients": // |alpha_K - alpha*| / |alpha*|, alpha* on the finest grid; theta is the same on all grids
		p.title = fmt.Sprintf("coefficients against those on %s=%d, n=%d", symbol, l.grids[last], l.n)
		p.y = "relative distance of alpha"
		p.name(l, "m=%d", p.ms, symbol+"=%d", l.grids[:last],
			func(m, g int) quantity { return quantity{Kind: "coefficients", M: m, N: l.n, Grid: g} })
		p.note = func(p panel) (notes []string) {
			for i, name := range p.curves {
				notes = append(notes, fmt.Sprintf("%s: distance ~ %s^%.1f.", name, symbol, p.rate(i, Cell.ours)))
			}
			return notes
		}
	case "transfer":
		p.title = fmt.Sprintf("error against the test grid, n=%d, m=%d", l.n, l.m)
		p.name(l, "trained on %d", l.transferFrom, symbol+"=%d", l.transferTo, func(from, to int) quantity {
			return quantity{Kind: "transfer", M: l.m, N: l.n, Grid: from, Test: to}
		})
	case "semigroup":
		K := l.base.Train.Grid
		p.title, p.x, p.linear = fmt.Sprintf("error of the composed model, n=%d, m=%d, K=%d", l.n, l.m, K), "T", true
		p.curves, p.abscissae = []string{"composed model"}, halves[:]
		for j, time := range halves {
			p.columns = append(p.columns, fmt.Sprintf("T=%g", time))
			p.cells = append(p.cells, l.cell(quantity{Kind: "composition", M: l.m, N: l.n, Grid: K, Step: j + 1}))
		}
	}
	return p
}

// rates describes how the error over m and n falls, beside the rates that a theorem guarantees. The rate in m is that with
// the most pairs, the rate in n that with the most features.
func (p panel) rates(ns, ms []int) []string {
	most := len(ns) - 1
	last := len(ms) - 1
	text := fmt.Sprintf("The error at n=%d falls as m^%s (m=%d to %d), published m^%s; a theorem guarantees m^%.2f (%s).",
		ns[most], p.fit(most, Cell.ours), ms[0], ms[last], p.fit(most, Cell.published), rfm.GuaranteedInM, rfm.Theorem)
	if most == 0 {
		return []string{text}
	}
	var n, errors []float64
	for i := range ns {
		n = append(n, float64(ns[i]))
		errors = append(errors, p.curve(i, Cell.ours)[last])
	}
	return []string{text, fmt.Sprintf("The error at m=%d falls as n^%s (n=%d to %d); guaranteed is n^%.2f.", ms[last],
		report.FitRate(n, errors), ns[0], ns[most], rfm.GuaranteedInN)}
}

// fit returns the power of the abscissae that a number of curve i follows; "?" where it is not known everywhere.
func (p panel) fit(i int, number func(Cell) float64) string {
	y := p.curve(i, number)
	if slices.Min(y) <= 0 {
		return "?"
	}
	return report.FitRate(p.abscissae, y).String()
}

// panel trains and tests the models of an item, one of panels.
func (l *lab) panel(ctx context.Context, item string) (p panel, err error) {
	p = l.describe(item)
	switch item {
	case "semigroup":
		err = l.semigroup(ctx, &p)
	case "coefficients":
		err = l.distances(ctx, &p)
	default:
		err = l.errors(ctx, &p)
	}
	return p, err
}

// errors measures the expected relative test error e_{n',m} of every cell, eq. 4.4. Models that are tested on the same
// grid share one pass over the features.
func (l *lab) errors(ctx context.Context, p *panel) error {
	tested := map[int][]*Cell{}
	for i := range p.cells {
		grid := p.cells[i].of.Tested()
		tested[grid] = append(tested[grid], &p.cells[i])
	}
	for _, grid := range slices.Sorted(maps.Keys(tested)) {
		var alphas [][]float64
		for _, c := range tested[grid] {
			alpha, err := l.alpha(ctx, p.ns, p.ms, c.of.N, c.of.M, c.of.Grid)
			if err != nil {
				return err
			}
			alphas = append(alphas, alpha)
		}
		relative, err := l.relative(ctx, alphas, grid)
		if err != nil {
			return err
		}
		for k, c := range tested[grid] {
			c.Ours = report.Mean(relative[k])
			c.Single = report.Spread(relative[k]) / c.Ours
		}
	}
	return nil
}

// distances measures |alpha_K - alpha*| / |alpha*|, alpha* on the finest grid; theta is the same on all grids.
func (l *lab) distances(ctx context.Context, p *panel) error {
	for i := range p.cells {
		c := &p.cells[i]
		alpha, err := l.alpha(ctx, p.ns, p.ms, c.of.N, c.of.M, c.of.Grid)
		if err != nil {
			return err
		}
		best, err := l.alpha(ctx, p.ns, p.ms, c.of.N, c.of.M, l.grids[len(l.grids)-1])
		if err != nil {
			return err
		}
		c.Ours = floats.Distance(alpha, best, 2) / floats.Norm(best, 2)
	}
	return nil
}

// semigroup measures the errors of Table 4.1, with pictures of one sample at every composition.
func (l *lab) semigroup(ctx context.Context, p *panel) error {
	compositions, err := l.compositions(ctx)
	if err != nil {
		return err
	}
	last := compositions[len(compositions)-1].errors
	median, x := last.Ranking()[(len(last.Relative)-1)/2], report.UnitPoints(l.base.Train.Grid)
	for j, c := range compositions {
		p.cells[j].Ours = c.errors.ExpectedRelative
		p.pictures = append(p.pictures, report.Figure{Title: fmt.Sprintf("sample %d at T=%g, error %.4f", median, halves[j],
			c.errors.Relative[median]), XLabel: "x", YLabel: "u",
			Curves: []report.Curve{{Name: "truth", X: x, Y: c.truth.At(median), Role: report.AsTruth},
				{Name: "composed model", X: x, Y: c.predictions.At(median), Role: report.AsPrediction}}})
	}
	p.note = func(panel) []string {
		return []string{fmt.Sprintf("Sample %d has the median error at T=%g.", median, halves[len(halves)-1])}
	}
	return nil
}

// panelStudy compares the numbers of a panel with the published ones, and plots both.
func panelStudy(ctx context.Context, s *Session, study Study) (r Result, err error) {
	l, err := s.lab(ctx, study.Problem)
	if err != nil {
		return r, err
	}
	p, err := l.panel(ctx, study.Item)
	if err != nil {
		return r, err
	}
	seeds, _ := s.Result(study.Problem + "-seeds")
	judge(p.cells, seeds.Spreads)
	r.Page, r.Cells = p.page(), p.cells
	if lines := verdict(r.Cells); lines != nil {
		r.Heading, r.Notes = lines[0], lines[1:]
	}
	if p.note != nil {
		r.Notes = append(r.Notes, p.note(p)...)
	}
	return r, nil
}

// Published returns the paper's numbers for the study, as a figure and its table; an empty page if it has none.
func (s Study) Published() report.Page {
	if !s.judged() {
		return report.Page{}
	}
	return planOf(s.Problem, false).describe(s.Item).page()
}

// page returns the panel as a figure and tables: our numbers, if they are measured, and the published ones.
func (p panel) page() report.Page {
	f := report.Figure{Title: p.title, XLabel: p.x, YLabel: p.y, LogX: !p.linear, LogY: !p.linear}
	var known []report.Curve
	for i, name := range p.curves {
		if y := p.curve(i, Cell.ours); y[0] != 0 {
			f.Curves = append(f.Curves, report.Curve{Name: name, X: p.abscissae, Y: y})
		}
		paper := report.Curve{Name: "paper, " + name, Published: true}
		for j, v := range p.curve(i, Cell.published) {
			if v != 0 {
				paper.X, paper.Y = append(paper.X, p.abscissae[j]), append(paper.Y, v)
			}
		}
		if len(paper.X) > 0 {
			known = append(known, paper)
		}
	}
	if p.guaranteed != 0 {
		if y := p.curve(len(p.curves)-1, Cell.ours); y[0] > 0 {
			f.Curves = append(f.Curves, report.Guarantee(fmt.Sprintf("%s^%.2f", p.x, p.guaranteed), p.guaranteed, p.abscissae, y))
		}
	}
	f.Curves = append(f.Curves, known...)
	return report.Page{Tables: p.tables(), Figures: append([]report.Figure{f}, p.pictures...)}
}

// tables returns our numbers and, as far as they are known, their means over draws, the published numbers and the
// differences, each as a table.
func (p panel) tables() (tables []report.Table) {
	for _, content := range []struct {
		title string
		text  func(Cell) string
	}{
		{p.y, func(c Cell) string { return number(c.Ours) }},
		{"mean over draws", func(c Cell) string { return number(c.Mean) }},
		{"published", func(c Cell) string { return number(c.Published) }},
		{"difference of the mean in spreads", func(c Cell) string {
			if !c.judged() {
				return "-"
			}
			return fmt.Sprintf("%+.1f", c.distance())
		}},
	} {
		t, known := report.Table{Title: content.title, Header: append([]string{""}, p.columns...)}, false
		for i, c := range p.cells {
			if i%len(p.columns) == 0 {
				t.Rows = append(t.Rows, []string{p.curves[i/len(p.columns)]})
			}
			text, row := content.text(c), &t.Rows[len(t.Rows)-1]
			*row, known = append(*row, text), known || text != "-"
		}
		if known {
			tables = append(tables, t)
		}
	}
	return tables
}

// cell returns a number that is to be measured, with the published one if there is one.
func (l plan) cell(q quantity) Cell {
	where := fmt.Sprintf("n=%d m=%d %s=%d", q.N, q.M, l.base.GridSymbol(), q.Grid)
	if q.Test != 0 {
		where += fmt.Sprintf(" tested on %s=%d", l.base.GridSymbol(), q.Test)
	}
	if q.Step != 0 {
		where += fmt.Sprintf(" T=%g", halves[q.Step-1])
	}
	known := q
	if q.Kind == "coefficients" {
		known.Test = l.grids[len(l.grids)-1]
	}
	v, _ := published.Of(l.base.Title(), known)
	return Cell{of: q, Where: where, Published: v.Value}
}

// rate returns the slope of the least squares line through (log x, log y).
func rate(x, y []float64) float64 { return report.FitRate(x, y).Slope }
