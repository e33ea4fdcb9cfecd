package paper

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"rfm/model/machine"
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

// number formats an error with the digits of the paper; empty for 0, which means missing.
func number(v float64) string {
	if v == 0 {
		v = math.NaN()
	}
	return report.Error(v, 4)
}

// Markdown returns the report of results: tables, pictures as characters, notes, and the published numbers.
func Markdown(results []Result, quick bool, seed uint64, pictures func(report.Page) []string) []byte {
	var b strings.Builder
	size := "the paper's sizes"
	if quick {
		size = "reduced sizes (--quick)"
	}
	fmt.Fprintf(&b, "# Numerical results of Nelsen & Stuart (2021), computed again\n\n"+
		"rfm %s, %s, seed %d. Every published number is one draw of features and data; ours is compared\n"+
		"as the mean over draws. A spread is the standard deviation of one draw; a published number within 3 spreads of "+
		"the mean "+
		"agrees.\n\n%s", machine.Version(), size, seed, Agreement(results))
	for _, r := range results {
		b.WriteString("\n" + r.Report().Markdown(pictures(r.Page)))
	}
	return []byte(b.String())
}

// Report returns the page with a table of the published numbers next to ours, if there are any with a verdict.
func (r Result) Report() report.Page {
	p, t := r.Page, report.Table{Title: "published numbers",
		Header: []string{"", "ours", "mean", "published", "spread", "difference / spread", "verdict"}}
	for _, c := range r.Cells {
		if c.Verdict != "" {
			t.Rows = append(t.Rows, []string{c.Where, report.Error(c.Ours, 6), report.Error(c.Expected(), 6),
				fmt.Sprintf("%.6g", c.Published), fmt.Sprintf("%.2g", c.Spread), fmt.Sprintf("%+.1f", c.Distance()),
				string(c.Verdict)})
		}
	}
	if len(t.Rows) > 0 {
		p.Tables = append(slices.Clone(p.Tables), t)
	}
	return p
}

// Agreement counts in two lines the published numbers that agree with ours, and describes the relative differences of
// the expected numbers from them: the median of the absolute values and the mean. It is empty if there are none.
func Agreement(results []Result) string {
	agree := 0
	var all, sizes []float64
	for _, r := range results {
		a, _ := r.Tally()
		agree += a
		for _, c := range r.Cells {
			if c.Verdict != "" {
				d := c.Expected()/c.Published - 1
				all, sizes = append(all, d), append(sizes, math.Abs(d))
			}
		}
	}
	if len(all) == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d published numbers agree with our mean over draws within 3 spreads of one draw.\n"+
		"Ours deviate from them by %.1f%% in the median, by %+.1f%% on average. Numbers of one problem share their draws.\n",
		agree, len(all), 100*report.Median(sizes), 100*report.Mean(all))
}
