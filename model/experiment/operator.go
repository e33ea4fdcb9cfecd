// This file is what differs from problem to problem.

package experiment

import (
	"context"
	"fmt"

	"rfm/config"
	"rfm/model/feature"
	"rfm/solver/dataset"
	"rfm/solver/draw"
	"rfm/solver/grid"
)

// operator is one of the problems whose solution operator is learned, with its features.
type operator interface {
	// generate makes count pairs of the purpose; report is called with finished ones from worker goroutines.
	generate(ctx context.Context, purpose draw.Purpose, count, workers int, report dataset.Report) (dataset.Pairs, error)
	// read reads the first count pairs of a file.
	read(file string, count int) (dataset.Pairs, error)
	// drawTheta makes or reads the feature parameters, or prepares their drawing.
	drawTheta() error
	// restrict takes pairs to a coarser grid, named as in the configuration: K or r.
	restrict(pairs dataset.Pairs, grid int) (dataset.Pairs, error)
	// evaluator prepares the features on a grid.
	evaluator(ctx context.Context, grid, workers int) (feature.Evaluator, error)
	// fit makes the model that belongs to trained coefficients.
	fit(ctx context.Context, alpha []float64, workers int) (model, error)
	// side is the number of points along an axis of fields on the grid; 0 if functions have one variable.
	side(grid int) int
	// rivals compares the model, which comes first, with other ways to get at the solution, on the evaluation's pairs.
	rivals(ctx context.Context, m model, v *Evaluation, workers int) ([]Rival, error)
	// preview draws one of everything.
	preview() Preview
}

// model is a trained model.
type model interface {
	// Predict evaluates the model for all inputs on their grid.
	Predict(ctx context.Context, inputs grid.Batch, workers int, progress func(added int)) (grid.Batch, error)
}

// operatorOf is the configured problem.
func operatorOf(c config.Config) operator {
	if c.Problem == config.Darcy {
		return newDarcyFlow(c)
	}
	return &burgersEquation{config: c}
}

// fits checks that functions from a file can be restricted to the grids that will be needed, before anything long runs.
func fits(o operator, file string, functions grid.Batch, c config.Config) error {
	one := functions.Range(0, 1)
	for _, K := range []int{c.Train.Grid, c.TestGrid()} {
		if _, err := o.restrict(dataset.Pairs{Inputs: one, Outputs: one}, K); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
	return nil
}
