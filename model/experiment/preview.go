// This file computes what a configuration means before it is run: one draw of everything random in it.

package experiment

import (
	"rfm/config"
	"rfm/model/feature"
	"rfm/solver/draw"
	"rfm/solver/grf"
	"rfm/solver/grid"
)

// Preview is one draw of what an experiment works with, on the closed grid of previewPoints points: the first training
// input, the first feature parameter and the feature they make.
type Preview struct {
	Input, Theta, Feature []float64
	Filter                []float64 // chi(k) at k = 0, 1, 2, ...
}

const (
	previewPoints = 257
	previewModes  = 300
)

// NewPreview draws from a configuration. Draws are those of the run itself, except for modes that its data grid adds or
// leaves out; parameters that files replace are drawn nevertheless.
func NewPreview(c config.Config) Preview {
	input := grid.NewBatch(1, previewPoints)
	grf.NewSampler(grf.Periodic{Tau: c.Input.Tau, Alpha: c.Input.Alpha}, previewPoints).Draw(input, c.Seed, draw.InputTrain, 0)
	c.Features.Count = 1
	theta := feature.Draw(grf.Periodic{Tau: c.Features.Tau, Alpha: c.Features.Alpha}, c.Seed, 1, previewPoints)
	features := featureMap(c, theta)
	e, err := features.On(previewPoints)
	if err != nil {
		panic("experiment: " + err.Error()) // theta is on that grid
	}
	p := Preview{Input: input.At(0), Theta: theta.At(0), Feature: e.Values(0, e.Spectra(input))}
	for k := range previewModes {
		p.Filter = append(p.Filter, features.Filter.At(k))
	}
	return p
}
