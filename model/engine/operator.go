// This file is the features of an experiment, and the parts of its pairs.

package engine

import (
	"context"
	"fmt"

	"rfm/config"
	"rfm/model/feature"
	"rfm/model/setup"
	"rfm/solver/grid"
)

// drawFeatures makes the features: all of the pool, if they are chosen from one, with the run's own copy of a file.
func (e *Experiment) drawFeatures(ctx context.Context) (feature.Map, error) {
	c := e.Config
	if c.Features.ThetaFile == "" {
		return feature.New(ctx, c, c.Seed, setup.PoolSize(c), c.Data.Grid, e.workers)
	}
	if e.thetaFile != "" {
		c.Features.ThetaFile = e.thetaFile
	}
	features, err := feature.FromFile(ctx, c, setup.PoolSize(c))
	if err != nil {
		return nil, err
	}
	return features, fits(c.Features.ThetaFile, grid.NewBatch(features.Domain(), features.Finest(), 1), c)
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
