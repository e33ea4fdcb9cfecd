package results

import (
	"context"
	"fmt"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"rfm/model/run/engine"
	"rfm/model/show/report"
	"rfm/tui/plot"
	"rfm/tui/session"
	"rfm/tui/theme"
	"rfm/tui/ui"
	"rfm/tui/words"
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
type gridErrors struct {
	train float64
	test  float64
}

// errorsOf returns the errors of an evaluation.
func errorsOf(v *engine.Evaluation) gridErrors {
	return gridErrors{
		train: v.Train.ExpectedRelative,
		test:  v.Test.ExpectedRelative,
	}
}

// begin starts again with a new evaluation.
func (t *transfer) begin() {
	t.runner.Drop(probe)
	if t.of == nil {
		return
	}
	t.tried = false
	t.errors = map[int]gridErrors{t.of.Grid: errorsOf(t.of)}
}

// missing returns the grids to which the data can be restricted that are not finished.
func (t *transfer) missing() []int {
	var list []int
	for _, K := range t.of.Grids {
		_, done := t.errors[K]
		if !done {
			list = append(list, K)
		}
	}
	return list
}

func (t *transfer) commands() []ui.Command {
	all := ui.Command{
		Key:  ui.KeyEnter,
		Word: "all grids",
		Help: "predict on all grids",
		Why:  t.whyNot,
		Do:   t.start,
	}
	return []ui.Command{all}
}

// whyNot says why no other grid can be computed; empty if one can.
func (t *transfer) whyNot() string {
	occupied := t.runner.Occupied()
	switch {
	case t.runner.Doing() == probe:
		return "it is being computed"
	case occupied != "":
		return occupied
	case len(t.missing()) == 0:
		return "all grids are done"
	}
	return ""
}

// unasked starts the evaluation on all grids, once, where it takes seconds: for functions of one variable.
func (t *transfer) unasked() tea.Cmd {
	if t.tried || t.of.Side > 0 || t.runner.Working() {
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
	e := t.runner.Experiment()
	K := missing[0]
	t.probing = K
	t.done = 0

	var found gridErrors
	work := func(ctx context.Context) error {
		v, err := e.EvaluateOn(ctx, K)
		if err == nil {
			found = errorsOf(v)
		}
		return err
	}
	done := func(err error) tea.Cmd {
		switch {
		case err == nil:
			t.errors[K] = found
			return t.start()
		case !session.IsCancelled(err):
			t.session.Complain(fmt.Sprintf("%s: %v", words.Grid(e.Config, K), err))
		}
		return nil
	}
	return t.runner.Run(session.Job{
		Name:   probe,
		Beside: true,
		Seen:   func() { t.done = e.Progress().Fraction() },
		Work:   work,
		Done:   done,
	})
}

// state returns the values that the page depends on.
func (t *transfer) state() []any {
	return []any{t.of, len(t.errors)}
}

// status returns the number of finished grids, or the progress of the current one.
func (t *transfer) status(th theme.Theme) string {
	if t.runner.Doing() != probe {
		finished := fmt.Sprintf("%d of %d grids", len(t.errors), len(t.of.Grids))
		return th.Muted.Render(finished)
	}
	const bar = 10
	grid := words.Grid(t.runner.Experiment().Config, t.probing)
	return th.Muted.Render(grid+" ") + plot.Progress(t.done, bar, th)
}

// published returns the paper's error for the model on a grid; 0 if there is none.
func (t *transfer) published(K int) float64 {
	c := t.runner.Experiment().Config
	c.Evaluation.Grid = K
	value, _ := engine.Published(c)
	return value.Value
}

// figure shows the errors against the grid, from zero on, so that a flat curve looks flat; published ones as marks.
func (t *transfer) figure() report.Figure {
	test := report.Curve{
		Name:   "this model",
		Role:   report.AsPrediction,
		Marked: true,
		Points: len(t.errors) == 1,
	}
	published := report.Curve{
		Name:      "paper",
		Published: true,
		Role:      report.AsLevel,
		Points:    true,
	}
	for _, K := range t.of.Grids {
		v, done := t.errors[K]
		if done {
			test.X = append(test.X, float64(K))
			test.Y = append(test.Y, v.test)
		}
		value := t.published(K)
		if value != 0 {
			published.X = append(published.X, float64(K))
			published.Y = append(published.Y, value)
		}
	}
	coarsest := t.of.Grids[0]
	finest := t.of.Grids[len(t.of.Grids)-1]
	zero := 0.0
	f := report.Figure{
		Title:  "test error",
		XLabel: t.runner.Experiment().Config.GridSymbol(),
		LogX:   true,
		X0:     float64(coarsest),
		X1:     float64(finest),
		YMin:   &zero,
	}
	if published.X != nil {
		f.Curves = append(f.Curves, published)
	}
	f.Curves = append(f.Curves, test)
	return f
}

// page returns the errors so far.
func (t *transfer) page(ui.Canvas) report.Page {
	c := t.runner.Experiment().Config
	table := report.Table{Header: []string{c.GridSymbol(), "train", "test", "paper"}}
	for _, K := range t.of.Grids {
		table.Rows = append(table.Rows, t.row(K, K == c.Train.Grid))
	}
	return report.Page{
		Name:    "transfer",
		Figures: []report.Figure{t.figure()},
		Tables:  []report.Table{table},
		Notes:   []string{"* trained on this grid"},
	}
}

// row returns a grid with its errors as far as they are known, and with a mark if the model was trained on it.
func (t *transfer) row(K int, isTrained bool) []string {
	grid := strconv.Itoa(K)
	if isTrained {
		grid += "*"
	}
	train := ""
	test := ""
	if v, done := t.errors[K]; done {
		train = report.Measured(v.train)
		test = report.Measured(v.test)
	}
	paper := ""
	if value := t.published(K); value != 0 {
		paper = report.Error(value, 4)
	}
	return []string{grid, train, test, paper}
}
