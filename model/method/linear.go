// This file is the best linear operator.

package method

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"rfm/solver/dataset"
	"rfm/solver/fault"
	"rfm/solver/grid"
	"rfm/solver/parallel"
)

// LinearOperator is a linear (or affine) operator, fitted by ridge regression.
type LinearOperator struct {
	Multiplier  bool    // diagonal in Fourier space: it commutes with translations
	Ridge       float64 // relative to the largest mean square of a coefficient of the inputs
	LeaveOneOut float64 // mean relative L2 error of predictions of each training output from the other pairs

	predict func(dst, a []float64)
	values  int // K
}

// ridges are the relative ridges from which the leave-one-out error chooses.
var ridges = [...]float64{1e-12, 1e-10, 1e-8, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1}

// Linear fits linear operators to the pairs and returns the one with the smallest leave-one-out
// error: for periodic functions the Fourier multiplier u_k = c_k a_k, and for all the affine map from the principal
// components of the inputs to the outputs. Both are ridge regressions, whose ridge the same error chooses.
// Errors: a *fault.Data if there are fewer than three pairs, a value is not finite, all inputs are the same or an output
// is zero; ctx's.
func Linear(ctx context.Context, pairs dataset.Pairs, workers int) (*LinearOperator, error) {
	if err := check(pairs); err != nil {
		return nil, err
	}
	weights := pairs.Inputs.Domain.Weights(pairs.Inputs.Points)
	sizes, err := norms(pairs.Outputs, weights)
	if err != nil {
		return nil, err
	}
	best, err := affine(ctx, pairs, weights, sizes, workers)
	if err != nil || pairs.Inputs.Domain != grid.Torus {
		return best, err
	}
	multiplier, err := fitMultiplier(ctx, pairs, sizes, workers)
	if err != nil {
		return nil, err
	}
	if multiplier.LeaveOneOut <= best.LeaveOneOut {
		best = multiplier
	}
	return best, nil
}

// Name is "linear".
func (*LinearOperator) Name() string { return "linear" }

// Predict implements Baseline.
func (l *LinearOperator) Predict(ctx context.Context, inputs grid.Batch, workers int, progress func(added int)) (grid.Batch, error) {
	if err := checkGrid(inputs, l.values); err != nil {
		return grid.Batch{}, err
	}
	outputs := inputs.Like(inputs.Count)
	err := parallel.For(ctx, workers, inputs.Count, func(_, i int) error {
		l.predict(outputs.At(i), inputs.At(i))
		if progress != nil {
			progress(1)
		}
		return nil
	})
	if err != nil {
		return grid.Batch{}, err
	}
	return outputs, nil
}

// affine fits u = ubar + sum_k b_k z_k, z_k the coefficient of the input in principal component k, with the ridge that has
// the smallest leave-one-out error. Coefficients are uncorrelated, so with s_k = sum_i z_ik^2,
//
//	b_k = sum_i z_ik (u_i - ubar) / (s_k + ridge),  h_ij = 1/n + sum_k z_ik z_jk / (s_k + ridge),
//
// and leaving pair i out turns its residual r_i into r_i / (1 - h_ii).
func affine(ctx context.Context, pairs dataset.Pairs, weights, sizes []float64, workers int) (*LinearOperator, error) {
	n, K := pairs.Count(), pairs.Inputs.Values()
	inputs, err := newPrincipal(pairs.Inputs, weights)
	if err != nil {
		return nil, err
	}
	z, modes := inputs.coefficients(pairs.Inputs), len(inputs.variances)
	mean := make([]float64, K)
	for i := range n {
		for x, v := range pairs.Outputs.At(i) {
			mean[x] += v / float64(n)
		}
	}
	centred := mat.NewDense(n, K, nil)
	for i := range n {
		row := centred.RawRowView(i)
		for x, v := range pairs.Outputs.At(i) {
			row[x] = v - mean[x]
		}
	}
	var products mat.Dense // of coefficients and outputs
	products.Mul(z.T(), centred)
	shrunk := func(ridge float64) (*mat.Dense, []float64) {
		b, inverse := mat.NewDense(modes, K, nil), make([]float64, modes)
		for k, variance := range inputs.variances {
			inverse[k] = 1 / (float64(n) * (variance + ridge*inputs.variances[0]))
			row := b.RawRowView(k)
			for x, v := range products.RawRowView(k) {
				row[x] = inverse[k] * v
			}
		}
		return b, inverse
	}
	ridge, score, err := chooseRidge(ctx, workers, func(ridge float64) float64 {
		b, inverse := shrunk(ridge)
		var fitted mat.Dense
		fitted.Mul(z, b)
		total := 0.0
		for i := range n {
			leverage := 1 / float64(n)
			for k, v := range z.RawRowView(i) {
				leverage += v * v * inverse[k]
			}
			distance, row := 0.0, centred.RawRowView(i)
			for x, v := range fitted.RawRowView(i) {
				distance += weights[x] * (row[x] - v) * (row[x] - v)
			}
			total += math.Sqrt(distance) / (1 - leverage) / sizes[i]
		}
		return total / float64(n)
	})
	if err != nil {
		return nil, err
	}
	b, _ := shrunk(ridge)
	return &LinearOperator{Ridge: ridge, LeaveOneOut: score, values: K, predict: func(dst, a []float64) {
		c := inputs.coefficients(grid.BatchOf(pairs.Inputs.Domain, pairs.Inputs.Points, a))
		copy(dst, mean)
		for k, v := range c.RawRowView(0) {
			for x, w := range b.RawRowView(k) {
				dst[x] += v * w
			}
		}
	}}, nil
}

// chooseRidge is the ridge with the smallest finite score.
func chooseRidge(ctx context.Context, workers int, score func(ridge float64) float64) (ridge, least float64, err error) {
	var scores [len(ridges)]float64
	err = parallel.For(ctx, workers, len(ridges), func(_, i int) error {
		scores[i] = score(ridges[i])
		return nil
	})
	if err != nil {
		return 0, 0, err
	}
	least = math.Inf(1)
	for i, s := range scores {
		if s < least {
			ridge, least = ridges[i], s
		}
	}
	if math.IsInf(least, 1) {
		return 0, 0, &fault.Numerical{Where: "linear baseline", What: fmt.Sprintf("no ridge up to %g gives a finite error", ridges[len(ridges)-1]), Do: "check the scale of the data"}
	}
	return ridge, least, nil
}
