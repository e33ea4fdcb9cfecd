package stages

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	tea "charm.land/bubbletea/v2"

	"rfm/config"
	"rfm/model/engine"
	"rfm/model/report"
	"rfm/tui/chart"
	"rfm/tui/formula"
	"rfm/tui/keys"
	"rfm/tui/layout"
	"rfm/tui/page"
	"rfm/tui/session"
	"rfm/tui/ui"
)

// train shows how the error falls while the normal equations grow, and the spectrum and solution of these.
type train struct {
	stage
	view page.View
}

// Commands returns the commands that turn to other pictures.
func (t *train) Commands(c ui.Canvas) []ui.Command {
	if !t.session.Begun(t.which) {
		return nil
	}
	return t.view.Commands(c, len(t.head(c)), t.Exhibit(c), keys.Up, keys.Down, keys.PageUp, keys.PageDown)
}

// Update does nothing: everything shown is state of the session.
func (t *train) Update(tea.Msg, ui.Canvas) tea.Cmd { return nil }

// View draws the progress, the equations, and as many pictures as fit.
func (t *train) View(c ui.Canvas) string {
	p := t.session.Progress(session.Train)
	return t.view.Draw(c, t.head(c), t.Exhibit(c), t.session.Experiment(), t.session.Reached() >= session.Train,
		len(p.Validation), len(p.Race))
}

// head returns the progress and, if there is room, the equations; at the end, the rank and the spectrum in numbers.
func (t *train) head(room ui.Canvas) []string {
	const roomy = 16
	th, e := room.Theme, t.session.Experiment()
	c, done := e.Config, t.session.Reached() >= session.Train
	if done {
		c = e.Learned()
	}
	head := []string{t.progress(room.Theme, room.Width)}
	if room.Height >= roomy {
		head = append(head, "")
		for _, d := range append(formula.Features(c), formula.Training(c)...) {
			head = append(head, fmt.Sprintf(" %s %s", th.Label.Render(d[0]), th.Muted.Render(d[1])))
		}
	}
	if done && e.Model().Random() {
		head = append(head, layout.Cut(th.Value.Render(" "+e.Model().About())+th.Muted.Render(spectrumNote(t.session)),
			room.Width))
	} else if done {
		head = append(head, layout.Paragraph(th.Value, e.Model().About(), room.Width)...)
	}
	return append(head, "")
}

// validation returns the errors of models by the number of training samples.
func validation(c config.Config, points []engine.Validation) report.Figure {
	seen := report.Curve{Role: report.AsError, Marked: true}
	for _, p := range points {
		seen.X, seen.Y = append(seen.X, float64(p.Samples)), append(seen.Y, p.Error)
	}
	last := points[len(points)-1]
	f := report.Figure{Title: fmt.Sprintf("validation error, %s at n=%d", report.FormatValue(last.Error), last.Samples),
		XLabel: "n", LogX: true, LogY: true, X0: seen.X[0],
		X1: math.Max(2*seen.X[0], float64(c.Data.Train))}
	const worthless = 1.0 // the error of predicting zero
	if top := worthless; last.Error < worthless && slices.Max(seen.Y) > worthless {
		f.YMax = &top // the first models overfit by orders of magnitude
	}
	if p, ok := engine.Published(c); ok {
		f.Curves = append(f.Curves, report.Curve{Name: "paper, in the end", X: []float64{f.X0, f.X1},
			Y: []float64{p.Value, p.Value}, Role: report.AsLevel})
	}
	f.Curves = append(f.Curves, seen)
	return f
}

// eigenvalues returns the spectrum of G and the level of the regularisation, if that is near.
func (t *train) eigenvalues() report.Figure {
	values := t.session.Experiment().Model().Solution().Eigenvalues
	f := chart.Descending("eigenvalues of G", values, report.AsTruth)
	const near = 1e-3 // of the smallest: a line farther away would only flatten the curve
	least := values[0]
	for _, v := range values {
		if v > 0 {
			least = min(least, v)
		}
	}
	f.YMin, f.YMax = &least, &values[0]
	if name, level := regularisation(t.session); level > near*least {
		least = min(least, level)
		f.Curves = append(f.Curves, report.Curve{Name: name, X: []float64{1, f.X1}, Y: []float64{level, level},
			Role: report.AsLevel})
	}
	return f
}

// regularisation returns the level in the spectrum below which the solution is damped or cut off, and its name.
func regularisation(s *session.Session) (name string, level float64) {
	solution := s.Experiment().Model().Solution()
	if solution.Lambda > 0 {
		return "lambda", solution.Lambda
	}
	return "cut-off", s.Experiment().Config.Train.Rcond * solution.Eigenvalues[0]
}

// spectrumNote returns the ends of the spectrum, if it is known, and its regularisation.
func spectrumNote(s *session.Session) string {
	solution := s.Experiment().Model().Solution()
	if solution.Rank == 0 || len(solution.Eigenvalues) == 0 {
		return ""
	}
	name, level := regularisation(s)
	return fmt.Sprintf(", eigenvalues from %s down to %s, %s %s", report.FormatValue(solution.Eigenvalues[0]),
		report.FormatValue(solution.Eigenvalues[solution.Rank-1]), name, report.FormatValue(level))
}

// Exhibit returns the eigenvalues, the coefficients and the validation error, as far as they are known.
func (t *train) Exhibit(ui.Canvas) report.Page {
	r := report.Page{Name: "training"}
	if t.session.Reached() >= session.Train && t.session.Experiment().Model().Random() {
		solution := t.session.Experiment().Model().Solution()
		if len(solution.Eigenvalues) > 0 {
			r.Figures = append(r.Figures, t.eigenvalues())
		}
		table, figure := chart.Coefficients(solution.Alpha, solution.Rank, solution.Lambda)
		r.Tables, r.Figures = []report.Table{table}, append(r.Figures, figure)
	}
	if len(t.session.Progress(session.Train).Validation) > 0 {
		r.Figures = append(r.Figures, validation(t.session.Experiment().Config, t.session.Progress(session.Train).Validation))
	}
	if list := t.session.Progress(session.Train).Race; len(list) > 0 {
		r.Tables = append(r.Tables, race(list))
	}
	return r
}

// race returns the methods that are trained so far, the one with the least error on pairs left out first.
func race(list []engine.Rival) report.Table {
	t := report.Table{Title: "methods", Header: []string{"method", "error on pairs left out", "training"}}
	bound := func(r engine.Rival) float64 { return cmp.Or(r.LeaveOneOut, math.Inf(1)) } // unknown errors come last
	list = slices.SortedFunc(slices.Values(list), func(a, b engine.Rival) int { return cmp.Compare(bound(a), bound(b)) })
	for _, r := range list {
		found := "-"
		if r.LeaveOneOut > 0 {
			found = report.Error(r.LeaveOneOut, 6)
		}
		t.Rows = append(t.Rows, []string{r.Name, found, report.Duration(r.Training)})
	}
	return t
}
