package evaluate

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	tea "charm.land/bubbletea/v2"

	"rfm/config"
	"rfm/model/engine"
	"rfm/model/report"
	"rfm/model/study"
	"rfm/tui/chart"
	"rfm/tui/keys"
	"rfm/tui/layout"
	"rfm/tui/look"
	"rfm/tui/page"
	"rfm/tui/plot"
	"rfm/tui/session"
	"rfm/tui/ui"
)

// gain shows one comparison at a time.
type gain struct {
	*selection
	others     []study.Other
	at         int
	config     config.Config
	models     study.Tried                       // of this session
	retraining atomic.Pointer[engine.Experiment] // that of the original features: its job runs
	view       page.View
}

// take compares a new evaluation with the earlier ones on the same test pairs, first with the one just before.
func (v *gain) take(c config.Config, e *engine.Evaluation) {
	v.config, v.at = c, 0
	v.models.Add(c, e)
	v.others = v.models.Beside(c, v.of)
}

// add compares with another evaluation on the same test pairs, too, and shows that.
func (v *gain) add(c config.Config, e *engine.Evaluation) {
	v.models.Add(c, e)
	v.others = v.models.Beside(v.config, v.of)
	v.at = max(0, slices.IndexFunc(v.others, func(o study.Other) bool { return o.Config == study.Alone(c) }))
}

// exists reports whether there is a model to compare with, or could be.
func (v *gain) exists() bool { return len(v.others) > 0 || v.offers() }

func (v *gain) commands() []ui.Command {
	var list []ui.Command
	if v.offers() {
		list = append(list, ui.Command{Key: keys.Enter, Word: "compare", Help: "compare with " + study.OriginalName(v.config),
			Why: v.session.Occupied(), Do: v.begin})
	}
	if len(v.others) == 0 {
		return list
	}
	list = append(list, v.sideways()...)
	list = append(list, ui.Command{Key: keys.Up, Word: "factor", Help: "a sample with a larger gain",
		Do: ui.Now(func() { v.climb(1) })},
		ui.Command{Key: keys.Down, Word: "factor", Help: "a sample with a smaller gain", Do: ui.Now(func() { v.climb(-1) })})
	if len(v.others) > 1 {
		list = append(list, ui.Command{Key: keys.View, Word: "other", Help: "compare with the next model",
			Do: ui.Now(func() { v.at = (v.at + 1) % len(v.others) })})
	}
	return append(list, v.browsing()...)
}

// factors are the errors of the other model divided by those of this one: above 1 where this one is better.
func (v *gain) factors() []float64 {
	return study.Factors(v.of.Test.Relative, v.others[v.at].Relative)
}

// climb goes to a sample with a larger factor, or a smaller one, so many places on in their order.
func (v *gain) climb(places int) {
	factors := v.factors()
	order := slices.Clone(v.ranking)
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(factors[i], factors[j]) })
	at := slices.Index(order, v.sample()) + places
	v.rank = slices.Index(v.ranking, order[min(max(at, 0), len(order)-1)])
}

// table sums the comparison up.
func (v *gain) table() report.Table {
	other, sum := v.others[v.at], study.NewGain(v.factors())
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

// figure is a point for each sample, that on show among them, and the diagonal on which nothing is gained.
func (v *gain) figure() report.Figure {
	errors, own, i := v.others[v.at].Relative, v.of.Test.Relative, v.sample()
	lo, hi := chart.Extent(errors, own)
	return report.Figure{Title: "error of this model", XLabel: "the other", LogX: true, LogY: true, Curves: []report.Curve{
		{Name: "equal", X: []float64{lo, hi}, Y: []float64{lo, hi}, Role: report.AsLevel},
		{Name: "samples", X: errors, Y: own, Points: true, Role: report.AsTruth},
		{X: errors[i : i+1], Y: own[i : i+1], Points: true, Role: report.AsPrediction}}}
}

func (v *gain) render(on look.Look, width, height int) string {
	if len(v.others) == 0 {
		return "\n" + v.offer(on, width)
	}
	below := ""
	if v.session.Runs(comparison) {
		height--
		below = "\n" + v.offer(on, width)
	}
	return v.title(on, width) + "\n" + v.view.Draw(on, v.Exhibit(), width, height-headingLines, v.of,
		&v.others[v.at].Relative[0], v.rank) + below
}

// title names the sample with its factor, and says which of the other models is on show.
func (v *gain) title(on look.Look, width int) string {
	i := v.sample()
	left := v.heading(on, "", v.of.Test.Relative[i]) + on.Theme.Value.Render(fmt.Sprintf("  %.3g times", v.factors()[i]))
	if len(v.others) == 1 {
		return left
	}
	return layout.Opposite(width, left, on.Theme.Muted.Render(fmt.Sprintf("%d of %d", v.at+1, len(v.others))))
}

func (v *gain) Exhibit() report.Page {
	if len(v.others) == 0 {
		return report.Page{Name: "gain"}
	}
	return report.Page{Name: "gain", Tables: []report.Table{v.table()}, Figures: []report.Figure{v.figure()}}
}

// comparison is what the training for a comparison is called as a job.
const comparison = "comparison"

// begin trains the original features beside the interface. To be stopped is no failure.
func (v *gain) begin() tea.Cmd {
	from, workers := v.session.Experiment(), v.session.Workers()
	v.retraining.Store(nil)
	return v.session.Run(session.Job{Name: comparison, Work: func(ctx context.Context) error {
		err := study.Retrain(ctx, from, workers, v.retraining.Store)
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

// offers reports whether the model has other features than the original ones, which were not compared yet.
func (v *gain) offers() bool {
	c := study.Alone(v.session.Experiment().Config)
	o := study.Original(c)
	return o != c && !slices.ContainsFunc(v.others, func(m study.Other) bool { return m.Config == o })
}

// offer says what can be compared, or how far that is.
func (v *gain) offer(on look.Look, width int) string {
	th, c := on.Theme, v.session.Experiment().Config
	if !v.session.Runs(comparison) {
		text := "Enter trains " + study.OriginalName(c) + " on the same data and compares sample by sample. They have " +
			config.Differences(study.Original(c), c) + "."
		return strings.Join(layout.Paragraph(th.Muted, text, width), "\n")
	}
	text := " " + study.OriginalName(c)
	if e := v.retraining.Load(); e != nil {
		p := e.Progress()
		text = " " + plot.Progress(p.Fraction(), max(8, width/3), th) + text + ": " + p.Stage.String()
	}
	return layout.Cut(text, width)
}
