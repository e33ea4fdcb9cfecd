// This file measures the scatter of the numbers over draws of data and features, by which other studies are judged.

package paper

import (
	"context"
	"fmt"
	"math"

	"rfm/config"
	"rfm/model/report"
)

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

// drawn is the measured values of one draw of data and features.
type drawn struct {
	Values []value `json:"values"`
	// Variation is the standard deviation of the relative test errors of single inputs, divided by their mean, for the
	// model with all samples and features; of the first draw only.
	Variation float64 `json:"variation,omitempty"`
}

// value is the value of a quantity in one draw.
type value struct {
	quantity
	Number float64 `json:"number"`
}

// draw measures all quantities that other studies compare with published numbers in one draw of data and features.
func (s *Session) draw(ctx context.Context, p plan, draw int) (d drawn, err error) {
	l, err := newLab(ctx, p, s.options.Seed+uint64(draw), s.options.Workers, &s.tracker)
	if err != nil {
		return d, err
	}
	for _, item := range panels {
		if item == "semigroup" && p.base.Problem != config.Burgers {
			continue
		}
		p, err := l.panel(ctx, item)
		if err != nil {
			return d, err
		}
		for i, row := range p.of {
			for j, q := range row {
				d.Values = append(d.Values, value{q, p.values[i][j]})
			}
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

// measureSpreads measures every quantity in several draws of data and features; the first draw is the session's own.
// Each draw is a file of the directory.
func measureSpreads(ctx context.Context, s *Session, problem string) (spreads []Spread, err error) {
	p, draws := s.sizes.seeds(problem)
	var all []drawn
	for draw := range draws {
		name := fmt.Sprintf("%s-seeds-draw-%d.json", problem, draw+1)
		d, known := load[drawn](s.directory, name, s.current)
		if !known || len(d.Values) == 0 {
			s.tracker.change(func(p *Progress) { p.Draw, p.Draws = draw+1, draws })
			if d, err = s.draw(ctx, p, draw); err == nil {
				err = save(s.directory, name, s.current, d)
			}
			if err != nil {
				return nil, err
			}
		}
		all = append(all, d)
	}
	sampling := all[0].Variation / math.Sqrt(float64(s.sizes.studies(problem).base.Data.Test))
	for i, v := range all[0].Values {
		spread := Spread{quantity: v.quantity, Own: v.Number}
		numbers := make([]float64, len(all))
		for j, d := range all {
			numbers[j] = d.Values[i].Number
		}
		spread.Mean, spread.Deviation = report.Mean(numbers), report.Spread(numbers)
		if v.Kind != "coefficients" {
			spread.Sampling = sampling * spread.Mean
		}
		spreads = append(spreads, spread)
	}
	return spreads, nil
}

// seedsStudy computes the mean and the scatter of the test error over draws.
func seedsStudy(ctx context.Context, s *Session, problem string) (Result, error) {
	all, err := measureSpreads(ctx, s, problem)
	if err != nil {
		return Result{}, err
	}
	p, draws := s.sizes.seeds(problem)
	r := Result{Spreads: all}
	t := report.Table{Title: fmt.Sprintf("expected relative test error over %d draws", draws),
		Header: []string{"", "seed " + fmt.Sprint(s.options.Seed), "mean", "one draw", ""}}
	for _, spread := range all {
		where := spread.Kind + " " + spread.where(p.base)
		r.Cells = append(r.Cells, Cell{Where: where, Ours: spread.Mean, Spread: spread.Total()})
		if spread.Kind != "coefficients" && (spread.N == p.n || spread.M == p.m) {
			t.Rows = append(t.Rows, []string{where, number(spread.Own), number(spread.Mean), number(spread.Total()),
				fmt.Sprintf("%.1f%%", 100*spread.Total()/spread.Mean)})
		}
	}
	r.Tables = []report.Table{t}
	r.Notes = []string{
		fmt.Sprintf("One draw: the standard deviation over %d draws, in each of which data (training and test) and "+
			"features are new, also relative to the mean. With so few draws it is known to about %.0f%%; it counts as no "+
			"less than the standard error of a mean over %d test inputs.",
			draws, 100/math.Sqrt(float64(2*(draws-1))), s.sizes.studies(problem).base.Data.Test),
		fmt.Sprintf("Measured with %d test inputs and data on %s=%d. Other items compare the mean over draws with the "+
			"published number: their number times the mean over seed %d of the quantity that is nearest in m, n and grid. "+
			"They take the relative deviation of that, too. Quantities of one problem share their draws.",
			p.base.Data.Test, p.base.GridSymbol(), p.base.Data.Grid, s.options.Seed),
	}
	return r, nil
}
