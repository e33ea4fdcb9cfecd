// This file applies a model repeatedly, each time to its last prediction, and compares every step with the solver.

package interchange

import (
	"context"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/stat"

	"rfm/config"
	"rfm/model/learn/score"
	"rfm/model/run/machine"
	"rfm/model/run/setup"
	"rfm/model/trained"
	"rfm/model/trained/price"
	"rfm/solver/base/fault"
	"rfm/solver/base/printable"
	"rfm/solver/pde/truth"
	"rfm/solver/space/grid"
)

const leastSolved = 9 // points along an axis for solvers

// rollOut returns the predictions of every step for the inputs of a file, and adds their errors to did if they are to be
// checked. Errors are the model's, a *fault.Data if the solver of the comparison is missing or does not step in time, and
// the solver's.
func (p Prediction) rollOut(ctx context.Context, model trained.Model, inputs grid.Batch, file string, did *Predicted) (
	steps []grid.Batch, err error) {
	market := price.Market{Grid: inputs.Points, Workers: p.Workers}
	if p.Check {
		market.Solver, err = stepper(model, did.Model, inputs.Points)
		if err != nil {
			return nil, err
		}
	}
	if err := p.checkMemory(inputs); err != nil {
		return nil, err
	}
	state := inputs  // of the model
	solved := inputs // of the solver
	for step := range max(1, p.Steps) {
		if step > 0 {
			state = withNumbersOf(inputs, state)
			solved = withNumbersOf(inputs, solved)
		}
		state, err = model.Predict(ctx, state, p.Workers, nil)
		if err != nil && step > 0 {
			return nil, fmt.Errorf("%s, step %d: %w", file, step+1, err)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		steps = append(steps, state)
		if !p.Check {
			continue
		}
		solved, err = market.Outputs(ctx, solved)
		if err != nil {
			return nil, fmt.Errorf("solving for step %d: %w", step+1, err)
		}
		measured, err := score.Measure(state, solved)
		if err != nil {
			return nil, fmt.Errorf("step %d: %w", step+1, err)
		}
		did.Errors = append(did.Errors, measured.ExpectedRelative)
	}
	if p.Check {
		did.GMean100 = gmean100(did.Errors)
	}
	return steps, nil
}

// checkMemory refuses steps whose predictions do not fit into memory: those of all steps, and their copy for writing.
func (p Prediction) checkMemory(inputs grid.Batch) error {
	if p.Steps <= 1 {
		return nil
	}
	const number = 8 // bytes
	what := fmt.Sprintf("%d steps of %s", p.Steps, printable.Several(inputs.Count, "function"))
	predictions := float64(p.Steps) * float64(len(inputs.Data))
	return machine.CheckBytes(what, 2*number*predictions, "take fewer steps, or split the file of the inputs")
}

// gmean100 returns the geometric mean of the errors of the first 100 steps, the metric of rollouts of F. Koehler et al.,
// "APEBench", NeurIPS 2024.
func gmean100(errors []float64) float64 {
	first := errors[:min(100, len(errors))]
	return stat.GeometricMean(first, nil)
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
