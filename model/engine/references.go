// This file is other ways to get at a solution than a trained model: the solver itself, and what features begin with.

package engine

import (
	"context"
	"errors"
	"fmt"
	"math"

	"rfm/config"
	"rfm/model/feature"
	"rfm/model/rfm"
	"rfm/solver/fault"
	"rfm/solver/grid"
	"rfm/solver/parallel"
	"rfm/solver/truth"
)

const (
	// timedSolves is the number of inputs that are timed, measuredSolves of those whose error is measured.
	timedSolves, measuredSolves = 32, 1000
)

// references are the untrained iteration that predictor-corrector features begin, and the solver on the evaluation's
// grid.
func (e *Experiment) references(ctx context.Context, v *Evaluation) ([]Rival, error) {
	var list []Rival
	if e.Config.Features.Kind == config.PredictorCorrector {
		sweeps, err := e.untrained(ctx, v)
		if err != nil {
			return nil, err
		}
		list = sweeps
	}
	if e.truth == nil {
		return list, nil
	}
	full, err := e.fullSolve(ctx, v)
	var numerical *fault.Numerical
	if errors.As(err, &numerical) { // the grid does not resolve the solution: there is nothing to compare with
		return list, nil
	}
	return append(list, full), err
}

// untrained are one sweep, the part B(a) of every feature, and two.
func (e *Experiment) untrained(ctx context.Context, v *Evaluation) ([]Rival, error) {
	some := v.TestPairs.Inputs.First(min(timedSolves, v.TestPairs.Count()))
	features := feature.PredictorCorrectorOf(e.Config, nil)
	sweeps, err := feature.NewSweeps(features.Mollifier, features.Source, v.Grid)
	if err != nil {
		return nil, err
	}
	var list []Rival
	for count := 1; count <= 2; count++ {
		surrogates, err := sweeps.All(ctx, count, v.TestPairs.Inputs, e.workers)
		if err != nil {
			return nil, err
		}
		measured, err := rfm.Measure(surrogates, v.TestPairs.Outputs)
		if err != nil {
			return nil, err
		}
		seconds := timed(float64(some.Count), func() { _, err = sweeps.All(ctx, count, some, 1) })
		if err != nil {
			return nil, err
		}
		list = append(list, Rival{Name: fmt.Sprintf("untrained, %d sweep%s", count, plural(count)),
			Error: measured.ExpectedRelative, Seconds: seconds})
	}
	return list, nil
}

// fullSolve is the solver at the evaluation's resolution, timed on one core on blocks of inputs and on one alone. On a
// coarser grid than the data's it has an error of its own.
func (e *Experiment) fullSolve(ctx context.Context, v *Evaluation) (Rival, error) {
	solver := e.truth.On(v.Grid)
	block := min(solver.Block(), v.TestPairs.Count())
	rival := Rival{Name: FullSolve, Error: math.NaN(), Tolerance: solver.Tolerance(), Together: block}
	var err error
	time := func(count, together int) float64 {
		return timed(float64(count), func() {
			if _, e := solveAll(ctx, solver, v.TestPairs.Inputs.First(count), together, 1); e != nil {
				err = e
			}
		})
	}
	if rival.Seconds = time(min(max(timedSolves/2, block), v.TestPairs.Count()), block); block > 1 {
		rival.Alone = time(1, 1)
	}
	if _, points := e.truth.Grid(); err != nil || v.Grid == points {
		return rival, err
	}
	pairs := v.TestPairs.Range(0, min(measuredSolves, v.TestPairs.Count()))
	outputs, err := solveAll(ctx, solver, pairs.Inputs, block, e.workers)
	if err != nil {
		return rival, err
	}
	measured, err := rfm.Measure(outputs, pairs.Outputs)
	rival.Error = measured.ExpectedRelative
	return rival, err
}

// solveAll solves for inputs on the solver's grid, so many at a time.
func solveAll(ctx context.Context, solver truth.Operator, inputs grid.Batch, together, workers int) (grid.Batch,
	error) {
	outputs, times := inputs.Like(inputs.Count), solver.Times()
	if len(times) > 0 {
		times = times[len(times)-1:]
	}
	states := make([]truth.Worker, max(1, workers))
	err := parallel.For(ctx, workers, (inputs.Count+together-1)/together, func(w, block int) error {
		if states[w] == nil {
			states[w] = solver.NewWorker()
		}
		first := block * together
		count := min(together, inputs.Count-first)
		return states[w].Solve(ctx, []grid.Batch{outputs.Range(first, count)}, inputs.Range(first, count), times,
			fmt.Sprintf("test pair %d", first))
	})
	return outputs, err
}

func plural(count int) string {
	if count == 1 {
		return ""
	}
	return "s"
}
