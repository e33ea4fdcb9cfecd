// Package chart makes the tables, figures and pages of results that screens and commands share.
package chart

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"

	"rfm/model/run/engine"
	"rfm/model/run/tune"
	"rfm/model/show/interchange"
	"rfm/model/show/report"
	"rfm/solver/base/printable"
)

// CostTable returns the cost of one evaluation of the model and of the baselines, with some of the columns error, one
// core and training. While they are compared it has their names, so that nothing moves at the end.
func CostTable(v *engine.Evaluation, decimals int, columns ...string) report.Table {
	t := report.Table{Header: append([]string{"one evaluation"}, columns...)}
	for _, name := range v.Expected {
		t.Rows = append(t.Rows, append([]string{name, "       … "}, make([]string, len(columns)-1)...))
	}
	for i, r := range v.Rows {
		deviation, star := v.RowError(i, decimals)
		cells, row := map[string]string{"one core": report.Duration(r.Seconds)}, []string{r.Name}
		cells["error"] = fmt.Sprintf("%9s", deviation+star) // as wide as 5.43e-05*
		if r.Training > 0 {
			cells["training"] = report.Duration(r.Training)
		}
		for _, column := range columns {
			row = append(row, cells[column])
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// Star returns the note that explains the star next to the errors of baselines that are better than the model; none if
// no baseline is.
func Star(v *engine.Evaluation) []string {
	if slices.ContainsFunc(v.Rows, func(r engine.Row) bool { return 0 < r.Error && r.Error < v.Rows[0].Error }) {
		return []string{"* better than the trained model"}
	}
	return nil
}

// Cost returns the errors of the model and of the baselines against the time of an evaluation.
func Cost(v *engine.Evaluation) report.Figure {
	f := report.Figure{Title: "relative error", XLabel: "seconds", LogX: true, LogY: true}
	for i, r := range v.Rows {
		if r.Error == 0 {
			continue
		}
		point := report.Curve{Name: r.Name, X: []float64{r.Seconds}, Y: []float64{r.Error}, Points: true}
		if i == 0 {
			point.Role = report.AsPrediction
		}
		f.Curves = append(f.Curves, point)
	}
	return f
}

// Result returns the page of a complete experiment with the summary s.
func Result(e *engine.Experiment, s engine.Summary) report.Page {
	p, v := e.Page(), e.Evaluation()
	p.Tables = append(p.Tables, CostTable(v, 6, "one core", "error", "training"))
	p.Notes = slices.Concat(Star(v), p.Notes, v.Times())
	if s.Payoff != nil {
		p.Notes = append(p.Notes, strings.Join(s.Payoff.Sentences(report.Duration(s.Payoff.Spent)), " "))
	}
	return p
}

// Leaderboard lists the best configurations of a search: their errors, and the parameters in which they differ.
func Leaderboard(board []tune.Leader) report.Table {
	t := report.Table{Header: []string{"", "m", "search", "fresh", "draws"}}
	for i, l := range board {
		place := fmt.Sprint(i + 1)
		if l.Start {
			place = "as is"
		}
		t.Rows = append(t.Rows, []string{place, fmt.Sprint(l.Features), report.Error(l.Error, 5),
			report.Error(l.Mean(), 5), fmt.Sprint(len(l.Rescored))})
	}
	first := board[0].Config
	for _, k := range first.Keys() {
		if !k.Tuned || !slices.ContainsFunc(board, func(l tune.Leader) bool { return !k.Same(first, l.Config) }) {
			continue
		}
		t.Header = append(t.Header, cmp.Or(k.Symbol, k.Short()))
		for i, l := range board {
			t.Rows[i] = append(t.Rows[i], k.Rounded(l.Config, 3))
		}
	}
	return t
}

// Search returns the course of a search: the best error so far against the number of models tried, of last on the axis.
func Search(s *tune.Snapshot, last float64) report.Figure {
	f := report.Figure{Title: "best error so far", XLabel: "models", LogX: true, LogY: true, X0: 1, X1: last}
	if !math.IsNaN(s.Start) {
		f.Curves = []report.Curve{{Name: "as is", X: []float64{1, last}, Y: []float64{s.Start, s.Start},
			Role: report.AsLevel}}
	}
	best := report.Curve{Name: fmt.Sprintf("m=%d", s.Features), Role: report.AsPrediction}
	for i, p := range s.Curve {
		at, until := float64(p.Evaluation), last
		if i+1 < len(s.Curve) {
			until = float64(s.Curve[i+1].Evaluation)
		}
		best.X, best.Y = append(best.X, at, until), append(best.Y, p.Error, p.Error)
	}
	if len(best.X) > 0 {
		f.Curves = append(f.Curves, best)
	}
	return f
}

// Coefficients summarizes how a trained model spreads over its features. The table gives the sizes of the coefficients
// and the numbers of them that hold 50% and 90% of |alpha|^2; the figure shows |alpha_j| in descending order.
func Coefficients(alpha []float64, rank int, lambda float64) (report.Table, report.Figure) {
	sizes, total := make([]float64, len(alpha)), 0.0
	for j, a := range alpha {
		sizes[j] = math.Abs(a)
		total += a * a
	}
	slices.Sort(sizes)
	slices.Reverse(sizes)
	holding := func(share float64) int {
		sum := 0.0
		for j, a := range sizes {
			if sum += a * a; sum >= share*total {
				return j + 1
			}
		}
		return len(sizes)
	}
	m := len(sizes)
	table := report.Table{Header: []string{"coefficients", ""}, Rows: [][]string{
		{"features m", fmt.Sprint(m)},
		{"rank", fmt.Sprint(rank)},
		{"lambda", report.FormatValue(lambda)},
		{"largest", report.FormatValue(sizes[0])},
		{"median", report.FormatValue(report.Median(sizes))},
		{"smallest", report.FormatValue(sizes[m-1])},
		{"|alpha| / m", report.FormatValue(math.Sqrt(total) / float64(m))},
		{"hold 50% of |alpha|^2", fmt.Sprint(holding(0.5))},
		{"hold 90% of |alpha|^2", fmt.Sprint(holding(0.9))},
	}}
	return table, Descending("|alpha_j|, descending", sizes, report.AsPrediction)
}

// Descending returns a figure of positive values in descending order.
func Descending(title string, values []float64, role report.Role) report.Figure {
	return report.Figure{Title: title, XLabel: "j", LogX: true, LogY: true, X0: 1, X1: math.Max(2, float64(len(values))),
		Curves: []report.Curve{{X: report.Counting(len(values)), Y: values, Role: role}}}
}

// Inversion returns the result of an inversion as numbers, and as figures with the observed values.
func Inversion(v interchange.Inverted) report.Page {
	t := report.Table{Header: []string{"inversion", ""}}
	line := func(name, format string, value any) {
		t.Rows = append(t.Rows, []string{name, fmt.Sprintf(format, value)})
	}
	line("noise of the values", "%.3g", v.Noise)
	line("error of the model there", "%.3g", v.ModelError)
	best := "best sample"
	if v.Iterations > 0 {
		best = "most probable input"
		line("Gauss-Newton steps", "%d", v.Iterations)
		if !v.Probable {
			best = "most probable input found"
			line("search for it", "%s", v.Status)
		}
	}
	line(best+": misfit", "%.3g", v.Misfit)
	line("misfit of the solution", "%.3g", v.SolvedMisfit)
	line("model against solver", "%s", report.Error(v.Surrogate, 4))
	if v.BestError != nil {
		line("error of the input", "%s", report.Error(*v.BestError, 4))
		line("error of the mean sample", "%s", report.Error(*v.MeanError, 4))
		line("points in two deviations", "%.0f%%", 100**v.Within)
	}
	line("evaluations", "%d", v.Evaluations)
	line("steps taken", "%.0f%%", 100*v.Accepted)
	line("length of a step", "%.3g", v.Step)
	line("potential scale reduction", "%.3f", v.Mixing)
	p := report.Page{Name: "inversion", Tables: []report.Table{t}, Title: fmt.Sprintf("%s, input on %s=%d, %s",
		printable.Several(v.Observed, "value"), v.Domain.Symbol(), v.Grid, report.Duration(v.Seconds))}
	f := map[string][]float64{}
	for _, function := range v.Functions {
		f[function.Name] = function.Values
	}
	if v.Domain.Dims == 2 {
		for _, name := range []string{"best", "deviation", "true"} {
			if values := f[name]; values != nil {
				p.Fields = append(p.Fields, report.Field{Title: name + " input", R: v.Grid, Values: values})
			}
		}
		return p
	}
	x := report.UnitPoints(v.Grid)
	curve := func(name string, values []float64, role report.Role) report.Curve {
		return report.Curve{Name: name, X: x, Y: values, Role: role}
	}
	beyond := func(deviations float64) []float64 {
		return floats.AddScaledTo(make([]float64, v.Grid), f["mean"], deviations, f["deviation"])
	}
	input := []report.Curve{curve("two deviations", beyond(-2), report.AsLevel), curve("", beyond(2), report.AsLevel)}
	if values := f["true"]; values != nil {
		input = append(input, curve("true", values, report.AsTruth))
	}
	p.Figures = []report.Figure{{Title: "output", XLabel: "x", Curves: []report.Curve{
		curve("solved", f["solved"], report.AsTruth), curve("model", f["output"], report.AsPrediction),
		{Name: "observed", X: v.Places, Y: v.Values, Role: report.AsError, Points: true}}},
		{Title: "input", XLabel: "x", Curves: append(input, curve("found", f["best"], report.AsPrediction))}}
	return p
}
