// Package paper repeats the numerical results of Nelsen & Stuart, SIAM J. Sci. Comput. 43(5) A3212-A3243, 2021: each
// study is a figure or a table of the paper, computed again and compared with the published numbers.
//
// A prediction is linear in the coefficients alpha, the Gram matrix of every m is part of the largest one, and sums
// over n samples pass through the sums over every smaller n. So a study over m and n makes one pass over the training
// features and one over the test features, and solves a small system for each cell in between.
package paper

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"rfm/config"
	"rfm/model/run/machine"
	"rfm/model/show/paper/published"
	"rfm/model/show/report"
)

// A quantity is a number of the studies.
type quantity = published.Quantity

const (
	burgers       = "burgers" // preset of Burgers' equation
	scalarProblem = "scalar"  // the Brownian bridge, a scalar function of one variable
)

// Study is one figure or table of the paper for one problem.
type Study struct {
	Name    string // problem-item, e.g. burgers-m-n
	Item    string // the same item of every problem, e.g. m-n
	Problem string // the preset: burgers or config.Darcy, or else scalarProblem
	Title   string
	Source  string // figure or table of the paper
	run     func(ctx context.Context, s *Session, of Study) (Result, error)
}

// judged reports whether the numbers of the study are judged by the spreads of its problem.
func (s Study) judged() bool { return slices.Contains(panels, s.Item) }

// All returns the studies, grouped by problem.
func All() []Study {
	all := []Study{{
		Name:    "brownian",
		Item:    "brownian",
		Problem: scalarProblem,
		Title:   "Brownian bridges: from random features to the interpolant",
		Source:  "Example 2.8",
		run:     bridgeStudy,
	}}
	for _, s := range commonItems() {
		all = append(all, s.of(burgers, "Burgers: ", s.burgers))
	}
	for _, s := range commonItems() {
		if s.darcy != "" {
			all = append(all, s.of(config.Darcy, "Darcy: ", s.darcy))
		}
	}
	return all
}

// item is a study that problems have in common.
type item struct {
	name    string
	title   string
	burgers string // figure or table of the paper
	darcy   string // the same; empty if the paper does not have the item
	run     func(context.Context, *Session, Study) (Result, error)
}

// of returns the study of a problem, whose title starts with a word and which the paper shows in source.
func (i item) of(problem, word, source string) Study {
	return Study{
		Name:    problem + "-" + i.name,
		Item:    i.name,
		Problem: problem,
		Title:   word + i.title,
		Source:  source,
		run:     i.run,
	}
}

// commonItems returns the items of both problems in the order of their studies.
func commonItems() []item {
	const ours = "not in the paper"
	return []item{
		{
			name:    "seeds",
			title:   "deviation over seeds",
			burgers: ours,
			darcy:   ours,
			run:     seedsStudy,
		},
		{
			name:    "feature",
			title:   "a random feature",
			burgers: "Figure 3.1",
			darcy:   "Figure 3.2",
			run:     featureStudy,
		},
		{
			name:    "sample",
			title:   "a test sample",
			burgers: "Figure 4.1",
			darcy:   "Figure 4.4",
			run:     sampleStudy,
		},
		{
			name:    "semigroup",
			title:   "composing the model for T = 0.5",
			burgers: "Table 4.1",
			run:     panelStudy,
		},
		{
			name:    "transfer",
			title:   "training on one grid, testing on others",
			burgers: "Figure 4.2 left",
			darcy:   "Figure 4.5 left",
			run:     panelStudy,
		},
		{
			name:    "m-n",
			title:   "error against the number of features and samples",
			burgers: "Figure 4.2 right",
			darcy:   "Figure 4.5 right",
			run:     panelStudy,
		},
		{
			name:    "resolution",
			title:   "error against the grid",
			burgers: "Figure 4.3 left",
			darcy:   "Figure 4.6 left",
			run:     panelStudy,
		},
		{
			name:    "coefficients",
			title:   "coefficients against the grid",
			burgers: "Figure 4.3 right",
			darcy:   "Figure 4.6 right",
			run:     panelStudy,
		},
	}
}

