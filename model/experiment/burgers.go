// This file is the Burgers problem.

package experiment

import (
	"context"
	"math"

	"rfm/config"
	"rfm/model/feature"
	"rfm/model/rfm"
	"rfm/model/setup"
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

func (b *burgersEquation) generate(ctx context.Context, purpose draw.Purpose, count, workers int, report dataset.Report) (dataset.Pairs, error) {
	inputs, outputs, err := setup.Burgers(b.config, b.config.Burgers.Time).Generate(ctx, purpose, count, workers, report)
	if err != nil {
		return dataset.Pairs{}, err
	}
	return dataset.Pairs{Inputs: inputs, Outputs: outputs[0]}, nil
}

func (b *burgersEquation) drawTheta() error {
	c := b.config
	if c.Features.ThetaFile == "" {
		b.features = setup.Fourier(c, feature.Draw(setup.BurgersTheta(c), c.Seed, c.Features.Count, c.Data.Grid))
		return nil
	}
	theta, err := dataset.ReadTheta(c.Features.ThetaFile, c.Features.Count)
	if err != nil {
		return err
	}
	b.features = setup.Fourier(c, theta)
	return fits(b, c.Features.ThetaFile, theta, c)
}

func (b *burgersEquation) read(file string, count int) (dataset.Pairs, error) {
	return dataset.ReadPairs(file, count)
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
	grf.NewSampler(setup.BurgersInput(b.config), previewPoints).Draw(input, b.config.Seed, draw.InputTrain, 0)
	one := b.config
	one.Features.Count = 1
	features := setup.Fourier(one, feature.Draw(setup.BurgersTheta(one), one.Seed, 1, previewPoints))
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
