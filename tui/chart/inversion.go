package chart

import (
	"fmt"

	"rfm/model/interchange"
	"rfm/model/report"
	"rfm/solver/printable"
)

// Inversion returns the result of an inversion as numbers, and as figures with the observed values.
func Inversion(v interchange.Inverted) report.Page {
	t := report.Table{Header: []string{"inversion", ""}}
	line := func(name, format string, value any) {
		t.Rows = append(t.Rows, []string{name, fmt.Sprintf(format, value)})
	}
	line("noise of the values", "%.3g", v.Noise)
	line("error of the model there", "%.3g", v.ModelError)
	best := "best sample"
	if v.Probable {
		best = "most probable input"
		line("Gauss-Newton steps", "%d", v.Iterations)
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
	low, high := make([]float64, len(f["mean"])), make([]float64, len(f["mean"]))
	for i, mean := range f["mean"] {
		low[i], high[i] = mean-2*f["deviation"][i], mean+2*f["deviation"][i]
	}
	input := report.Figure{Title: "input", XLabel: "x", Curves: []report.Curve{
		{Name: "two deviations", X: x, Y: low, Role: report.AsLevel}, {X: x, Y: high, Role: report.AsLevel}}}
	if values := f["true"]; values != nil {
		input.Curves = append(input.Curves, report.Curve{Name: "true", X: x, Y: values, Role: report.AsTruth})
	}
	input.Curves = append(input.Curves, report.Curve{Name: "found", X: x, Y: f["best"], Role: report.AsPrediction})
	output := report.Figure{Title: "output", XLabel: "x", Curves: []report.Curve{
		{Name: "solved", X: x, Y: f["solved"], Role: report.AsTruth},
		{Name: "model", X: x, Y: f["output"], Role: report.AsPrediction},
		{Name: "observed", X: v.Places, Y: v.Values, Role: report.AsError, Points: true}}}
	p.Figures = []report.Figure{output, input}
	return p
}
