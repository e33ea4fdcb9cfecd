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
	e, err := m.Features.On(inputs.K)
	if err != nil {
		return grid.Batch{}, err
	}
	return predict(ctx, e, m.Alpha, inputs, workers, progress)
}

func predict(ctx context.Context, e *feature.Evaluator, alpha []float64, inputs grid.Batch, workers int, progress func(added int)) (grid.Batch, error) {
	N := e.Points()
	weights := make([]float64, e.Groups()*feature.GroupSize) // zero beyond m
	for j, a := range alpha {
		weights[j] = a / float64(len(alpha))
	}
	predictions := grid.NewBatch(inputs.Count, inputs.K)
	type bench struct {
		scratch *feature.Scratch
		sums    []float64
	}
	benches := make([]*bench, max(1, workers))
	blocks := (inputs.Count + predictBlock - 1) / predictBlock
	err := parallel.For(ctx, workers, blocks, func(worker, block int) error {
		if benches[worker] == nil {
			benches[worker] = &bench{e.NewScratch(), make([]float64, predictBlock*fft.Lanes*N)}
		}
		b := benches[worker]
		first := block * predictBlock
		count := min(predictBlock, inputs.Count-first)
		clear(b.sums)
		spectra := e.Spectra(inputs.Range(first, count))
		for g := range e.Groups() {
			for i := range count {
				e.Predict(b.sums[fft.Lanes*N*i:fft.Lanes*N*(i+1)], g, spectra[2*N*i:2*N*(i+1)], weights[feature.GroupSize*g:feature.GroupSize*(g+1)], b.scratch)
			}
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		for i := range count {
			sums, out := b.sums[fft.Lanes*N*i:], predictions.At(first+i)
			for x := range N {
				s := sums[fft.Lanes*x : fft.Lanes*x+fft.Lanes]
				out[x] = (s[0] + s[1]) + (s[2] + s[3])
			}
			out[N] = out[0]
		}
		if progress != nil {
			progress(count)
		}
		return nil
	})
	if err != nil {
		return grid.Batch{}, err
	}
	return predictions, nil
}
