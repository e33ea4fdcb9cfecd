// This file is what differs from problem to problem.

package experiment

import (
	"context"
	"fmt"

	"rfm/config"
	"rfm/model/feature"
	"rfm/model/trained"
	"rfm/solver/dataset"
	"rfm/solver/draw"
	"rfm/solver/grid"
)

// operator is one of the problems whose solution operator is learned, with its features.
type operator interface {
	// domain is where inputs and outputs live.
	domain() grid.Domain
	// generate makes some pairs of the purpose; report is called with finished ones from worker goroutines.
	generate(ctx context.Context, purpose draw.Purpose, s span, workers int, report dataset.Report) (dataset.Pairs, error)
	// together is the number of pairs that are made together: spans begin at its multiples.
	together() int
	// read reads the pairs of a file that have the given numbers there, all different.
	read(ctx context.Context, file string, rows []int) (dataset.Pairs, error)
	// drawTheta makes or reads the feature parameters, or prepares their drawing.
	drawTheta(ctx context.Context, workers int) (featureMap, error)
	// rivals are other ways to get at the solution than a trained model, on the evaluation's pairs.
	rivals(ctx context.Context, v *Evaluation, workers int) ([]Rival, error)
	// firstInput draws or reads the first training input, on the grid of previews; zero if it cannot be read. Features,
	// training and evaluation have no part in it.
	firstInput() grid.Batch
	// preview shows an input and one of everything else.
	preview(input grid.Batch) Preview
}

// featureMap is the random features of a problem. Maps are immutable: a stage that is cancelled leaves nothing behind.
type featureMap interface {
	// calibrated is the map with what it takes from the training inputs, which are on the training grid.
	calibrated(ctx context.Context, inputs grid.Batch, workers int) (featureMap, error)
	// selected is the map with the features of the given indices only.
	selected(indices []int) featureMap
	// evaluator prepares the features on a grid.
	evaluator(ctx context.Context, grid, workers int) (feature.Evaluator, error)
	// trained is the map of the model that belongs to trained coefficients.
	trained(ctx context.Context, alpha []float64, workers int) (trained.Map, error)
}

// span is the pairs first to first+count-1, to be kept on a grid named as in the configuration.
type span struct{ first, count, grid int }

// operatorOf is the configured problem.
func operatorOf(c config.Config) operator {
	switch c.Problem {
	case config.Darcy:
		return newDarcyFlow(c)
	case config.Functions:
		return ownFunctions{periodic{c}}
	case config.Fields:
		return ownFields{c}
	}
	return burgersEquation{periodic{c}}
}

// part is the training or the test pairs.
type part int

const (
	trainPart part = iota
	testPart
)

// fits checks that functions from a file can be restricted to the grids that will be needed, before anything long runs.
func fits(file string, functions grid.Batch, c config.Config) error {
	one := functions.Range(0, 1)
	for _, K := range []int{c.Train.Grid, c.TestGrid()} {
		if _, err := one.Restrict(K); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
	return nil
}

// sideOf is the number of points along an axis of fields on a grid; 0 for functions of one variable.
func sideOf(domain grid.Domain, points int) int {
	if domain.Dims == 1 {
		return 0
	}
	return points
}
