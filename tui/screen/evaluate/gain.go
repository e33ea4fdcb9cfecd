package evaluate

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"

	tea "charm.land/bubbletea/v2"

	"rfm/config"
	"rfm/model/compare"
	"rfm/model/engine"
	"rfm/model/report"
	"rfm/tui/chart"
	"rfm/tui/keys"
	"rfm/tui/look"
	"rfm/tui/plot"
	"rfm/tui/session"
	"rfm/tui/ui"
)

// gain shows one comparison at a time.
type gain struct {
	*selection
	others     []compare.Other
	at         int
	config     config.Config
	models     compare.Tried                     // of this session
	retraining atomic.Pointer[engine.Experiment] // the experiment with the original features while its job runs
	progress   engine.Progress                   // its progress as of the last message
}

// take compares a new evaluation with the earlier ones on the same test pairs, and shows the latest first.
func (v *gain) take(c config.Config, e *engine.Evaluation) {
	v.config, v.at = c, 0
	v.models.Add(c, e)
	v.others = v.models.Beside(c, v.of)
}

// add compares with another evaluation on the same test pairs, and shows it.
func (v *gain) add(c config.Config, e *engine.Evaluation) {
	v.models.Add(c, e)
	v.others = v.models.Beside(v.config, v.of)
	v.at = max(0, slices.IndexFunc(v.others, func(o compare.Other) bool { return o.Config == compare.Alone(c) }))
}

// exists reports whether there is a model to compare with, or could be.
func (v *gain) exists() bool { return len(v.others) > 0 || v.offers() }

func (v *gain) commands() []ui.Command {
	var list []ui.Command
	if v.offers() {
		list = append(list, ui.Command{Key: keys.Enter, Word: "compare", Help: "compare with " +
			compare.OriginalName(v.config),
			Why: v.session.Occupied(), Do: v.begin})
	}
	if len(v.others) == 0 {
		return list
	}
	if len(v.others) > 1 {
		list = append(list, ui.Command{Key: keys.Down, Word: "other", Help: "compare with the next model",
			Do: ui.Now(func() { v.at = (v.at + 1) % len(v.others) })})
	}
	return append(list, v.browsing()...)
}

// factors returns the errors of the other model divided by this one's: above 1 where this one is better.
func (v *gain) factors() []float64 {
	return compare.Factors(v.of.Test.Relative, v.others[v.at].Relative)
}

// table returns the summary of the comparison.
func (v *gain) table() report.Table {
	other, sum := v.others[v.at], compare.NewGain(v.factors())
	factor := func(f float64) string { return fmt.Sprintf("%.3g", f) }
	return report.Table{Header: []string{"beside " + other.Name, ""}, Rows: [][]string{
		{"error of the other", report.Error(report.Mean(other.Relative), 5)},
		{"error of this one", report.Error(v.of.Test.ExpectedRelative, 5)},
		{"better on", fmt.Sprintf("%d of %d, %.0f%%", sum.Better, sum.Of, 100*float64(sum.Better)/float64(sum.Of))},
		{"factor, least", factor(sum.Least)},
		{"factor, median", factor(sum.Median)},
		{"factor, geometric mean", factor(sum.Geometric)},
		{"factor, most", factor(sum.Most)},
	}}
}

// figure returns a point for each sample, with the current one marked, and the diagonal of equal errors.
func (v *gain) figure() report.Figure {
	errors, own, i := v.others[v.at].Relative, v.of.Test.Relative, v.sample()
	lo, hi := chart.Extent(errors, own)
	return report.Figure{Title: "error of this model", XLabel: "the other", LogX: true, LogY: true, Curves: []report.Curve{
		{Name: "equal", X: []float64{lo, hi}, Y: []float64{lo, hi}, Role: report.AsLevel},
		{Name: "samples", X: errors, Y: own, Points: true, Role: report.AsTruth},
		{X: errors[i : i+1], Y: own[i : i+1], Points: true, Role: report.AsPrediction}}}
}

// state returns the values besides the sample that the page depends on.
func (v *gain) state() []any {
	return []any{v.at, len(v.others), v.offers(), v.session.Runs(comparison)}
}

// page returns a comparison with one of the other models, or the possible comparison.
func (v *gain) page() report.Page {
	p := report.Page{Name: "gain"}
	if len(v.others) > 0 {
		p.Heading = fmt.Sprintf("%s  %.3g times", v.heading(v.of, ""), v.factors()[v.sample()])
		p.Tables, p.Figures = []report.Table{v.table()}, []report.Figure{v.figure()}
	}
	switch c := v.session.Experiment().Config; {
	case v.session.Runs(comparison):
		p.Notes = []string{compare.OriginalName(c) + " are trained on the same data; esc stops that."}
	case v.offers():
		p.Notes = []string{"Enter trains " + compare.OriginalName(c) + " on the same data and compares sample by sample. " +
			"They have " +
			config.Differences(compare.Original(c), c) + "."}
	}
	return p
}

// comparison is the name of the job that trains for a comparison.
const comparison = "comparison"

// begin trains the original features in the background. Stopping it is not a failure.
func (v *gain) begin() tea.Cmd {
	from, workers := v.session.Experiment(), v.session.Workers()
	v.retraining.Store(nil)
	return v.session.Run(session.Job{Name: comparison, Work: func(ctx context.Context) error {
		err := compare.Retrain(ctx, from, workers, v.retraining.Store)
		if session.IsCancelled(err) {
			return nil
		}
		return err
	}, Done: func(error) tea.Cmd {
		if e := v.retraining.Load(); e != nil && e.Evaluation() != nil {
			v.add(e.Config, e.Evaluation())
		}
		v.retraining.Store(nil) // its sums are large
		return nil
	}})
}

// follow updates the progress of the training for a comparison.
func (v *gain) follow() {
	v.progress = engine.Progress{}
	if e := v.retraining.Load(); e != nil {
		v.progress = e.Progress()
	}
}

// offers reports whether the model's features differ from the original ones and were not compared yet.
func (v *gain) offers() bool {
	c := compare.Alone(v.session.Experiment().Config)
	o := compare.Original(c)
	return o != c && !slices.ContainsFunc(v.others, func(m compare.Other) bool { return m.Config == o })
}

// status returns the progress of the training for a comparison, or the number of the other model shown.
func (v *gain) status(on look.Look) string {
	th := on.Theme
	switch {
	case v.session.Runs(comparison) && v.progress.Stage != engine.Idle:
		const bar = 10
		return plot.Progress(v.progress.Fraction(), bar, th) + " " + v.progress.Stage.String()
	case len(v.others) > 1:
		return th.Muted.Render(fmt.Sprintf("%d of %d", v.at+1, len(v.others)))
	}
	return ""
}
