package rfm

import (
	"context"
	"errors"
	"fmt"

	"rfm/model/linalg"
	"rfm/solver/fault"
)

// Select chooses up to count features by orthogonal least squares: in each step the feature that lowers the training
// error most (linalg.Greedy). It uses training data only. It never chooses features that are, up to rounding,
// combinations of chosen ones, so it returns fewer than count from a pool of lower rank. If all are zero, as centred
// features of one pair are, it returns the first, whose coefficient will be 0. Indices are in the order of choice: the
// first k of them are the choice of k. The error is a *fault.Numerical or ctx's.
func (n *Normal) Select(ctx context.Context, count, workers int) ([]int, error) {
	floor := float64(n.Sums.Order()) * 0x1p-52
	features, _, err := linalg.Greedy(ctx, n.Sums, n.RHS, count, floor, workers)
	var notFinite *linalg.NonFiniteError
	if errors.As(err, &notFinite) {
		return nil, &fault.Numerical{Where: fmt.Sprintf("choosing %d of %d features", count, n.Sums.Order()),
			What: err.Error(), Do: "features overflow: lower features.gain"}
	}
	if err == nil && len(features) == 0 {
		features = []int{0}
	}
	return features, err
}

// Subset returns the sums for the given features alone, in that order, as Accumulate would compute them.
func (n *Normal) Subset(features []int) *Normal {
	part := &Normal{Sums: linalg.NewSymmetric(len(features)), RHS: make([]float64, len(features)), Samples: n.Samples,
		Means: n.Means.subset(features)}
	for i, p := range features {
		part.RHS[i] = n.RHS[p]
		for j := i; j < len(features); j++ {
			part.Sums.Set(i, j, n.Sums.At(p, features[j]))
		}
	}
	return part
}
