package words

import (
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
func CostTable(v *engine.Evaluation, columns ...string) report.Table {
	t := report.Table{Header: append([]string{"one evaluation"}, columns...)}
	for _, name := range v.Expected {
		row := make([]string, 1+len(columns))
		row[0] = name
		row[1] = "       … "
		t.Rows = append(t.Rows, row)
	}
	for i, r := range v.Rows {
		deviation, star := v.RowError(i)
		row := []string{r.Name}
		for _, column := range columns {
			cell := ""
			switch column {
			case "one core":
				cell = report.Duration(r.Seconds)
			case "error":
				cell = fmt.Sprintf("%9s", deviation+star) // as wide as 5.43e-05*
			case "training":
				if r.Training > 0 {
					cell = report.Duration(r.Training)
				}
			}
			row = append(row, cell)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// Star returns the note that explains the star next to the errors of baselines that are better than the model; none if
// no baseline is.
func Star(v *engine.Evaluation) []string {
	better := func(r engine.Row) bool { return 0 < r.Error && r.Error < v.Rows[0].Error }
	if slices.ContainsFunc(v.Rows, better) {
		return []string{"* better than the trained model"}
	}
	return nil
}

// Cost returns the errors of the model and of the baselines against the time of an evaluation.
func Cost(v *engine.Evaluation) report.Figure {
	f := report.Figure{
		Title:  "relative error",
		XLabel: "time",
		LogX:   true,
		Timed:  true,
		LogY:   true,
	}
	for i, r := range v.Rows {
		if r.Error == 0 {
			continue
		}
		point := report.Curve{
			Name:   r.Name,
			X:      []float64{r.Seconds},
			Y:      []float64{r.Error},
			Points: true,
		}
		if i == 0 {
			point.Role = report.AsPrediction
		}
		f.Curves = append(f.Curves, point)
	}
	return f
}

// Result returns the page of a complete experiment with the summary s.
func Result(e *engine.Experiment, s engine.Summary) report.Page {
	p := e.Page()
	v := e.Evaluation()
	p.Tables = append(p.Tables, CostTable(v, "one core", "error", "training"))
	p.Notes = slices.Concat(Star(v), p.Notes, v.Times())
	if s.Payoff != nil {
		sentences := s.Payoff.Sentences(report.Duration(s.Payoff.Spent))
		p.Notes = append(p.Notes, strings.Join(sentences, " "))
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
		row := []string{
			place,
			fmt.Sprint(l.Features),
			report.Measured(l.Error),
			report.Measured(l.Mean()),
			fmt.Sprint(len(l.Rescored)),
		}
		t.Rows = append(t.Rows, row)
	}
	first := board[0].Config
	for _, k := range first.Keys() {
		differs := func(l tune.Leader) bool { return !k.Same(first, l.Config) }
		if !k.Tuned || !slices.ContainsFunc(board, differs) {
			continue
		}
		title := k.Symbol
		if title == "" {
			title = k.Short()
		}
		t.Header = append(t.Header, title)
		for i, l := range board {
			t.Rows[i] = append(t.Rows[i], k.Rounded(l.Config, 3))
		}
	}
	return t
}

// Search returns the course of a search: the best error so far against the number of models tried, of last on the axis.
func Search(s *tune.Snapshot, last float64) report.Figure {
	f := report.Figure{
		Title:  "best error so far",
		XLabel: "models",
		LogX:   true,
		LogY:   true,
		X0:     1,
		X1:     last,
	}
	if !math.IsNaN(s.Start) {
		start := report.Curve{
			Name: "as is",
			X:    []float64{1, last},
			Y:    []float64{s.Start, s.Start},
			Role: report.AsLevel,
		}
		f.Curves = append(f.Curves, start)
	}
	best := report.Curve{
		Name: fmt.Sprintf("m=%d", s.Features),
		Role: report.AsPrediction,
	}
	for i, p := range s.Curve {
		until := last
		if i+1 < len(s.Curve) {
			until = float64(s.Curve[i+1].Evaluation)
		}
		// A step: the error stays what it is until a better model is found.
		best.X = append(best.X, float64(p.Evaluation), until)
		best.Y = append(best.Y, p.Error, p.Error)
	}
	if len(best.X) > 0 {
		f.Curves = append(f.Curves, best)
	}
	return f
}

// Coefficients summarizes how a trained model spreads over its features. The table gives the sizes of the coefficients
// and the numbers of them that hold 50% and 90% of |alpha|^2; the figure shows |alpha_j| in descending order.
func Coefficients(alpha []float64, rank int, lambda float64) (report.Table, report.Figure) {
	sizes := make([]float64, len(alpha)) // |alpha_j|, descending
	total := 0.0
	for j, a := range alpha {
		sizes[j] = math.Abs(a)
		total += a * a
	}
	slices.Sort(sizes)
	slices.Reverse(sizes)
	holding := func(share float64) int {
		sum := 0.0
		for j, a := range sizes {
			sum += a * a
			if sum >= share*total {
				return j + 1
			}
		}
		return len(sizes)
	}
	m := len(sizes)
	table := report.Table{
		Header: []string{"coefficients", ""},
		Rows: [][]string{
			{"features m", fmt.Sprint(m)},
			{"rank", fmt.Sprint(rank)},
			{"lambda", report.FormatValue(lambda)},
			{"largest", report.FormatValue(sizes[0])},
			{"median", report.FormatValue(report.Median(sizes))},
			{"smallest", report.FormatValue(sizes[m-1])},
			{"|alpha| / m", report.FormatValue(math.Sqrt(total) / float64(m))},
			{"hold 50% of |alpha|^2", fmt.Sprint(holding(0.5))},
			{"hold 90% of |alpha|^2", fmt.Sprint(holding(0.9))},
		},
	}
	return table, Descending("|alpha_j|, descending", sizes, report.AsPrediction)
}

// Descending returns a figure of positive values in descending order.
func Descending(title string, values []float64, role report.Role) report.Figure {
	curve := report.Curve{
		X:    report.Counting(len(values)),
		Y:    values,
		Role: role,
	}
	return report.Figure{
		Title:  title,
		XLabel: "j",
		LogX:   true,
		LogY:   true,
		X0:     1,
		X1:     math.Max(2, float64(len(values))), // a logarithmic axis cannot end where it begins
		Curves: []report.Curve{curve},
	}
}

// Inversion returns the result of an inversion as numbers, and as figures with the observed values.
func Inversion(v interchange.Inverted) report.Page {
	values := printable.Several(v.Observed, "value")
	took := report.Duration(v.Seconds)
	p := report.Page{
		Name:   "inversion",
		Title:  fmt.Sprintf("%s, input on %s=%d, %s", values, v.Domain.Symbol(), v.Grid, took),
		Tables: []report.Table{inversionTable(v)},
	}
	functions := map[string][]float64{} // each on the grid of inputs or outputs
	for _, function := range v.Functions {
		functions[function.Name] = function.Values
	}
	if v.Domain.Dims == 2 {
		for _, name := range []string{"best", "deviation", "true"} {
			values := functions[name]
			if values != nil {
				p.Fields = append(p.Fields, report.Field{
					Title:  name + " input",
					R:      v.Grid,
					Values: values,
				})
			}
		}
		return p
	}
	p.Figures = []report.Figure{inversionOutput(v, functions), inversionInput(v.Grid, functions)}
	return p
}

// inversionTable returns how well an inversion fits the values, and how far its random walk can be trusted.
func inversionTable(v interchange.Inverted) report.Table {
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
	return t
}

// inversionOutput draws what model and solver make of the input that was found, with the observed values.
func inversionOutput(v interchange.Inverted, functions map[string][]float64) report.Figure {
	x := report.UnitPoints(v.Grid)
	solved := report.Curve{
		Name: "solved",
		X:    x,
		Y:    functions["solved"],
		Role: report.AsTruth,
	}
	model := report.Curve{
		Name: "model",
		X:    x,
		Y:    functions["output"],
		Role: report.AsPrediction,
	}
	observed := report.Curve{
		Name:   "observed",
		X:      v.Places,
		Y:      v.Values,
		Role:   report.AsError,
		Points: true,
	}
	return report.Figure{
		Title:  "output",
		XLabel: "x",
		Curves: []report.Curve{solved, model, observed},
	}
}

// inversionInput draws the input that was found inside two standard deviations of the posterior, and the true one where
// it is known.
func inversionInput(points int, functions map[string][]float64) report.Figure {
	x := report.UnitPoints(points)
	beyond := func(deviations float64) []float64 {
		values := make([]float64, points)
		return floats.AddScaledTo(values, functions["mean"], deviations, functions["deviation"])
	}
	curves := []report.Curve{
		{Name: "two deviations", X: x, Y: beyond(-2), Role: report.AsLevel},
		{X: x, Y: beyond(2), Role: report.AsLevel},
	}
	if values := functions["true"]; values != nil {
		curves = append(curves, report.Curve{
			Name: "true",
			X:    x,
			Y:    values,
			Role: report.AsTruth,
		})
	}
	found := report.Curve{
		Name: "found",
		X:    x,
		Y:    functions["best"],
		Role: report.AsPrediction,
	}
	return report.Figure{
		Title:  "input",
		XLabel: "x",
		Curves: append(curves, found),
	}
}
