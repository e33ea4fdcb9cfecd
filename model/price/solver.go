// Package price measures the cost of solutions: the time of one evaluation on one core against its error, for solvers
// at every tolerance and grid, and for predictors.
package price

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"rfm/model/rfm"
	"rfm/solver/dataset"
	"rfm/solver/fault"
	"rfm/solver/grid"
	"rfm/solver/parallel"
	"rfm/solver/resample"
	"rfm/solver/truth"
)

// Offer is one way to compute solutions, with its cost.
type Offer struct {
	Name      string
	Grid      int     // points along an axis of the grid of the evaluation
	Tolerance float64 // tolerance that a solver is given; 0 for others
	Error     float64 // expected relative error on the grid of the outputs; NaN for the truth itself
	Seconds   float64 // of one evaluation on one core
	Together  int     // inputs solved at the same time in the lanes of one core, Seconds being the share of one
	Alone     float64 // seconds for a single input; 0 if the same
}

// Market compares offers on pairs. Errors are on the grid Grid, to which outputs are interpolated from coarser grids
// and restricted from finer ones; times exclude both.
type Market struct {
	Solver  truth.Operator // nil if there is none
	Pairs   dataset.Pairs  // on the finest grid of known inputs
	Grid    int            // points along an axis of the grid of the outputs
	Workers int            // goroutines for errors; times are those of one core
}

const (
	// timedSolves is the number of inputs for measuring times, measuredSolves the number for measuring errors.
	timedSolves, measuredSolves = 32, 1000
	// searchedSolves is the number of inputs for deciding whether a solver is accurate enough.
	searchedSolves = 200
)

// tolerances are the tolerances of offers, the loosest first.
var tolerances = []float64{0.3, 0.1, 3e-2, 1e-2, 1e-3, 1e-4, 1e-6}

// Full returns the offer of the market's solver at its own tolerance on the market's grid. Errors: a *fault.Numerical
// if it does not solve there, a *fault.Data if the inputs are not known there, ctx's.
func (m Market) Full(ctx context.Context) (Offer, error) {
	solver, inputs, err := m.at(m.Grid, m.Solver.Tolerance())
	if err != nil {
		return Offer{}, err
	}
	o := Offer{Grid: m.Grid, Tolerance: solver.Tolerance(), Error: math.NaN(),
		Together: min(solver.Block(), inputs.Count)}
	if err := o.time(ctx, solver, inputs); err != nil {
		return Offer{}, err
	}
	if _, finest := m.Solver.Grid(); m.Grid == finest {
		return o, nil
	}
	o.Error, err = m.miss(ctx, solver, inputs, min(measuredSolves, inputs.Count))
	return o, err
}

// at returns the solver at a tolerance on a grid with the inputs there.
func (m Market) at(points int, tolerance float64) (truth.Operator, grid.Batch, error) {
	inputs, err := m.Pairs.Inputs.Restrict(points)
	if err != nil {
		return nil, grid.Batch{}, err
	}
	solver := m.Solver
	if _, finest := solver.Grid(); points != finest {
		solver = solver.On(points)
	}
	if tolerance != solver.Tolerance() {
		solver = solver.Within(tolerance)
	}
	return solver, inputs, nil
}

// time measures the time of a solver's offer: for blocks of inputs, and for a single input, by a worker whose tables
// are made before, like those of a model. Errors are the solver's.
func (o *Offer) time(ctx context.Context, solver truth.Operator, inputs grid.Batch) error {
	worker, outputs, count := solver.NewWorker(), inputs.Like(inputs.Count), min(max(timedSolves, o.Together), inputs.Count)
	solve := func(count, together int) func() error {
		return func() error {
			for first := 0; first < count; first += together {
				if err := solveFrom(ctx, worker, solver, outputs, inputs.First(count), first, together); err != nil {
					return err
				}
			}
			return nil
		}
	}
	calls := []func() error{solve(count, o.Together)}
	if o.Together > 1 {
		calls = append(calls, solve(1, 1))
	}
	best, err := fastest(120, 0.1, calls...)
	if err != nil {
		return err
	}
	if o.Seconds = best[0] / float64(count); o.Together > 1 {
		o.Alone = best[1]
	}
	return nil
}

