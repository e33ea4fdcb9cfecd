package chart

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"rfm/model/run/engine"
	"rfm/model/run/store"
	"rfm/model/show/compare"
	"rfm/model/show/report"
	"rfm/solver/base/printable"
	"rfm/tui/formula"
)

// A RunColumn is a column of the table of stored runs.
type RunColumn struct {
	report.Column
	Order string // order of store.Orders that sorts by the column; empty if none does
	Title string
	Cell  func(e store.Entry, now time.Time) string
}

// text returns the cell of a run. Of one that cannot be read only its name and its state are known.
func (c RunColumn) text(e store.Entry, now time.Time) string {
	if e.Fault != nil && c.Order != "name" && c.Order != "error" {
		return ""
	}
	return c.Cell(e, now)
}

// some returns a number, and nothing for 0: other methods have no features and no rank.
func some(n int) string { return strings.TrimPrefix(fmt.Sprint(n), "0") }

// RunColumns are the columns of the table of stored runs, in order.
var RunColumns = []RunColumn{
	{report.Column{Words: true, Least: 34}, "name", "name",
		func(e store.Entry, _ time.Time) string { return printable.Line(e.Name) }},
	{report.Column{Words: true, Goes: 5}, "problem", "problem",
		func(e store.Entry, _ time.Time) string { return printable.Line(e.Problem) }},
	{report.Column{Words: true, Goes: 8}, "method", "method", func(e store.Entry, _ time.Time) string { return e.Method }},
	{report.Column{Goes: 4}, "n", "n", func(e store.Entry, _ time.Time) string { return fmt.Sprint(e.N) }},
	{report.Column{Goes: 3}, "m", "m", func(e store.Entry, _ time.Time) string { return some(e.M) }},
	{report.Column{Goes: 6}, "", "grid", func(e store.Entry, _ time.Time) string {
		return fmt.Sprintf("%s=%d", e.Run.Config.GridSymbol(), e.Grid)
	}},
	{report.Column{}, "error", "error", func(e store.Entry, _ time.Time) string { return RunState(e) }},
	{report.Column{Goes: 7}, "time", "time",
		func(e store.Entry, _ time.Time) string { return strings.TrimPrefix(Age(e.Time), "0 ms") }},
	{report.Column{Goes: 9}, "size", "size",
		func(e store.Entry, _ time.Time) string { return report.Bytes(float64(e.Bytes)) }},
	{report.Column{Goes: 1}, "when", "age",
		func(e store.Entry, now time.Time) string { return Age(now.Sub(e.Run.Updated).Seconds()) }},
	{report.Column{Words: true, Least: 12, Goes: 2}, "", "note",
		func(e store.Entry, _ time.Time) string { return e.Note }},
}

// RunLines returns a table of runs of some width: the titles of the columns, then a line for each run. It has no empty
// columns; the title of the column that has the order ends in a mark.
func RunLines(list []store.Entry, now time.Time, width int, order, mark string) []string {
	var shown []RunColumn
	var widths []report.Column
	for _, c := range RunColumns {
		if c.Order != "" && c.Order == order {
			c.Title += mark
		}
		if slices.ContainsFunc(list, func(e store.Entry) bool { return c.text(e, now) != "" }) {
			shown, widths = append(shown, c), append(widths, c.Column)
		}
	}
	return report.Fit(widths, RunRows(shown, list, now), width)
}

// RunRows returns the titles of columns and a row for each run.
func RunRows(columns []RunColumn, list []store.Entry, now time.Time) [][]string {
	rows := make([][]string, 1+len(list))
	for _, c := range columns {
		rows[0] = append(rows[0], c.Title)
		for i, e := range list {
			rows[i+1] = append(rows[i+1], c.text(e, now))
		}
	}
	return rows
}

// RunState returns the error of a complete run, or the progress of an incomplete one.
func RunState(e store.Entry) string {
	switch v := e.Run.TestError; {
	case e.Fault != nil:
		return "cannot be read"
	case e.Verified != nil && !*e.Verified:
		return "damaged"
	case v != nil && e.Useless:
		return report.Error(*v, 5) + " as mean"
	case v != nil:
		return report.Error(*v, 5)
	case e.Run.Complete():
		return "complete"
	}
	return fmt.Sprintf("%s %d%%", e.Run.Next().Stage, e.Run.Percent())
}

// Incomparable returns a warning if the models of a comparison were tested on different pairs; empty if not.
func Incomparable(c compare.Comparison) string {
	for i, r := range c.Runs {
		if i > 0 && r.Result != nil && c.Runs[0].Result != nil && r.Gain == nil {
			return "Tested on different pairs: the test errors of these runs cannot be compared."
		}
	}
	return ""
}

