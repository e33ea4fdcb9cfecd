// This file chooses lambda by the error on pairs that training has not seen.

package rfm

import (
	"context"
	"fmt"
	"math"
	"slices"

	"rfm/model/feature"
	"rfm/model/linalg"
	"rfm/model/ridge"
	"rfm/solver/dataset"
	"rfm/solver/fault"
	"rfm/solver/grid"
	"rfm/solver/parallel"
)

// relatives are the values of lambda, relative to the largest eigenvalue of G, from which HeldOut chooses: from the
// rounding errors of G to 1e-3, one in a decade. The error is flat near its minimum.
var relatives = []float64{1e-15, 1e-14, 1e-13, 1e-12, 1e-11, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3}

// HeldOut returns the lambda, relative to the largest eigenvalue of G, with the least mean relative L2 error on
// held-out pairs, of several the largest, and that error. For each fold in turn, m features are chosen greedily from
// all of the evaluator's, if there are more, and trained, on the pairs outside the fold. A choice of features that
// has seen the held-out pairs would give far too small an error. offset is the field of Normal; errors are relative
// to the outputs including their mean.
//
// Folds are numbers of pairs, at least one and not all. Each costs a training with all features, which may as well be
// on a coarser grid than the training, and a choice. Before each, progress (which may be nil) gets the number done. The
// result does not depend on workers. Errors are ctx's, the evaluator's, a *fault.Data if an output is zero or no fold
// leaves pairs that differ, and a *fault.Numerical.
func HeldOut(ctx context.Context, e feature.Evaluator, pairs dataset.Pairs, offset bool, m int, folds [][]int,
	workers int, progress func(folds int)) (relative, least float64, err error) {
	errors, total, useful := make([]float64, len(relatives)), 0, false
	for done, fold := range folds {
		if progress != nil {
			progress(done)
		}
		rest := ridge.Others(fold, pairs.Count())
		if len(rest) == 0 {
			return 0, 0, &fault.Data{Where: "training pairs",
				What: fmt.Sprintf("there are %d: none is left to train with when some are held out", pairs.Count()),
				Do:   "give more pairs, or set train.choice = given with train.relative"}
		}
		normal := NewNormal(e.Count())
		normal.Offset = offset
		if err := normal.Accumulate(ctx, e, pairs.Take(rest), workers, nil, nil); err != nil {
			return 0, 0, err
		}
		alphas, largest, err := normal.choice(ctx, m, workers)
		if err != nil {
			return 0, 0, err
		}
		useful = useful || largest > 0
		if err := normal.miss(ctx, errors, e, pairs.Take(fold), alphas, workers); err != nil {
			return 0, 0, err
		}
		total += len(fold)
	}
	if !useful { // features are orthogonal to the outputs, or zero less the mean
		return 0, 0, &fault.Data{Where: "training pairs",
			What: fmt.Sprintf("the features of the others when %d of %d are held out are the same, so no error can choose "+
				"lambda", len(folds[0]), pairs.Count()),
			Do: "give more pairs with different inputs, or set train.choice = given with train.relative"}
	}
	least = math.Inf(1)
	for q, sum := range errors {
		if sum/float64(total) <= least {
			relative, least = relatives[q], sum/float64(total)
		}
	}
	if !grid.Finite(least) {
		return 0, 0, &fault.Numerical{Where: "holding pairs out", What: "there is no finite error at any lambda",
			Do: "try larger ones, and check the features"}
	}
	return relative, least, nil
}

// choice returns, for every lambda, the coefficients of m features chosen greedily, padded and zero for all others, nil
// where no solution exists, and the largest eigenvalue.
func (n *Normal) choice(ctx context.Context, m, workers int) (alphas [][]float64, largest float64, err error) {
	chosen := ridge.Others(nil, n.Sums.Order())
	part := n
	if m < len(chosen) {
		if chosen, err = n.Select(ctx, m, workers); err != nil {
			return nil, 0, err
		}
		part = n.Subset(chosen)
	}
	m = len(chosen)
	spectral, err := linalg.Decompose(ctx, part.Gram(m), workers)
	if err != nil {
		return nil, 0, solveFault(err, m, Regularisation{Relative: relatives[0]})
	}
	for _, relative := range relatives {
		alpha := make([]float64, m)
		if _, err := spectral.SolveRelative(alpha, part.RHS, relative); err != nil {
			alphas = append(alphas, nil)
			continue
		}
		alphas = append(alphas, padded(alpha, chosen, n.Sums.Order()))
	}
	return alphas, spectral.Eigenvalues()[0], nil
}

// miss adds to errors the relative errors of each coefficient vector on pairs that the sums have not seen.
func (n *Normal) miss(ctx context.Context, errors []float64, e feature.Evaluator, pairs dataset.Pairs,
	alphas [][]float64, workers int) error {
	blocks := newBlocks(e, pairs, workers, Rows{}, n.means)
	features := blocks.matrix()
	for first := 0; first < pairs.Count(); first += blocks.size {
		block, err := blocks.evaluate(ctx, features, blocks.ignored, first)
		if err != nil {
			return err
		}
		if slices.Contains(block.squares, 0) {
			return errZero("a training output")
		}
		err = parallel.For(ctx, workers, len(alphas), func(_, q int) error {
			if alphas[q] == nil {
				errors[q] = math.Inf(1)
				return nil
			}
			for i, miss := range block.misses(features, alphas[q]) {
				errors[q] += math.Sqrt(miss / block.squares[i])
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}
