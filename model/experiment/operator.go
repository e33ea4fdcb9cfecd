// This file is what differs from feature map to feature map.

package experiment

import (
	"context"
	"fmt"

	"rfm/config"
	"rfm/model/feature"
	"rfm/model/trained"
	"rfm/solver/grid"
)

// featured is the random features of a configuration.
type featured interface {
	// drawTheta makes or reads the feature parameters, or prepares their drawing.
	drawTheta(ctx context.Context, workers int) (featureMap, error)
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

// featuresOf is the configured features.
func featuresOf(c config.Config) featured {
	switch {
	case c.Features.Kind == config.PredictorCorrector:
		return &darcyFlow{config: c}
	case c.Dims() == 1:
		return periodic{c}
	}
	return ownFields{c}
}

// featured is the experiment's features, with the run's own copy of a file.
func (e *Experiment) featured() featured {
	c := e.Config
	if e.thetaFile != "" {
		c.Features.ThetaFile = e.thetaFile
	}
	return featuresOf(c)
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