// Select returns the studies with the given names, items or problems, in the order of All and each once; no names
// select all. The error is of a name without a study, with a suggestion.
func Select(names []string) ([]Study, error) {
	all := All()
	var items, known []string
	for _, s := range all {
		items = append(items, s.Item)
		known = append(known, s.Name, s.Item, s.Problem)
	}
	for _, name := range names {
		if !slices.Contains(known, name) {
			slices.Sort(items)
			question := ""
			if similar := config.Similar(strings.ToLower(name), known); similar != "" {
				question = fmt.Sprintf("; did you mean %q?", similar)
			}
			list := strings.Join(slices.Compact(items), ", ")
			return nil, fmt.Errorf("there is no item %q to reproduce, want %s%s", name, list, question)
		}
	}
	if len(names) == 0 {
		return all, nil
	}
	return slices.DeleteFunc(all, func(s Study) bool {
		return !slices.ContainsFunc(names, s.answers)
	}), nil
}

// answers reports whether a name is that of the study, of its item or of its problem.
func (s Study) answers(name string) bool {
	return name == s.Name || name == s.Item || name == s.Problem
}

// Schedule returns the studies to run for the wanted ones. The study of a problem's spreads precedes its judged ones.
func Schedule(wanted []Study) []Study {
	return slices.DeleteFunc(All(), func(s Study) bool {
		return !slices.ContainsFunc(wanted, func(w Study) bool {
			if w.Name == s.Name {
				return true
			}
			judges := s.Item == "seeds" && s.Problem == w.Problem
			return judges && w.judged()
		})
	})
}

// plan is the sizes of a problem's studies. Grids are K for Burgers and r for Darcy.
type plan struct {
	base config.Config // the paper's experiment; Data is the data to generate, Features.Count the largest m

	// Pairs and features of all studies except the one over m and n.
	n int
	m int

	samplingGrid int // study over m and n
	samplingN    []int
	samplingM    []int

	grids       []int // study over the grid; the last grid is the reference for coefficients
	resolutionM []int

	transferFrom []int // grids of training
	transferTo   []int // grids of the test

	sampleN    int // study of one test sample
	sampleM    int
	sampleGrid int

	draws int // of data and features, for their scatter
}

// Bytes returns the peak memory of a reproduction, as measured.
func Bytes(quick bool) float64 {
	const mib = 1 << 20
	if quick {
		return 220 * mib
	}
	return 1450 * mib
}

// planOf returns the sizes of the published numbers, or smaller ones if quick.
func planOf(problem string, quick bool) plan {
	base := preset(problem)
	p := plan{
		base:         base,
		n:            base.Data.Train,
		m:            base.Features.Count,
		samplingGrid: base.Train.Grid,
	}
	p.samplingN, p.samplingM = published.Axes(problem, "m-n")
	p.resolutionM, p.grids = published.Axes(problem, "resolution")
	p.transferFrom, p.transferTo = published.Axes(problem, "transfer")
	sampleN, sampleM := published.Axes(problem, "sample")
	p.sampleN = sampleN[0]
	p.sampleM = sampleM[0]
	p.sampleGrid = base.Data.Grid
	switch {
	case quick && problem == config.Darcy:
		p.base.Data.Grid = 129
		p.base.Data.Test = 100
		p.samplingN = p.samplingN[:6]
		p.samplingM = p.samplingM[:6]
		p.grids = p.grids[:4]
		p.transferFrom = []int{17, 65}
		p.transferTo = p.transferTo[:5]
		p.sampleN = 128
		p.sampleM = 256
		p.sampleGrid = 65
	case quick:
		p.base.Data.Grid = 257
		p.base.Data.Test = 256
		p.samplingN = p.samplingN[:7]
		p.samplingM = p.samplingM[:6]
		p.grids = p.grids[:5]
		p.transferFrom = p.transferFrom[:2]
		p.transferTo = p.grids
		p.sampleGrid = p.base.Data.Grid
	}
	p.base.Data.Train = max(p.n, p.samplingN[len(p.samplingN)-1])
	p.base.Features.Count = max(p.m, p.samplingM[len(p.samplingM)-1])
	return p
}

