// This file is Darcy flow: its pairs. Fields on the finest grid would not all fit in memory: pairs are kept on a
// coarser one, and made again where the finest is needed.

package study

import (
	"context"
	"runtime"

	"rfm/config"
	"rfm/model/setup"
	"rfm/solver/dataset"
	"rfm/solver/draw"
	"rfm/solver/grid"
	"rfm/solver/truth"
)

// darcyStored is the largest number of points along an axis of the fields that are kept.
const darcyStored = 129

type darcyProblem struct {
	config config.Config
	// On the grid of stored points along an axis.
	stored          int
	training, tests dataset.Pairs
}

func newDarcy(c config.Config) *darcyProblem {
	return &darcyProblem{config: c, stored: min(c.Data.Grid, darcyStored)}
}

func (d *darcyProblem) generate(ctx context.Context, workers int, t *tracker) (err error) {
	c := d.config
	t.begin("solving the Darcy equation, inputs", c.Data.Train+c.Data.Test)
	o := setup.Truth(c)
	report := func(int, grid.Batch, grid.Batch) { t.advance(1) }
	if d.training, err = dataset.Generate(ctx, o, truth.Wanted{Purpose: draw.InputTrain, Count: c.Data.Train,
		Points: d.stored}, workers, report); err != nil {
		return err
	}
	d.tests, err = dataset.Generate(ctx, o, truth.Wanted{Purpose: draw.InputTest, Count: c.Data.Test, Points: d.stored},
		workers, report)
	return err
}

// finest makes count pairs from the first on, on the data grid: the same as generate's.
func (d *darcyProblem) finest(ctx context.Context, purpose draw.Purpose, first, count, workers int) (dataset.Pairs,
	error) {
	runtime.GC() // collects the fields of the last call before these: the heap must not grow to twice its size
	return dataset.Generate(ctx, setup.Truth(d.config), truth.Wanted{Purpose: purpose, First: first, Count: count},
		workers, nil)
}

func (d *darcyProblem) train(ctx context.Context, r, first, count, workers int) (dataset.Pairs, error) {
	if r > d.stored {
		return d.finest(ctx, draw.InputTrain, first, count, workers)
	}
	return d.training.Range(first, count).Restrict(r)
}

// darcyTests is the number of test pairs that are handed out, and made again on the finest grid, at a time.
const darcyTests = 50

func (d *darcyProblem) eachTest(ctx context.Context, r, workers int, visit func(dataset.Pairs) error) error {
	for first := 0; first < d.tests.Count(); first += darcyTests {
		pairs, err := d.test(ctx, r, first, min(darcyTests, d.tests.Count()-first), workers)
		if err != nil {
			return err
		}
		if err := visit(pairs); err != nil {
			return err
		}
	}
	return ctx.Err()
}

func (d *darcyProblem) test(ctx context.Context, r, first, count, workers int) (dataset.Pairs, error) {
	if r > d.stored {
		return d.finest(ctx, draw.InputTest, first, count, workers)
	}
	return d.tests.Range(first, count).Restrict(r)
}
