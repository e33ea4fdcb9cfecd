package evaluate

import (
	"slices"
	"strings"

	"rfm/model/engine"
	"rfm/model/report"
	"rfm/tui/look"
	"rfm/tui/ui"
	"rfm/tui/widget"
)

// errorsTab shows the errors of all test samples.
type errorsTab struct {
	*selection
	picture widget.Cache
}

func (v *errorsTab) commands() []ui.Command { return append(v.sideways(), v.browsing()...) }

func (v *errorsTab) render(on look.Look, width, height int) string {
	return v.picture.Get(on, width, height, []any{v.of, v.rank, v.session.Stored()}, func() string {
		heading := v.heading(on, "", v.of.Test.Relative[v.sample()])
		height -= headingLines
		return heading + "\n" + aside(width, height, v.distribution(on), strings.Join(v.tables(on, height), "\n"))
	})
}

// Exhibit is the table of errors and all errors in ascending order.
func (v *errorsTab) Exhibit() report.Page {
	return report.Page{Name: "errors", Tables: []report.Table{v.session.Experiment().ErrorTable(v.of)},
		Figures: []report.Figure{rankedErrors(v.of)}}
}

// rankedErrors are the errors of all samples in ascending order, against the share of samples that are not worse.
func rankedErrors(e *engine.Evaluation) report.Figure {
	curve := func(name string, ascending []float64) report.Curve {
		x := make([]float64, len(ascending))
		for i := range x {
			x[i] = float64(i+1) / float64(len(x))
		}
		return report.Curve{Name: name, X: x, Y: slices.Clone(ascending)}
	}
	return report.Figure{Title: "errors in ascending order", XLabel: "share of samples", YLabel: "relative L2 error",
		LogY:   true,
		Curves: []report.Curve{curve("train", e.Train.Ascending), curve("test", e.Test.Ascending)}}
}
