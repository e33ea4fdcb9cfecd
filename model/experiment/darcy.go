// This file is the Darcy problem.

package experiment

import (
	"context"
	"fmt"
	"math"

	"rfm/config"
	"rfm/model/feature"
	"rfm/model/rfm"
	"rfm/model/setup"
	"rfm/model/trained"
	"rfm/solver/darcy"
	"rfm/solver/dataset"
	"rfm/solver/draw"
	"rfm/solver/grf"
	"rfm/solver/grid"
	"rfm/solver/parallel"
)

type darcyFlow struct {
	config   config.Config
	equation darcy.Equation
}

func newDarcyFlow(c config.Config) *darcyFlow {
	return &darcyFlow{config: c, equation: setup.Darcy(c).Equation}
}

func (d *darcyFlow) generate(ctx context.Context, purpose draw.Purpose, s span, workers int, report dataset.Report) (dataset.Pairs, error) {
	g := setup.Darcy(d.config)
	g.First, g.Stored = s.first, s.grid
	return g.Generate(ctx, purpose, s.count, workers, report)
}

func (d *darcyFlow) together() int { return 1 }

func (d *darcyFlow) read(ctx context.Context, file string, rows []int) (dataset.Pairs, error) {
	pairs, err := dataset.ReadChosen(ctx, setup.Source(d.config, file), 2, rows)
	if err == nil {
		err = darcy.CheckPermeabilities(file+", input", pairs.Inputs) // rows are the first ones
	}
	if err != nil {
		return dataset.Pairs{}, err
	}
	return pairs, nil
}

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

func (d *darcyFlow) domain() grid.Domain { return grid.Square }

// rivals are the full solve at equal resolution and the untrained iteration that the features begin, with one sweep (the
// part B(a) of every feature) and with two.
func (d *darcyFlow) rivals(ctx context.Context, v *Evaluation, workers int) ([]Rival, error) {
	const inputs = 32
	some := v.TestPairs.Inputs.First(min(inputs, v.TestPairs.Count()))
	var list []Rival
	features := setup.Predictor(d.config, nil)
	sweeps, err := feature.NewSweeps(features.Mollifier, features.Source, v.Grid)
	if err != nil {
		return nil, err
	}
	for count := 1; count <= 2; count++ {
		surrogates, err := rfm.Sweep(ctx, sweeps, count, v.TestPairs.Inputs, workers)
		if err != nil {
			return nil, err
		}
		errors, err := rfm.Measure(surrogates, v.TestPairs.Outputs)
		if err != nil {
			return nil, err
		}
		seconds := timed(float64(some.Count), func() { _, err = rfm.Sweep(ctx, sweeps, count, some, 1) })
		if err != nil {
			return nil, err
		}
		list = append(list, Rival{Name: fmt.Sprintf("untrained, %d sweep%s", count, plural(count)), Error: errors.ExpectedRelative, Seconds: seconds})
	}
	full, err := d.fullSolve(ctx, v, some, workers)
	if err != nil {
		return nil, err
	}
	return append(list, full), nil
}

// fullSolve is the solver at the evaluation's resolution, timed on some inputs. On a coarser grid than the data's it has
// an error of its own.
func (d *darcyFlow) fullSolve(ctx context.Context, v *Evaluation, some grid.Batch, workers int) (Rival, error) {
	solver := darcy.New(d.equation, v.Grid)
	solve := func(inputs grid.Batch, workers int) (grid.Batch, error) {
		outputs := inputs.Like(inputs.Count)
		crew := make([]*darcy.Worker, max(1, workers))
		err := parallel.For(ctx, workers, inputs.Count, func(w, i int) error {
			if crew[w] == nil {
				crew[w] = solver.NewWorker()
			}
			return crew[w].Solve(ctx, outputs.At(i), inputs.At(i), fmt.Sprintf("test pair %d", i))
		})
		return outputs, err
	}
	rival := Rival{Name: "full solve", Error: math.NaN(), Tolerance: d.equation.Tolerance, Together: 1}
	var err error
	rival.Seconds = timed(float64(some.Count), func() {
		if _, e := solve(some, 1); e != nil {
			err = e
		}
	})
	if err != nil || v.Grid == d.config.Data.Grid {
		return rival, err
	}
	outputs, err := solve(v.TestPairs.Inputs, workers)
	if err != nil {
		return rival, err
	}
	errors, err := rfm.Measure(outputs, v.TestPairs.Outputs)
	rival.Error = errors.ExpectedRelative
	return rival, err
}

func plural(count int) string {
	if count == 1 {
		return ""
	}
	return "s"
}

// previewSide is the resolution of previews: a few milliseconds of work, more than a terminal shows.
const previewSide = 65

func (d *darcyFlow) firstInput() grid.Batch {
	r := previewSide
	input := grid.NewBatch(grid.Square, r, 1)
	grf.NewNeumannSampler(setup.DarcyInput(d.config), r).Draw(input, d.config.Seed, draw.InputTrain, 0)
	setup.Darcy(d.config).Level.Apply(input.Data)
	return input
}

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
