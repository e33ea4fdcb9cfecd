package stages

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"rfm/config"
	"rfm/model/run/engine"
	"rfm/model/show/report"
	"rfm/tui/chart"
	"rfm/tui/layout"
	"rfm/tui/plot"
	"rfm/tui/session"
	"rfm/tui/theme"
)

// trained reports whether there is a training to show.
func trained(s *session.Session) bool {
	p := s.Runner.Progress(session.Train)
	return s.Runner.Reached() >= session.Train || len(p.Validation)+len(p.Race) > 0
}

// training returns the eigenvalues, the coefficients and the validation error, as far as they are known.
func training(s *session.Session) report.Page {
	page := report.Page{Name: "training"}
	if s.Runner.Reached() >= session.Train && s.Runner.Experiment().Model().Random() {
		solution := s.Runner.Experiment().Model().Solution()
		if len(solution.Eigenvalues) > 0 {
			page.Figures = append(page.Figures, eigenvalues(s))
		}
		table, figure := chart.Coefficients(solution.Alpha, solution.Rank, solution.Lambda)
		page.Tables = []report.Table{table}
		page.Figures = append(page.Figures, figure)
	}
	p := s.Runner.Progress(session.Train)
	if len(p.Validation) > 0 {
		page.Figures = append(page.Figures, validation(s.Runner.Experiment().Config, p.Validation))
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
	f := report.Figure{
		Title:  fmt.Sprintf("validation error, %s at n=%d", report.FormatValue(last.Error), last.Samples),
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
	if p, ok := engine.Published(c); ok {
		paper := report.Curve{
			Name:      "paper, in the end",
			Role:      report.AsLevel,
			Published: true,
		}
		paper.X = []float64{f.X0, f.X1}
		paper.Y = []float64{p.Value, p.Value}
		f.Curves = append(f.Curves, paper)
	}
	f.Curves = append(f.Curves, seen)
	return f
}

// eigenvalues returns the spectrum of G and the level of the regularisation, if that is near.
func eigenvalues(s *session.Session) report.Figure {
	values := s.Runner.Experiment().Model().Solution().Eigenvalues
	f := chart.Descending("eigenvalues of G", values, report.AsTruth)
	const near = 1e-3 // of the smallest: a line farther away would only flatten the curve
	least := values[0]
	for _, v := range values {
		if v > 0 {
			least = min(least, v)
		}
	}
	f.YMin, f.YMax = &least, &values[0]
	if name, level := regularisation(s); level > near*least {
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
func regularisation(s *session.Session) (name string, level float64) {
	solution := s.Runner.Experiment().Model().Solution()
	if solution.Lambda > 0 {
		return "lambda", solution.Lambda
	}
	return "cut-off", s.Runner.Experiment().Config.Train.Rcond * solution.Eigenvalues[0]
}

// race returns the methods that are trained so far, the one with the least error on pairs left out first.
func race(list []engine.Row) report.Table {
	t := report.Table{
		Title:  "methods",
		Header: []string{"method", "error on pairs left out", "training"},
	}
	for _, r := range inOrder(list) {
		found := "-"
		if r.LeaveOneOut > 0 {
			found = report.Error(r.LeaveOneOut, 6)
		}
		t.Rows = append(t.Rows, []string{r.Name, found, report.Duration(r.Training)})
	}
	return t
}

// inOrder returns methods by their errors on pairs left out; those whose errors are unknown come last.
func inOrder(list []engine.Row) []engine.Row {
	bound := func(r engine.Row) float64 { return cmp.Or(r.LeaveOneOut, math.Inf(1)) }
	return slices.SortedFunc(slices.Values(list), func(a, b engine.Row) int { return cmp.Compare(bound(a), bound(b)) })
}

// bars draws the race of methods: a bar for each, the longer the smaller its error, on a logarithmic scale from an error
// that says nothing to that of the leader. The bars share the height.
func bars(th theme.Theme, list []engine.Row, width, height int) string {
	const names, numbers = 22, 20 // columns
	const title = " error on pairs left out (log): the longest bar leads"
	ordered := inOrder(list)
	most := 1.0 // the error of predicting zero
	least := most
	for _, r := range ordered {
		if r.LeaveOneOut > 0 {
			most = max(most, r.LeaveOneOut)
			least = min(least, r.LeaveOneOut)
		}
	}
	room := max(8, width-names-numbers-2)
	each := max(1, (height-1)/max(1, len(ordered))) // lines of a method, the last one blank if there are several
	lines := []string{th.Title.Render(title)}
	for i, r := range ordered {
		share := 0.0
		text := "unknown"
		if r.LeaveOneOut > 0 {
			const shortest = 0.02
			share = max(shortest, math.Log(most/r.LeaveOneOut)/max(math.Log(most/least), 1e-9))
			text = report.Error(r.LeaveOneOut, 4)
		}
		name := th.Label.Render(fmt.Sprintf("%-*s", names, layout.Cut(r.Name, names)))
		if i == 0 {
			name = th.Value.Render(fmt.Sprintf("%-*s", names, layout.Cut(r.Name, names)))
		}
		bar := plot.Bar(share, room, th)
		lines = append(lines, fmt.Sprintf(" %s%s %8s %9s", name, bar, text, report.Duration(r.Training)))
		const thickest = 3
		for range min(each-2, thickest-1) {
			lines = append(lines, strings.Repeat(" ", names+1)+bar)
		}
		if each > 1 {
			lines = append(lines, "")
		}
	}
	return layout.Fit(strings.Join(lines, "\n"), width, height)
}
