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
	title      string
	x          string // name of the horizontal axis
	y          string // name of the vertical axis
	linear     bool   // axes that are not logarithmic
	curves     []string
	abscissae  []float64
	columns    []string // names of the abscissae
	cells      []Cell
	models     models               // that are trained together on every grid
	note       func(panel) []string // from the numbers
	guaranteed float64              // the rate in the abscissa that a theorem guarantees; 0: none
	pictures   []report.Figure
}

// curve returns one number of each cell of curve i.
func (p panel) curve(i int, number func(Cell) float64) (y []float64) {
	columns := len(p.abscissae)
	for _, c := range p.cells[i*columns:][:columns] {
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
	p := panel{
		x: l.base.GridSymbol(),
		y: "relative test error",
		models: models{
			ns: []int{l.n},
			ms: l.resolutionM,
		},
	}
	switch item {
	case "m-n":
		l.describeSampling(&p)
	case "resolution":
		l.describeResolution(&p)
	case "coefficients":
		l.describeCoefficients(&p)
	case "transfer":
		l.describeTransfer(&p)
	case "semigroup":
		l.describeSemigroup(&p)
	}
	return p
}

// describeSampling describes the errors over m, a curve for each n.
func (l plan) describeSampling(p *panel) {
	ns := l.samplingN
	ms := l.samplingM
	p.title = fmt.Sprintf("error against m, %s=%d", p.x, l.samplingGrid)
	p.x = "m"
	p.models = models{ns: ns, ms: ms}
	ofCell := func(n, m int) quantity {
		return quantity{
			Kind: "error",
			M:    m,
			N:    n,
			Grid: l.samplingGrid,
		}
	}
	p.name(l, "n=%d", ns, "m=%d", ms, ofCell)
	p.guaranteed = rfm.GuaranteedInM
	p.note = func(p panel) []string {
		return p.rates(ns, ms)
	}
}

// describeResolution describes the errors over the grid, a curve for each m.
func (l plan) describeResolution(p *panel) {
	symbol := p.x
	p.title = fmt.Sprintf("error against %s, n=%d", symbol, l.n)
	ofCell := func(m, g int) quantity {
		return quantity{
			Kind: "error",
			M:    m,
			N:    l.n,
			Grid: g,
		}
	}
	p.name(l, "m=%d", p.models.ms, symbol+"=%d", l.grids, ofCell)
	last := len(l.grids) - 1
	p.note = func(p panel) []string {
		var ms, finest []float64
		for i, m := range p.models.ms {
			ours := p.curve(i, Cell.ours)
			ms = append(ms, float64(m))
			finest = append(finest, ours[last])
		}
		const fitted = "Fitted rate on %s=%d: error ~ m^%.2f; the Monte Carlo rate is m^-0.5."
		note := fmt.Sprintf(fitted, symbol, l.grids[last], rate(ms, finest))
		return []string{note}
	}
}

// describeCoefficients describes |alpha_K - alpha*| / |alpha*| over the grid, a curve for each m: alpha* is that on the
// finest grid, theta is the same on all grids.
func (l plan) describeCoefficients(p *panel) {
	symbol := p.x
	last := len(l.grids) - 1
	p.title = fmt.Sprintf("coefficients against those on %s=%d, n=%d", symbol, l.grids[last], l.n)
	p.y = "relative distance of alpha"
	ofCell := func(m, g int) quantity {
		return quantity{
			Kind: "coefficients",
			M:    m,
			N:    l.n,
			Grid: g,
		}
	}
	p.name(l, "m=%d", p.models.ms, symbol+"=%d", l.grids[:last], ofCell)
	p.note = func(p panel) (notes []string) {
		for i, name := range p.curves {
			note := fmt.Sprintf("%s: distance ~ %s^%.1f.", name, symbol, p.rate(i, Cell.ours))
			notes = append(notes, note)
		}
		return notes
	}
}

// describeTransfer describes the errors over the grid of the test, a curve for each grid of training.
func (l plan) describeTransfer(p *panel) {
	p.title = fmt.Sprintf("error against the test grid, n=%d, m=%d", l.n, l.m)
	ofCell := func(from, to int) quantity {
		return quantity{
			Kind: "transfer",
			M:    l.m,
			N:    l.n,
			Grid: from,
			Test: to,
		}
	}
	p.name(l, "trained on %d", l.transferFrom, p.x+"=%d", l.transferTo, ofCell)
}

// describeSemigroup describes the error of the composed model over time.
func (l plan) describeSemigroup(p *panel) {
	K := l.base.Train.Grid
	p.title = fmt.Sprintf("error of the composed model, n=%d, m=%d, K=%d", l.n, l.m, K)
	p.x = "T"
	p.linear = true
	p.curves = []string{"composed model"}
	p.abscissae = halves[:]
	for j, time := range halves {
		p.columns = append(p.columns, fmt.Sprintf("T=%g", time))
		composed := quantity{
			Kind: "composition",
			M:    l.m,
			N:    l.n,
			Grid: K,
			Step: j + 1,
		}
		p.cells = append(p.cells, l.cell(composed))
	}
}

// rates describes how the error over m and n falls, beside the rates that a theorem guarantees. The rate in m is that with
// the most pairs, the rate in n that with the most features.
func (p panel) rates(ns, ms []int) []string {
	most := len(ns) - 1
	last := len(ms) - 1
	ours := p.fit(most, Cell.ours)
	paper := p.fit(most, Cell.published)
	measured := fmt.Sprintf("The error at n=%d falls as m^%s (m=%d to %d), published m^%s", ns[most], ours, ms[0], ms[last], paper)
	guaranteed := fmt.Sprintf("a theorem guarantees m^%.2f (%s)", rfm.GuaranteedInM, rfm.Theorem)
	inM := measured + "; " + guaranteed + "."
	if most == 0 {
		return []string{inM}
	}
	var n, errors []float64
	for i := range ns {
		n = append(n, float64(ns[i]))
		errors = append(errors, p.curve(i, Cell.ours)[last])
	}
	fitted := report.FitRate(n, errors)
	measured = fmt.Sprintf("The error at m=%d falls as n^%s (n=%d to %d)", ms[last], fitted, ns[0], ns[most])
	guaranteed = fmt.Sprintf("guaranteed is n^%.2f", rfm.GuaranteedInN)
	inN := measured + "; " + guaranteed + "."
	return []string{inM, inN}
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
		cells := tested[grid]
		var alphas [][]float64
		for _, c := range cells {
			alpha, err := l.alpha(ctx, p.models, c.of)
			if err != nil {
				return err
			}
			alphas = append(alphas, alpha)
		}
		relative, err := l.relative(ctx, alphas, grid)
		if err != nil {
			return err
		}
		for k, c := range cells {
			errors := relative[k]
			c.Ours = report.Mean(errors)
			c.Single = report.Spread(errors) / c.Ours
		}
	}
	return nil
}

