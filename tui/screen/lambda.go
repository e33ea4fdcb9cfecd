// This file is the tab of lambda for a model that chose it: the error on functions left out against lambda.

package screen

import (
	"fmt"
	"math"
	"strings"

	tea "charm.land/bubbletea/v2"

	"rfm/model/engine"
	"rfm/model/study"
	"rfm/tui/keys"
	"rfm/tui/layout"
	"rfm/tui/look"
	"rfm/tui/plot"
	"rfm/tui/widget"
)

// lambdaPath shows the path from which lambda was chosen.
type lambdaPath struct {
	*selection
	picture widget.Cache
}

func (*lambdaPath) actions(*session) []keys.Action { return nil }

func (*lambdaPath) means(*session, keys.Action) string { return "" }

func (*lambdaPath) do(*session, keys.Action) tea.Cmd { return nil }

// exists says whether lambda was chosen rather than given.
func (*lambdaPath) exists(s *session) bool { return s.experiment.LambdaPath() != nil }

// leftWord says how the errors were found: functions were left out one by one, or parts of them were held out.
func leftWord(loo *engine.LambdaPath) string {
	if loo.HeldOut {
		return "held out"
	}
	return "left out"
}

// figure is the path, and the test error of the model beside its choice.
func (v *lambdaPath) figure(s *session) study.Figure {
	loo := s.experiment.LambdaPath()
	path := study.Curve{Name: leftWord(loo)}
	for i, lambda := range loo.Lambda {
		if e := loo.Error[i]; !math.IsInf(e, 0) {
			path.X, path.Y = append(path.X, lambda), append(path.Y, e)
		}
	}
	return study.Figure{Title: "error on functions " + leftWord(loo), XLabel: "lambda", YLabel: "relative error", LogX: true, LogY: true, Curves: []study.Curve{path,
		{Name: "test error", X: []float64{loo.Lambda[loo.Best]}, Y: []float64{v.of.Test.ExpectedRelative}, Points: true}}}
}

// table says what was chosen, and how well the error left out foretold the test error.
func (v *lambdaPath) table(s *session) study.Table {
	loo := s.experiment.LambdaPath()
	left, test := loo.Error[loo.Best], v.of.Test.ExpectedRelative
	return study.Table{Header: []string{"lambda, chosen", ""}, Rows: [][]string{
		{"lambda", plot.FormatValue(loo.Lambda[loo.Best])},
		{"of the largest eigenvalue", plot.FormatValue(loo.Relative[loo.Best])},
		{"error " + leftWord(loo), fmt.Sprintf("%.5f", left)},
		{"test error", fmt.Sprintf("%.5f", test)},
		{leftWord(loo) + " / test", fmt.Sprintf("%.3f", left/test)},
		{"values tried", fmt.Sprint(len(loo.Lambda))},
	}}
}

func (v *lambdaPath) render(s *session, width, height int) string {
	type key struct {
		loo           *engine.LambdaPath
		width, height int
		appearance    look.Appearance
	}
	return v.picture.Get(key{s.experiment.LambdaPath(), width, height, s.Appearance()}, func() string {
		th, f := s.Theme, v.figure(s)
		narrow := width - sideWidth - sideGap
		path, test := f.Curves[0], f.Curves[1]
		line := plot.Line{Title: f.Title, XLabel: f.XLabel, LogX: true, LogY: true, Width: narrow, Height: height, Theme: th, Series: []plot.Series{
			{X: path.X, Y: path.Y, Style: th.Error}, {Name: test.Name, X: test.X, Y: test.Y, Style: th.Prediction, Mark: th.Glyphs.PredictionMark}}}
		return layout.Beside(height, strings.Repeat(" ", sideGap), line.Render(), narrow, strings.Join(pairLines(s, v.table(s)), "\n"))
	})
}

func (v *lambdaPath) exhibit(s *session) study.Result {
	return study.Result{Study: "lambda", Tables: []study.Table{v.table(s)}, Figures: []study.Figure{v.figure(s)}}
}
