// This file is the Darcy problem.

package experiment

import (
	"context"

	"rfm/config"
	"rfm/model/feature"
	"rfm/model/setup"
	"rfm/model/trained"
	"rfm/solver/dataset"
	"rfm/solver/grid"
)

type darcyFlow struct{ config config.Config }

// drawTheta reads theta, or prepares the draws: they are made again whenever they are needed, which is cheaper than to
// keep them.
func (d *darcyFlow) drawTheta(ctx context.Context, _ int) (featureMap, error) {
	c := d.config
	if c.Features.ThetaFile == "" {
		return predictorMap{setup.Predictor(c, d.draws(c.Data.Grid, setup.PoolSize(c)))}, nil
	}
	first, second, err := dataset.ReadThetaPairs(ctx, c.Features.ThetaFile, setup.PoolSize(c))
	if err != nil {
		return nil, err
	}
	return predictorMap{setup.Predictor(c, feature.StoredPairs{Predictor: first, Corrector: second})}, fits(c.Features.ThetaFile, first, c)
}

// draws are m draws of theta on the closed r x r grid.
func (d *darcyFlow) draws(r, m int) feature.ThetaPairs {
	return feature.DrawPairs(setup.DarcyTheta(d.config), d.config.Seed, m, r)
}

// predictorMap is predictor-corrector random features.
type predictorMap struct{ features feature.Predictor }

func (p predictorMap) calibrated(context.Context, grid.Batch, int) (featureMap, error) { return p, nil }

func (p predictorMap) selected(indices []int) featureMap {
	p.features.Theta = feature.ChosenPairs{Of: p.features.Theta, Indices: indices}
	return p
}

func (p predictorMap) evaluator(ctx context.Context, r, workers int) (feature.Evaluator, error) {
	return p.features.On(ctx, r, workers)
}

func (p predictorMap) trained(ctx context.Context, alpha []float64, workers int) (trained.Map, error) {
	models, err := p.features.Collapse(ctx, workers, alpha)
	if err != nil {
		return nil, err
	}
	return trained.Flow(models[0]), nil
}

// previewSide is the resolution of previews: a few milliseconds of work, more than a terminal shows.
const previewSide = 65

func (d *darcyFlow) preview(input grid.Batch) Preview {
	r := previewSide
	features := setup.Predictor(d.config, d.draws(r, 1))
	predictor, corrector := grid.NewBatch(grid.Square, r, 1), grid.NewBatch(grid.Square, r, 1)
	features.Theta.Read(predictor, corrector, 0)
	p := Preview{Input: input.Data, Theta: predictor.Data, Side: r}
	// A permeability of extreme contrast leaves no feature to show.
	if phi, err := features.Values(0, input.Data); err == nil {
		p.Feature = phi
	} else {
		p.Feature = make([]float64, r*r)
	}
	return p
}
