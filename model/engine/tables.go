package engine

import (
	"fmt"
	"math"

	"rfm/model/report"
)

// digits is the number of decimals of relative errors in tables.
const digits = 6

// ErrorTable returns the error table, with the published value for this configuration.
func (e *Experiment) ErrorTable(v *Evaluation) report.Table {
	t := report.Table{Header: []string{"relative L2 error", "train", "test"}}
	for _, r := range v.Rows() {
		t.Rows = append(t.Rows, []string{r.Name, report.Error(r.Train, digits), report.Error(r.Test, digits)})
	}
	if p, ok := Published(e.Config); ok {
		t.Rows = append(t.Rows, []string{"paper, one draw, " + p.Source, "", report.Error(p.Value, digits)})
	}
	return t
}

// Table compares the nominal coverage of the error bands with their coverage of the test pairs.
func (u *Uncertainty) Table() report.Table {
	t := report.Table{Header: []string{"bands promise", "functions", "whole", "points", "radius"}}
	for _, c := range u.Coverage {
		row := []string{fmt.Sprintf("%g%%", 100*c.Promised)}
		for _, share := range []float64{c.Function, c.Whole, c.Point} {
			row = append(row, fmt.Sprintf("%.2f%%", 100*share))
		}
		radius := "unknown"
		if c.Radius > 0 {
			radius = report.Error(c.Radius, digits)
		}
		t.Rows = append(t.Rows, append(row, radius))
	}
	return t
}

// RivalError returns the error of baseline i with the given decimals. star is a star if it is smaller than the model's
// error, which is the first, and else a blank.
func (v *Evaluation) RivalError(i, decimals int) (text, star string) {
	r := v.Rivals[i]
	text, star = "truth", " "
	if !math.IsNaN(r.Error) {
		text = report.Error(r.Error, decimals)
	}
	if r.Better(v.Rivals[0]) {
		star = "*"
	}
	return text, star
}
