// This file is Burgers' equation: its pairs at several times from one trajectory each.

package study

import (
	"context"

	"rfm/config"
	"rfm/model/setup"
	"rfm/solver/dataset"
	"rfm/solver/draw"
	"rfm/solver/grid"
	"rfm/solver/truth"
)

// halves are the times of the outputs: multiples of the time step T = 0.5 of Table 4.1.
var halves = [...]float64{0.5, 1, 1.5, 2}

// horizon is the index in halves of the time T = 1 of all studies but the one of the semigroup.
const horizon = 1

type burgersProblem struct {
	config config.Config
	// Inputs and outputs on the data grid; outputs[i] at halves[i]. Training outputs go as far as T = 1.
	trainInputs, testInputs   grid.Batch
	trainOutputs, testOutputs []grid.Batch
}

func (b *burgersProblem) generate(ctx context.Context, workers int, t *tracker) (err error) {
	c := b.config
	t.begin("solving Burgers' equation, inputs", c.Data.Train+c.Data.Test)
	report := func(_ int, a, _ grid.Batch) { t.advance(a.Count) }
	o := setup.Truth(c)
	training := truth.Wanted{Purpose: draw.InputTrain, Count: c.Data.Train, Times: halves[:horizon+1]}
	if b.trainInputs, b.trainOutputs, err = truth.Generate(ctx, o, training, workers, report); err != nil {
		return err
	}
	b.testInputs, b.testOutputs, err = truth.Generate(ctx, o, truth.Wanted{Purpose: draw.InputTest, Count: c.Data.Test,
		Times: halves[:]}, workers, report)
	return err
}

func (b *burgersProblem) train(_ context.Context, K, first, count, _ int) (dataset.Pairs, error) {
	return b.trainAt(horizon, K, first, count)
}

// trainAt is count training pairs (a, u(halves[time], .)) from the first on, on the grid K.
func (b *burgersProblem) trainAt(time, K, first, count int) (dataset.Pairs, error) {
	return dataset.Pairs{Inputs: b.trainInputs, Outputs: b.trainOutputs[time]}.Range(first, count).Restrict(K)
}

// burgersTests is the number of test inputs whose predictions by all models are in memory at a time.
const burgersTests = 250

func (b *burgersProblem) eachTest(ctx context.Context, K, workers int, visit func(dataset.Pairs) error) error {
	for first := 0; first < b.testInputs.Count; first += burgersTests {
		pairs, err := b.test(ctx, K, first, min(burgersTests, b.testInputs.Count-first), workers)
		if err != nil {
			return err
		}
		if err := visit(pairs); err != nil {
			return err
		}
	}
	return ctx.Err()
}

func (b *burgersProblem) test(_ context.Context, K, first, count, _ int) (dataset.Pairs, error) {
	return dataset.Pairs{Inputs: b.testInputs, Outputs: b.testOutputs[horizon]}.Range(first, count).Restrict(K)
}
