package study

import (
	"fmt"
	"math"
	"slices"

	"rfm/model/report"
)

// Result is the outcome of a study. It contains no times: equal options give equal results, bit for bit.
type Result struct {
	report.Page          // named after the study
	Cells       []Cell   `json:"cells,omitempty"`   // one number each
	Spreads     []Spread `json:"spreads,omitempty"` // of the study of seeds; the other studies are judged by them
}

// Verdict is the verdict on the agreement of a number with the published one.
type Verdict string

// The verdicts. The empty one means that the published number or the spread is unknown.
const (
	Agrees  Verdict = "agrees"
	Differs Verdict = "differs"
)

// agreement is the number of one-draw standard deviations within which a published number, of one draw, agrees with a
// mean.
const agreement = 3

// Cell is a computed number with its published counterpart, if there is one.
type Cell struct {
	Where     string  `json:"where"`
	Ours      float64 `json:"ours"`
	Published float64 `json:"published,omitempty"` // 0: none
	Mean      float64 `json:"mean,omitempty"`      // over draws of features and data, estimated; 0: not known
	Spread    float64 `json:"spread,omitempty"`    // standard deviation of one draw; 0: not known
	Verdict   Verdict `json:"verdict,omitempty"`
}

// Expected returns the number to compare with a published one: the mean over draws, or Ours if the mean is unknown.
func (c Cell) Expected() float64 {
	if c.Mean != 0 {
		return c.Mean
	}
	return c.Ours
}

// Distance returns (Expected - Published) / Spread, or NaN if one of them is missing.
func (c Cell) Distance() float64 {
	if c.Published == 0 || c.Spread == 0 {
		return math.NaN()
	}
	return (c.Expected() - c.Published) / c.Spread
}

// judged returns the cell with its verdict: "agrees" if the distance is at most three spreads.
func (c Cell) judged() Cell {
	switch d := math.Abs(c.Distance()); {
	case math.IsNaN(d):
	case d <= agreement:
		c.Verdict = Agrees
	default:
		c.Verdict = Differs
	}
	return c
}

// Tally returns the numbers of cells that agree and of cells that have a verdict.
func (r Result) Tally() (agree, judged int) {
	for _, c := range r.Cells {
		if c.Verdict != "" {
			judged++
		}
		if c.Verdict == Agrees {
			agree++
		}
	}
	return agree, judged
}

// Deviations returns the relative differences of the expected numbers from the published ones: the median of the
// absolute values and the signed mean, over the cells that have a verdict; NaN if there are none.
func Deviations(results []Result) (median, average float64) {
	var all, sizes []float64
	for _, r := range results {
		for _, c := range r.Cells {
			if c.Verdict != "" {
				d := c.Expected()/c.Published - 1
				all, sizes = append(all, d), append(sizes, math.Abs(d))
			}
		}
	}
	if len(all) == 0 {
		return math.NaN(), math.NaN()
	}
	return report.Median(sizes), report.Mean(all)
}

// matrix returns a table of numbers: one row for each of rows, one column for each of columns.
func matrix(title, corner string, rows, columns []string, value func(row, column int) string) report.Table {
	t := report.Table{Title: title, Header: append([]string{corner}, columns...)}
	for i, name := range rows {
		line := []string{name}
		for j := range columns {
			line = append(line, value(i, j))
		}
		t.Rows = append(t.Rows, line)
	}
	return t
}

// comparison returns the tables of a matrix of cells, cells[i*len(columns)+j] in row i and column j: our numbers, and
// as far as published the published numbers and the differences.
func comparison(title string, rows, columns []string, cells []Cell) []report.Table {
	at := func(i, j int) Cell { return cells[i*len(columns)+j] }
	tables := []report.Table{matrix(title, "", rows, columns, func(i, j int) string { return number(at(i, j).Ours) })}
	if slices.ContainsFunc(cells, func(c Cell) bool { return c.Mean != 0 }) {
		tables = append(tables, matrix("mean over draws", "", rows, columns,
			func(i, j int) string { return number(at(i, j).Mean) }))
	}
	if slices.ContainsFunc(cells, func(c Cell) bool { return c.Published != 0 }) {
		tables = append(tables, matrix("published", "", rows, columns,
			func(i, j int) string { return number(at(i, j).Published) }))
	}
	if slices.ContainsFunc(cells, func(c Cell) bool { return c.Verdict != "" }) {
		tables = append(tables, matrix("difference of the mean in spreads", "", rows, columns,
			func(i, j int) string { return spreads(at(i, j).Distance()) }))
	}
	return tables
}

// labels formats a parameter's values: m=16, m=32, ...
func labels(format string, values []int) []string {
	names := make([]string, len(values))
	for i, v := range values {
		names[i] = fmt.Sprintf(format, v)
	}
	return names
}

// abscissae converts integers to abscissae.
func abscissae(values []int) []float64 {
	x := make([]float64, len(values))
	for i, v := range values {
		x[i] = float64(v)
	}
	return x
}

// number formats an error with the digits of the paper; empty for 0, which means missing.
func number(v float64) string {
	if v == 0 {
		v = math.NaN()
	}
	return report.Error(v, 4)
}

// spreads formats a distance in units of the spread.
func spreads(d float64) string {
	if math.IsNaN(d) {
		return "-"
	}
	return fmt.Sprintf("%+.1f", d)
}

// rate returns the slope of the least squares line through (log x, log y).
func rate(x, y []float64) float64 {
	meanX, meanY := 0.0, 0.0
	for i := range x {
		meanX += math.Log(x[i]) / float64(len(x))
		meanY += math.Log(y[i]) / float64(len(x))
	}
	above, below := 0.0, 0.0
	for i := range x {
		dx := math.Log(x[i]) - meanX
		above += dx * (math.Log(y[i]) - meanY)
		below += dx * dx
	}
	return above / below
}