// miss returns the expected relative error of a solver on the market's grid for the first pairs.
func (m Market) miss(ctx context.Context, solver truth.Operator, inputs grid.Batch, pairs int) (float64, error) {
	outputs, err := solveAll(ctx, solver, inputs.First(pairs), min(solver.Block(), pairs), m.Workers)
	if err != nil {
		return 0, err
	}
	return m.Miss(outputs)
}

// Outputs returns the solver's outputs for inputs on its own grid. Errors are the solver's.
func (m Market) Outputs(ctx context.Context, inputs grid.Batch) (grid.Batch, error) {
	return solveAll(ctx, m.Solver, inputs, min(m.Solver.Block(), inputs.Count), m.Workers)
}

// Miss returns the expected relative error, on the market's grid, of outputs on any grid for the first pairs. The error
// is a *fault.Data if neither grid contains the other, or a *fault.Numerical.
func (m Market) Miss(outputs grid.Batch) (float64, error) {
	there, err := resample.To(outputs, m.Grid)
	if err != nil {
		return 0, err
	}
	wanted, err := m.Pairs.Outputs.First(outputs.Count).Restrict(m.Grid)
	if err != nil {
		return 0, err
	}
	measured, err := rfm.Measure(there, wanted)
	return measured.ExpectedRelative, err
}

// grids returns the grids on which the solver can run, ascending.
func (m Market) grids() []int {
	const least = 9
	var list []int
	for points := least; points <= m.Pairs.Inputs.Points; points++ {
		if m.Pairs.Inputs.Domain.Contains(m.Pairs.Inputs.Points, points) {
			list = append(list, points)
		}
	}
	return list
}

// search visits grids and tolerances: on each grid the offers from the loosest tolerance on, until take reports that
// tighter ones are not needed. Where the solver gives up, the offer is omitted. take measures times of offers. The
// search ends before a finer grid on which a rough measurement of the loosest tolerance takes longer than bound, which
// may change meanwhile. Errors are ctx's, take's and *fault.Data.
func (m Market) search(ctx context.Context, bound func() float64, take func(o *Offer, pairs int,
	timed func() error) (bool, error)) error {
	for _, points := range m.grids() {
		for i, tolerance := range tolerances {
			solver, inputs, err := m.at(points, tolerance)
			if err != nil {
				return err
			}
			o := Offer{Name: "solver", Grid: points, Tolerance: solver.Tolerance(), Together: min(solver.Block(), inputs.Count)}
			pairs, rough, err := affordable(ctx, solver, inputs)
			if err == nil && i == 0 && rough > bound() {
				return nil
			}
			if err == nil {
				o.Error, err = m.miss(ctx, solver, inputs, pairs)
			}
			var gaveUp *fault.Numerical
			if errors.As(err, &gaveUp) {
				continue
			}
			if err != nil {
				return err
			}
			enough, err := take(&o, pairs, func() error { return o.time(ctx, solver, inputs) })
			if errors.As(err, &gaveUp) { // for one function, hidden by others in its block
				continue
			}
			if err != nil {
				return err
			}
			if enough || solver.Tolerance() != tolerance { // the solver is exact at any tolerance
				break
			}
		}
	}
	return nil
}

// affordable returns the number of inputs that a solver can solve in a moment, at most searchedSolves, and about the
// time of one input on one core.
func affordable(ctx context.Context, solver truth.Operator, inputs grid.Batch) (pairs int, seconds float64,
	err error) {
	const moment = 0.3 // seconds
	block, begin := min(solver.Block(), inputs.Count), time.Now()
	if _, err = solveAll(ctx, solver, inputs.First(block), block, 1); err != nil {
		return 0, 0, err
	}
	seconds = time.Since(begin).Seconds() / float64(block)
	return min(max(block, int(moment/seconds)), searchedSolves, inputs.Count), seconds, nil
}

