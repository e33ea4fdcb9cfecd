package stages

import (
	"context"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"rfm/model/run/engine"
	"rfm/model/show/report"
	"rfm/tui/formula"
	"rfm/tui/keys"
	"rfm/tui/plot"
	"rfm/tui/session"
	"rfm/tui/theme"
	"rfm/tui/ui"
)

// transfer is the tab of the errors of the trained model on other grids than its own, computed on request.
type transfer struct {
	*selection
	errors  map[int]gridErrors // of the finished grids
	probing int                // the grid in progress
	done    float64            // fraction of it
	tried   bool               // the errors were computed unasked, or that was tried
}

// probe is the name of the job that evaluates on other grids.
const probe = "transfer"

// gridErrors are the expected relative errors of the model on a grid.
type gridErrors struct{ train, test float64 }

// begin starts again with a new evaluation.
func (t *transfer) begin() {
	if t.session.Drop(probe); t.of == nil {
		return
	}
	t.tried = false
	t.errors = map[int]gridErrors{t.of.Grid: {t.of.Train.ExpectedRelative, t.of.Test.ExpectedRelative}}
}

// missing returns the grids to which the data can be restricted that are not finished.
func (t *transfer) missing() []int {
	return slices.DeleteFunc(slices.Clone(t.of.Grids), func(K int) bool { _, done := t.errors[K]; return done })
}

func (t *transfer) commands() []ui.Command {
	all := ui.Command{Key: keys.Enter, Word: "all grids", Help: "predict on all grids", Why: t.session.Occupied(),
		Do: t.start}
	switch {
	case t.session.Doing() == probe:
		all.Why = "it is being computed"
	case len(t.missing()) == 0 && all.Why == "":
		all.Why = "all grids are done"
	}
	return []ui.Command{all}
}

// unasked starts the evaluation on all grids, once, where it takes seconds: for functions of one variable.
func (t *transfer) unasked() tea.Cmd {
	if t.tried || t.of.Side > 0 || t.session.Working() {
		return nil
	}
	t.tried = true
	return t.start()
}

// start evaluates the model on the missing grids, one after the other.
func (t *transfer) start() tea.Cmd {
	missing := t.missing()
	if len(missing) == 0 {
		return nil
	}
	e, K, found := t.session.Experiment(), missing[0], gridErrors{}
	t.probing, t.done = K, 0
	seen := func() { t.done = e.Progress().Fraction() }
	return t.session.Run(session.Job{Name: probe, Beside: true, Seen: seen, Work: func(ctx context.Context) error {
		v, err := e.EvaluateOn(ctx, K)
		if err == nil {
			found = gridErrors{v.Train.ExpectedRelative, v.Test.ExpectedRelative}
		}
		return err
	}, Done: func(err error) tea.Cmd {
		switch {
		case err == nil:
			t.errors[K] = found
			return t.start()
		case !session.IsCancelled(err):
			t.session.Complain(fmt.Sprintf("%s: %v", formula.Grid(e.Config, K), err))
		}
		return nil
	}})
}

// state returns the values that the page depends on.
func (t *transfer) state() []any { return []any{t.of, len(t.errors)} }

// status returns the number of finished grids, or the progress of the current one.
func (t *transfer) status(th theme.Theme) string {
	if t.session.Doing() != probe {
		return th.Muted.Render(fmt.Sprintf("%d of %d grids", len(t.errors), len(t.of.Grids)))
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
	for _, K := range t.of.Grids {
		if v, done := t.errors[K]; done {
			test.X, test.Y = append(test.X, float64(K)), append(test.Y, v.test)
		}
		if value := t.published(K); value != 0 {
			published.X, published.Y = append(published.X, float64(K)), append(published.Y, value)
		}
	}
	f := report.Figure{Title: "test error", XLabel: t.session.Experiment().Config.GridSymbol(), LogX: true,
		X0: float64(t.of.Grids[0]), X1: float64(t.of.Grids[len(t.of.Grids)-1]), YMin: &zero}
	if published.X != nil {
		f.Curves = append(f.Curves, published)
	}
	f.Curves = append(f.Curves, test)
	return f
}

// page returns the errors so far.
func (t *transfer) page(ui.Canvas) report.Page {
	c := t.session.Experiment().Config
	table := report.Table{Header: []string{c.GridSymbol(), "train", "test", "paper"}}
	for _, K := range t.of.Grids {
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
		table.Rows = append(table.Rows, row)
	}
	return report.Page{Name: "transfer", Figures: []report.Figure{t.figure()}, Tables: []report.Table{table},
		Notes: []string{"* trained on this grid"}}
}
