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

// march returns the predictions of every step for the inputs of a file. Errors are the model's, a *fault.Data if the
// solver of the comparison is missing or does not step in time, and the solver's.
func (p Prediction) march(ctx context.Context, model trained.Model, inputs grid.Batch, file string, did *Predicted) (
	steps []grid.Batch, err error) {
	state, solved := inputs, inputs
	market := price.Market{Grid: inputs.Points, Workers: p.Workers}
	if p.Check {
		if market.Solver, err = stepper(model, did.Model, inputs.Points); err != nil {
			return nil, err
		}
	}
	if p.Steps > 1 {
		what := fmt.Sprintf("%d steps of %s", p.Steps, printable.Several(inputs.Count, "function"))
		needed := 2 * 8 * float64(p.Steps) * float64(len(inputs.Data)) // and their copy for writing
		if err := machine.CheckBytes(what, needed, "take fewer steps, or split the file of the inputs"); err != nil {
			return nil, err
		}
	}
	for step := range max(1, p.Steps) {
		if state, err = model.Predict(ctx, state, p.Workers, nil); err != nil {
			if step > 0 {
				file = fmt.Sprintf("%s, step %d", file, step+1)
			}
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		steps = append(steps, state)
		if !p.Check {
			continue
		}
		if solved, err = market.Outputs(ctx, solved); err != nil {
			return nil, fmt.Errorf("solving for step %d: %w", step+1, err)
		}
		measured, err := rfm.Measure(state, solved)
		if err != nil {
			return nil, fmt.Errorf("step %d: %w", step+1, err)
		}
		did.Errors = append(did.Errors, measured.ExpectedRelative)
	}
	if p.Check {
		// The metric of rollouts of F. Koehler et al., "APEBench", NeurIPS 2024.
		did.GMean100 = stat.GeometricMean(did.Errors[:min(100, len(did.Errors))], nil)
	}
	return steps, nil
}

// stepper returns the solver of the problem of a model in a file, on a grid, if outputs are later states.
func stepper(model trained.Model, file string, points int) (*truth.Operator, error) {
	refused := func(what string) error {
		return fault.Bad(file, "leave out --check", "%s", what)
	}
	solver, err := solverOf(model, refused)
	if err != nil {
		return nil, err
	}
	if solver == nil || len(solver.Times) == 0 {
		return nil, refused("is a model of a problem without a solver that steps in time, so there is nothing to compare with")
	}
	if solver.Domain != model.Domain() || points < leastSolved {
		return nil, refused(fmt.Sprintf("has no solver on %s", model.Domain().Grid(points)))
	}
	return solver.With(points, solver.Tolerance), nil
}

// solverOf returns the solver of a model's problem; nil if there is none. refused makes the error.
func solverOf(model trained.Model, refused func(what string) error) (*truth.Operator, error) {
	c, err := config.Parse([]byte(model.Config))
	if err != nil {
		return nil, errors.Join(refused("does not name the problem that it was trained for"), err)
	}
	return setup.Truth(c), nil
}

// leastSolved is the least number of points along an axis for the solvers.
const leastSolved = 9
