// This file measures the scatter of the numbers over draws of data and features, by which other studies are judged.

package paper

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"rfm/config"
	"rfm/model/report"
	"rfm/solver/progress"
)

// quantity identifies a number whose spread over draws is measured.
type quantity struct {
	Kind string `json:"kind"` // error, coefficients, transfer, composition
	M    int    `json:"m"`
	N    int    `json:"n"`
	Grid int    `json:"grid"`            // K or r of training
	Test int    `json:"test,omitempty"`  // K or r of the test, if different
	Step int    `json:"steps,omitempty"` // number of compositions
}

// test returns the grid of the test.
func (q quantity) test() int { return cmp.Or(q.Test, q.Grid) }

func (q quantity) where(c config.Config) string {
	text := fmt.Sprintf("n=%d m=%d %s=%d", q.N, q.M, c.GridSymbol(), q.Grid)
	if q.Test != 0 {
		text += fmt.Sprintf(" tested on %s=%d", c.GridSymbol(), q.Test)
	}
	if q.Step != 0 {
		text += fmt.Sprintf(" T=%g", halves[q.Step-1])
	}
	return text
}

// Spread is the scatter of one quantity over draws.
type Spread struct {
	quantity
	Own       float64 `json:"own"`       // value in the first draw, with the session's seed
	Mean      float64 `json:"mean"`      // over draws of data and features
	Deviation float64 `json:"deviation"` // standard deviation of one draw of both
	// standard error of a mean over the test inputs, a lower bound of Deviation; 0 if the quantity is not such a mean
	Sampling float64 `json:"sampling"`
}

// Total returns the standard deviation of one draw. A few draws can scatter less by chance than the test inputs alone
// make them; then it returns Sampling.
func (s Spread) Total() float64 { return max(s.Deviation, s.Sampling) }

// nearest returns the spread of a quantity, or else the spread of its kind that is nearest in log m, log n and log
// grid. known is false if none of its kind was measured.
func nearest(spreads []Spread, q quantity) (nearest Spread, known bool) {
	apart := func(a, b int) float64 { return math.Abs(math.Log(float64(a+1) / float64(b+1))) } // defined for 0
	best := math.Inf(1)
	for _, s := range spreads {
		if s.Kind != q.Kind || s.Step != q.Step {
			continue
		}
		d := apart(s.M, q.M) + apart(s.N, q.N) + apart(s.Grid, q.Grid) + apart(s.Test, q.Test)
		if d < best && s.Mean != 0 && s.Own != 0 {
			best, nearest, known = d, s, true
		}
	}
	return nearest, known
}

// cell returns a number with the published one (0: none), judged by the mean and the spread of its quantity over draws
// if they are known. The mean is our number times the ratio of the mean to the first draw in the study of seeds.
func (s *Session) cell(base config.Config, q quantity, ours, published float64) Cell {
	c := Cell{Where: q.where(base), Ours: ours, Published: published}
	seeds, _ := s.Result(base.Problem + "-seeds")
	if spread, known := nearest(seeds.Spreads, q); known {
		c.Mean = ours * spread.Mean / spread.Own
		c.Spread = spread.Total() / math.Abs(spread.Mean) * c.Mean
	}
	return c
}

// drawn is the numbers of one draw of data and features, in the order of quantities.
type drawn struct {
	Numbers []float64 `json:"numbers"`
	// Variation is the standard deviation of the relative test errors of single inputs, divided by their mean, for the
	// model with all samples and features; of the first draw only.
	Variation float64 `json:"variation,omitempty"`
}

// quantities returns all numbers that other studies compare with published ones.
func (p plan) quantities() (all []quantity) {
	for _, item := range p.panels() {
		for _, row := range p.describe(item).of {
			all = append(all, row...)
		}
	}
	return all
}