// Comparison sets runs side by side: a row for each measure that is known of any, and for each key that differs. If the
// names of the runs make the table wider than width, its columns have numbers and names lists their meaning.
func Comparison(c compare.Comparison, width int) (t report.Table, names []string) {
	t.Header = []string{""}
	for i, r := range c.Runs {
		t.Header = append(t.Header, printable.Line(r.Name))
		for j, m := range measures(r) {
			if i == 0 {
				t.Rows = append(t.Rows, []string{m[0]})
			}
			t.Rows[j] = append(t.Rows[j], printable.Line(m[1]))
		}
	}
	t.Rows = slices.DeleteFunc(t.Rows, func(row []string) bool { return strings.Join(row[1:], "") == "" })
	for _, d := range c.Configuration {
		if slices.Contains([]string{"problem", "data.train", "features.count", "train.grid", "data.test"}, d.Key) {
			continue // among the measures
		}
		row := []string{d.Key}
		for _, v := range d.Values {
			row = append(row, printable.Line(*cmp.Or(v, new(string))))
		}
		t.Rows = append(t.Rows, row)
	}
	if head, _, _ := strings.Cut(t.Text(), "\n"); ansi.StringWidth(head) > width {
		for j, name := range t.Header[1:] {
			t.Header[j+1] = fmt.Sprintf("(%d)", j+1)
			names = append(names, t.Header[j+1]+" "+name)
		}
	}
	return t, names
}

// measures returns the names of all measures of a run and their texts, empty if unknown.
func measures(r compare.Compared) [][2]string {
	result, gain, seconds := cmp.Or(r.Result, new(engine.Result)), cmp.Or(r.Gain, new(compare.Gain)),
		cmp.Or(r.Seconds, new(engine.Seconds))
	known := func(is bool, text string) string {
		if !is {
			return ""
		}
		return text
	}
	complete, compared := r.Result != nil, r.Gain != nil
	return [][2]string{{"state", cmp.Or(r.Progress, r.State)}, {"problem", r.Problem},
		{"training pairs", fmt.Sprint(r.N)}, {"features", some(r.M)}, {"grid", fmt.Sprint(r.Grid)},
		{"test pairs", fmt.Sprint(r.Test)},
		{"lambda", known(complete, report.Lambda(result.Lambda))},
		{"rank", some(result.Rank)},
		{"training error", known(complete, report.Error(result.Train.ExpectedRelative, 6))},
		{"test error", known(complete, report.Error(result.Test.ExpectedRelative, 6))},
		{"worth of it", result.Skill.Verdict()},
		{"test, mean of the outputs", meanError(result.Skill)},
		{"test, Bochner", known(complete, report.Error(result.Test.Bochner, 6))},
		{"test, median", known(complete, report.Error(result.Test.Median, 6))},
		{"test, worst", known(complete, report.Error(result.Test.Max, 6))},
		{"better than the first on", known(compared, fmt.Sprintf("%d of %d", gain.Better, gain.Of))},
		{"factor, geometric mean", known(compared, fmt.Sprintf("%.3g", gain.Geometric))},
		{"training time", known(r.Seconds != nil, report.Duration(seconds.Train))}}
}

// meanError returns the test error of the mean of the training outputs.
func meanError(s *engine.Skill) string {
	if s == nil {
		return ""
	}
	return report.Error(s.Mean, 6)
}

// Progress returns the page of an incomplete run: its stages, and the processes that work on it.
func Progress(run store.Entry) report.Page {
	p := report.Page{Name: "progress", Title: printable.Line(run.Name) + "  " + formula.Describe(run.Run.Config),
		Tables: []report.Table{stages(&run.Run)}}
	for _, unit := range slices.Sorted(maps.Keys(run.Working)) {
		p.Notes = append(p.Notes, printable.Line(unit+"  "+run.Working[unit]))
	}
	if run.Holder != nil {
		p.Notes = append(p.Notes, printable.Line(run.Holder.String()))
	}
	return p
}

// stages returns the table of the stages of a run.
func stages(r *store.Run) report.Table {
	t := report.Table{Header: []string{"stage", "state", "done", "time", "left"}, Words: []int{1, 2}}
	for i, s := range r.Stages {
		row := []string{s.Stage, "pending", "", "", ""}
		switch {
		case i < r.Reached():
			row[1] = "complete"
		case s.Done > 0 || r.Seconds[i] > 0:
			row[1], row[2] = "partial", fmt.Sprintf("%d of %d %s", s.Done, s.Total, s.Unit)
		}
		if r.Seconds[i] > 0 { // known of complete steps, and of some before
			row[3] = report.Duration(r.Seconds[i])
		}
		if left := s.Left(); left > 0 {
			row[4] = "about " + report.Duration(left.Seconds())
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// Age formats a duration in seconds with its first unit, for tables: 4.2 s, 20 s, 12 min, 3 h, 5 days.
func Age(seconds float64) string {
	return strings.Join(strings.Fields(report.Duration(max(0, seconds)))[:2], " ")
}
