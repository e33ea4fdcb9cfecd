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

// burgers is the preset of Burgers' equation, scalarProblem the Brownian bridge, a scalar function of one variable.
const burgers, scalarProblem = "burgers", "scalar"

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
	const ours = "not in the paper"
	all := []Study{{"brownian", "brownian", scalarProblem, "Brownian bridges: from random features to the interpolant",
		"Example 2.8", bridgeStudy}}
	for i, problem := range []string{burgers, config.Darcy} {
		for _, s := range []struct {
			item, title string
			sources     [2]string // of the problems; empty if the paper does not have the item
			run         func(context.Context, *Session, Study) (Result, error)
		}{
			{"seeds", "deviation over seeds", [2]string{ours, ours}, seedsStudy},
			{"feature", "a random feature", [2]string{"Figure 3.1", "Figure 3.2"}, featureStudy},
			{"sample", "a test sample", [2]string{"Figure 4.1", "Figure 4.4"}, sampleStudy},
			{"semigroup", "composing the model for T = 0.5", [2]string{"Table 4.1"}, panelStudy},
			{"transfer", "training on one grid, testing on others",
				[2]string{"Figure 4.2 left", "Figure 4.5 left"}, panelStudy},
			{"m-n", "error against the number of features and samples",
				[2]string{"Figure 4.2 right", "Figure 4.5 right"}, panelStudy},
			{"resolution", "error against the grid", [2]string{"Figure 4.3 left", "Figure 4.6 left"}, panelStudy},
			{"coefficients", "coefficients against the grid",
				[2]string{"Figure 4.3 right", "Figure 4.6 right"}, panelStudy},
		} {
			if s.sources[i] != "" {
				all = append(all, Study{problem + "-" + s.item, s.item, problem,
					[]string{"Burgers: ", "Darcy: "}[i] + s.title, s.sources[i], s.run})
			}
		}
	}
	return all
}

// Select returns the studies with the given names, items or problems, in the order of All and each once; no names
// select all. The error is of a name without a study, with a suggestion.
func Select(names []string) ([]Study, error) {
	all := All()
	var items, known []string
	for _, s := range all {
		items, known = append(items, s.Item), append(known, s.Name, s.Item, s.Problem)
	}
	for _, name := range names {
		if !slices.Contains(known, name) {
			slices.Sort(items)
			return nil, fmt.Errorf("there is no item %q to reproduce; did you mean %q? There are %s", name,
				config.Nearest(strings.ToLower(name), known), strings.Join(slices.Compact(items), ", "))
		}
	}
	return slices.DeleteFunc(all, func(s Study) bool {
		return len(names) > 0 && !slices.ContainsFunc(names, func(name string) bool {
			return name == s.Name || name == s.Item || name == s.Problem
		})
	}), nil
}

// Schedule returns the studies to run for the wanted ones. The study of a problem's spreads precedes its judged ones.
func Schedule(wanted []Study) []Study {
	return slices.DeleteFunc(All(), func(s Study) bool {
		return !slices.ContainsFunc(wanted, func(w Study) bool {
			return w.Name == s.Name || w.judged() && w.Problem == s.Problem && s.Item == "seeds"
		})
	})
}

// plan is the sizes of a problem's studies. Grids are K for Burgers and r for Darcy.
type plan struct {
	base config.Config // the paper's experiment; Data is the data to generate, Features.Count the largest m

	n, m int // of all studies except the one over m and n

	samplingGrid int // study over m and n
	samplingN    []int
	samplingM    []int

	grids       []int // study over the grid; the last grid is the reference for coefficients
	resolutionM []int

	transferFrom, transferTo []int

	sampleN, sampleM, sampleGrid int

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
	p := plan{base: base, n: base.Data.Train, m: base.Features.Count, samplingGrid: base.Train.Grid}
	p.samplingN, p.samplingM = published.Axes(problem, "m-n")
	p.resolutionM, p.grids = published.Axes(problem, "resolution")
	p.transferFrom, p.transferTo = published.Axes(problem, "transfer")
	sampleN, sampleM := published.Axes(problem, "sample")
	p.sampleN, p.sampleM, p.sampleGrid = sampleN[0], sampleM[0], base.Data.Grid
	switch {
	case quick && problem == config.Darcy:
		p.base.Data.Grid, p.base.Data.Test = 129, 100
		p.samplingN, p.samplingM, p.grids = p.samplingN[:6], p.samplingM[:6], p.grids[:4]
		p.transferFrom, p.transferTo = []int{17, 65}, p.transferTo[:5]
		p.sampleN, p.sampleM, p.sampleGrid = 128, 256, 65
	case quick:
		p.base.Data.Grid, p.base.Data.Test = 257, 256
		p.samplingN, p.samplingM, p.grids = p.samplingN[:7], p.samplingM[:6], p.grids[:5]
		p.transferFrom, p.transferTo, p.sampleGrid = p.transferFrom[:2], p.grids, p.base.Data.Grid
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
		p.base.Data.Grid, p.base.Data.Test = 129, 500
		p.grids = []int{9, 17, 33, 65}
		p.transferFrom, p.transferTo = []int{17, 65}, []int{9, 17, 33, 65, 129}
	} else {
		p.base.Data.Grid, p.base.Data.Test = 257, 1000
		p.samplingGrid = 33
		p.grids = []int{17, 33, 65}
		p.transferFrom, p.transferTo = []int{65}, []int{17, 33, 65, 129}
		p.base.Train.Grid = 65
	}
	if quick {
		p.draws = 5
		p.base.Data.Test = 100
		p.samplingN = []int{p.samplingN[0], p.samplingN[2], p.samplingN[4]}
		if problem == config.Darcy {
			p.base.Data.Grid = 65
			p.grids = p.grids[:3]
			p.transferFrom, p.transferTo = []int{17, 33}, p.transferTo[:4]
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
	lines, judged := []string{""}, 0
	for _, c := range cells {
		if !c.judged() {
			continue
		}
		if judged++; !c.agrees() {
			lines = append(lines, fmt.Sprintf("%s differs: mean %.4g, published %.4g, %+.1f spreads.", c.Where, c.Mean,
				c.Published, c.distance()))
		}
	}
	if judged == 0 {
		return nil
	}
	lines[0] = fmt.Sprintf("%d of %d published numbers agree with our mean over draws within %d spreads of one draw.",
		judged+1-len(lines), judged, agreement)
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
			all, sizes = append(all, d), append(sizes, math.Abs(d))
		}
	}
	return fmt.Sprintf("%s\nOurs deviate from them by %.1f%% in the median, by %+.1f%% on average. "+
		"Numbers of one problem share their draws.\n", lines[0], 100*report.Median(sizes), 100*report.Mean(all))
}
