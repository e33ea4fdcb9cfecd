package evaluate

import (
	"context"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"rfm/model/engine"
	"rfm/model/report"
	"rfm/tui/chart"
	"rfm/tui/formula"
	"rfm/tui/keys"
	"rfm/tui/layout"
	"rfm/tui/look"
	"rfm/tui/plot"
	"rfm/tui/session"
	"rfm/tui/ui"
	"rfm/tui/widget"
)

// transfer is the tab in which the trained model predicts on other grids than its own, as soon as they are asked for.
type transfer struct {
	*selection
	of      *engine.Evaluation // what everything here belongs to
	grids   []int              // those that the data can be restricted to, ascending
	at      int                // the grid that is asked for
	shown   *engine.Evaluation // the last one that was there when it was asked for
	visits  map[int]visit      // by grid
	probing int                // the grid that is computed; 0 if none is
	failure error              // of the last probe
	second  bool               // small terminals: the table rather than the sample
	picture widget.Cache
}

// probe is what the evaluation on another grid is called as a job.
const probe = "transfer"

// visit is what is known about the model on a grid. The evaluation is nil if it was forgotten to save memory.
type visit struct {
	train, test float64 // expected relative errors
	evaluation  *engine.Evaluation
}

// follow begins anew with the evaluation that the experiment made.
func (t *transfer) follow() {
	if !t.session.Runs(probe) {
		t.probing = 0 // something else has taken its place
	}
	if t.of == t.selection.of {
		return
	}
	t.stop()
	of := t.selection.of
	t.of, t.at, t.shown, t.failure = of, of.Grid, of, nil
	t.visits = map[int]visit{of.Grid: {of.Train.ExpectedRelative, of.Test.ExpectedRelative, of}}
	t.grids = of.Grids
}

// missing are the grids that have not been visited.
func (t *transfer) missing() []int {
	return slices.DeleteFunc(slices.Clone(t.grids), func(K int) bool { _, done := t.visits[K]; return done })
}

func (t *transfer) commands() []ui.Command {
	missing := t.missing()
	all := ui.Command{Key: keys.Enter, Word: "all grids", Help: "predict on all grids", Why: t.session.Occupied(),
		Do: func() tea.Cmd { return t.start(missing) }}
	switch {
	case t.probing != 0:
		all.Why = "it is being computed"
	case len(missing) == 0 && all.Why == "":
		all.Why = "all grids are done"
	}
	grid := func(key keys.Key, help string, direction int) ui.Command {
		return ui.Command{Key: key, Word: "grid", Help: help, Do: func() tea.Cmd { return t.step(direction) }}
	}
	list := []ui.Command{all, grid(keys.Left, "coarser grid", -1), grid(keys.Right, "finer grid", 1),
		t.moving(keys.Up, "sample", "the next better sample", -1), t.moving(keys.Down, "sample", "the next worse sample", 1)}
	if !besideEachOther(t.room.Width) {
		list = append(list, ui.Command{Key: keys.View, Word: "view", Help: "the sample, or the table of errors",
			Do: ui.Now(func() { t.second = !t.second })})
	}
	return append(list, t.browsing()...)
}

// step goes to a neighbouring grid; while something else runs only to those that were visited.
func (t *transfer) step(direction int) tea.Cmd {
	next := slices.Index(t.grids, t.at) + direction
	if next < 0 || next >= len(t.grids) {
		return nil
	}
	e := t.visits[t.grids[next]].evaluation
	if why := t.session.Occupied(); e == nil && why != "" {
		t.session.Complain(why)
		return nil
	}
	t.at, t.failure = t.grids[next], nil
	if e != nil {
		t.stop()
		t.shown = e
		return nil
	}
	return t.start([]int{t.at})
}

// start evaluates the model on the grids, one after the other, instead of what is being computed.
func (t *transfer) start(grids []int) tea.Cmd {
	if len(grids) == 0 {
		return nil
	}
	e, K := t.session.Experiment(), grids[0]
	var evaluation *engine.Evaluation
	t.probing, t.failure, t.at = K, nil, K
	return t.session.Run(session.Job{Name: probe, Beside: true, Work: func(ctx context.Context) (err error) {
		evaluation, err = e.EvaluateOn(ctx, K)
		return err
	}, Done: func(err error) tea.Cmd { return t.arrive(K, evaluation, err, grids[1:]) }})
}

