package words

import (
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
	{
		Column: report.Column{Words: true, Least: 34},
		Order:  "name",
		Title:  "name",
		Cell:   ofEntry(func(e store.Entry) string { return printable.Line(e.Name) }),
	},
	{
		Column: report.Column{Words: true, Goes: 5},
		Order:  "from",
		Title:  "from",
		Cell:   ofEntry(func(e store.Entry) string { return printable.Line(e.From) }),
	},
	{
		Column: report.Column{Words: true, Goes: 8},
		Order:  "method",
		Title:  "method",
		Cell:   ofEntry(func(e store.Entry) string { return e.Method }),
	},
	{
		Column: report.Column{Goes: 4},
		Order:  "n",
		Title:  "n",
		Cell:   ofEntry(func(e store.Entry) string { return fmt.Sprint(e.N) }),
	},
	{
		Column: report.Column{Goes: 3},
		Order:  "m",
		Title:  "m",
		Cell:   ofEntry(func(e store.Entry) string { return some(e.M) }),
	},
	{
		Column: report.Column{Goes: 6},
		Title:  "grid",
		Cell:   ofEntry(gridOf),
	},
	{
		Order: "error",
		Title: "error",
		Cell:  ofEntry(RunState),
	},
	{
		Column: report.Column{Goes: 7},
		Order:  "time",
		Title:  "time",
		Cell:   ofEntry(func(e store.Entry) string { return strings.TrimPrefix(Age(e.Time), "0 ms") }),
	},
	{
		Column: report.Column{Goes: 9},
		Order:  "size",
		Title:  "size",
		Cell:   ofEntry(func(e store.Entry) string { return report.Bytes(float64(e.Bytes)) }),
	},
	{
		Column: report.Column{Goes: 1},
		Order:  "when",
		Title:  "age",
		Cell: func(e store.Entry, now time.Time) string {
			return Age(now.Sub(e.Run.Updated).Seconds())
		},
	},
	{
		Column: report.Column{
			Words: true,
			Least: 12,
			Goes:  2,
		},
		Title: "note",
		Cell:  ofEntry(func(e store.Entry) string { return e.Note }),
	},
}

// ofEntry returns the cell of a column that does not depend on the time of the day.
func ofEntry(cell func(store.Entry) string) func(store.Entry, time.Time) string {
	return func(e store.Entry, _ time.Time) string { return cell(e) }
}

