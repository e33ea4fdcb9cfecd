// This file compares the error of one evaluation with its time, for the solver, every method, and the model with fewer
// features and on coarser grids.

package compare

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"rfm/model/engine"
	"rfm/model/price"
	"rfm/model/report"
	"rfm/model/setup"
	"rfm/solver/fault"
	"rfm/solver/grid"

	"gonum.org/v1/gonum/floats"
)

// Frontier measures errors and times of evaluations for a complete experiment. The times differ between runs. stage,
// unless nil, is called with the name of each part as it begins. Errors are those of the experiment's stages.
func Frontier(ctx context.Context, e *engine.Experiment, workers int, stage func(what string)) (report.Page, error) {
	if stage == nil {
		stage = func(string) {}
	}
	v := e.Evaluation()
	_, test := e.Pairs()
	market := price.Market{Solver: setup.Truth(e.Config), Pairs: test, Grid: v.Grid, Workers: workers}
	stage(v.Rivals[0].Name)
	models, err := modelOffers(ctx, e, market, stage)
	if err != nil {
		return report.Page{}, err
	}
	slowest := 0.0
	for _, o := range models {
		slowest = max(slowest, o.Seconds)
	}
	var solvers, others []price.Offer
	if market.Solver != nil {
		stage("the solver")
		const longer = 3 // times the slowest model
		if solvers, err = market.Solvers(ctx, longer*slowest); err != nil {
			return report.Page{}, err
		}
	}
	for _, r := range v.Rivals[1:] {
		if r.Tolerance == 0 {
			r.Grid = v.Grid
			others = append(others, r.Offer)
		}
	}
	return frontier(test.Inputs.Domain, v.Grid, solvers, models, others), nil
}

// modelOffers prices the model, and models of fewer features, on the evaluation's grid and on coarser ones.
func modelOffers(ctx context.Context, e *engine.Experiment, market price.Market, stage func(string)) ([]price.Offer,
	error) {
	const fewest, most = 16, 6 // number of features, number of models
	experiments := []*engine.Experiment{e}
	for m := e.Config.Features.Count / 2; e.Model().Random() && m >= fewest && len(experiments) <= most; m /= 2 {
		stage(fmt.Sprintf("the model with m=%d", m))
		c := e.Config
		c.Features.Count = m
		smaller, err := engine.New(ctx, c, engine.Options{Workers: market.Workers})
		if err != nil {
			return nil, err
		}
		smaller.Reuse(e)
		if err := smaller.Reach(ctx, engine.Training); err != nil {
			return nil, err
		}
		experiments = append(experiments, smaller)
	}
	var offers []price.Offer
	for _, x := range experiments {
		name := "model"
		if e.Model().Random() {
			name = fmt.Sprintf("model, m=%d", x.Config.Features.Count)
		}
		for _, points := range coarser(e.Config.Grids(market.Grid), market.Pairs.Inputs.Domain) {
			o, err := market.Predict(ctx, name, x.Model(), points)
			var data *fault.Data
			if errors.As(err, &data) { // features do not support every grid
				continue
			}
			if err != nil {
				return nil, err
			}
			offers = append(offers, o)
		}
	}
	return offers, nil
}

// coarser returns the grids that are fine enough for interpolation, the finest first.
func coarser(grids []int, domain grid.Domain) []int {
	least := 33
	if domain.Dims == 2 {
		least = 17
	}
	finest := slices.Max(grids)
	kept := slices.DeleteFunc(slices.Clone(grids), func(points int) bool { return points < min(least, finest) })
	slices.Sort(kept)
	slices.Reverse(kept)
	return kept
}

// frontier returns the offers as a table and a figure. It marks those that no other offer dominates.
func frontier(domain grid.Domain, points int, solvers, models, others []price.Offer) report.Page {
	all := slices.Concat(solvers, models, others)
	front := price.Front(all)
	order, seconds := make([]int, len(all)), make([]float64, len(all))
	for i, o := range all {
		seconds[i] = o.Seconds
	}
	floats.ArgsortStable(seconds, order)
	t := report.Table{Title: fmt.Sprintf("one evaluation on one core, error on %s; * nothing is faster and more accurate",
		domain.Grid(points)), Header: []string{"", "grid", "tolerance", "error", "us", "us, one alone", ""}}
	best := report.Curve{Name: "not beaten"}
	for _, i := range order {
		o := all[i]
		row := []string{o.Name, domain.Grid(o.Grid), "", report.Error(o.Error, 4),
			map[bool]string{true: "< "}[o.Bound] + micro(o.Seconds), "", ""}
		if o.Tolerance > 0 {
			row[2] = fmt.Sprintf("%g", o.Tolerance)
		}
		if o.Alone > 0 {
			row[5] = micro(o.Alone)
		}
		if front[i] {
			row[6] = "*"
			best.X, best.Y = append(best.X, o.Seconds), append(best.Y, o.Error)
		}
		t.Rows = append(t.Rows, row)
	}
	f := report.Figure{Title: "error of one evaluation against its time", XLabel: "seconds on one core",
		YLabel: "relative test error", LogX: true, LogY: true, Curves: []report.Curve{best}}
	for _, kind := range []struct {
		name   string
		role   report.Role
		offers []price.Offer
	}{{"solver", report.AsTruth, solvers}, {"model", report.AsPrediction, models},
		{"other methods", report.Alike, others}} {
		c := report.Curve{Name: kind.name, Points: true, Role: kind.role}
		slices.SortStableFunc(kind.offers, func(a, b price.Offer) int { return cmp.Compare(a.Seconds, b.Seconds) })
		for _, o := range kind.offers {
			if o.Error > 0 && !math.IsNaN(o.Error) {
				c.X, c.Y = append(c.X, o.Seconds), append(c.Y, o.Error)
			}
		}
		if c.X != nil {
			f.Curves = append(f.Curves, c)
		}
	}
	return report.Page{Name: "cost", Title: "Cost of an evaluation", Source: "measured now, on one core",
		Tables: []report.Table{t}, Figures: []report.Figure{f},
		Notes: []string{"Times are those of many evaluations, or as many at a time as the solver takes, without " +
			"interpolation between grids; errors are with it."}}
}

// micro formats seconds as microseconds.
func micro(seconds float64) string { return fmt.Sprintf("%.3g", seconds*1e6) }
