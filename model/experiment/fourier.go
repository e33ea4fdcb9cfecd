// This file is what operators between periodic functions of one variable have in common: Fourier space random features.

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

// periodic are the functions and features of a problem.
type periodic struct{ config config.Config }

func (f periodic) drawTheta(ctx context.Context, workers int) (featureMap, error) {
	c := f.config
	if c.Features.ThetaFile == "" {
		features, err := setup.Fourier(ctx, c, c.Seed, setup.PoolSize(c), c.Data.Grid, workers)
		return fourierMap{c, features}, err
	}
	theta, err := dataset.ReadTheta(ctx, c.Features.ThetaFile, setup.PoolSize(c))
	if err != nil {
		return nil, err
	}
	return fourierMap{c, setup.FourierWith(c, c.Seed, setup.PoolSize(c), theta)}, fits(c.Features.ThetaFile, theta, c)
}

// fourierMap is Fourier space random features.
type fourierMap struct {
	config   config.Config
	features feature.Fourier
}

func (f fourierMap) calibrated(ctx context.Context, inputs grid.Batch, workers int) (featureMap, error) {
	gain, err := setup.Gain(ctx, f.config, f.features, inputs, workers)
	f.features.Gain = gain
	return f, err
}

func (f fourierMap) selected(indices []int) featureMap {
	return fourierMap{f.config, f.features.Select(indices)}
}

func (f fourierMap) evaluator(ctx context.Context, K, workers int) (feature.Evaluator, error) {
	return f.features.On(ctx, K, workers)
}

func (f fourierMap) trained(context.Context, []float64, int) (trained.Map, error) {
	return trained.Fourier(f.features), nil
}

const (
	previewPoints = 257
	previewModes  = 300
)

func (f periodic) preview(input grid.Batch) Preview {
	ctx := context.Background() // one feature takes no time
	features, err := setup.Fourier(ctx, f.config, f.config.Seed, 1, previewPoints, 1)
	if err != nil {
		panic("experiment: " + err.Error())
	}
	if gain, err := setup.Gain(ctx, f.config, features, input, 1); err == nil { // a constant input has no gain, and no feature to speak of
		features.Gain = gain
	}
	e, err := features.On(ctx, previewPoints, 1)
	if err != nil {
		panic("experiment: " + err.Error()) // theta is on that grid
	}
	p := Preview{Input: input.At(0), Theta: features.Theta.At(0), Feature: e.Values(0, e.Spectra(input))}
	for k := range previewModes {
		p.Filter = append(p.Filter, features.Filter.At(k))
	}
	return p
}