// stop forgets what is being computed.
func (t *transfer) stop() {
	t.session.Drop(probe)
	t.probing = 0
}

// arrive keeps and shows the evaluation on a grid, and goes on with the others.
func (t *transfer) arrive(K int, e *engine.Evaluation, err error, others []int) tea.Cmd {
	t.probing = 0
	if err != nil {
		if !session.IsCancelled(err) {
			t.failure = fmt.Errorf("%s: %w", formula.Grid(t.session.Experiment().Config, K), err)
		}
		return nil
	}
	t.visits[K] = visit{e.Train.ExpectedRelative, e.Test.ExpectedRelative, e}
	t.shown = e
	t.forget()
	return t.start(others)
}

// forget drops evaluations while they take too much memory, those on the finest grids first, but not the one on show.
func (t *transfer) forget() {
	const most = 256 << 20 // bytes
	total := 0
	for _, v := range t.visits {
		total += evaluationBytes(v.evaluation)
	}
	for _, K := range slices.Backward(t.grids) {
		v := t.visits[K]
		if total <= most {
			return
		}
		if v.evaluation != nil && v.evaluation != t.shown && v.evaluation != t.of {
			total -= evaluationBytes(v.evaluation)
			v.evaluation = nil
			t.visits[K] = v
		}
	}
}

// evaluationBytes is what an evaluation takes.
func evaluationBytes(e *engine.Evaluation) int {
	if e == nil {
		return 0
	}
	const float = 8
	return float * (len(e.Predictions.Data) + len(e.TestPairs.Inputs.Data) + len(e.TestPairs.Outputs.Data))
}

func (t *transfer) render(on look.Look, width, height int) string {
	height -= headingLines
	picture := t.picture.Get(on, width, height, []any{t.shown, t.at, len(t.visits), t.rank, t.probing, t.second},
		func() string { return t.page(on, width, height) })
	return t.status(on, width) + "\n" + picture
}

// status names the sample and the grid it is on, and says what is being computed.
func (t *transfer) status(on look.Look, width int) string {
	th := on.Theme
	where := fmt.Sprintf(" on %s", formula.Grid(t.session.Experiment().Config, t.shown.Grid))
	left := t.heading(on, where, t.shown.Test.Relative[t.sample()])
	switch {
	case t.failure != nil:
		return " " + th.Bad.Render(layout.Cut(string(th.Glyphs.Cross)+" "+strings.ReplaceAll(t.failure.Error(), "\n", "; "),
			width-2))
	case t.probing != 0:
		const bar = 10
		now := fmt.Sprintf("%s ", formula.Grid(t.session.Experiment().Config, t.probing))
		return layout.Opposite(width, left, th.Muted.Render(now)+plot.Progress(t.session.Experiment().Progress().Fraction(),
			bar, th))
	}
	return layout.Opposite(width, left, th.Muted.Render(fmt.Sprintf("%d of %d grids", len(t.visits), len(t.grids))))
}

// besideEachOther reports whether a width is enough for the sample and the errors.
func besideEachOther(width int) bool { return width-sideWidth-sideGap >= leastLines }

// page puts the sample beside the errors, or shows one of them where there is not room for both.
func (t *transfer) page(on look.Look, width, height int) string {
	switch {
	case besideEachOther(width):
		return aside(width, height, func(w, h int) string { return t.sampleOn(on, w, h) }, t.errors(on, sideWidth, height))
	case t.second:
		return t.errors(on, width, height)
	}
	return t.sampleOn(on, width, height)
}

// sampleOn draws the chosen sample on the grid at hand.
func (t *transfer) sampleOn(on look.Look, width, height int) string {
	sample := t.sampleOf(t.shown, t.sample())
	if sample.Side == 0 {
		return sample.Tall(on, width, height)
	}
	maps := fieldBlocks(on, sample.Fields(nil))
	list := []layout.Block{maps[aspectPrediction], maps[aspectError], maps[aspectTruth], maps[aspectInput]}
	form := chart.MapShape(width, height, len(list))
	return layout.Tiles(width, height, form.Columns, list[:form.Count()]...)
}

