// Package chart draws data (figures, fields, tables and results of studies) as text of a given size.
package chart

import (
	"fmt"

	"rfm/model/paper"
	"rfm/tui/theme"
)

// Verdicts counts the numbers that agree with published ones and lists the others.
func Verdicts(r paper.Result, th theme.Theme) []string {
	agree, judged := r.Tally()
	if judged == 0 {
		return nil
	}
	lines := []string{fmt.Sprintf("%d of %d published numbers agree with our mean over draws within 3 spreads", agree,
		judged)}
	for _, c := range r.Cells {
		if c.Verdict == paper.Differs {
			lines = append(lines, fmt.Sprintf("%s %s: mean %.4g, published %.4g, %+.1f spreads", th.Warn.Render("differs"),
				c.Where, c.Expected(), c.Published, c.Distance()))
		}
	}
	return lines
}