// Equal returns the fastest offer of the solver with at most the error of another way, which most returns for the first
// pairs; ok is false if none exists on the grids with known inputs. Errors are ctx's and *fault.Data.
func (m Market) Equal(ctx context.Context, most func(pairs int) float64) (fastest Offer, ok bool, err error) {
	const rough = 3 // bound of the relative error of a single measurement
	fastest.Seconds = math.Inf(1)
	err = m.search(ctx, func() float64 { return rough * fastest.Seconds }, func(o *Offer, pairs int,
		timed func() error) (bool, error) {
		if o.Error > most(pairs) {
			return false, nil
		}
		err := timed()
		if err == nil && o.Seconds < fastest.Seconds {
			fastest, ok = *o, true
		}
		return true, err
	})
	return fastest, ok, err
}

// Solvers returns the offers of the solver at every tolerance and grid where an evaluation takes at most about the
// given seconds. Errors are ctx's and *fault.Data.
func (m Market) Solvers(ctx context.Context, seconds float64) ([]Offer, error) {
	var all []Offer
	err := m.search(ctx, func() float64 { return seconds }, func(o *Offer, _ int, timed func() error) (bool, error) {
		err := timed()
		all = append(all, *o)
		return false, err
	})
	return all, err
}

// solveAll solves for inputs on the solver's grid, together inputs at a time.
func solveAll(ctx context.Context, solver truth.Operator, inputs grid.Batch, together, workers int) (grid.Batch,
	error) {
	outputs := inputs.Like(inputs.Count)
	blocks := (inputs.Count + together - 1) / together
	err := parallel.With(ctx, workers, blocks, solver.NewWorker, func(w truth.Worker, block int) error {
		return solveFrom(ctx, w, solver, outputs, inputs, block*together, together)
	})
	return outputs, err
}

// solveFrom solves for the inputs of a block, from the index first on.
func solveFrom(ctx context.Context, w truth.Worker, solver truth.Operator, outputs, inputs grid.Batch, first,
	together int) error {
	times := solver.Times()
	if len(times) > 0 {
		times = times[len(times)-1:]
	}
	count := min(together, inputs.Count-first)
	return w.Solve(ctx, []grid.Batch{outputs.Range(first, count)}, inputs.Range(first, count), times,
		fmt.Sprintf("test pair %d", first))
}

// Front reports for each offer whether it is on the Pareto front: no other offer has both a smaller error and a shorter
// time. Offers without an error are not compared.
func Front(offers []Offer) []bool {
	front := make([]bool, len(offers))
	for i, o := range offers {
		front[i] = !math.IsNaN(o.Error)
		for _, other := range offers {
			better := other.Error <= o.Error && other.Seconds <= o.Seconds
			if better && (other.Error < o.Error || other.Seconds < o.Seconds) {
				front[i] = false
			}
		}
	}
	return front
}

// Predict returns the offer of a predictor on the grid with the given points along an axis. Errors: a *fault.Data if
// inputs are not known there, the predictor's.
func (m Market) Predict(ctx context.Context, name string, p rfm.Predictor, points int) (Offer, error) {
	inputs, err := m.Pairs.Inputs.First(min(measuredSolves, m.Pairs.Count())).Restrict(points)
	if err != nil {
		return Offer{}, err
	}
	outputs, err := p.Predict(ctx, inputs, m.Workers, nil)
	if err != nil {
		return Offer{}, err
	}
	o := Offer{Name: name, Grid: points, Together: min(timedInputs, inputs.Count)}
	if o.Error, err = m.Miss(outputs); err != nil {
		return Offer{}, err
	}
	o.Seconds, err = Prediction(ctx, p, inputs)
	return o, err
}
