// Package method learns operators from the same training pairs as the random feature model, in other ways: what the
// model has to be better than. Linear is the best linear operator, Kernel is kernel ridge regression on principal
// components, the method a sceptic would try first.
//
// Their parameters are chosen by the exact leave-one-out error on the training pairs, so that no test pair is looked at.
// Unlike the random feature model, a baseline belongs to the grid of its training pairs: it predicts on no other.
package method

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

// minPairs is the number of pairs from which something can be left out.
const minPairs = 3

// check returns a *fault.Data if nothing can be learned from the pairs: too few, not finite, or with a zero output, whose
// relative error does not exist.
func check(pairs dataset.Pairs) error {
	if pairs.Inputs.Count != pairs.Outputs.Count || !pairs.Inputs.SameGrid(pairs.Outputs) {
		panic(fmt.Sprintf("baseline: %d inputs of %d values, %d outputs of %d", pairs.Inputs.Count, pairs.Inputs.Values(), pairs.Outputs.Count, pairs.Outputs.Values()))
	}
	if pairs.Count() < minPairs {
		return &fault.Data{Where: "training pairs", What: fmt.Sprintf("%d are too few for a baseline: at least %d are needed", pairs.Count(), minPairs), Do: "raise data.train"}
	}
	if err := pairs.Inputs.CheckFinite("training inputs", nil); err != nil {
		return err
	}
	return pairs.Outputs.CheckFinite("training outputs", nil)
}

// checkGrid returns a *fault.Data if the inputs are not on the grid of training.
func checkGrid(inputs grid.Batch, K int) error {
	if inputs.Values() != K {
		return &fault.Data{Where: "inputs of a baseline", What: fmt.Sprintf("have %d values, the training functions %d: a baseline belongs to one grid", inputs.Values(), K), Do: "train it on this grid"}
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
