// This file draws the features of an experiment.

package engine

import (
	"context"

	"rfm/model/feature"
	"rfm/model/setup"
	"rfm/solver/grid"
)

// drawFeatures draws the features (the whole pool if they are chosen from one), or reads them from their file.
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
	return features, setup.CheckGrids(c.Features.ThetaFile, grid.NewBatch(features.Domain(), features.Finest(), 1), c)
}

// sideOf returns the number of points along an axis of fields on a grid; 0 for functions of one variable.
func sideOf(domain grid.Domain, points int) int {
	if domain.Dims == 1 {
		return 0
	}
	return points
}
