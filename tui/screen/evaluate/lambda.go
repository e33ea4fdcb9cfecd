package evaluate

import (
	"fmt"
	"math"

	"rfm/model/study"
	"rfm/tui/look"
	"rfm/tui/plot"
	"rfm/tui/quantity"
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
func (v *lambdaPath) figure() study.Figure {
	loo := v.session.Experiment().Model().LambdaPath()
	path := study.Curve{Role: study.AsError}
	for i, lambda := range loo.Lambda {
		if e := loo.Error[i]; !math.IsInf(e, 0) {
			path.X, path.Y = append(path.X, lambda), append(path.Y, e)
		}
	}
	return study.Figure{Title: "error on functions " + leftWord(loo.Folds), XLabel: "lambda", LogX: true, LogY: true,
		Curves: []study.Curve{path,
			{Name: "test error", X: []float64{loo.Lambda[loo.Best]}, Y: []float64{v.of.Test.ExpectedRelative}, Points: true,
				Role: study.AsPrediction}}}
}

// table says what was chosen, and how well the error left out foretold the test error.
func (v *lambdaPath) table() study.Table {
	loo := v.session.Experiment().Model().LambdaPath()
	left, test := loo.Error[loo.Best], v.of.Test.ExpectedRelative
	return study.Table{Header: []string{"lambda, chosen", ""}, Rows: [][]string{
		{"lambda", plot.FormatValue(loo.Lambda[loo.Best])},
		{"of the largest eigenvalue", plot.FormatValue(loo.Relative[loo.Best])},
		{"error " + leftWord(loo.Folds), quantity.Error(left, 5)},
		{"test error", quantity.Error(test, 5)},
		{leftWord(loo.Folds) + " / test", fmt.Sprintf("%.3f", left/test)},
		{"values tried", fmt.Sprint(len(loo.Lambda))},
	}}
}

func (v *lambdaPath) render(on look.Look, width, height int) string {
	return v.picture.Get(on, width, height, []any{v.session.Experiment().Model().LambdaPath()}, func() string {
		return besidePairs(on, v.figure(), v.table(), width, height)
	})
}

func (v *lambdaPath) Exhibit() study.Result {
	return study.Result{Study: "lambda", Tables: []study.Table{v.table()}, Figures: []study.Figure{v.figure()}}
}
