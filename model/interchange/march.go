// This file applies a model repeatedly, each time to its last prediction.

package interchange

import (
	"context"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/stat"

	"rfm/config"
	"rfm/model/machine"
	"rfm/model/price"
	"rfm/model/rfm"
	"rfm/model/setup"
	"rfm/model/trained"
	"rfm/solver/fault"
	"rfm/solver/grid"
	"rfm/solver/printable"
	"rfm/solver/truth"
)

// march returns the predictions of every step; outputs are the predictions of the first one. Errors are the model's, a
// *fault.Data if the solver of the comparison is missing or does not step in time, and the solver's.
func (p Prediction) march(ctx context.Context, model trained.Model, inputs grid.Batch, did *Predicted) (
	outputs grid.Batch, steps []grid.Batch, err error) {
	state, solved := inputs, inputs
	market := price.Market{Grid: inputs.Points, Workers: p.Workers}
	if p.Check {
		if market.Solver, err = stepper(model, inputs.Points); err != nil {
			return grid.Batch{}, nil, err
		}
	}
	if p.Steps > 1 {
		what := fmt.Sprintf("%d steps of %s", p.Steps, printable.Several(inputs.Count, "function"))
		needed := 2 * 8 * float64(p.Steps) * float64(len(inputs.Data)) // and their copy for writing
		if err := machine.CheckBytes(what, needed, "take fewer steps, or split the file of the inputs"); err != nil {
			return grid.Batch{}, nil, err
		}
	}
	for step := range max(1, p.Steps) {
		if state, err = model.Predict(ctx, state, p.Workers, nil); err != nil {
			if step > 0 {
				err = fmt.Errorf("step %d: %w", step+1, err)
			}
			return grid.Batch{}, nil, err
		}
		steps = append(steps, state)
		if !p.Check {
			continue
		}
		if solved, err = market.Outputs(ctx, solved); err != nil {
			return grid.Batch{}, nil, fmt.Errorf("solving for step %d: %w", step+1, err)
		}
		measured, err := rfm.Measure(state, solved)
		if err != nil {
			return grid.Batch{}, nil, fmt.Errorf("step %d: %w", step+1, err)
		}
		did.Errors = append(did.Errors, measured.ExpectedRelative)
	}
	if p.Check {
		did.GMean100 = gmean100(did.Errors)
	}
	return steps[0], steps, nil
}

// gmean100 returns the geometric mean of the errors of the first 100 steps, or of all if there are fewer, and 0 if one
// of them is 0. It is the metric of rollouts of F. Koehler et al., "APEBench", NeurIPS 2024.
func gmean100(errors []float64) float64 {
	return stat.GeometricMean(errors[:min(100, len(errors))], nil)
}

// stepper returns the solver of a model's problem on a grid, if its outputs are later states of its inputs.
func stepper(model trained.Model, points int) (truth.Operator, error) {
	refused := func(what string) error {
		return fault.Bad("model", "leave out --check", "%s", what)
	}
	solver, err := solverOf(model, refused)
	if err != nil {
		return nil, err
	}
	if solver == nil || len(solver.Times()) == 0 {
		return nil, refused("is of a problem without a solver that steps in time, so there is nothing to compare with")
	}
	if domain, _ := solver.Grid(); domain != model.Domain() || points < leastSolved {
		return nil, refused(fmt.Sprintf("has no solver on %s", model.Domain().Grid(points)))
	}
	return solver.On(points), nil
}

// solverOf returns the solver of a model's problem; nil if there is none. refused makes the error for an unsuitable
// model.
func solverOf(model trained.Model, refused func(what string) error) (truth.Operator, error) {
	c, err := config.Parse([]byte(model.Config))
	if err != nil {
		return nil, errors.Join(refused("does not name the problem that it was trained for"), err)
	}
	return setup.Truth(c), nil
}

// leastSolved is the least number of points along an axis for the solvers.
const leastSolved = 9