// distances measures |alpha_K - alpha*| / |alpha*|, alpha* on the finest grid; theta is the same on all grids.
func (l *lab) distances(ctx context.Context, p *panel) error {
	finest := l.grids[len(l.grids)-1]
	for i := range p.cells {
		c := &p.cells[i]
		alpha, err := l.alpha(ctx, p.models, c.of)
		if err != nil {
			return err
		}
		onFinest := c.of
		onFinest.Grid = finest
		best, err := l.alpha(ctx, p.models, onFinest)
		if err != nil {
			return err
		}
		distance := floats.Distance(alpha, best, 2)
		c.Ours = distance / floats.Norm(best, 2)
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
	middle := (len(last.Relative) - 1) / 2
	median := last.Ranking()[middle] // the sample with the median error
	x := report.UnitPoints(l.base.Train.Grid)
	for j, c := range compositions {
		p.cells[j].Ours = c.errors.ExpectedRelative
		truth := report.Curve{
			Name: "truth",
			X:    x,
			Y:    c.truth.At(median),
			Role: report.AsTruth,
		}
		prediction := report.Curve{
			Name: "composed model",
			X:    x,
			Y:    c.predictions.At(median),
			Role: report.AsPrediction,
		}
		p.pictures = append(p.pictures, report.Figure{
			Title:  fmt.Sprintf("sample %d at T=%g, error %.4f", median, halves[j], c.errors.Relative[median]),
			XLabel: "x",
			YLabel: "u",
			Curves: []report.Curve{truth, prediction},
		})
	}
	p.note = func(panel) []string {
		note := fmt.Sprintf("Sample %d has the median error at T=%g.", median, halves[len(halves)-1])
		return []string{note}
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
	r.Page = p.page()
	r.Cells = p.cells
	lines := verdict(r.Cells)
	if lines != nil {
		r.Heading = lines[0]
		r.Notes = lines[1:]
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
	figures := []report.Figure{p.figure()}
	return report.Page{
		Tables:  p.tables(),
		Figures: append(figures, p.pictures...),
	}
}

// figure returns the curves of the panel: the measured ones, the guaranteed rate and the published ones.
func (p panel) figure() report.Figure {
	f := report.Figure{
		Title:  p.title,
		XLabel: p.x,
		YLabel: p.y,
		LogX:   !p.linear,
		LogY:   !p.linear,
	}
	for i, name := range p.curves {
		y := p.curve(i, Cell.ours)
		if y[0] != 0 {
			f.Curves = append(f.Curves, report.Curve{
				Name: name,
				X:    p.abscissae,
				Y:    y,
			})
		}
	}
	if p.guaranteed != 0 {
		y := p.curve(len(p.curves)-1, Cell.ours)
		if y[0] > 0 {
			name := fmt.Sprintf("%s^%.2f", p.x, p.guaranteed)
			f.Curves = append(f.Curves, report.Guarantee(name, p.guaranteed, p.abscissae, y))
		}
	}
	for i := range p.curves {
		paper := p.published(i)
		if len(paper.X) > 0 {
			f.Curves = append(f.Curves, paper)
		}
	}
	return f
}

// published returns the published numbers of curve i, at the abscissae where there are some.
func (p panel) published(i int) report.Curve {
	paper := report.Curve{Name: "paper, " + p.curves[i], Published: true}
	for j, v := range p.curve(i, Cell.published) {
		if v != 0 {
			paper.X = append(paper.X, p.abscissae[j])
			paper.Y = append(paper.Y, v)
		}
	}
	return paper
}

// tables returns our numbers and, as far as they are known, their means over draws, the published numbers and the
// differences, each as a table.
func (p panel) tables() (tables []report.Table) {
	ours := func(c Cell) string { return number(c.Ours) }
	mean := func(c Cell) string { return number(c.Mean) }
	paper := func(c Cell) string { return number(c.Published) }
	for _, content := range []struct {
		title string
		text  func(Cell) string
	}{
		{p.y, ours},
		{"mean over draws", mean},
		{"published", paper},
		{"difference of the mean in spreads", difference},
	} {
		t, known := p.table(content.title, content.text)
		if known {
			tables = append(tables, t)
		}
	}
	return tables
}

// difference returns the distance of a mean from the published number in spreads, "-" if it is not known.
func difference(c Cell) string {
	if !c.judged() {
		return "-"
	}
	return fmt.Sprintf("%+.1f", c.distance())
}

// table returns a text of each cell, with a row for each curve, and whether any text is known, that is not "-".
func (p panel) table(title string, text func(Cell) string) (t report.Table, known bool) {
	t.Title = title
	t.Header = append([]string{""}, p.columns...)
	columns := len(p.columns)
	for i, curve := range p.curves {
		row := []string{curve}
		for _, c := range p.cells[i*columns:][:columns] {
			cell := text(c)
			row = append(row, cell)
			if cell != "-" {
				known = true
			}
		}
		t.Rows = append(t.Rows, row)
	}
	return t, known
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
	return Cell{
		of:        q,
		Where:     where,
		Published: v.Value,
	}
}

// rate returns the slope of the least squares line through (log x, log y).
func rate(x, y []float64) float64 { return report.FitRate(x, y).Slope }
