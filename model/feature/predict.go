// This file evaluates models of spectral features: sums over all features, group by group.

package feature

import (
	"context"
	"fmt"

	"rfm/model/linalg"
	"rfm/solver/fft"
	"rfm/solver/grid"
	"rfm/solver/parallel"
)

// predictBlock is the number of inputs for which a group of features is evaluated while its coefficients are in cache.
const predictBlock = 16

// Predict implements Evaluator.
func (e *spectralEvaluator) Predict(ctx context.Context, coefficients [][]float64, inputs grid.Batch, workers int,
	progress func(added int)) ([]grid.Batch, error) {
	predictions := make([]grid.Batch, len(coefficients))
	for q, alpha := range coefficients {
		if len(alpha) < 1 || len(alpha) > e.count {
			panic(fmt.Sprintf("feature: %d coefficients for %d features", len(alpha), e.count))
		}
		predictions[q] = grid.NewBatch(e.outputs(), inputs.Points, inputs.Count)
	}
	p := e.sumsOf(coefficients, predictions)
	if len(coefficients) == 1 {
		p = e.sumOf(coefficients[0], predictions[0])
	}
	if err := e.pass(ctx, inputs, workers, progress, p); err != nil {
		return nil, err
	}
	return predictions, nil
}

// together is the number of groups whose features are added to the sums at a time.
const together = 4

// pass holds the operations on the features of one input: groups adds the share of at most [together] groups, from
// first to before end, to sums, size numbers that are initially zero; finish takes the sums.
type pass struct {
	size   int
	groups func(sums []float64, first, end int, input []float64, s *scratch)
	finish func(input int, sums []float64)
}

// sumOf sums features with one coefficient vector.
func (e *spectralEvaluator) sumOf(alpha []float64, predictions grid.Batch) pass {
	weights := make([]float64, e.Groups()*GroupSize) // zero beyond the coefficients
	for j, a := range alpha {
		weights[j] = a / float64(len(alpha))
	}
	rows := e.Points()
	return pass{
		size: fft.Lanes * rows, // partial sums
		groups: func(sums []float64, first, end int, input []float64, s *scratch) {
			for g := first; g < end; g++ {
				e.accumulate(sums, g, input, weights[GroupSize*g:GroupSize*(g+1)], s)
			}
		},
		finish: func(i int, sums []float64) {
			u := predictions.At(i)
			for x := range rows {
				s := sums[fft.Lanes*x : fft.Lanes*x+fft.Lanes]
				u[x] = (s[0] + s[1]) + (s[2] + s[3])
			}
			e.complete(u)
		},
	}
}

// sumsOf sums features with several coefficient vectors.
func (e *spectralEvaluator) sumsOf(coefficients [][]float64, predictions []grid.Batch) pass {
	rows, vectors := e.Points(), len(coefficients)
	const half = fft.Lanes
	weights := make([]float64, e.Groups()*GroupSize*vectors) // in the order that combine takes
	for q, alpha := range coefficients {
		for j, a := range alpha {
			weights[j/half*half*vectors+half*q+j%half] = a / float64(len(alpha))
		}
	}
	return pass{
		size: vectors * rows,
		groups: func(sums []float64, first, end int, input []float64, s *scratch) {
			e.combine(sums, first, end, input, weights[GroupSize*vectors*first:GroupSize*vectors*end], vectors, s)
		},
		finish: func(i int, sums []float64) {
			for q := range vectors {
				u := predictions[q].At(i)
				linalg.Combined(u[:rows], sums, q, vectors)
				e.complete(u)
			}
		},
	}
}

// pass makes one pass over the features for blocks of inputs on worker goroutines.
func (e *spectralEvaluator) pass(ctx context.Context, inputs grid.Batch, workers int, progress func(added int),
	p pass) error {
	width, size := e.InputSize(), p.size
	type bench struct {
		scratch *scratch
		sums    []float64
	}
	newBench := func() bench { return bench{e.newScratch(), make([]float64, predictBlock*size)} }
	blocks := (inputs.Count + predictBlock - 1) / predictBlock
	return parallel.With(ctx, workers, blocks, newBench, func(b bench, block int) error {
		first := block * predictBlock
		count := min(predictBlock, inputs.Count-first)
		clear(b.sums)
		prepared, err := e.Prepare(inputs.Range(first, count))
		if err != nil {
			return fmt.Errorf("inputs from %d on: %w", first, err)
		}
		for g := 0; g < e.Groups(); g += together {
			for i := range count {
				p.groups(b.sums[size*i:size*(i+1)], g, min(g+together, e.Groups()), prepared[width*i:width*(i+1)], b.scratch)
			}
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		for i := range count {
			p.finish(first+i, b.sums[size*i:size*(i+1)])
		}
		if progress != nil {
			progress(count)
		}
		return nil
	})
}
