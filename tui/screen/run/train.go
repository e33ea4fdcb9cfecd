package run

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"rfm/config"
	"rfm/model/run/engine"
	"rfm/model/show/report"
	"rfm/tui/layout"
	"rfm/tui/plot"
	"rfm/tui/session"
	"rfm/tui/theme"
	"rfm/tui/words"
)

// trained reports whether there is a training to show.
func trained(runner *session.Runner) bool {
	p := runner.Progress(session.Train)
	hasBegun := len(p.Validation)+len(p.Race) > 0
	return hasBegun || runner.Reached() >= session.Train
}

// training returns the eigenvalues, the coefficients and the validation error, as far as they are known.
func training(runner *session.Runner) report.Page {
	page := report.Page{Name: "training"}
	e := runner.Experiment()
	done := runner.Reached() >= session.Train
	if done && e.Model().Random() {
		solution := e.Model().Solution()
		if len(solution.Eigenvalues) > 0 {
			page.Figures = append(page.Figures, eigenvalues(runner))
		}
		table, figure := words.Coefficients(solution.Alpha, solution.Rank, solution.Lambda)
		page.Tables = []report.Table{table}
		page.Figures = append(page.Figures, figure)
	}
	p := runner.Progress(session.Train)
	if len(p.Validation) > 0 {
		page.Figures = append(page.Figures, validation(e.Config, p.Validation))
	}
	if len(p.Race) > 0 {
		page.Tables = append(page.Tables, race(p.Race))
	}
	return page
}

// validation returns the errors of models by the number of training samples.
func validation(c config.Config, points []engine.Validation) report.Figure {
	seen := report.Curve{Role: report.AsError, Marked: true}
	for _, p := range points {
		seen.X = append(seen.X, float64(p.Samples))
		seen.Y = append(seen.Y, p.Error)
	}
	last := points[len(points)-1]
	newest := report.FormatValue(last.Error)
	f := report.Figure{
		Title:  fmt.Sprintf("validation error, %s at n=%d", newest, last.Samples),
		XLabel: "n",
		LogX:   true,
		LogY:   true,
		X0:     seen.X[0],
		X1:     math.Max(2*seen.X[0], float64(c.Data.Train)),
	}
	worthless := 1.0 // the error of predicting zero
	if last.Error < worthless && slices.Max(seen.Y) > worthless {
		f.YMax = &worthless // the first models overfit by orders of magnitude
	}
	published, isPublished := engine.Published(c)
	if isPublished {
		f.Curves = append(f.Curves, report.Curve{
			Name:      "paper, in the end",
			Role:      report.AsLevel,
			Published: true,
			X:         []float64{f.X0, f.X1},
			Y:         []float64{published.Value, published.Value},
		})
	}
	f.Curves = append(f.Curves, seen)
	return f
}

// eigenvalues returns the spectrum of G and the level of the regularisation, if that is near.
func eigenvalues(runner *session.Runner) report.Figure {
	values := runner.Experiment().Model().Solution().Eigenvalues
	f := words.Descending("eigenvalues of G", values, report.AsTruth)
	const near = 1e-3 // of the smallest: a line farther away would only flatten the curve
	least := values[0]
	for _, v := range values {
		if v > 0 {
			least = min(least, v)
		}
	}
	f.YMin = &least
	f.YMax = &values[0]
	name, level := regularisation(runner)
	if level > near*least {
		least = min(least, level)
		f.Curves = append(f.Curves, report.Curve{
			Name: name,
			X:    []float64{1, f.X1},
			Y:    []float64{level, level},
			Role: report.AsLevel,
		})
	}
	return f
}

// regularisation returns the level in the spectrum below which the solution is damped or cut off, and its name.
func regularisation(runner *session.Runner) (name string, level float64) {
	e := runner.Experiment()
	solution := e.Model().Solution()
	if solution.Lambda > 0 {
		return "lambda", solution.Lambda
	}
	largest := solution.Eigenvalues[0]
	return "cut-off", e.Config.Train.Rcond * largest
}

// race returns the methods that are trained so far, the one with the smallest cross-validation error first.
func race(list []engine.Row) report.Table {
	t := report.Table{
		Title:  "methods",
		Header: []string{"method", "cross-validation error", "training"},
	}
	for _, r := range inOrder(list) {
		found := "-"
		if r.LeaveOneOut > 0 {
			found = report.Measured(r.LeaveOneOut)
		}
		took := report.Duration(r.Training)
		t.Rows = append(t.Rows, []string{r.Name, found, took})
	}
	return t
}

// inOrder returns methods by their cross-validation errors; those whose errors are unknown come last.
func inOrder(list []engine.Row) []engine.Row {
	bound := func(r engine.Row) float64 {
		if r.LeaveOneOut == 0 {
			return math.Inf(1)
		}
		return r.LeaveOneOut
	}
	byError := func(a, b engine.Row) int { return cmp.Compare(bound(a), bound(b)) }
	return slices.SortedFunc(slices.Values(list), byError)
}

// bars draws the race of methods: a bar for each, the longer the smaller its error, on a logarithmic scale from an error
// that says nothing to that of the leader. The bars share the height.
func bars(th theme.Theme, list []engine.Row, width, height int) string {
	const title = " cross-validation error (log): the longest bar leads"
	ordered := inOrder(list)
	most := 1.0 // the error of predicting zero
	least := most
	for _, r := range ordered {
		if r.LeaveOneOut > 0 {
			most = max(most, r.LeaveOneOut)
			least = min(least, r.LeaveOneOut)
		}
	}
	each := max(1, (height-1)/max(1, len(ordered))) // lines of a method
	lines := []string{th.Title.Render(title)}
	for i, r := range ordered {
		lane := raceLane{Row: r, leads: i == 0, share: raceShare(r.LeaveOneOut, least, most)}
		lines = append(lines, lane.draw(th, width, each)...)
	}
	return layout.Fit(strings.Join(lines, "\n"), width, height)
}

// raceShare returns the length of the bar of an error between those of the leader and of a model that says nothing; 0 if the
// error is not known.
func raceShare(wrong, least, most float64) float64 {
	const (
		shortest = 0.02
		alike    = 1e-9 // of the logarithm: all errors are equal
	)
	if wrong == 0 {
		return 0
	}
	whole := max(math.Log(most/least), alike)
	return max(shortest, math.Log(most/wrong)/whole)
}

// A raceLane is the part of a method in the picture of a race.
type raceLane struct {
	engine.Row
	leads bool
	share float64 // length of the bar, relative to the longest possible
}

// draw draws a lane in some lines, the last one blank if there are several.
func (l raceLane) draw(th theme.Theme, width, height int) []string {
	const (
		names    = 22 // cells
		numbers  = 20
		thickest = 3 // lines of a bar
	)
	style := th.Label
	if l.leads {
		style = th.Value
	}
	text := "unknown"
	if l.LeaveOneOut > 0 {
		text = report.Error(l.LeaveOneOut, 4)
	}
	name := style.Render(fmt.Sprintf("%-*s", names, layout.Cut(l.Name, names)))
	bar := plot.Bar(l.share, max(8, width-names-numbers-2), th)
	took := report.Duration(l.Training)
	lines := []string{fmt.Sprintf(" %s%s %8s %9s", name, bar, text, took)}
	for range min(height-2, thickest-1) {
		lines = append(lines, strings.Repeat(" ", names+1)+bar)
	}
	if height > 1 {
		lines = append(lines, "")
	}
	return lines
}
