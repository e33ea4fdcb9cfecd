package results

import (
	"fmt"
	"strconv"

	"rfm/config"
	"rfm/model/show/compare"
	"rfm/model/show/report"
	"rfm/tui/session"
	"rfm/tui/ui"
)

// sitting is the tab of the models of the problem that were tested since the program began: their errors and the
// changes from each to the next, and the last one before that was tested on the same pairs, sample by sample.
type sitting struct{ *selection }

// exists reports whether more than one model was tested.
func (v *sitting) exists() bool {
	return len(v.runner.Tries()) > 1
}

// factors returns the errors of another model divided by this one's: above 1 where this one is better.
func (v *sitting) factors(o *session.Result) []float64 {
	return compare.Factors(v.of.Test.Relative, o.Relative)
}

// gain returns the summary of the comparison with another model.
func (v *sitting) gain(o *session.Result) report.Table {
	sum := compare.NewGain(v.factors(o))
	factor := func(f float64) string { return fmt.Sprintf("%.3g", f) }
	name := config.Differences(o.Config, v.runner.Experiment().Config)
	share := 100 * float64(sum.Better) / float64(sum.Of)
	better := fmt.Sprintf("%d of %d, %.0f%%", sum.Better, sum.Of, share)
	return report.Table{
		Header: []string{"compared with " + name, ""},
		Rows: [][]string{
			{"error of the other", report.Measured(o.Error)},
			{"error of this one", report.Measured(v.of.Test.ExpectedRelative)},
			{"better on", better},
			{"factor, least", factor(sum.Least)},
			{"factor, median", factor(sum.Median)},
			{"factor, geometric mean", factor(sum.Geometric)},
			{"factor, most", factor(sum.Most)},
		},
	}
}

// scatter returns a point for each sample, with the current one marked, and the diagonal of equal errors.
func (v *sitting) scatter(o *session.Result) report.Figure {
	errors := o.Relative
	own := v.of.Test.Relative
	lo, hi := report.Extent(errors, own)
	equal := report.Curve{
		Name: "equal",
		X:    []float64{lo, hi},
		Y:    []float64{lo, hi},
		Role: report.AsLevel,
	}
	samples := report.Curve{
		Name:   "samples",
		X:      errors,
		Y:      own,
		Points: true,
		Role:   report.AsTruth,
	}
	i := v.sample()
	current := report.Curve{
		X:      errors[i : i+1],
		Y:      own[i : i+1],
		Points: true,
		Role:   report.AsPrediction,
	}
	return report.Figure{
		Title:  "error of this model",
		XLabel: "the other",
		LogX:   true,
		LogY:   true,
		Curves: []report.Curve{equal, samples, current},
	}
}

// state returns the values that the page depends on.
func (v *sitting) state() []any {
	return append(v.selection.state(), len(v.runner.Tries()))
}

// page returns the comparison with the model before, and the errors of all.
func (v *sitting) page(ui.Canvas) report.Page {
	p := report.Page{Name: "session"}
	o := v.runner.Other()
	if o != nil {
		factor := v.factors(o)[v.sample()]
		p.Heading = fmt.Sprintf("%s  %.3g times", v.heading(), factor)
		p.Figures = append(p.Figures, v.scatter(o))
		p.Tables = append(p.Tables, v.gain(o))
	}
	tries := v.runner.Tries()
	p.Tables = append(p.Tables, changes(tries))
	p.Figures = append(p.Figures, progress(tries))
	return p
}

// changes returns a row for each model: its error, and what was changed since the model before.
func changes(tries []session.Result) report.Table {
	table := report.Table{Header: []string{"model", "test error", "changed"}}
	for i, r := range tries {
		changed := ""
		if i > 0 {
			changed = config.Differences(r.Config, tries[i-1].Config)
		}
		row := []string{
			strconv.Itoa(i + 1),
			report.Measured(r.Error),
			changed,
		}
		table.Rows = append(table.Rows, row)
	}
	return table
}

// progress returns the errors of the models in the order of their tests.
func progress(tries []session.Result) report.Figure {
	curve := report.Curve{
		X:      report.Counting(len(tries)),
		Role:   report.AsError,
		Marked: true,
	}
	for _, r := range tries {
		curve.Y = append(curve.Y, r.Error)
	}
	return report.Figure{
		Title:   "test error of the models of this session",
		XLabel:  "model",
		Counted: true,
		LogY:    true,
		Curves:  []report.Curve{curve},
	}
}
