// This file writes the report of a reproduction in Markdown.

package study

import (
	"fmt"
	"strings"

	"rfm/model/machine"
	"rfm/model/report"
)

// Markdown returns the report of results: tables, pictures as characters, notes, and the published numbers.
func Markdown(results []Result, quick bool, seed uint64, pictures func(report.Page) []string) []byte {
	var b strings.Builder
	size := "the paper's sizes"
	if quick {
		size = "reduced sizes (--quick)"
	}
	fmt.Fprintf(&b, "# Numerical results of Nelsen & Stuart (2021), computed anew\n\n"+
		"rfm %s, %s, seed %d. Every published number is one draw of features and data; ours is compared\n"+
		"as the mean over draws. A spread is the standard deviation of one draw; a published number within 3 spreads of "+
		"the mean "+
		"agrees.\n\n%s", machine.Version(), size, seed, Agreement(results))
	for _, r := range results {
		b.WriteString("\n" + r.Markdown(pictures(r.Page)))
		if _, judged := r.Tally(); judged > 0 {
			b.WriteString("\n" + r.Verdicts().Markdown())
		}
	}
	return []byte(b.String())
}

// Verdicts returns a table of the published numbers next to ours.
func (r Result) Verdicts() report.Table {
	t := report.Table{Header: []string{"", "ours", "mean", "published", "spread", "difference / spread", "verdict"}}
	for _, c := range r.Cells {
		if c.Verdict != "" {
			t.Rows = append(t.Rows, []string{c.Where, report.Error(c.Ours, 6), report.Error(c.Expected(), 6),
				fmt.Sprintf("%.6g", c.Published), fmt.Sprintf("%.2g", c.Spread), fmt.Sprintf("%+.1f", c.Distance()),
				string(c.Verdict)})
		}
	}
	return t
}

// Agreement counts in two lines the published numbers that agree with ours; empty if there are none.
func Agreement(results []Result) string {
	agree, judged := 0, 0
	for _, r := range results {
		a, j := r.Tally()
		agree, judged = agree+a, judged+j
	}
	if judged == 0 {
		return ""
	}
	median, mean := Deviations(results)
	return fmt.Sprintf("%d of %d published numbers agree with our mean over draws within 3 spreads of one draw.\n"+
		"Ours deviate from them by %.1f%% in the median, by %+.1f%% on average. Numbers of one problem share their draws.\n",
		agree, judged, 100*median, 100*mean)
}
