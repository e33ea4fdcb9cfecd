// This file measures the scatter of all numbers over draws of data and features, by which the numbers are judged.

package paper

import (
	"context"
	"fmt"
	"math"
	"slices"

	"rfm/model/run/engine"
	"rfm/model/show/report"
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
	best := math.Inf(1)
	for _, s := range spreads {
		if s.Kind != q.Kind || s.Step != q.Step {
			continue
		}
		ofModel := apart(s.M, q.M) + apart(s.N, q.N)
		distance := ofModel + apart(s.Grid, q.Grid) + apart(s.Test, q.Test)
		isUsable := s.Mean != 0 && s.Own != 0
		if distance < best && isUsable {
			best = distance
			nearest = s
			known = true
		}
	}
	return nearest, known
}

// apart returns the distance of two sizes on a logarithmic scale, which is defined for 0, too.
func apart(a, b int) float64 {
	ratio := float64(a+1) / float64(b+1)
	return math.Abs(math.Log(ratio))
}

// judge sets the means and the spreads of numbers over draws, if they are known. A mean is our number times the ratio
// of the mean to the first draw of the nearest quantity.
func judge(cells []Cell, spreads []Spread) {
	for i := range cells {
		c := &cells[i]
		spread, known := nearest(spreads, c.of)
		if !known {
			continue
		}
		c.Mean = c.Ours * spread.Mean / spread.Own
		relative := spread.Total() / math.Abs(spread.Mean)
		c.Spread = relative * c.Mean
	}
}

// quantities returns all numbers that other studies compare with published ones.
func (l plan) quantities() (all []Cell) {
	for _, item := range l.panels() {
		all = append(all, l.describe(item).cells...)
	}
	return all
}

// draw measures all quantities in one draw of data and features.
func (s *Session) draw(ctx context.Context, p plan, draw int) (cells []Cell, err error) {
	l, err := newLab(ctx, p, s.options.Seed+uint64(draw), s.options.Workers, &s.tracker)
	if err != nil {
		return nil, err
	}
	for _, item := range p.panels() {
		p, err := l.panel(ctx, item)
		if err != nil {
			return nil, err
		}
		cells = append(cells, p.cells...)
	}
	return cells, nil
}

// variation returns the relative deviation of the errors of single inputs, of the model with all samples and features.
func (l plan) variation(cells []Cell) float64 {
	full := quantity{
		Kind: "error",
		M:    l.m,
		N:    l.n,
		Grid: l.base.Train.Grid,
	}
	i := slices.IndexFunc(l.quantities(), func(c Cell) bool {
		return c.of == full
	})
	return cells[i].Single
}

// seedsStudy computes the mean and the scatter of every quantity over several draws of data and features; the first
// draw is the session's own. Each draw is a file of the directory.
func seedsStudy(ctx context.Context, s *Session, study Study) (r Result, err error) {
	p := s.plan(study.Problem, true)
	var draws [][]Cell
	quantities := p.quantities()
	for draw := range p.draws {
		cells, err := s.storedDraw(ctx, study, p, draw, len(quantities))
		if err != nil {
			return r, err
		}
		draws = append(draws, cells)
	}
	inputs := s.plan(study.Problem, false).base.Data.Test
	own := fmt.Sprintf("seed %d", s.options.Seed)
	t := report.Table{
		Title:  fmt.Sprintf("expected relative test error over %d draws", p.draws),
		Header: []string{"", own, "mean", "one draw", ""},
	}
	for i, c := range quantities {
		var numbers []float64
		for _, cells := range draws {
			numbers = append(numbers, cells[i].Ours)
		}
		spread := Spread{
			quantity:  c.of,
			Own:       numbers[0],
			Mean:      report.Mean(numbers),
			Deviation: report.Spread(numbers),
		}
		if c.of.Kind != "coefficients" { // which are no means over test inputs
			standardError := p.variation(draws[0]) / math.Sqrt(float64(inputs))
			spread.Sampling = standardError * spread.Mean
			isMain := c.of.N == p.n || c.of.M == p.m
			if isMain {
				t.Rows = append(t.Rows, spread.row(c.of.Kind+" "+c.Where))
			}
		}
		r.Spreads = append(r.Spreads, spread)
	}
	r.Tables = []report.Table{t}
	r.Notes = p.spreadNotes(inputs, s.options.Seed)
	return r, nil
}

// spreadNotes explains the table of spreads: how they were measured, and how other studies use them.
func (l plan) spreadNotes(inputs int, seed uint64) []string {
	const (
		oneDraw = "One draw: the standard deviation over %d draws, in each of which data (training and test) and features are " +
			"new, also relative to the mean. With so few draws it is known to about %.0f%%; it counts as no less than the " +
			"standard error of a mean over %d test inputs."
		use = "Measured with %d test inputs and data on %s=%d. Other items compare the mean over draws with the published " +
			"number: their number times the mean over seed %d of the quantity that is nearest in m, n and grid. They take " +
			"the relative deviation of that, too. Quantities of one problem share their draws."
	)
	data := l.base.Data
	uncertainty := 100 / math.Sqrt(float64(2*(l.draws-1))) // of a standard deviation of so many Gaussian numbers, in percent
	return []string{
		fmt.Sprintf(oneDraw, l.draws, uncertainty, inputs),
		fmt.Sprintf(use, data.Test, l.base.GridSymbol(), data.Grid, seed),
	}
}

// storedDraw returns the cells of one draw from its file, or measures them and writes the file if it has not count cells.
func (s *Session) storedDraw(ctx context.Context, study Study, p plan, draw, count int) ([]Cell, error) {
	name := fmt.Sprintf("%s-draw-%d", study.Name, draw+1)
	d, found := s.load(name, study)
	if found && len(d.Cells) == count {
		s.whole.Skip(1)
		return d.Cells, nil
	}
	s.tracker.Set(func(q *engine.Progress) {
		q.Note = fmt.Sprintf("draw %d of %d", draw+1, p.draws)
	})
	d.Name = name
	var err error
	d.Cells, err = s.draw(ctx, p, draw)
	if err != nil {
		return nil, err
	}
	err = s.write(s.file(d, study))
	if err != nil {
		return nil, err
	}
	s.whole.Advance(1)
	return d.Cells, nil
}

// row returns the cells of the table of spreads: our number, the mean, and one draw, also relative to the mean.
func (s Spread) row(name string) []string {
	relative := 100 * s.Total() / s.Mean
	return []string{
		name,
		number(s.Own),
		number(s.Mean),
		number(s.Total()),
		fmt.Sprintf("%.1f%%", relative),
	}
}
