package evaluate

import (
	"context"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"rfm/model/engine"
	"rfm/model/report"
	"rfm/tui/formula"
	"rfm/tui/keys"
	"rfm/tui/look"
	"rfm/tui/plot"
	"rfm/tui/session"
	"rfm/tui/ui"
)

// transfer is the tab in which the trained model predicts on other grids than its own, on request.
type transfer struct {
	*selection
	grids   []int              // grids to which the data can be restricted, ascending
	at      int                // index of the requested grid
	shown   *engine.Evaluation // the last requested evaluation that was available
	errors  map[int]gridErrors // of the finished grids
	probing int                // the latest grid in progress
	done    float64            // fraction of it
}

// probe is the name of the job that evaluates on another grid.
const probe = "transfer"

// gridErrors are the expected relative errors of the model on a grid.
type gridErrors struct{ train, test float64 }

// begin starts again with a new evaluation.
func (t *transfer) begin() {
	t.stop()
	t.at, t.shown, t.grids = t.of.Grid, t.of, t.of.Grids
	t.errors = map[int]gridErrors{t.of.Grid: {t.of.Train.ExpectedRelative, t.of.Test.ExpectedRelative}}
}

// missing returns the grids that are not finished.
func (t *transfer) missing() []int {
	return slices.DeleteFunc(slices.Clone(t.grids), func(K int) bool { _, done := t.errors[K]; return done })
}

func (t *transfer) commands() []ui.Command {
	missing := t.missing()
	all := ui.Command{Key: keys.Enter, Word: "all grids", Help: "predict on all grids", Why: t.session.Occupied(),
		Do: func() tea.Cmd { return t.start(missing) }}
	switch {
	case t.session.Runs(probe):
		all.Why = "it is being computed"
	case len(missing) == 0 && all.Why == "":
		all.Why = "all grids are done"
	}
	grid := func(key keys.Key, help string, direction int) ui.Command {
		return ui.Command{Key: key, Word: "grid", Help: help, Do: func() tea.Cmd { return t.step(direction) }}
	}
	return append([]ui.Command{all, grid(keys.Up, "coarser grid", -1), grid(keys.Down, "finer grid", 1)},
		t.browsing()[:5]...) // page keys belong to the table
}

// step selects a neighbouring grid; while another job runs, only the grid of the experiment's evaluation.
func (t *transfer) step(direction int) tea.Cmd {
	next := slices.Index(t.grids, t.at) + direction
	if next < 0 || next >= len(t.grids) {
		return nil
	}
	K := t.grids[next]
	if why := t.session.Occupied(); K != t.of.Grid && why != "" {
		t.session.Complain(why)
		return nil
	}
	if K != t.of.Grid {
		return t.start([]int{K})
	}
	t.stop()
	t.at, t.shown = K, t.of
	return nil
}

// start evaluates the model on the grids, one after the other, and replaces the current computation.
func (t *transfer) start(grids []int) tea.Cmd {
	if len(grids) == 0 {
		return nil
	}
	e, K := t.session.Experiment(), grids[0]
	var evaluation *engine.Evaluation
	t.probing, t.at, t.done = K, K, 0
	seen := func() { t.done = e.Progress().Fraction() }
	return t.session.Run(session.Job{Name: probe, Beside: true, Seen: seen, Work: func(ctx context.Context) (err error) {
		evaluation, err = e.EvaluateOn(ctx, K)
		return err
	}, Done: func(err error) tea.Cmd { return t.arrive(K, evaluation, err, grids[1:]) }})
}

// stop drops the current computation.
func (t *transfer) stop() { t.session.Drop(probe) }

// arrive keeps and shows the evaluation on a grid, and continues with the others.
func (t *transfer) arrive(K int, e *engine.Evaluation, err error, others []int) tea.Cmd {
	if err != nil {
		if !session.IsCancelled(err) {
			t.session.Complain(fmt.Sprintf("%s: %v", formula.Grid(t.session.Experiment().Config, K), err))
		}
		return nil
	}
	t.errors[K] = gridErrors{e.Train.ExpectedRelative, e.Test.ExpectedRelative}
	t.shown = e
	return t.start(others)
}

// state returns the values besides the sample that the page depends on.
func (t *transfer) state() []any {
	return append(t.selection.state(), t.shown, t.at, len(t.errors))
}

// status returns the number of finished grids, or the progress of the current one.
func (t *transfer) status(on look.Look) string {
	th := on.Theme
	if !t.session.Runs(probe) {
		return th.Muted.Render(fmt.Sprintf("%d of %d grids", len(t.errors), len(t.grids)))
	}
	const bar = 10
	e := t.session.Experiment()
	return th.Muted.Render(formula.Grid(e.Config, t.probing)+" ") + plot.Progress(t.done, bar, th)
}

// published returns the paper's error for the model on a grid; 0 if there is none.
func (t *transfer) published(K int) float64 {
	c := t.session.Experiment().Config
	c.Evaluation.Grid = K
	value, _ := engine.Published(c)
	return value.Value
}

// figure shows the errors against the grid, from zero on, so that a flat curve looks flat; published ones as marks.
func (t *transfer) figure() report.Figure {
	zero := 0.0
	test, published := report.Curve{Name: "this model", Role: report.AsPrediction, Marked: true,
		Points: len(t.errors) == 1},
		report.Curve{Name: "paper", Published: true, Role: report.AsLevel, Points: true}
	for _, K := range t.grids {
		if v, done := t.errors[K]; done {
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

// page returns the sample on the requested grid and the errors so far.
func (t *transfer) page(room ui.Canvas) report.Page {
	c := t.session.Experiment().Config
	table := report.Table{Header: []string{c.GridSymbol(), "train", "test", "paper"}}
	for _, K := range t.grids {
		row := []string{fmt.Sprint(K), "", "", ""}
		if value := t.published(K); value != 0 {
			row[3] = report.Error(value, 4)
		}
		if v, done := t.errors[K]; done {
			row[1], row[2] = report.Error(v.train, 5), report.Error(v.test, 5)
		}
		if K == c.Train.Grid {
			row[0] += "*"
		}
		if K == t.at {
			row[0] = "> " + row[0]
		}
		table.Rows = append(table.Rows, row)
	}
	figures, fields := t.describe(room, t.shown, t.sample())
	return report.Page{Name: "transfer", Heading: t.heading(t.shown, " on "+formula.Grid(c, t.shown.Grid)),
		Tables: []report.Table{table}, Figures: append(figures, t.figure()), Fields: fields,
		Notes: []string{"* trained on this grid"}}
}
