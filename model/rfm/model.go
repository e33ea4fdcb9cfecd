// This file applies a trained model.

package rfm

import (
	"context"
	"fmt"

	"rfm/model/feature"
	"rfm/solver/fft"
	"rfm/solver/grid"
	"rfm/solver/parallel"
)

// Model is a trained random feature model. It belongs to no grid.
type Model struct {
	Features feature.Fourier
	Alpha    []float64 // one coefficient a feature
}

// predictBlock is the number of inputs for which a group of features is evaluated while its coefficients are in cache.
const predictBlock = 16

// Predict evaluates F(a) for all inputs on their grid. progress (which may be nil) is called from worker goroutines
// with the number of predictions that a finished block adds. Errors: a *fault.Data if the grid does not fit, or ctx's.
func (m Model) Predict(ctx context.Context, inputs grid.Batch, workers int, progress func(added int)) (grid.Batch, error) {
	if len(m.Alpha) != m.Features.Count {
		panic(fmt.Sprintf("rfm: %d coefficients for %d features", len(m.Alpha), m.Features.Count))
	}
	e, err := m.Features.On(ctx, inputs.Points, workers)
	if err != nil {
		return grid.Batch{}, err
	}
	return predict(ctx, e, m.Alpha, inputs, workers, progress)
}

func predict(ctx context.Context, e feature.Expansion, alpha []float64, inputs grid.Batch, workers int, progress func(added int)) (grid.Batch, error) {
	N := e.Points()
	weights := make([]float64, e.Groups()*feature.GroupSize) // zero beyond m
	for j, a := range alpha {
		weights[j] = a / float64(len(alpha))
	}
	predictions := inputs.Like(inputs.Count)
	sums := fft.Lanes * N // partial sums of one input
	err := eachBlock(ctx, e, inputs, sums, workers, progress, pass{
		group: func(out []float64, g int, input []float64, s *feature.Scratch) {
			e.Predict(out, g, input, weights[feature.GroupSize*g:feature.GroupSize*(g+1)], s)
		},
		finish: func(i int, out []float64) {
			u := predictions.At(i)
			for x := range N {
				s := out[fft.Lanes*x : fft.Lanes*x+fft.Lanes]
				u[x] = (s[0] + s[1]) + (s[2] + s[3])
			}
			e.Complete(u)
		},
	})
	if err != nil {
		return grid.Batch{}, err
	}
	return predictions, nil
}

// PredictMany evaluates models with the same features and several coefficient vectors, each as long as the number of
// features or shorter (a model of the first features), in one pass over the features: the result for vector q at index
// q. The rest is as for Predict.
func PredictMany(ctx context.Context, features feature.Fourier, alphas [][]float64, inputs grid.Batch, workers int, progress func(added int)) ([]grid.Batch, error) {
	e, err := features.On(ctx, inputs.Points, workers)
	if err != nil {
		return nil, err
	}
	return predictMany(ctx, e, alphas, inputs, workers, progress)
}

func predictMany(ctx context.Context, e feature.Expansion, alphas [][]float64, inputs grid.Batch, workers int, progress func(added int)) ([]grid.Batch, error) {
	N, vectors := e.Points(), len(alphas)
	const half = fft.Lanes
	weights := make([]float64, e.Groups()*feature.GroupSize*vectors) // as Evaluator.PredictMany wants them
	predictions := make([]grid.Batch, vectors)
	for q, alpha := range alphas {
		if len(alpha) > e.Count() {
			panic(fmt.Sprintf("rfm: %d coefficients for %d features", len(alpha), e.Count()))
		}
		for j, a := range alpha {
			weights[j/half*half*vectors+half*q+j%half] = a / float64(len(alpha))
		}
		predictions[q] = inputs.Like(inputs.Count)
	}
	err := eachBlock(ctx, e, inputs, vectors*N, workers, progress, pass{
		group: func(out []float64, g int, input []float64, s *feature.Scratch) {
			e.PredictMany(out, g, input, weights[feature.GroupSize*vectors*g:feature.GroupSize*vectors*(g+1)], vectors, s)
		},
		finish: func(i int, out []float64) {
			for q := range vectors {
				u := predictions[q].At(i)
				copy(u, out[q*N:(q+1)*N])
				e.Complete(u)
			}
		},
	})
	if err != nil {
		return nil, err
	}
	return predictions, nil
}

// pass is what is done with the features of one input: group adds a group's share to sums, finish takes the sums.
type pass struct {
	group  func(sums []float64, g int, input []float64, s *feature.Scratch)
	finish func(input int, sums []float64)
}

// eachBlock makes one pass over the features for blocks of inputs on worker goroutines. An input has size sums, zero at
// first.
func eachBlock(ctx context.Context, e feature.Expansion, inputs grid.Batch, size, workers int, progress func(added int), p pass) error {
	width := e.InputSize()
	type bench struct {
		scratch *feature.Scratch
		sums    []float64
	}
	benches := make([]*bench, max(1, workers))
	blocks := (inputs.Count + predictBlock - 1) / predictBlock
	return parallel.For(ctx, workers, blocks, func(worker, block int) error {
		if benches[worker] == nil {
			benches[worker] = &bench{e.NewScratch(), make([]float64, predictBlock*size)}
		}
		b := benches[worker]
		first := block * predictBlock
		count := min(predictBlock, inputs.Count-first)
		clear(b.sums)
		prepared, err := e.Prepare(inputs.Range(first, count))
		if err != nil {
			return fmt.Errorf("inputs from %d on: %w", first, err)
		}
		for g := range e.Groups() {
			for i := range count {
				p.group(b.sums[size*i:size*(i+1)], g, prepared[width*i:width*(i+1)], b.scratch)
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