// gridOf returns the training grid of a run: K=129.
func gridOf(e store.Entry) string {
	return fmt.Sprintf("%s=%d", e.Run.Config.GridSymbol(), e.Grid)
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
		known := func(e store.Entry) bool { return c.text(e, now) != "" }
		if slices.ContainsFunc(list, known) {
			shown = append(shown, c)
			widths = append(widths, c.Column)
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
	if e.Fault != nil {
		return "cannot be read"
	}
	if e.Verified != nil && !*e.Verified {
		return "damaged"
	}
	if testError := e.Run.TestError; testError != nil {
		text := report.Measured(*testError)
		if e.Useless {
			text += " as mean"
		}
		return text
	}
	if e.Run.Complete() {
		return "complete"
	}
	return fmt.Sprintf("%s %d%%", e.Run.Next().Stage, e.Run.Percent())
}

// Incomparable returns a warning if the models of a comparison were tested on different pairs; empty if not.
func Incomparable(c compare.Comparison) string {
	if len(c.Runs) == 0 || c.Runs[0].Result == nil {
		return ""
	}
	for _, r := range c.Runs[1:] {
		if r.Result != nil && r.Gain == nil {
			return "Tested on different pairs: the test errors of these runs cannot be compared."
		}
	}
	return ""
}

// Comparison sets runs side by side: a row for each measure that is known of any, and for each key that differs. If the
// names of the runs make the table wider than width, its columns have numbers and names lists their meaning.
func Comparison(c compare.Comparison, width int) (t report.Table, names []string) {
	t.Header = []string{""}
	for _, r := range c.Runs {
		t.Header = append(t.Header, printable.Line(r.Name))
	}
	t.Rows = measured(c.Runs)
	for _, d := range c.Configuration {
		if slices.Contains(keysMeasured, d.Key) {
			continue
		}
		row := []string{d.Key}
		for _, value := range d.Values {
			text := ""
			if value != nil {
				text = printable.Line(*value)
			}
			row = append(row, text)
		}
		t.Rows = append(t.Rows, row)
	}
	titles, _, _ := strings.Cut(t.Text(), "\n")
	if ansi.StringWidth(titles) > width {
		for j, name := range t.Header[1:] {
			number := fmt.Sprintf("(%d)", j+1)
			t.Header[j+1] = number
			names = append(names, number+" "+name)
		}
	}
	return t, names
}

// keysMeasured are the keys of the configuration that stand among the measures of a comparison.
var keysMeasured = []string{"problem", "data.train", "features.count", "train.grid", "data.test"}

// measured returns the rows of the measures that are known of any run: the name, then a text for each run.
func measured(runs []compare.Compared) [][]string {
	var rows [][]string
	for i, r := range runs {
		for j, m := range measures(r) {
			if i == 0 {
				rows = append(rows, []string{m.name})
			}
			rows[j] = append(rows[j], printable.Line(m.text))
		}
	}
	unknown := func(row []string) bool { return strings.Join(row[1:], "") == "" }
	return slices.DeleteFunc(rows, unknown)
}

// A measure is a number of a run by which runs are compared.
type measure struct {
	name string
	text string // empty if unknown
}

// measures returns all measures of a run, the same ones in the same order for any run.
func measures(r compare.Compared) []measure {
	state := r.State
	if r.Progress != "" {
		state = r.Progress
	}
	list := []measure{
		{"state", state},
		{"from", r.From},
		{"training pairs", fmt.Sprint(r.N)},
		{"features", some(r.M)},
		{"grid", fmt.Sprint(r.Grid)},
		{"test pairs", fmt.Sprint(r.Test)},
	}
	list = append(list, resultMeasures(r.Result)...)
	list = append(list, gainMeasures(r.Gain)...)
	training := measure{name: "training time"}
	if r.Seconds != nil {
		training.text = report.Duration(r.Seconds.Train)
	}
	return append(list, training)
}

// resultMeasures returns the measures that a complete run has, without texts for one that is not.
func resultMeasures(result *engine.Result) []measure {
	complete := result != nil
	if !complete {
		result = new(engine.Result)
	}
	list := []measure{
		{"lambda", report.Lambda(result.Lambda)},
		{"rank", some(result.Rank)},
		{"training error", report.Measured(result.Train.ExpectedRelative)},
		{"test error", report.Measured(result.Test.ExpectedRelative)},
		{"worth of it", result.Skill.Verdict()},
		{"test, mean of the outputs", meanError(result.Skill)},
		{"test, Bochner", report.Measured(result.Test.Bochner)},
		{"test, median", report.Measured(result.Test.Median)},
		{"test, worst", report.Measured(result.Test.Max)},
	}
	if !complete {
		forget(list)
	}
	return list
}

// gainMeasures returns the measures that compare a run with the first, without texts where there is no comparison.
func gainMeasures(gain *compare.Gain) []measure {
	compared := gain != nil
	if !compared {
		gain = new(compare.Gain)
	}
	list := []measure{
		{"better than the first on", fmt.Sprintf("%d of %d", gain.Better, gain.Of)},
		{"factor, geometric mean", fmt.Sprintf("%.3g", gain.Geometric)},
	}
	if !compared {
		forget(list)
	}
	return list
}

// forget removes the texts of measures that are unknown, whose rows stay so that all runs have the same ones.
func forget(list []measure) {
	for i := range list {
		list[i].text = ""
	}
}

// meanError returns the test error of the mean of the training outputs.
func meanError(s *engine.Skill) string {
	if s == nil {
		return ""
	}
	return report.Measured(s.Mean)
}

// Progress returns the page of an incomplete run: its stages, and the processes that work on it.
func Progress(run store.Entry) report.Page {
	p := report.Page{
		Name:   "progress",
		Title:  printable.Line(run.Name) + "  " + Describe(run.Run.Config),
		Tables: []report.Table{stages(&run.Run)},
	}
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
	t := report.Table{
		Header: []string{"stage", "state", "done", "time", "left"},
		Words:  []int{1, 2},
	}
	for i, s := range r.Stages {
		state := "pending"
		done := ""
		if i < r.Reached() {
			state = "complete"
		} else if s.Done > 0 || r.Seconds[i] > 0 {
			state = "partial"
			done = fmt.Sprintf("%d of %d %s", s.Done, s.Total, s.Unit)
		}
		spent := ""
		if r.Seconds[i] > 0 { // known of complete stages, and of some before they are
			spent = report.Duration(r.Seconds[i])
		}
		left := ""
		if d := s.Left(); d > 0 {
			left = "about " + report.Duration(d.Seconds())
		}
		t.Rows = append(t.Rows, []string{s.Stage, state, done, spent, left})
	}
	return t
}

// Age formats a duration in seconds with its first unit, for tables: 4.2 s, 20 s, 12 min, 3 h, 5 days.
func Age(seconds float64) string {
	words := strings.Fields(report.Duration(max(0, seconds)))
	return strings.Join(words[:2], " ")
}
