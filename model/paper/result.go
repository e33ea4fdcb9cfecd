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
	Cells       []Cell   `json:"cells,omitempty"`   // the numbers that are compared with published ones
	Spreads     []Spread `json:"spreads,omitempty"` // of the study of seeds; the other studies are judged by them
}

// agreement is the number of one-draw standard deviations within which a published number, of one draw, agrees with a
// mean.
const agreement = 3

// Cell is a computed number with its published counterpart, if there is one. A number that is not known is 0.
type Cell struct {
	Where     string  `json:"where"`
	Ours      float64 `json:"ours"`
	Published float64 `json:"published,omitempty"`
	Mean      float64 `json:"mean,omitempty"`   // over draws of features and data, estimated
	Spread    float64 `json:"spread,omitempty"` // standard deviation of one draw
}

// judged reports whether a published number can be compared with the mean over draws.
func (c Cell) judged() bool { return c.Published != 0 && c.Spread != 0 }

// distance returns (Mean - Published) / Spread of a judged cell.
func (c Cell) distance() float64 { return (c.Mean - c.Published) / c.Spread }

func (c Cell) agrees() bool { return math.Abs(c.distance()) <= agreement }

// verdict counts the published numbers that agree, and lists the others; no lines if none can be judged.
func verdict(cells []Cell) []string {
	judged := slices.DeleteFunc(slices.Clone(cells), func(c Cell) bool { return !c.judged() })
	if len(judged) == 0 {
		return nil
	}
	lines := []string{""}
	for _, c := range judged {
		if !c.agrees() {
			lines = append(lines, fmt.Sprintf("%s differs: mean %.4g, published %.4g, %+.1f spreads.", c.Where, c.Mean,
				c.Published, c.distance()))
		}
	}
	lines[0] = fmt.Sprintf("%d of %d published numbers agree with our mean over draws within %d spreads of one draw.",
		len(judged)+1-len(lines), len(judged), agreement)
	return lines
}

// number formats an error with the digits of the paper; a dash for 0, which means missing.
func number(v float64) string {
	if v == 0 {
		v = math.NaN()
	}
	return report.Error(v, 4)
}

// Markdown returns the report of results: tables and notes, with the pictures that are stored next to it.
func Markdown(results []Result, quick bool, seed uint64) []byte {
	var b strings.Builder
	size := "the paper's sizes"
	if quick {
		size = "reduced sizes (--quick)"
	}
	fmt.Fprintf(&b, "# Numerical results of Nelsen & Stuart (2021), computed again\n\n"+
		"rfm %s, %s, seed %d. Every published number is one draw of features and data; ours is compared\n"+
		"as the mean over draws. A spread is the standard deviation of one draw; a published number within %d spreads of "+
		"the mean agrees.\n\n%s", machine.Version(), size, seed, agreement, Agreement(results))
	for _, r := range results {
		b.WriteString("\n" + r.Markdown())
	}
	return []byte(b.String())
}

// Agreement counts in two lines the published numbers that agree with ours, and describes the relative differences of
// our means from them: the median of the absolute values and the mean. It is empty if there are none.
func Agreement(results []Result) string {
	var cells []Cell
	for _, r := range results {
		cells = append(cells, r.Cells...)
	}
	lines := verdict(cells)
	if lines == nil {
		return ""
	}
	var all, sizes []float64
	for _, c := range cells {
		if c.judged() {
			d := c.Mean/c.Published - 1
			all, sizes = append(all, d), append(sizes, math.Abs(d))
		}
	}
	return fmt.Sprintf("%s\nOurs deviate from them by %.1f%% in the median, by %+.1f%% on average. "+
		"Numbers of one problem share their draws.\n", lines[0], 100*report.Median(sizes), 100*report.Mean(all))
}