// draw measures all quantities in one draw of data and features.
func (s *Session) draw(ctx context.Context, p plan, draw int) (d drawn, err error) {
	l, err := newLab(ctx, p, s.options.Seed+uint64(draw), s.options.Workers, &s.tracker)
	if err != nil {
		return d, err
	}
	for _, item := range p.panels() {
		p, err := l.panel(ctx, item)
		if err != nil {
			return d, err
		}
		for _, row := range p.values {
			d.Numbers = append(d.Numbers, row...)
		}
	}
	if draw == 0 {
		d.Variation, err = l.variation(ctx)
	}
	return d, err
}

// variation returns the Variation of a draw.
func (l *lab) variation(ctx context.Context) (float64, error) {
	alpha, err := l.alpha(ctx, []int{l.n}, l.resolutionM, l.n, l.m, l.base.Train.Grid)
	if err != nil {
		return 0, err
	}
	relative, err := l.relative(ctx, [][]float64{alpha}, l.base.Train.Grid)
	if err != nil {
		return 0, err
	}
	return report.Spread(relative[0]) / report.Mean(relative[0]), nil
}

// seedsStudy computes the mean and the scatter of every quantity over several draws of data and features; the first
// draw is the session's own. Each draw is a file of the directory.
func seedsStudy(ctx context.Context, s *Session, directory Directory, study Study) (r Result, err error) {
	p, draws := s.sizes.seeds(study.Problem)
	var all []drawn
	quantities := p.quantities()
	for draw := range draws {
		name := fmt.Sprintf("%s-draw-%d.json", study.Name, draw+1)
		d, found := load[drawn](directory, name, s.key(study))
		if found = found && len(d.Numbers) == len(quantities); !found {
			s.tracker.change(func(p *progress.Progress) { p.Note = fmt.Sprintf("draw %d of %d", draw+1, draws) })
			if d, err = s.draw(ctx, p, draw); err == nil {
				err = save(directory, name, s.key(study), d)
			}
			if err != nil {
				return r, err
			}
		}
		s.whole.change(func(p *progress.Progress) {
			if p.Done++; found {
				p.Before++
			}
		})
		all = append(all, d)
	}
	inputs := s.sizes.studies(study.Problem).base.Data.Test
	t := report.Table{Title: fmt.Sprintf("expected relative test error over %d draws", draws),
		Header: []string{"", "seed " + fmt.Sprint(s.options.Seed), "mean", "one draw", ""}}
	for i, q := range quantities {
		numbers := make([]float64, len(all))
		for j, d := range all {
			numbers[j] = d.Numbers[i]
		}
		spread := Spread{quantity: q, Own: numbers[0], Mean: report.Mean(numbers), Deviation: report.Spread(numbers)}
		if q.Kind != "coefficients" {
			spread.Sampling = all[0].Variation / math.Sqrt(float64(inputs)) * spread.Mean
		}
		r.Spreads = append(r.Spreads, spread)
		if q.Kind != "coefficients" && (q.N == p.n || q.M == p.m) {
			t.Rows = append(t.Rows, []string{q.Kind + " " + q.where(p.base), number(spread.Own), number(spread.Mean),
				number(spread.Total()), fmt.Sprintf("%.1f%%", 100*spread.Total()/spread.Mean)})
		}
	}
	r.Tables = []report.Table{t}
	r.Notes = []string{
		fmt.Sprintf("One draw: the standard deviation over %d draws, in each of which data (training and test) and "+
			"features are new, also relative to the mean. With so few draws it is known to about %.0f%%; it counts as no "+
			"less than the standard error of a mean over %d test inputs.", draws, 100/math.Sqrt(float64(2*(draws-1))), inputs),
		fmt.Sprintf("Measured with %d test inputs and data on %s=%d. Other items compare the mean over draws with the "+
			"published number: their number times the mean over seed %d of the quantity that is nearest in m, n and grid. "+
			"They take the relative deviation of that, too. Quantities of one problem share their draws.",
			p.base.Data.Test, p.base.GridSymbol(), p.base.Data.Grid, s.options.Seed),
	}
	return r, nil
}
