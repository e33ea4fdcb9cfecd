// Package price is what it costs to know a solution: the time of one evaluation on one core against its error, for
// solvers at every tolerance and grid, and for whatever predicts.
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

// Offer is one way to get at solutions, at its price.
type Offer struct {
	Name      string
	Grid      int     // points along an axis of the grid on which it is evaluated
	Tolerance float64 // to which a solver is asked to solve; 0 for others
	Error     float64 // expected relative error on the grid where outputs are wanted; NaN if it is the truth itself
	Seconds   float64 // of one evaluation on one core
	Together  int     // inputs that were solved at the same time in one core's lanes, Seconds being the share of one
	Alone     float64 // seconds if there is one input; 0 if that is the same
}

// Market compares offers on pairs. Errors are on the grid Grid, to which outputs are interpolated from coarser grids
// and restricted from finer ones; neither is a part of the time.
type Market struct {
	Solver  truth.Operator // nil if there is none
	Pairs   dataset.Pairs  // on the finest grid on which inputs are known
	Grid    int            // where outputs are wanted
	Workers int            // goroutines for errors; times are those of one core
}

const (
	// timedSolves is the number of inputs that are timed, measuredSolves of those whose error is measured.
	timedSolves, measuredSolves = 32, 1000
	// searchedSolves is the number of inputs that decide whether a solver is accurate enough.
	searchedSolves = 200
)

// tolerances are those that are offered, the loosest first.
var tolerances = []float64{0.3, 0.1, 3e-2, 1e-2, 1e-3, 1e-4, 1e-6}

// Full returns the market's solver at its own tolerance on the market's grid. Errors: a *fault.Numerical if it does not
// solve there, a *fault.Data if the inputs are not known there, ctx's.
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

// time measures what a solver's offer takes: blocks of inputs, and one alone. Errors are the solver's.
func (o *Offer) time(ctx context.Context, solver truth.Operator, inputs grid.Batch) (err error) {
	timed := func(best *float64, count, together int) {
		if err != nil {
			return
		}
		var seconds float64
		seconds, err = Timed(count, func() error {
			_, err := solveAll(ctx, solver, inputs.First(count), together, 1)
			return err
		})
		if *best == 0 || seconds < *best {
			*best = seconds
		}
	}
	const rounds, enough = 3, 0.5 // in turns, since the load of the machine changes meanwhile; seconds
	for round, begin := 0, time.Now(); round == 0 || round < rounds && time.Since(begin).Seconds() < enough; round++ {
		timed(&o.Seconds, min(max(timedSolves, o.Together), inputs.Count), o.Together)
		if o.Together > 1 {
			timed(&o.Alone, 1, 1)
		}
	}
	return err
}

// miss returns the expected relative error of a solver on the market's grid for the first pairs.
func (m Market) miss(ctx context.Context, solver truth.Operator, inputs grid.Batch, pairs int) (float64, error) {
	outputs, err := solveAll(ctx, solver, inputs.First(pairs), min(solver.Block(), pairs), m.Workers)
	if err != nil {
		return 0, err
	}
	return m.Miss(outputs)
}

// Outputs returns the solver's for inputs on its own grid. Errors are the solver's.
func (m Market) Outputs(ctx context.Context, inputs grid.Batch) (grid.Batch, error) {
	return solveAll(ctx, m.Solver, inputs, min(m.Solver.Block(), inputs.Count), m.Workers)
}

// Miss returns the expected relative error on the market's grid of outputs on any grid, those of the first pairs. The
// error is a *fault.Data if there is no way from one grid to the other, or a *fault.Numerical.
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

// grids returns those on which the solver can be asked, ascending.
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

// search goes through grids and tolerances: of each grid through the offers from the loosest tolerance on, until take
// says that tighter ones are not needed. Where the solver gives up there is no offer. Take times offers; the search
// ends before a finer grid on which the loosest tolerance takes longer than bound, which may change on the way, by a
// rough measurement. Errors are ctx's, take's and *fault.Data.
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
			if errors.As(err, &gaveUp) { // at one function that others of its block covered
				continue
			}
			if err != nil {
				return err
			}
			if enough || solver.Tolerance() != tolerance { // it is exact, whatever it is asked for
				break
			}
		}
	}
	return nil
}

// affordable returns the number of inputs for which a solver can be asked in a moment, searchedSolves at most, and
// about what one takes on one core.
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

// Equal returns the fastest that the solver offers with an error of at most that of another way, which is given for the
// first pairs; ok is false if it has none on the grids where inputs are known. Errors are ctx's and *fault.Data.
func (m Market) Equal(ctx context.Context, most func(pairs int) float64) (fastest Offer, ok bool, err error) {
	const rough = 3 // what a single measurement may be wrong by
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

// Solvers returns what the solver offers, at every tolerance and grid on which an evaluation takes about as long as
// given or less. Errors are ctx's and *fault.Data.
func (m Market) Solvers(ctx context.Context, seconds float64) ([]Offer, error) {
	var all []Offer
	err := m.search(ctx, func() float64 { return seconds }, func(o *Offer, _ int, timed func() error) (bool, error) {
		err := timed()
		all = append(all, *o)
		return false, err
	})
	return all, err
}

// solveAll solves for inputs on the solver's grid, so many at a time.
func solveAll(ctx context.Context, solver truth.Operator, inputs grid.Batch, together, workers int) (grid.Batch,
	error) {
	outputs, times := inputs.Like(inputs.Count), solver.Times()
	if len(times) > 0 {
		times = times[len(times)-1:]
	}
	blocks := (inputs.Count + together - 1) / together
	err := parallel.With(ctx, workers, blocks, solver.NewWorker, func(w truth.Worker, block int) error {
		first := block * together
		count := min(together, inputs.Count-first)
		return w.Solve(ctx, []grid.Batch{outputs.Range(first, count)}, inputs.Range(first, count), times,
			fmt.Sprintf("test pair %d", first))
	})
	return outputs, err
}

// Front reports of each offer whether it is on the Pareto front: no other has both a smaller error and a shorter time.
// What has no error of its own is not compared.
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

// Predict returns what predicts on the grid with so many points along an axis, at its price. Errors: a *fault.Data if
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
