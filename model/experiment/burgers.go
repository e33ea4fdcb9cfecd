// This file is the Burgers problem.

package experiment

import (
	"context"
	"fmt"
	"math"

	"rfm/config"
	"rfm/model/activation"
	"rfm/model/feature"
	"rfm/model/rfm"
	"rfm/solver/burgers"
	"rfm/solver/dataset"
	"rfm/solver/draw"
	"rfm/solver/grf"
	"rfm/solver/grid"
)

type burgersEquation struct {
	config   config.Config
	features feature.Fourier
}

func (b *burgersEquation) input() grf.Periodic {
	return grf.Periodic{Tau: b.config.Input.Tau, Alpha: b.config.Input.Alpha}
}

func (b *burgersEquation) theta() grf.Periodic {
	return grf.Periodic{Tau: b.config.Features.Tau, Alpha: b.config.Features.Alpha}
}

func (b *burgersEquation) generate(ctx context.Context, purpose draw.Purpose, count, workers int, report dataset.Report) (dataset.Pairs, error) {
	c := b.config
	g := dataset.Burgers{Input: b.input(), Viscosity: c.Burgers.Viscosity, Tolerance: c.Burgers.Tolerance, Times: []float64{c.Burgers.Time}, K: c.Data.Grid, Seed: c.Seed}
	inputs, outputs, err := g.Generate(ctx, purpose, count, workers, report)
	if err != nil {
		return dataset.Pairs{}, err
	}
	return dataset.Pairs{Inputs: inputs, Outputs: outputs[0]}, nil
}

func (b *burgersEquation) drawTheta() error {
	c := b.config
	if c.Features.ThetaFile == "" {
		b.features = b.featureMap(feature.Draw(b.theta(), c.Seed, c.Features.Count, c.Data.Grid))
		return nil
	}
	theta, err := dataset.ReadTheta(c.Features.ThetaFile, c.Features.Count)
	if err != nil {
		return err
	}
	b.features = b.featureMap(theta)
	return fits(b, c.Features.ThetaFile, theta, c)
}

func (b *burgersEquation) read(file string, count int) (dataset.Pairs, error) {
	return dataset.ReadPairs(file, count)
}

// featureMap is the configured random feature pair with the given draws of theta.
func (b *burgersEquation) featureMap(theta grid.Batch) feature.Fourier {
	c := b.config.Features
	sigma, ok := activation.ByName(c.Activation)
	if !ok {
		panic(fmt.Sprintf("experiment: no activation %q", c.Activation)) // Validate has checked
	}
	return feature.Fourier{Filter: feature.Filter{Delta: c.Delta, Beta: c.Beta}, Activation: sigma, Gain: c.Gain, Count: c.Count, Theta: theta}
}

func (b *burgersEquation) restrict(pairs dataset.Pairs, K int) (dataset.Pairs, error) {
	return pairs.Restrict(K)
}

func (b *burgersEquation) evaluator(_ context.Context, K, _ int) (feature.Evaluator, error) {
	return b.features.On(K)
}

func (b *burgersEquation) fit(_ context.Context, alpha []float64, _ int) (model, error) {
	return rfm.Model{Features: b.features, Alpha: alpha}, nil
}

func (b *burgersEquation) side(int) int { return 0 }

// rivals times the solver on the evaluation's grid; where that does not resolve the solution there is no rival.
func (b *burgersEquation) rivals(ctx context.Context, m model, v *Evaluation, _ int) ([]Rival, error) {
	const inputs = 64
	some := v.TestPairs.Inputs.First(min(inputs, v.TestPairs.Count()))
	own, err := timePrediction(ctx, m, some)
	if err != nil {
		return nil, err
	}
	list := []Rival{{Name: "model", Error: v.Test.ExpectedRelative, Seconds: own}}
	block := some.First(min(burgers.BlockSize, some.Count))
	worker := burgers.New(b.config.Burgers.Viscosity, b.config.Burgers.Tolerance, v.Grid).NewWorker()
	full := timed(float64(block.Count), func() {
		err = worker.Solve([]grid.Batch{grid.NewBatch(block.Count, v.Grid)}, block, []float64{b.config.Burgers.Time}, "timing")
	})
	if err != nil {
		return list, nil
	}
	return append(list, Rival{Name: "full solve", Error: math.NaN(), Seconds: full}), nil
}

const (
	previewPoints = 257
	previewModes  = 300
)

func (b *burgersEquation) preview() Preview {
	input := grid.NewBatch(1, previewPoints)
	grf.NewSampler(b.input(), previewPoints).Draw(input, b.config.Seed, draw.InputTrain, 0)
	features := b.featureMap(feature.Draw(b.theta(), b.config.Seed, 1, previewPoints))
	features.Count = 1
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
