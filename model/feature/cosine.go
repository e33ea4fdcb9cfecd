// This file defines cosine space random features: those of Fourier space for fields on the closed unit square.

package feature

import (
	"context"
	"math"

	"rfm/model/activation"
	"rfm/solver/draw"
	"rfm/solver/grf"
	"rfm/solver/grid"
	"rfm/solver/parallel"
	"rfm/solver/trig"
)

// Cosine is the Fourier space random feature pair for fields on the closed unit square, which are continued to even
// functions of period 2 in both variables:
//
//	phi_j(a)(x) = sigma( gain sum_k chi(|k|/2) a_k theta_jk exp(pi i k.x) + b_j ),  k in Z x Z, |k| Euclidean,
//
// less its mean over x, by the trapezoid rule, if Centred. On the closed r x r grid, n = r-1, a_k and theta_jk are the
// discrete Fourier coefficients of the continued fields, C/n^2 with C the cosine transform of package trig, and the sum,
// over -n < k1, k2 <= n, is 4 C. exp(pi i k.x) has |k|/2 periods in a unit of length, hence chi(|k|/2): delta and beta mean
// the same as for Fourier. As chi(0) = 0, the means of a and theta have no effect: an operator that depends on the mean of
// its input cannot be learned.
//
// It belongs to no grid: theta is kept on its finest one and restricted to those on which features are evaluated.
type Cosine struct {
	Filter
	Activation activation.Func
	Gain       float64
	Bias       []float64  // b_j, one for every field of Theta (more have no effect); nil: 0
	Centred    bool       // features, and so predictions, have mean 0
	Count      int        // m
	Theta      grid.Batch // at least Count fields with R^2 values, see package grid
}

// DrawSquare draws the m parameters of a feature map from the measure, on the closed r x r grid: theta_j from the stream
// (seed, theta, j). The error is ctx's; the result does not depend on workers.
func DrawSquare(ctx context.Context, measure grf.Neumann, seed uint64, m, r, workers int) (grid.Batch, error) {
	theta, sampler := grid.NewBatch(grid.Square, r, m), grf.NewNeumannSampler(measure, r)
	return theta, parallel.For(ctx, workers, m, func(_, j int) error {
		sampler.Draw(theta.Range(j, 1), seed, draw.Theta, j)
		return nil
	})
}

// Select is the map with the features of the given indices only, in that order.
func (f Cosine) Select(indices []int) Cosine {
	f.Theta, f.Bias = gather(f.Theta, f.Bias, f.Count, indices)
	f.Count = len(indices)
	return f
}

// GainForRMS is the gain for which the argument of the activation, before the bias, has the given root mean square over
// the inputs, the m features and, by the trapezoid rule, the square. By Parseval's identity it is exactly
//
//	rms / sqrt( sum_k chi(|k|/2)^2 mean_i |a_ik|^2 mean_j |theta_jk|^2 ),  -n < k1, k2 <= n,
//
// on the inputs' grid. f.Gain has no effect. Errors are those of Fourier.GainForRMS.
func (f Cosine) GainForRMS(ctx context.Context, inputs grid.Batch, rms float64, workers int) (float64, error) {
	checkDraws(f.Count, f.Theta, f.Bias)
	r := inputs.Points
	theta, err := f.Theta.First(f.Count).Restrict(r)
	if err != nil {
		return 0, err
	}
	transform := trig.NewCosine(r, r)
	a, err := meanPowerSquare(ctx, transform, inputs, workers)
	if err != nil {
		return 0, err
	}
	t, err := meanPowerSquare(ctx, transform, theta, workers)
	if err != nil {
		return 0, err
	}
	sum := 0.0
	for k1 := range r {
		for k2 := range r {
			chi := f.chi(k1, k2)
			sum += multiplicity(k1, r) * multiplicity(k2, r) * chi * chi * a[k1*r+k2] * t[k1*r+k2]
		}
	}
	return gainFor(rms, sum)
}

// chi is the filter of the wave (k1, k2).
func (f Cosine) chi(k1, k2 int) float64 {
	return f.AtFrequency(math.Hypot(float64(k1), float64(k2)) / 2)
}

// multiplicity is the number of indices k and -k on the grid of r points.
func multiplicity(k, r int) float64 {
	if k == 0 || k == r-1 {
		return 1
	}
	return 2
}

// meanPowerSquare is the mean of |u_k|^2 over the fields u of the batch, k1, k2 >= 0. The error is ctx's.
func meanPowerSquare(ctx context.Context, transform *trig.Cosine, batch grid.Batch, workers int) ([]float64, error) {
	n := float64(transform.Rows() - 1)
	scale := 1 / (n * n * n * n * float64(batch.Count))
	return sumOver(ctx, batch.Count, batch.Values(), workers, func() func(term []float64, i int) {
		return func(term []float64, i int) {
			transform.Transform(term, batch.At(i))
			for k, c := range term {
				term[k] = scale * c * c
			}
		}
	})
}
