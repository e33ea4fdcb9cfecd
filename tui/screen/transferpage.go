// This file draws the tab of the transfer: a sample on the grid, the errors on all grids so far as a table and as a plot.

package screen

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"

	"rfm/model/engine"
	"rfm/model/study"
	"rfm/tui/chart"
	"rfm/tui/formula"
	"rfm/tui/layout"
	"rfm/tui/look"
	"rfm/tui/plot"
)

func (t *transfer) render(s *session, width, height int) string {
	type key struct {
		shown         *engine.Evaluation
		at, visits    int
		rank, probing int
		second        bool
		width, height int
		appearance    look.Appearance
	}
	probing := 0
	if t.probe != nil {
		probing = t.probe.grid
	}
	k := key{t.shown, t.at, len(t.visits), t.rank, probing, t.second, width, height, s.Appearance()}
	height -= headingLines
	picture := t.picture.Get(k, func() string { return t.page(s, width, height) })
	return t.status(s, width) + "\n" + picture
}

// status names the sample and the grid it is on, and says what is being computed.
func (t *transfer) status(s *session, width int) string {
	th := s.Theme
	where := fmt.Sprintf(" on %s", formula.Grid(s.experiment.Config, t.shown.Grid))
	left := t.heading(s, where, t.shown.Test.Relative[t.sample()])
	switch {
	case t.failure != nil:
		return " " + th.Bad.Render(layout.Cut(string(th.Glyphs.Cross)+" "+strings.ReplaceAll(t.failure.Error(), "\n", "; "), width-2))
	case t.probe != nil:
		const bar = 10
		now := fmt.Sprintf("%s ", formula.Grid(s.experiment.Config, t.probe.grid))
		return layout.Opposite(width, left, th.Muted.Render(now)+plot.Progress(s.experiment.Progress().Fraction(), bar, th))
	}
	return layout.Opposite(width, left, th.Muted.Render(fmt.Sprintf("%d of %d grids", len(t.visits), len(t.grids))))
}

// besideEachOther says whether a width is enough for the sample and the errors.
func besideEachOther(width int) bool { return width-sideWidth-sideGap >= leastLines }

// page puts the sample beside the errors, or shows one of them where there is not room for both.
func (t *transfer) page(s *session, width, height int) string {
	switch narrow := width - sideWidth - sideGap; {
	case besideEachOther(width):
		return layout.Beside(height, strings.Repeat(" ", sideGap), t.sampleOn(s, narrow, height), narrow, t.errors(s, sideWidth, height))
	case t.second:
		return t.errors(s, width, height)
	}
	return t.sampleOn(s, width, height)
}

// sampleOn draws the chosen sample on the grid at hand.
func (t *transfer) sampleOn(s *session, width, height int) string {
	e, i := t.shown, t.sample()
	if e.Side == 0 {
		return chart.Sample(s.Look, e.TestPairs.Inputs.At(i), e.TestPairs.Outputs.At(i), e.Predictions.At(i), width, height)
	}
	maps := fieldsOf(e, i).Maps(s.Look, s.computed(), nil)
	list := []layout.Block{chart.MapBlock(maps[aspectPrediction]), chart.MapBlock(maps[aspectError]), chart.MapBlock(maps[aspectTruth]), chart.MapBlock(maps[aspectInput])}
	form := chart.MapShape(width, height, len(list))
	return layout.Tiles(width, height, form.Columns, list[:form.Count()]...)
}

// errors draws the table of the grids, and the plot below it or beside it, wherever there is room.
func (t *transfer) errors(s *session, width, height int) string {
	table := strings.Join(t.table(s, height), "\n")
	rest := height - lipgloss.Height(table) - 1
	switch {
	case rest >= leastPlot:
		return table + "\n\n" + t.plot(s, min(width, 2*sideWidth), rest)
	case width-sideWidth-sideGap >= leastPlotWidth:
		return layout.Beside(height, strings.Repeat(" ", sideGap), table, sideWidth, t.plot(s, width-sideWidth-sideGap, height))
	}
	return table
}

// leastPlotWidth is the width below which a plot beside a table is not worth drawing.
const leastPlotWidth = 20

// published is the paper's error for the model on a grid; 0 if there is none.
func (t *transfer) published(s *session, K int) float64 {
	c := s.experiment.Config
	c.Evaluation.Grid = K
	value, _ := engine.Published(c)
	return value.Value
}

