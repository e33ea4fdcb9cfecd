// Package feature holds random feature maps: functions phi(a; theta) of an input function a and a random parameter
// theta, evaluated for many theta at once.
package feature

import (
	"context"
	"fmt"

	"rfm/model/activation"
	"rfm/solver/draw"
	"rfm/solver/fft"
	"rfm/solver/grf"
	"rfm/solver/grid"
	"rfm/solver/parallel"
)

// Fourier is a Fourier space random feature pair with m draws of its parameters:
//
//	phi_j(a)(x) = sigma( gain sum_k chi(k) a_k theta_jk exp(2 pi i k x) + b_j ),
//
// less its mean over x if Centred. Without bias and mean removal it is the pair of eqs. 3.5 and 3.6 of Nelsen & Stuart
// 2021. As chi(0) = 0, the means of a and theta have no effect.
//
// It belongs to no grid: theta is kept on its finest one and restricted to those on which features are evaluated.
type Fourier struct {
	Filter
	Activation activation.Func
	Gain       float64
	Bias       []float64  // b_j, one for every function of Theta (more have no effect); nil: 0
	Centred    bool       // features, and so predictions, have mean 0 over the distinct points of the grid at hand
	Count      int        // m
	Theta      grid.Batch // at least Count functions; more complete the last group, see Draw
}

// GroupSize is the number of features that are evaluated side by side.
const GroupSize = 2 * fft.Lanes

// wholeGroups is m rounded up to whole groups. Draws complete the last group, because the last bit of a feature depends
// on its group.
func wholeGroups(m int) int { return (m + GroupSize - 1) / GroupSize * GroupSize }

// Draw draws the m parameters of a feature map from the measure, on the closed grid of K points: theta_j from
// the stream (seed, theta, j). The last group is completed with the draws that a larger m would use, so that
// the first m features are the same, to the last bit, for every m and any number of workers. The error is ctx's.
func Draw(ctx context.Context, measure grf.Periodic, seed uint64, m, K, workers int) (grid.Batch, error) {
	theta, sampler := grid.NewBatch(grid.Torus, K, wholeGroups(m)), grf.NewSampler(measure, K)
	return theta, parallel.For(ctx, workers, theta.Count/GroupSize, func(_, g int) error {
		sampler.Draw(theta.Range(GroupSize*g, GroupSize), seed, draw.Theta, GroupSize*g)
		return nil
	})
}

// DrawBias draws b_j ~ N(0, deviation^2) for m features, from the streams (seed, theta-bias, j); like Draw, it
// completes the last group. It is nil for deviation 0.
func DrawBias(deviation float64, seed uint64, m int) []float64 {
	if deviation == 0 {
		return nil
	}
	bias := make([]float64, wholeGroups(m))
	for j := range bias {
		bias[j] = deviation * draw.Stream(seed, draw.ThetaBias, j).NormFloat64()
	}
	return bias
}

// Select is the map with the features of the given indices only, in that order.
func (f Fourier) Select(indices []int) Fourier {
	f.Theta, f.Bias = gather(f.Theta, f.Bias, f.Count, indices)
	f.Count = len(indices)
	return f
}

// gather takes the parameters with the given indices, all less than m.
func gather(theta grid.Batch, bias []float64, m int, indices []int) (grid.Batch, []float64) {
	chosen := theta.Like(len(indices))
	var shifts []float64
	for i, j := range indices {
		if j < 0 || j >= m {
			panic(fmt.Sprintf("feature: feature %d selected of %d", j, m))
		}
		copy(chosen.At(i), theta.At(j))
		if bias != nil {
			shifts = append(shifts, bias[j])
		}
	}
	return chosen, shifts
}

// checkDraws panics unless there are m features with their parameters.
func checkDraws(m int, theta grid.Batch, bias []float64) {
	if m < 1 || theta.Count < m || bias != nil && len(bias) < theta.Count {
		panic(fmt.Sprintf("feature: %d features from %d draws of theta and %d of the bias", m, theta.Count, len(bias)))
	}
}
