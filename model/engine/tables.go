// This file is the tables of a complete experiment: what commands print, screens show and report.md has.

package engine

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"rfm/model/report"
	"rfm/solver/printable"
)

// digits are the decimals of relative errors in tables.
const digits = 6

// ErrorTable is the error table, with the value that the paper has for this configuration.
func (e *Experiment) ErrorTable(v *Evaluation) report.Table {
	t := v.errorTable()
	if p, ok := Published(e.Config); ok {
		t.Rows = append(t.Rows, []string{"paper, one draw, " + p.Source, "", report.Error(p.Value, digits)})
	}
	return t
}

func (v *Evaluation) errorTable() report.Table {
	t := report.Table{Header: []string{"relative L2 error", "train", "test"}}
	for _, r := range v.Rows() {
		t.Rows = append(t.Rows, []string{r.Name, report.Error(r.Train, digits), report.Error(r.Test, digits)})
	}
	return t
}

// table is what error bands promise, and what they keep on the test pairs.
func (u *Uncertainty) table() report.Table {
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

// RivalError is the error of a way to the solution with so many decimals, and a star if it is better than the model, the
// first of them; else a blank.
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

// costTable is one evaluation of the model and of what it is compared with.
func (v *Evaluation) costTable() report.Table {
	t := report.Table{Header: []string{"one evaluation", "one core", "operations", "test error", "training"}}
	for i, r := range v.Rivals {
		text, star := v.RivalError(i, digits)
		training, operations := "", ""
		if r.Training > 0 {
			training = report.Duration(r.Training)
		}
		if r.Operations > 0 {
			operations = report.Count(r.Operations)
		}
		t.Rows = append(t.Rows, []string{r.Name, report.Duration(r.Seconds), operations, text + star, training})
	}
	return t
}

// Page is a complete experiment, summed up in s, for people.
func (e *Experiment) Page(s Summary) report.Page {
	v, features, lambda := e.evaluation, "", ""
	if e.model.Random() {
		features, lambda = fmt.Sprintf("  m=%d", s.M), "  lambda="+report.Lambda(s.Lambda)
	}
	p := report.Page{Name: "result", Title: fmt.Sprintf("%s  n=%d%s  %s=%d%s  seed=%d", s.Problem, s.N, features,
		e.Config.GridSymbol(), s.Grid, lambda, s.Seed),
		Heading: fmt.Sprintf("%s, %s on %s=%d", e.model.About(), printable.Several(e.Config.Data.Test, "test input"),
			e.Config.GridSymbol(), v.Grid),
		Tables: []report.Table{e.ErrorTable(v)}}
	if s.Details != nil {
		t := report.Table{Header: []string{"relative error, mean", "test"}}
		for _, d := range s.Details {
			t.Rows = append(t.Rows, []string{d.Name, report.Error(d.Test, digits)})
		}
		p.Tables = append(p.Tables, t)
	}
	if u := v.Uncertainty; u != nil {
		p.Tables = append(p.Tables, u.table())
		p.Notes = append(p.Notes, fmt.Sprintf("The bands are calibrated on the %d training pairs. %d test inputs lie outside "+
			"those of the training.", u.Pairs, u.Outside))
	}
	p.Tables = append(p.Tables, v.costTable())
	if slices.ContainsFunc(v.Rivals, func(r Rival) bool { return r.Better(v.Rivals[0]) }) {
		p.Notes = append(p.Notes, "* better than the trained model")
	}
	p.Notes = append(p.Notes, v.Notes()...)
	if s.Payoff != nil {
		p.Notes = append(p.Notes, strings.Join(s.Payoff.Sentences(report.Duration(s.Payoff.Spent)), " "))
	}
	return p
}
