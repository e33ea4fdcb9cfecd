// This file evaluates features for training, a block of samples at a time.

package rfm

import (
	"context"
	"fmt"

	"rfm/model/feature"
	"rfm/model/linalg"
	"rfm/solver/dataset"
	"rfm/solver/parallel"
)

// blocks evaluates the features of consecutive samples.
type blocks struct {
	evaluator feature.Evaluator
	pairs     dataset.Pairs
	workers   int
	size      int // samples of a whole block
	trainers  []feature.Trainer
}

func newBlocks(e feature.Evaluator, pairs dataset.Pairs, workers int) *blocks {
	if pairs.Inputs.K != e.K() || pairs.Outputs.K != e.K() {
		panic(fmt.Sprintf("rfm: pairs of %d and %d values, features of %d", pairs.Inputs.K, pairs.Outputs.K, e.K()))
	}
	b := &blocks{evaluator: e, pairs: pairs, workers: workers, size: min(pairs.Count(), BlockSamples(e.Points()))}
	for range max(1, min(workers, e.Groups())) {
		b.trainers = append(b.trainers, e.NewTrainer())
	}
	return b
}

// evaluate writes the features of the block of samples from first on to the first rows of the matrix, Points for each
// sample, adds their products with the targets to rhs, m numbers, and returns the number of samples and their targets.
// Columns beyond m are overwritten. Errors are ctx's and the evaluator's; rhs has some of the products then.
func (b *blocks) evaluate(ctx context.Context, features *linalg.Panels, rhs []float64, first int) (samples int, targets []float64, err error) {
	e := b.evaluator
	samples = min(b.size, b.pairs.Count()-first)
	block := b.pairs.Range(first, samples)
	inputs, err := e.Prepare(block.Inputs)
	if err != nil {
		return 0, nil, fmt.Errorf("training inputs from %d on: %w", first, err)
	}
	targets = e.Targets(block.Outputs)
	rows, width := e.Points(), e.InputSize()
	err = parallel.For(ctx, b.workers, e.Groups(), func(worker, g int) error {
		for i := range samples {
			b.trainers[worker].Train(features, i*rows, g, inputs[width*i:width*(i+1)], targets[rows*i:rows*(i+1)], rhs)
		}
		return nil
	})
	return samples, targets, err
}
