package evaluate

import (
	"fmt"
	"math"

	"rfm/model/report"
	"rfm/tui/look"
	"rfm/tui/plot"
	"rfm/tui/ui"
	"rfm/tui/widget"
)

// lambdaPath shows the path from which lambda was chosen.
type lambdaPath struct {
	*selection
	picture widget.Cache
}

func (*lambdaPath) commands() []ui.Command { return nil }

// exists reports whether lambda was chosen rather than given.
func (v *lambdaPath) exists() bool { return v.session.Experiment().Model().LambdaPath() != nil }

// leftWord says how the errors were found: functions were left out one by one, or parts of them were held out.
func leftWord(folds int) string {
	if folds > 0 {
		return "held out"
	}
	return "left out"
}

// figure is the path, and the test error of the model beside its choice.
func (v *lambdaPath) figure() report.Figure {
	loo := v.session.Experiment().Model().LambdaPath()
	path := report.Curve{Role: report.AsError}
	for i, lambda := range loo.Lambda {
		if e := loo.Error[i]; !math.IsInf(e, 0) {
			path.X, path.Y = append(path.X, lambda), append(path.Y, e)
		}
	}
	return report.Figure{Title: "error on functions " + leftWord(loo.Folds), XLabel: "lambda", LogX: true, LogY: true,
		Curves: []report.Curve{path,
			{Name: "test error", X: []float64{loo.Lambda[loo.Best]}, Y: []float64{v.of.Test.ExpectedRelative}, Points: true,
				Role: report.AsPrediction}}}
}

// table says what was chosen, and how well the error left out foretold the test error.
func (v *lambdaPath) table() report.Table {
	loo := v.session.Experiment().Model().LambdaPath()
	left, test := loo.Error[loo.Best], v.of.Test.ExpectedRelative
	return report.Table{Header: []string{"lambda, chosen", ""}, Rows: [][]string{
		{"lambda", plot.FormatValue(loo.Lambda[loo.Best])},
		{"of the largest eigenvalue", plot.FormatValue(loo.Relative[loo.Best])},
		{"error " + leftWord(loo.Folds), report.Error(left, 5)},
		{"test error", report.Error(test, 5)},
		{leftWord(loo.Folds) + " / test", fmt.Sprintf("%.3f", left/test)},
		{"values tried", fmt.Sprint(len(loo.Lambda))},
	}}
}

func (v *lambdaPath) render(on look.Look, width, height int) string {
	return v.picture.Get(on, width, height, []any{v.session.Experiment().Model().LambdaPath()}, func() string {
		return besidePairs(on, v.figure(), v.table(), width, height)
	})
}

func (v *lambdaPath) Exhibit() report.Page {
	return report.Page{Name: "lambda", Tables: []report.Table{v.table()}, Figures: []report.Figure{v.figure()}}
}