// seedsPlan returns the sizes for measuring the scatter over draws: coarser data grids, on which errors are close to
// the paper's, and fewer test inputs.
func seedsPlan(problem string, quick bool) plan {
	p := planOf(problem, quick)
	p.draws = 10
	if problem == config.Darcy {
		p.base.Data.Grid = 129
		p.base.Data.Test = 500
		p.grids = []int{9, 17, 33, 65}
		p.transferFrom = []int{17, 65}
		p.transferTo = []int{9, 17, 33, 65, 129}
	} else {
		p.base.Data.Grid = 257
		p.base.Data.Test = 1000
		p.samplingGrid = 33
		p.grids = []int{17, 33, 65}
		p.transferFrom = []int{65}
		p.transferTo = []int{17, 33, 65, 129}
		p.base.Train.Grid = 65
	}
	if quick {
		p.draws = 5
		p.base.Data.Test = 100
		p.samplingN = []int{p.samplingN[0], p.samplingN[2], p.samplingN[4]}
		if problem == config.Darcy {
			p.base.Data.Grid = 65
			p.grids = p.grids[:3]
			p.transferFrom = []int{17, 33}
			p.transferTo = p.transferTo[:4]
		}
	}
	p.base.Data.Train = max(p.n, p.samplingN[len(p.samplingN)-1])
	return p
}

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
	of        quantity
	Where     string  `json:"where"`
	Ours      float64 `json:"ours"`
	Published float64 `json:"published,omitempty"`
	Mean      float64 `json:"mean,omitempty"`   // over draws of features and data, estimated
	Spread    float64 `json:"spread,omitempty"` // standard deviation of one draw
	Single    float64 `json:"single,omitempty"` // relative deviation of the errors of single test inputs
}

func (c Cell) ours() float64      { return c.Ours }
func (c Cell) published() float64 { return c.Published }

// judged reports whether a published number can be compared with the mean over draws.
func (c Cell) judged() bool { return c.Published != 0 && c.Spread != 0 }

// distance returns (Mean - Published) / Spread of a judged cell.
func (c Cell) distance() float64 { return (c.Mean - c.Published) / c.Spread }

func (c Cell) agrees() bool { return math.Abs(c.distance()) <= agreement }

// verdict counts the published numbers that agree, and lists the others; no lines if none can be judged.
func verdict(cells []Cell) []string {
	lines := []string{""} // the first line is the count
	judged := 0
	for _, c := range cells {
		if !c.judged() {
			continue
		}
		judged++
		if !c.agrees() {
			lines = append(lines, fmt.Sprintf("%s differs: mean %.4g, published %.4g, %+.1f spreads.",
				c.Where, c.Mean, c.Published, c.distance()))
		}
	}
	if judged == 0 {
		return nil
	}
	differ := len(lines) - 1
	lines[0] = fmt.Sprintf("%d of %d published numbers agree with our mean over draws within %d spreads of one draw.",
		judged-differ, judged, agreement)
	return lines
}

// number formats an error with the digits of the paper; a dash for 0, which means missing.
func number(v float64) string {
	if v == 0 {
		v = math.NaN()
	}
	return report.Error(v, 4)
}

// markdown returns the report of all stored results: tables and notes, with the pictures that are stored next to it.
func (s *Session) markdown() []byte {
	var b strings.Builder
	results := s.Stored()
	size := "the paper's sizes"
	if s.options.Quick {
		size = "reduced sizes (--quick)"
	}
	fmt.Fprintf(&b, "# Numerical results of Nelsen & Stuart (2021), computed again\n\n"+
		"rfm %s, %s, seed %d. Every published number is one draw of features and data; ours is compared\n"+
		"as the mean over draws. A spread is the standard deviation of one draw; a published number within %d spreads of "+
		"the mean agrees.\n\n%s", machine.Version(), size, s.options.Seed, agreement, Agreement(results))
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
			all = append(all, d)
			sizes = append(sizes, math.Abs(d))
		}
	}
	median := 100 * report.Median(sizes)
	mean := 100 * report.Mean(all)
	return fmt.Sprintf("%s\nOurs deviate from them by %.1f%% in the median, by %+.1f%% on average. "+
		"Numbers of one problem share their draws.\n", lines[0], median, mean)
}
