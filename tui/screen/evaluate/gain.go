package evaluate

import (
	"fmt"

	"rfm/model/compare"
	"rfm/model/report"
	"rfm/tui/keys"
	"rfm/tui/look"
	"rfm/tui/ui"
)

// gain shows one comparison at a time.
type gain struct {
	*selection
	at int // index of the other model
}

// exists reports whether there is a model to compare with.
func (v *gain) exists() bool { return len(v.session.Others()) > 0 }

// other returns the model to compare with.
func (v *gain) other() compare.Other { return v.session.Others()[v.at%len(v.session.Others())] }

func (v *gain) commands() []ui.Command {
	list := v.browsing()
	if len(v.session.Others()) > 1 {
		list = append(list, ui.Command{Key: keys.Down, Word: "other", Help: "compare with the next model",
			Do: ui.Now(func() { v.at = (v.at + 1) % len(v.session.Others()) })})
	}
	return list
}

// factors returns the errors of the other model divided by this one's: above 1 where this one is better.
func (v *gain) factors() []float64 {
	return compare.Factors(v.of.Test.Relative, v.other().Relative)
}

// table returns the summary of the comparison.
func (v *gain) table() report.Table {
	other, sum := v.other(), compare.NewGain(v.factors())
	factor := func(f float64) string { return fmt.Sprintf("%.3g", f) }
	return report.Table{Header: []string{"compared with " + other.Name, ""}, Rows: [][]string{
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
	errors, own, i := v.other().Relative, v.of.Test.Relative, v.sample()
	lo, hi := report.Extent(errors, own)
	return report.Figure{Title: "error of this model", XLabel: "the other", LogX: true, LogY: true, Curves: []report.Curve{
		{Name: "equal", X: []float64{lo, hi}, Y: []float64{lo, hi}, Role: report.AsLevel},
		{Name: "samples", X: errors, Y: own, Points: true, Role: report.AsTruth},
		{X: errors[i : i+1], Y: own[i : i+1], Points: true, Role: report.AsPrediction}}}
}

// state returns the values that the page depends on.
func (v *gain) state() []any { return append(v.selection.state(), v.at) }

// page returns a comparison with one of the other models.
func (v *gain) page(ui.Canvas) report.Page {
	return report.Page{Name: "gain", Heading: fmt.Sprintf("%s  %.3g times", v.heading(v.of, ""), v.factors()[v.sample()]),
		Tables: []report.Table{v.table()}, Figures: []report.Figure{v.figure()}}
}

// status returns the number of the other model shown.
func (v *gain) status(on look.Look) string {
	if len(v.session.Others()) < 2 {
		return ""
	}
	return on.Theme.Muted.Render(fmt.Sprintf("%d of %d", v.at+1, len(v.session.Others())))
}
