// Package baseline learns operators from the same training pairs as the random feature model, in other ways: what the
// model has to be better than. Linear is the best linear operator, Kernel is kernel ridge regression on principal
// components, the method a sceptic would try first.
//
// Their parameters are chosen by the exact leave-one-out error on the training pairs, so that no test pair is looked at.
// Unlike the random feature model, a baseline belongs to the grid of its training pairs: it predicts on no other.
package baseline

import (
	"context"
	"fmt"
	"math"

	"rfm/solver/dataset"
	"rfm/solver/fault"
	"rfm/solver/grid"
)

// Baseline is an operator that was learned from pairs on one grid.
type Baseline interface {
	// Name is what the method is called in tables.
	Name() string
	// Predict evaluates the operator for all inputs, which are on the grid of training, on up to workers goroutines.
	// progress (which may be nil) is called from worker goroutines with the number of predictions that are finished since
	// its last call. The result does not depend on workers. Errors: a *fault.Data if the inputs are on another grid, or ctx's.
	Predict(ctx context.Context, inputs grid.Batch, workers int, progress func(added int)) (grid.Batch, error)
}

// Domain is where the functions live; it fixes the L2 inner product, which is the trapezoid rule's.
type Domain int

// The domains.
const (
	Torus    Domain = iota // periodic functions on the unit interval, the last value repeating the first
	Interval               // functions on the unit interval
	Square                 // functions on the unit square, on closed r x r grids
)

// Weights are the weights of the composite trapezoid rule on the domain's closed grid with K values: the inner product of
// f and g is sum_x w_x f_x g_x. It panics if the domain is Square and K is no square, or if the grid has fewer than 2 points
// along an axis.
func (d Domain) Weights(K int) []float64 {
	r := K
	if d == Square {
		r = grid.Side(K)
	}
	if r < 2 {
		panic(fmt.Sprintf("baseline: trapezoid rule on %d points", r))
	}
	line := make([]float64, r)
	for i := range line {
		line[i] = 1 / float64(r-1)
	}
	line[0] /= 2
	line[r-1] /= 2
	if d != Square {
		return line
	}
	weights := make([]float64, 0, K)
	for _, v := range line {
		for _, w := range line {
			weights = append(weights, v*w)
		}
	}
	return weights
}

// minPairs is the number of pairs from which something can be left out.
const minPairs = 3

// check returns a *fault.Data if nothing can be learned from the pairs: too few, not finite, or with a zero output, whose
// relative error does not exist.
func check(pairs dataset.Pairs) error {
	if pairs.Inputs.Count != pairs.Outputs.Count || pairs.Inputs.K != pairs.Outputs.K {
		panic(fmt.Sprintf("baseline: %d inputs on K=%d, %d outputs on K=%d", pairs.Inputs.Count, pairs.Inputs.K, pairs.Outputs.Count, pairs.Outputs.K))
	}
	if pairs.Count() < minPairs {
		return &fault.Data{Where: "training pairs", What: fmt.Sprintf("%d are too few for a baseline: at least %d are needed", pairs.Count(), minPairs), Do: "raise data.train"}
	}
	if err := pairs.Inputs.CheckFinite("training inputs"); err != nil {
		return err
	}
	return pairs.Outputs.CheckFinite("training outputs")
}

// checkGrid returns a *fault.Data if the inputs are not on the grid of training.
func checkGrid(inputs grid.Batch, K int) error {
	if inputs.K != K {
		return &fault.Data{Where: "inputs of a baseline", What: fmt.Sprintf("have %d values, the training functions %d: a baseline belongs to one grid", inputs.K, K), Do: "train it on this grid"}
	}
	return nil
}

// norms are the L2 norms of functions; the error is a *fault.Data if one is zero.
func norms(functions grid.Batch, weights []float64) ([]float64, error) {
	all := make([]float64, functions.Count)
	for i := range all {
		for x, v := range functions.At(i) {
			all[i] += weights[x] * v * v
		}
		if all[i] == 0 {
			return nil, &fault.Data{Where: fmt.Sprintf("output %d", i), What: "is zero, so a relative error does not exist", Do: "leave this pair out"}
		}
		all[i] = math.Sqrt(all[i])
	}
	return all, nil
}