// table lists the grids with the errors so far, at most height lines around the one that is asked for.
func (t *transfer) table(s *session, height int) []string {
	th, symbol := s.Theme, s.experiment.Config.GridSymbol()
	lines := make([]string, len(t.grids))
	at := 0
	for i, K := range t.grids {
		v, done := t.visits[K]
		mark, train, test, published := ' ', "", "", ""
		if K == s.experiment.Config.Train.Grid {
			mark = '*'
		}
		switch {
		case done:
			train, test = fmt.Sprintf("%.5f", v.train), fmt.Sprintf("%.5f", v.test)
		case t.probe != nil && t.probe.grid == K:
			test = strings.Repeat(string(th.Glyphs.Ellipsis), 3)
		}
		if value := t.published(s, K); value != 0 {
			published = fmt.Sprintf("%.4f", value)
		}
		line := fmt.Sprintf("%6d%c%9s%9s%9s", K, mark, train, test, published)
		if K == t.at {
			at = i
			line = string(th.Glyphs.FocusLeft) + th.Focus.Render(line) + string(th.Glyphs.FocusRight)
		} else {
			line = " " + line
		}
		lines[i] = line
	}
	const around = 2 // the heading and the note
	room := max(height-around, 1)
	first := max(0, min(at-room/2, len(lines)-room))
	lines = lines[first:min(len(lines), first+room)]
	head := th.Title.Render(fmt.Sprintf(" %6s %9s%9s%9s", symbol, "train", "test", "paper"))
	return append(append([]string{head}, lines...), th.Muted.Render("  * trained on this grid"))
}

// plot draws the errors against the grid, from zero on, so that a flat curve looks flat; the published ones as marks.
func (t *transfer) plot(s *session, width, height int) string {
	th, zero := s.Theme, 0.0
	f := t.figure(s)
	line := plot.Line{Title: f.Title, XLabel: f.XLabel, LogX: true, X0: float64(t.grids[0]), X1: float64(t.grids[len(t.grids)-1]), YMin: &zero, Width: width, Height: height, Theme: th}
	for _, c := range slices.Backward(f.Curves) { // what is published lies below
		if c.Published {
			line.Series = append(line.Series, plot.Series{Name: c.Name, X: c.X, Y: c.Y, Style: th.Published, Mark: th.Glyphs.PublishedMark})
			continue
		}
		line.Series = append(line.Series, plot.Series{X: c.X, Y: c.Y, Style: th.Prediction}, plot.Series{Name: c.Name, X: c.X, Y: c.Y, Style: th.Prediction, Mark: th.Glyphs.PredictionMark})
	}
	return line.Render()
}

// figure is the errors against the grid.
func (t *transfer) figure(s *session) study.Figure {
	test, published := study.Curve{Name: "this model", Points: len(t.visits) == 1}, study.Curve{Name: "paper", Published: true}
	for _, K := range t.grids {
		if v, done := t.visits[K]; done {
			test.X, test.Y = append(test.X, float64(K)), append(test.Y, v.test)
		}
		if value := t.published(s, K); value != 0 {
			published.X, published.Y = append(published.X, float64(K)), append(published.Y, value)
		}
	}
	f := study.Figure{Title: "test error", XLabel: s.experiment.Config.GridSymbol(), YLabel: "relative test error", LogX: true, Curves: []study.Curve{test}}
	if published.X != nil {
		f.Curves = append(f.Curves, published)
	}
	return f
}

// exhibit is the sample on the grid and the errors so far.
func (t *transfer) exhibit(s *session) study.Result {
	table := study.Table{Header: []string{s.experiment.Config.GridSymbol(), "train", "test", "paper"}}
	for _, K := range t.grids {
		v, done := t.visits[K]
		if !done {
			continue
		}
		published := ""
		if value := t.published(s, K); value != 0 {
			published = fmt.Sprintf("%.4f", value)
		}
		table.Rows = append(table.Rows, []string{fmt.Sprint(K), fmt.Sprintf("%.6f", v.train), fmt.Sprintf("%.6f", v.test), published})
	}
	cut := t.shown.Side / 2
	return study.Result{Study: "transfer", Tables: []study.Table{table}, Figures: append([]study.Figure{t.figure(s)}, sampleFigures(t.shown, t.sample(), cut)...),
		Fields: sampleFields(t.shown, t.sample())}
}
