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

// fourierFeatures are the features and functions of a problem.
type fourierFeatures struct {
	config   config.Config
	features feature.Fourier
}

func (f *fourierFeatures) read(p part, file string, count int) (dataset.Pairs, error) {
	return readPart(f.config, p, file, count, dataset.ReadPairs)
}

func (f *fourierFeatures) drawTheta() error {
	c := f.config
	if c.Features.ThetaFile == "" {
		f.features = setup.Fourier(c, c.Seed, setup.PoolSize(c), c.Data.Grid)
		return nil
	}
	theta, err := dataset.ReadTheta(c.Features.ThetaFile, setup.PoolSize(c))
	if err != nil {
		return err
	}
	f.features = setup.FourierWith(c, c.Seed, setup.PoolSize(c), theta)
	return fits(f, c.Features.ThetaFile, theta, c)
}

func (f *fourierFeatures) restrict(pairs dataset.Pairs, K int) (dataset.Pairs, error) {
	return pairs.Restrict(K)
}

func (f *fourierFeatures) scale(inputs grid.Batch) error {
	gain, err := setup.Gain(f.config, f.features, inputs)
	if err == nil {
		f.features.Gain = gain
	}
	return err
}

func (f *fourierFeatures) choose(indices []int) { f.features = f.features.Select(indices) }

func (f *fourierFeatures) evaluator(_ context.Context, K, _ int) (feature.Evaluator, error) {
	return f.features.On(K)
}

func (f *fourierFeatures) fit(context.Context, []float64, int) (trained.Map, error) {
	return trained.Fourier(f.features), nil
}

func (f *fourierFeatures) side(int) int { return 0 }

const (
	previewPoints = 257
	previewModes  = 300
)

func (f *fourierFeatures) preview(input grid.Batch) Preview {
	features := setup.Fourier(f.config, f.config.Seed, 1, previewPoints)
	if gain, err := setup.Gain(f.config, features, input); err == nil { // a constant input has no gain, and no feature to speak of
		features.Gain = gain
	}
	e, err := features.On(previewPoints)
	if err != nil {
		panic("experiment: " + err.Error()) // theta is on that grid
	}
	p := Preview{Input: input.At(0), Theta: features.Theta.At(0), Feature: e.Values(0, e.Spectra(input))}
	for k := range previewModes {
		p.Filter = append(p.Filter, features.Filter.At(k))
	}
	return p
}
