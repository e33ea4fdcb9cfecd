package feature

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"rfm/solver/base/parallel/countdown"
	"rfm/solver/space/grf"
	"rfm/solver/space/grid"
)

// Drawing and preparing features must end with the context, check it for every group or field, and give the same bits
// for any number of workers.
func TestDrawingEndsWithItsContextAndIsTheSameForAnyWorkers(t *testing.T) {
	const m, K, r = 56, 65, 17
	measure := grf.Measure{Tau: 5, Alpha: 2, Space: grid.Torus}
	neumann := grf.Measure{Tau: 5, Alpha: 2.5, Axis: math.Sqrt2, Space: grid.Square}
	line := paperFeatures(t, must(Draw(t.Context(), measure, 1, m, K, 1)), m)
	square, fields := drawnOn(t, grid.Square, m, r-1), inputsOn(grid.Square, r, m)
	gain := func(f Spectral, ctx context.Context, inputs grid.Batch, workers int) ([]float64, error) {
		f.RMS = 1
		g, err := f.Calibrate(ctx, inputs, workers)
		if err != nil {
			return nil, err
		}
		return []float64{g.(Spectral).Gain}, nil
	}
	for _, c := range []struct {
		name string
		run  func(ctx context.Context, workers int) ([]float64, error)
	}{
		{"Draw", func(ctx context.Context, workers int) ([]float64, error) {
			b, err := Draw(ctx, measure, 1, m, K, workers)
			return b.Data, err
		}},
		{"DrawSquare", func(ctx context.Context, workers int) ([]float64, error) {
			b, err := Draw(ctx, neumann, 1, m, r, workers)
			return b.Data, err
		}},
		{"Fourier.On", func(ctx context.Context, workers int) ([]float64, error) {
			e, err := line.On(ctx, 33, workers)
			if err != nil {
				return nil, err
			}
			return slices.Concat(e.(*spectralEvaluator).groups...), nil
		}},
		{"Cosine.On", func(ctx context.Context, workers int) ([]float64, error) {
			e, err := square.On(ctx, 9, workers)
			if err != nil {
				return nil, err
			}
			return slices.Concat(e.(*spectralEvaluator).groups...), nil
		}},
		{"Fourier.Calibrate", func(ctx context.Context, workers int) ([]float64, error) {
			return gain(line, ctx, line.Theta, workers)
		}},
		{"Cosine.Calibrate", func(ctx context.Context, workers int) ([]float64, error) {
			return gain(square, ctx, fields, workers)
		}},
	} {
		whole := countdown.After(math.MaxInt)
		want, err := c.run(whole, 1)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if looks := whole.Looks(); looks < m/GroupSize {
			t.Errorf("%s looks %d times at its context, there are %d groups", c.name, looks, m/GroupSize)
		}
		for _, workers := range []int{2, 3, 16} {
			if got, err := c.run(t.Context(), workers); err != nil || !slices.Equal(got, want) {
				t.Errorf("%s: %d workers change the result (error %v)", c.name, workers, err)
			}
			for _, looks := range []int{0, 1, whole.Looks() / 2} {
				if _, err := c.run(countdown.After(looks), workers); !errors.Is(err, context.Canceled) {
					t.Errorf("%s with %d workers, cancelled after %d looks: error %v", c.name, workers, looks, err)
				}
			}
		}
	}
}