// errors draws the table of the grids, and the plot below it or beside it, wherever there is room.
func (t *transfer) errors(on look.Look, width, height int) string {
	table := strings.Join(t.table(on, height), "\n")
	rest := height - lipgloss.Height(table) - 1
	switch {
	case rest >= leastPlot:
		return table + "\n\n" + chart.Figure(on, t.figure(), min(width, 2*sideWidth), rest)
	case width-sideWidth-sideGap >= leastPlotWidth:
		return layout.Beside(height, strings.Repeat(" ", sideGap), table, sideWidth,
			chart.Figure(on, t.figure(), width-sideWidth-sideGap, height))
	}
	return table
}

// leastPlotWidth is the width below which a plot beside a table is not worth drawing.
const leastPlotWidth = 20

// publishedText is the paper's error for the model on a grid; empty if there is none.
func (t *transfer) publishedText(K int) string {
	if value := t.published(K); value != 0 {
		return report.Error(value, 4)
	}
	return ""
}

// published is the paper's error for the model on a grid; 0 if there is none.
func (t *transfer) published(K int) float64 {
	c := t.session.Experiment().Config
	c.Evaluation.Grid = K
	value, _ := engine.Published(c)
	return value.Value
}

// table lists the grids with the errors so far, at most height lines around the one that is asked for.
func (t *transfer) table(on look.Look, height int) []string {
	th, symbol := on.Theme, t.session.Experiment().Config.GridSymbol()
	const around = 2 // the heading and the note
	at := widget.List{Line: slices.Index(t.grids, t.at)}
	lines := at.Draw(th, len(t.grids), max(height-around, 1), func(i int) string {
		K := t.grids[i]
		v, done := t.visits[K]
		mark, train, test := ' ', "", ""
		if K == t.session.Experiment().Config.Train.Grid {
			mark = '*'
		}
		switch {
		case done:
			train, test = report.Error(v.train, 5), report.Error(v.test, 5)
		case t.probing == K:
			test = strings.Repeat(string(th.Glyphs.Ellipsis), 3)
		}
		return fmt.Sprintf("%6d%c%9s%9s%9s", K, mark, train, test, t.publishedText(K))
	})
	head := th.Title.Render(fmt.Sprintf(" %6s %9s%9s%9s", symbol, "train", "test", "paper"))
	return append(append([]string{head}, lines...), th.Muted.Render("  * trained on this grid"))
}

// figure is the errors against the grid, from zero on, so that a flat curve looks flat; the published ones as marks.
func (t *transfer) figure() report.Figure {
	zero := 0.0
	test, published := report.Curve{Name: "this model", Role: report.AsPrediction, Marked: true, Points: len(t.visits) == 1},
		report.Curve{Name: "paper", Published: true, Role: report.AsLevel, Points: true}
	for _, K := range t.grids {
		if v, done := t.visits[K]; done {
			test.X, test.Y = append(test.X, float64(K)), append(test.Y, v.test)
		}
		if value := t.published(K); value != 0 {
			published.X, published.Y = append(published.X, float64(K)), append(published.Y, value)
		}
	}
	f := report.Figure{Title: "test error", XLabel: t.session.Experiment().Config.GridSymbol(), LogX: true,
		X0: float64(t.grids[0]), X1: float64(t.grids[len(t.grids)-1]), YMin: &zero}
	if published.X != nil {
		f.Curves = append(f.Curves, published)
	}
	f.Curves = append(f.Curves, test)
	return f
}

// Exhibit is the sample on the grid and the errors so far.
func (t *transfer) Exhibit() report.Page {
	table := report.Table{Header: []string{t.session.Experiment().Config.GridSymbol(), "train", "test", "paper"}}
	for _, K := range t.grids {
		v, done := t.visits[K]
		if !done {
			continue
		}
		table.Rows = append(table.Rows, []string{fmt.Sprint(K), report.Error(v.train, 6), report.Error(v.test, 6),
			t.publishedText(K)})
	}
	figures, fields := t.describe(t.shown, t.sample(), t.shown.Side/2)
	return report.Page{Name: "transfer", Tables: []report.Table{table},
		Figures: append([]report.Figure{t.figure()}, figures...), Fields: fields}
}
