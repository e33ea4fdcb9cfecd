// This file chooses the gain of a feature map from the size of what its activation is applied to.

package feature

import (
	"context"
	"fmt"
	"math"

	"rfm/solver/fault"
	"rfm/solver/fft"
	"rfm/solver/grid"
	"rfm/solver/parallel"
)

// GainForRMS is the gain for which the argument of the activation, before the bias, has the given root mean square over
// the inputs, the m features and the points of the inputs' grid. By Parseval's identity it is exactly
//
//	rms / sqrt( sum_k chi(k)^2 mean_i |a_ik|^2 mean_j |theta_jk|^2 ).
//
// f.Gain has no effect. The error is a *fault.Data if theta's grid does not contain the inputs', or if the sum is not
// positive and finite: inputs may be constant; or ctx's. The result does not depend on workers.
func (f Fourier) GainForRMS(ctx context.Context, inputs grid.Batch, rms float64, workers int) (float64, error) {
	checkDraws(f.Count, f.Theta, f.Bias)
	theta, err := f.Theta.First(f.Count).Restrict(inputs.Points)
	if err != nil {
		return 0, err
	}
	plan := fft.NewPlan(inputs.Points - 1)
	a, err := meanPower(ctx, plan, inputs, workers)
	if err != nil {
		return 0, err
	}
	t, err := meanPower(ctx, plan, theta, workers)
	if err != nil {
		return 0, err
	}
	sum := 0.0
	for p, k := range plan.Frequencies() {
		chi := f.Filter.At(k)
		sum += chi * chi * a[p] * t[p]
	}
	return gainFor(rms, sum)
}

// meanPower is the mean of |u_k|^2 over the functions u of the batch, in the plan's order. The error is ctx's.
func meanPower(ctx context.Context, plan *fft.Plan, batch grid.Batch, workers int) ([]float64, error) {
	N := plan.N()
	scale := 1 / (float64(N) * float64(N) * float64(batch.Count))
	return sumOver(ctx, batch.Count, N, workers, func() func(term []float64, i int) {
		spectrum := make([]float64, 2*N)
		return func(term []float64, i int) {
			plan.Spectra(spectrum, batch.At(i)[:N], 1)
			for p := range term {
				term[p] = scale * (spectrum[2*p]*spectrum[2*p] + spectrum[2*p+1]*spectrum[2*p+1])
			}
		}
	})
}

// sumOver is the sum of count terms of size numbers each, in order: the result does not depend on workers, the goroutines
// that compute terms. worker makes what one of them calls for term i. The error is ctx's.
func sumOver(ctx context.Context, count, size, workers int, worker func() func(term []float64, i int)) ([]float64, error) {
	const perWorker = 16 // terms that are held at a time
	workers = max(1, min(workers, count))
	compute, terms, sum := make([]func([]float64, int), workers), make([]float64, perWorker*workers*size), make([]float64, size)
	for first := 0; first < count; first += perWorker * workers {
		some := min(perWorker*workers, count-first)
		err := parallel.For(ctx, workers, some, func(w, i int) error {
			if compute[w] == nil {
				compute[w] = worker()
			}
			compute[w](terms[i*size:(i+1)*size], first+i)
			return nil
		})
		if err != nil {
			return nil, err
		}
		for i := range some {
			for k, v := range terms[i*size : (i+1)*size] {
				sum[k] += v
			}
		}
	}
	return sum, nil
}

// gainFor is the gain for rms if the mean square with gain 1 is square.
func gainFor(rms, square float64) (float64, error) {
	if !(square > 0) || math.IsInf(square, 1) {
		return 0, &fault.Data{Where: "gain of the features", What: fmt.Sprintf("the argument of the activation has mean square %g over the inputs, so no gain gives it root mean square %g", square, rms),
			Do: "inputs must be finite and not all constant; or give features.gain"}
	}
	return rms / math.Sqrt(square), nil
}
