// This file describes the studies whose numbers are curves: over m, over the grid, over time. Each is a table of
// quantities, which one driver measures, also over draws of data and features, by whose scatter the numbers are judged.

package paper

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"rfm/config"
	"rfm/model/engine"
	"rfm/model/paper/published"
	"rfm/model/report"
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

// panel is curves of numbers: values[i][j] is that of the quantity of[i][j], on curve i at abscissa j.
type panel struct {
	title, x, y string
	linear      bool // axes that are not logarithmic
	curves      []string
	abscissae   []float64
	columns     []string // names of the abscissae
	of          [][]quantity
	ns, ms      []int                // sizes of the models that are trained together on every grid
	note        func(panel) []string // from the values
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

// describe returns the panel of an item, one of panels, without values.
func (l plan) describe(item string) panel {
	symbol, last := l.base.GridSymbol(), len(l.grids)-1
	p := panel{x: symbol, y: "relative test error", ns: []int{l.n}, ms: l.resolutionM}
	switch item {
	case "m-n":
		g, ns, ms := l.samplingGrid, l.samplingN, l.samplingM
		p.title, p.x, p.ns, p.ms = fmt.Sprintf("error against m, %s=%d", symbol, g), "m", ns, ms
		p.name("n=%d", ns, "m=%d", ms, func(n, m int) quantity { return quantity{Kind: "error", M: m, N: n, Grid: g} })
		p.note = func(p panel) []string {
			var known []float64
			for _, q := range p.of[len(ns)-1] {
				known = append(known, l.published(q))
			}
			return []string{fmt.Sprintf("Fitted rate at n=%d, m=%d to %d: error ~ m^%.2f, published m^%.2f; the Monte Carlo "+
				"rate is m^-0.5.", ns[len(ns)-1], ms[0], ms[len(ms)-1], rate(p.abscissae, p.values[len(ns)-1]),
				rate(p.abscissae, known))}
		}
	case "resolution":
		p.title = fmt.Sprintf("error against %s, n=%d", symbol, l.n)
		p.name("m=%d", p.ms, symbol+"=%d", l.grids,
			func(m, g int) quantity { return quantity{Kind: "error", M: m, N: l.n, Grid: g} })
		p.note = func(p panel) []string {
			var ms, finest []float64
			for i, m := range p.ms {
				ms, finest = append(ms, float64(m)), append(finest, p.values[i][last])
			}
			return []string{fmt.Sprintf("Fitted rate on %s=%d: error ~ m^%.2f; the Monte Carlo rate is m^-0.5.", symbol,
				l.grids[last], rate(ms, finest))}
		}
	case "coefficients": // |alpha_K - alpha*| / |alpha*|, alpha* on the finest grid; theta is the same on all grids
		p.title = fmt.Sprintf("coefficients against those on %s=%d, n=%d", symbol, l.grids[last], l.n)
		p.y = "relative distance of alpha"
		p.name("m=%d", p.ms, symbol+"=%d", l.grids[:last],
			func(m, g int) quantity { return quantity{Kind: "coefficients", M: m, N: l.n, Grid: g} })
		p.note = func(p panel) (notes []string) {
			for i, name := range p.curves {
				notes = append(notes, fmt.Sprintf("%s: distance ~ %s^%.1f.", name, symbol, rate(p.abscissae, p.values[i])))
			}
			return notes
		}
	case "transfer":
		p.title = fmt.Sprintf("error against the test grid, n=%d, m=%d", l.n, l.m)
		p.name("trained on %d", l.transferFrom, symbol+"=%d", l.transferTo, func(from, to int) quantity {
			return quantity{Kind: "transfer", M: l.m, N: l.n, Grid: from, Test: to}
		})
	case "semigroup":
		K := l.base.Train.Grid
		p.title, p.x, p.linear = fmt.Sprintf("error of the composed model, n=%d, m=%d, K=%d", l.n, l.m, K), "T", true
		p.curves, p.abscissae, p.of = []string{"composed model"}, halves[:], [][]quantity{nil}
		for j, time := range halves {
			p.columns = append(p.columns, fmt.Sprintf("T=%g", time))
			p.of[0] = append(p.of[0], quantity{Kind: "composition", M: l.m, N: l.n, Grid: K, Step: j + 1})
		}
	}
	return p
}

// panel trains and tests the models of an item, one of panels.
func (l *lab) panel(ctx context.Context, item string) (panel, error) {
	p, measure := l.describe(item), l.measure
	if item == "semigroup" {
		measure = l.semigroup
	}
	if err := measure(ctx, &p); err != nil {
		return p, err
	}
	if p.note != nil {
		p.notes = p.note(p)
	}
	return p, nil
}

// measure sets the values of a panel. Models that are tested on the same grid share one pass over the features.
func (l *lab) measure(ctx context.Context, p *panel) error {
	finest, grids := l.grids[len(l.grids)-1], []int{}
	for _, row := range p.of {
		p.values = append(p.values, make([]float64, len(row)))
		for _, q := range row {
			grids = append(grids, q.test())
		}
	}
	slices.Sort(grids)
	for _, grid := range slices.Compact(grids) {
		var alphas [][]float64
		var values []*float64
		for i, row := range p.of {
			for j, q := range row {
				if q.test() != grid {
					continue
				}
				alpha, err := l.alpha(ctx, p.ns, p.ms, q.N, q.M, q.Grid)
				if err != nil {
					return err
				}
				if q.Kind == "coefficients" {
					best, err := l.alpha(ctx, p.ns, p.ms, q.N, q.M, finest)
					if err != nil {
						return err
					}
					p.values[i][j] = floats.Distance(alpha, best, 2) / floats.Norm(best, 2)
					continue
				}
				alphas, values = append(alphas, alpha), append(values, &p.values[i][j])
			}
		}
		if len(alphas) == 0 {
			continue
		}
		relative, err := l.relative(ctx, alphas, grid)
		if err != nil {
			return err
		}
		for k, errors := range relative { // the expected relative test error e_{n',m}, eq. 4.4
			*values[k] = report.Mean(errors)
		}
	}
	return nil
}

// semigroup sets the values of Table 4.1, with pictures of one sample at every composition.
func (l *lab) semigroup(ctx context.Context, p *panel) error {
	compositions, err := l.compositions(ctx)
	if err != nil {
		return err
	}
	last := compositions[len(compositions)-1].errors
	median, x := last.Ranking()[(len(last.Relative)-1)/2], report.UnitPoints(l.base.Train.Grid)
	p.values = [][]float64{nil}
	for j, c := range compositions {
		p.values[0] = append(p.values[0], c.errors.ExpectedRelative)
		p.pictures = append(p.pictures, report.Figure{Title: fmt.Sprintf("sample %d at T=%g, error %.4f", median, halves[j],
			c.errors.Relative[median]), XLabel: "x", YLabel: "u",
			Curves: []report.Curve{{Name: "truth", X: x, Y: c.truth.At(median), Role: report.AsTruth},
				{Name: "composed model", X: x, Y: c.predictions.At(median), Role: report.AsPrediction}}})
	}
	p.notes = []string{fmt.Sprintf("Sample %d has the median error at T=%g.", median, halves[len(halves)-1])}
	return nil
}

// panelStudy returns the study of a panel: it compares the numbers with the published ones, and plots both.
func panelStudy(item string) runner {
	return func(ctx context.Context, s *Session, _ Directory, study Study) (r Result, err error) {
		l, err := s.lab(ctx, study.Problem)
		if err != nil {
			return r, err
		}
		p, err := l.panel(ctx, item)
		if err != nil {
			return r, err
		}
		for i, row := range p.of {
			for j, q := range row {
				r.Cells = append(r.Cells, s.cell(l.base, q, p.values[i][j], l.published(q)))
			}
		}
		r.Page, r.Notes = p.page(r.Cells), p.notes
		if lines := verdict(r.Cells); lines != nil {
			r.Heading, r.Notes = lines[0], append(lines[1:], p.notes...)
		}
		return r, nil
	}
}

// Published returns the paper's numbers for the study, as a figure and its table; an empty page if it has none.
func (s Study) Published() report.Page {
	if !s.judged() {
		return report.Page{}
	}
	l, cells := planOf(s.Problem, false), []Cell{}
	p := l.describe(s.Item)
	for _, row := range p.of {
		for _, q := range row {
			cells = append(cells, Cell{Published: l.published(q)})
		}
	}
	return p.page(cells)
}

// page returns the cells of all quantities as a figure and tables: the values, if there are any, and the published
// numbers.
func (p panel) page(cells []Cell) report.Page {
	f := report.Figure{Title: p.title, XLabel: p.x, YLabel: p.y, LogX: !p.linear, LogY: !p.linear}
	var known []report.Curve
	for i, name := range p.curves {
		if p.values != nil {
			f.Curves = append(f.Curves, report.Curve{Name: name, X: p.abscissae, Y: p.values[i]})
		}
		paper := report.Curve{Name: "paper, " + name, Published: true}
		for j, x := range p.abscissae {
			if c := cells[i*len(p.abscissae)+j]; c.Published != 0 {
				paper.X, paper.Y = append(paper.X, x), append(paper.Y, c.Published)
			}
		}
		if len(paper.X) > 0 {
			known = append(known, paper)
		}
	}
	f.Curves = append(f.Curves, known...)
	return report.Page{Tables: p.tables(cells), Figures: append([]report.Figure{f}, p.pictures...)}
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
			if !c.judged() {
				return "-"
			}
			return fmt.Sprintf("%+.1f", c.distance())
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
func (l plan) published(q quantity) float64 {
	s, studies := published.Sizes{"n": q.N, "m": q.M, "grid": q.Grid, "test": q.test(), "step": q.Step}, published.Errors
	switch q.Kind {
	case "coefficients":
		s["test"], studies = l.grids[len(l.grids)-1], []string{q.Kind}
	case "composition":
		studies = []string{"semigroup"}
	}
	v, _ := published.At(l.base.Title(), s, studies...)
	return v.Value
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

// quantity identifies a number whose spread over draws is measured.
type quantity struct {
	Kind string `json:"kind"` // error, coefficients, transfer, composition
	M    int    `json:"m"`
	N    int    `json:"n"`
	Grid int    `json:"grid"`            // K or r of training
	Test int    `json:"test,omitempty"`  // K or r of the test, if different
	Step int    `json:"steps,omitempty"` // number of compositions
}

// test returns the grid of the test.
func (q quantity) test() int { return cmp.Or(q.Test, q.Grid) }

func (q quantity) where(c config.Config) string {
	text := fmt.Sprintf("n=%d m=%d %s=%d", q.N, q.M, c.GridSymbol(), q.Grid)
	if q.Test != 0 {
		text += fmt.Sprintf(" tested on %s=%d", c.GridSymbol(), q.Test)
	}
	if q.Step != 0 {
		text += fmt.Sprintf(" T=%g", halves[q.Step-1])
	}
	return text
}

// Spread is the scatter of one quantity over draws.
type Spread struct {
	quantity
	Own       float64 `json:"own"`       // value in the first draw, with the session's seed
	Mean      float64 `json:"mean"`      // over draws of data and features
	Deviation float64 `json:"deviation"` // standard deviation of one draw of both
	// standard error of a mean over the test inputs, a lower bound of Deviation; 0 if the quantity is not such a mean
	Sampling float64 `json:"sampling"`
}

// Total returns the standard deviation of one draw. A few draws can scatter less by chance than the test inputs alone
// make them; then it returns Sampling.
func (s Spread) Total() float64 { return max(s.Deviation, s.Sampling) }

// nearest returns the spread of a quantity, or else the spread of its kind that is nearest in log m, log n and log
// grid. known is false if none of its kind was measured.
func nearest(spreads []Spread, q quantity) (nearest Spread, known bool) {
	apart := func(a, b int) float64 { return math.Abs(math.Log(float64(a+1) / float64(b+1))) } // defined for 0
	best := math.Inf(1)
	for _, s := range spreads {
		if s.Kind != q.Kind || s.Step != q.Step {
			continue
		}
		d := apart(s.M, q.M) + apart(s.N, q.N) + apart(s.Grid, q.Grid) + apart(s.Test, q.Test)
		if d < best && s.Mean != 0 && s.Own != 0 {
			best, nearest, known = d, s, true
		}
	}
	return nearest, known
}

// cell returns a number with the published one (0: none), judged by the mean and the spread of its quantity over draws
// if they are known. The mean is our number times the ratio of the mean to the first draw in the study of seeds.
func (s *Session) cell(base config.Config, q quantity, ours, published float64) Cell {
	c := Cell{Where: q.where(base), Ours: ours, Published: published}
	seeds, _ := s.Result(base.Title() + "-seeds")
	if spread, known := nearest(seeds.Spreads, q); known {
		c.Mean = ours * spread.Mean / spread.Own
		c.Spread = spread.Total() / math.Abs(spread.Mean) * c.Mean
	}
	return c
}

// drawn is the numbers of one draw of data and features, in the order of quantities.
type drawn struct {
	Numbers []float64 `json:"numbers"`
	// Variation is the standard deviation of the relative test errors of single inputs, divided by their mean, for the
	// model with all samples and features; of the first draw only.
	Variation float64 `json:"variation,omitempty"`
}

// quantities returns all numbers that other studies compare with published ones.
func (p plan) quantities() (all []quantity) {
	for _, item := range p.panels() {
		for _, row := range p.describe(item).of {
			all = append(all, row...)
		}
	}
	return all
}

// draw measures all quantities in one draw of data and features.
func (s *Session) draw(ctx context.Context, p plan, draw int) (d drawn, err error) {
	l, err := newLab(ctx, p, s.options.Seed+uint64(draw), s.options.Workers, &s.tracker)
	if err != nil {
		return d, err
	}
	for _, item := range p.panels() {
		p, err := l.panel(ctx, item)
		if err != nil {
			return d, err
		}
		for _, row := range p.values {
			d.Numbers = append(d.Numbers, row...)
		}
	}
	if draw == 0 {
		d.Variation, err = l.variation(ctx)
	}
	return d, err
}

// variation returns the Variation of a draw.
func (l *lab) variation(ctx context.Context) (float64, error) {
	alpha, err := l.alpha(ctx, []int{l.n}, l.resolutionM, l.n, l.m, l.base.Train.Grid)
	if err != nil {
		return 0, err
	}
	relative, err := l.relative(ctx, [][]float64{alpha}, l.base.Train.Grid)
	if err != nil {
		return 0, err
	}
	return report.Spread(relative[0]) / report.Mean(relative[0]), nil
}

// seedsStudy computes the mean and the scatter of every quantity over several draws of data and features; the first
// draw is the session's own. Each draw is a file of the directory.
func seedsStudy(ctx context.Context, s *Session, directory Directory, study Study) (r Result, err error) {
	p, draws := s.sizes.seeds(study.Problem)
	var all []drawn
	quantities := p.quantities()
	for draw := range draws {
		name := fmt.Sprintf("%s-draw-%d.json", study.Name, draw+1)
		d, found := load[drawn](directory, name, s.key(study))
		if found = found && len(d.Numbers) == len(quantities); !found {
			s.tracker.Set(func(p *engine.Progress) { p.Note = fmt.Sprintf("draw %d of %d", draw+1, draws) })
			if d, err = s.draw(ctx, p, draw); err == nil {
				err = save(directory, name, s.key(study), d)
			}
			if err != nil {
				return r, err
			}
		}
		s.whole.Set(func(p *engine.Progress) {
			if p.Done++; found {
				p.Before++
			}
		})
		all = append(all, d)
	}
	inputs := s.sizes.studies(study.Problem).base.Data.Test
	t := report.Table{Title: fmt.Sprintf("expected relative test error over %d draws", draws),
		Header: []string{"", "seed " + fmt.Sprint(s.options.Seed), "mean", "one draw", ""}}
	for i, q := range quantities {
		numbers := make([]float64, len(all))
		for j, d := range all {
			numbers[j] = d.Numbers[i]
		}
		spread := Spread{quantity: q, Own: numbers[0], Mean: report.Mean(numbers), Deviation: report.Spread(numbers)}
		if q.Kind != "coefficients" {
			spread.Sampling = all[0].Variation / math.Sqrt(float64(inputs)) * spread.Mean
		}
		r.Spreads = append(r.Spreads, spread)
		if q.Kind != "coefficients" && (q.N == p.n || q.M == p.m) {
			t.Rows = append(t.Rows, []string{q.Kind + " " + q.where(p.base), number(spread.Own), number(spread.Mean),
				number(spread.Total()), fmt.Sprintf("%.1f%%", 100*spread.Total()/spread.Mean)})
		}
	}
	r.Tables = []report.Table{t}
	r.Notes = []string{
		fmt.Sprintf("One draw: the standard deviation over %d draws, in each of which data (training and test) and "+
			"features are new, also relative to the mean. With so few draws it is known to about %.0f%%; it counts as no "+
			"less than the standard error of a mean over %d test inputs.", draws, 100/math.Sqrt(float64(2*(draws-1))), inputs),
		fmt.Sprintf("Measured with %d test inputs and data on %s=%d. Other items compare the mean over draws with the "+
			"published number: their number times the mean over seed %d of the quantity that is nearest in m, n and grid. "+
			"They take the relative deviation of that, too. Quantities of one problem share their draws.",
			p.base.Data.Test, p.base.GridSymbol(), p.base.Data.Grid, s.options.Seed),
	}
	return r, nil
}
