package rfm

import (
	"context"
	"fmt"

	"rfm/model/feature"
	"rfm/model/linalg"
	"rfm/solver/dataset"
	"rfm/solver/fft"
	"rfm/solver/parallel"
)

// blocks evaluates the features of consecutive samples.
type blocks struct {
	evaluator feature.Evaluator
	pairs     dataset.Pairs
	workers   int
	some      Rows
	rows      int // rows of the feature matrix for each sample
	size      int // samples of a whole block
	trainers  []feature.Trainer
	growing   *Means // that the samples enter, in index order; or nil
	fixed     *Means // that are subtracted from every sample; or nil
	ignored   []float64
}

// newBlocks evaluates rows as they are, or such that update the means m.
func newBlocks(e feature.Evaluator, pairs dataset.Pairs, workers int, some Rows, m *Means) *blocks {
	if !pairs.Inputs.SameGrid(pairs.Outputs) || pairs.Outputs.Values() != e.K() {
		panic(fmt.Sprintf("rfm: pairs of %d and %d values, features of %d", pairs.Inputs.Values(), pairs.Outputs.Values(),
			e.K()))
	}
	if m != nil && (m.features.Cols() != e.Count() || len(m.outputs) != e.Points()) {
		panic(fmt.Sprintf("rfm: means of %d features with %d rows for %d with %d", m.features.Cols(), len(m.outputs),
			e.Count(), e.Points()))
	}
	b := &blocks{evaluator: e, pairs: pairs, workers: workers, some: some, rows: some.Of(e.Points()), growing: m,
		ignored: make([]float64, e.Count())}
	b.size = min(pairs.Count(), blockSamples(b.rows))
	for range max(1, min(workers, e.Groups())) {
		b.trainers = append(b.trainers, e.NewTrainer())
	}
	return b
}

// matrix returns a matrix for the features of a block in columns, with room for all points of a sample behind its rows
// if only some of them enter.
func (b *blocks) matrix(columns int) *linalg.Panels {
	rows := b.size * b.rows
	if b.rows < b.evaluator.Points() {
		rows += b.evaluator.Points()
	}
	return linalg.NewPanels(rows, columns)
}

// rowsOf holds the data of a block besides features.
type rowsOf struct {
	samples int
	targets []float64 // one for each row of each sample
	// of each sample, in the units of the targets: the sum of squares of its output, the scale of an error of 100%
	squares []float64
}

// evaluate writes the features of the block that begins with sample first to the first rows of the matrix, equally many
// for each sample, and adds their products with the targets to rhs, m numbers. Columns beyond m are overwritten. Errors
// are ctx's and the evaluator's; rhs is then incomplete.
func (b *blocks) evaluate(ctx context.Context, features *linalg.Panels, rhs []float64, first int) (rowsOf, error) {
	e := b.evaluator
	samples := min(b.size, b.pairs.Count()-first)
	block := b.pairs.Range(first, samples)
	inputs, err := e.Prepare(block.Inputs)
	if err != nil {
		return rowsOf{}, fmt.Errorf("training inputs from %d on: %w", first, err)
	}
	rows, width := e.Points(), e.InputSize()
	r := rowsOf{samples: samples, targets: e.Targets(block.Outputs), squares: make([]float64, samples)}
	chosen := b.choose(first, samples)
	for i := range samples {
		for k := range b.rows {
			u := r.targets[rows*i+chosen.at(i, k)]
			r.squares[i] += u * u
		}
	}
	products := rhs
	switch {
	case b.growing != nil:
		if b.growing.samples != first {
			panic(fmt.Sprintf("rfm: sample %d enters means over %d", first, b.growing.samples))
		}
		b.growing.takeOutputs(r.targets)
		b.growing.samples = -1 // until all groups have seen the block
		for i := range samples {
			weight, _ := helmert(first + i)
			r.squares[i] *= weight * weight
		}
		products = b.ignored
	case b.fixed != nil:
		for i := range r.targets {
			r.targets[i] -= b.fixed.outputs[i%rows]
		}
	}
	masked := chosen.masked(r.targets, rows)
	err = parallel.For(ctx, b.workers, e.Groups(), func(worker, g int) error {
		for i := range samples {
			target, row := masked[rows*i:rows*(i+1)], i*rows
			if chosen != nil {
				row = b.size * b.rows
			}
			b.trainers[worker](features, row, g, inputs[width*i:width*(i+1)], target, products)
			switch {
			case b.growing != nil:
				b.growing.takeFeatures(features, row, g, first+i, target, rhs)
			case b.fixed != nil:
				b.fixed.subtract(features, row, g)
			}
			if chosen != nil {
				gather(features, g, row, i*b.rows, chosen[i])
			}
		}
		return nil
	})
	r.targets = chosen.of(r.targets, rows)
	if b.growing != nil && err == nil {
		b.growing.samples = first + samples
	}
	return r, err
}

// predictions adds up the features in the rows of samples with padded coefficients, alpha/m.
func predictions(features *linalg.Panels, alpha []float64, rows int) []float64 {
	sums := make([]float64, rows)
	for p := 0; p < features.Count() && fft.Lanes*p < len(alpha); p++ {
		linalg.Combine(sums, features.Panel(p)[:fft.Lanes*rows], alpha[fft.Lanes*p:fft.Lanes*(p+1)], 1)
	}
	return sums
}

// misses returns the sum of squares of the residual of a model with padded coefficients on each of some samples.
func misses(features *linalg.Panels, alpha, targets []float64, samples int) []float64 {
	predicted, rows, all := predictions(features, alpha, len(targets)), len(targets)/samples, make([]float64, samples)
	for row, u := range targets[:samples*rows] {
		all[row/rows] += (u - predicted[row]) * (u - predicted[row])
	}
	return all
}

// padded returns alpha/m, with zeros up to whole panels.
func padded(alpha []float64) []float64 {
	all := make([]float64, (len(alpha)+fft.Lanes-1)/fft.Lanes*fft.Lanes)
	for j, a := range alpha {
		all[j] = a / float64(len(alpha))
	}
	return all
}
