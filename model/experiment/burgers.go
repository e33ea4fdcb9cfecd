// This file is the Burgers problem.

package experiment

import (
	"context"
	"math"

	"rfm/model/setup"
	"rfm/solver/burgers"
	"rfm/solver/dataset"
	"rfm/solver/draw"
	"rfm/solver/grf"
	"rfm/solver/grid"
)

type burgersEquation struct{ periodic }

func (b burgersEquation) generate(ctx context.Context, purpose draw.Purpose, s span, workers int, report dataset.Report) (dataset.Pairs, error) {
	g := setup.Burgers(b.config, b.config.Burgers.Time)
	g.First, g.Stored = s.first, s.grid
	inputs, outputs, err := g.Generate(ctx, purpose, s.count, workers, report)
	if err != nil {
		return dataset.Pairs{}, err
	}
	return dataset.Pairs{Inputs: inputs, Outputs: outputs[0]}, nil
}

func (b burgersEquation) together() int { return burgers.BlockSize }

// rivals times the solver on the evaluation's grid; where that does not resolve the solution there is no rival.
func (b burgersEquation) rivals(ctx context.Context, v *Evaluation, _ int) ([]Rival, error) {
	block := v.TestPairs.Inputs.First(min(burgers.BlockSize, v.TestPairs.Count()))
	g := setup.Burgers(b.config, b.config.Burgers.Time)
	worker := burgers.New(g.Viscosity, g.Tolerance, v.Grid).NewWorker()
	var err error
	solve := func(inputs grid.Batch) float64 {
		return timed(float64(inputs.Count), func() {
			if e := worker.Solve(ctx, []grid.Batch{grid.NewBatch(grid.Torus, v.Grid, inputs.Count)}, inputs, g.Times, "timing"); e != nil {
				err = e
			}
		})
	}
	full := Rival{Name: "full solve", Error: math.NaN(), Seconds: solve(block), Tolerance: g.Tolerance, Together: block.Count}
	if full.Alone = solve(block.First(1)); err != nil {
		return nil, ctx.Err()
	}
	return []Rival{full}, nil
}

func (b burgersEquation) firstInput() grid.Batch {
	input := grid.NewBatch(grid.Torus, previewPoints, 1)
	grf.NewSampler(setup.BurgersInput(b.config), previewPoints).Draw(input, b.config.Seed, draw.InputTrain, 0)
	return input
}
