package evaluate

import (
	"fmt"
	"math"

	"rfm/model/report"
	"rfm/tui/ui"
)

// chosen reports whether lambda was chosen rather than given.
func (c *selection) chosen() bool { return c.session.Experiment().Model().LambdaPath() != nil }

// leftWord names the errors' origin: functions were left out one by one, or parts of them were held out.
func leftWord(folds int) string {
	if folds > 0 {
		return "held out"
	}
	return "left out"
}

// lambda shows the path from which lambda was chosen, the test error at the choice, and how well the leave-one-out
// error predicted it.
func (c *selection) lambda(ui.Canvas) report.Page {
	loo := c.session.Experiment().Model().LambdaPath()
	left, test := loo.Error[loo.Best], c.of.Test.ExpectedRelative
	path := report.Curve{Role: report.AsError}
	for i, lambda := range loo.Lambda {
		if e := loo.Error[i]; !math.IsInf(e, 0) {
			path.X, path.Y = append(path.X, lambda), append(path.Y, e)
		}
	}
	figure := report.Figure{Title: "error on functions " + leftWord(loo.Folds), XLabel: "lambda", LogX: true, LogY: true,
		Curves: []report.Curve{path, {Name: "test error", X: []float64{loo.Lambda[loo.Best]}, Y: []float64{test},
			Points: true, Role: report.AsPrediction}}}
	return report.Page{Name: "lambda", Figures: []report.Figure{figure}, Tables: []report.Table{{
		Header: []string{"lambda, chosen", ""}, Rows: [][]string{
			{"lambda", report.FormatValue(loo.Lambda[loo.Best])},
			{"of the largest eigenvalue", report.FormatValue(loo.Relative[loo.Best])},
			{"error " + leftWord(loo.Folds), report.Error(left, 5)},
			{"test error", report.Error(test, 5)},
			{leftWord(loo.Folds) + " / test", fmt.Sprintf("%.3f", left/test)},
			{"values tried", fmt.Sprint(len(loo.Lambda))},
		}}}}
}
