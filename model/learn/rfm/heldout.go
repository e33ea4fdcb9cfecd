// This file chooses lambda by the error on pairs that training has not seen.

package rfm

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"rfm/model/learn/feature"
	"rfm/model/learn/ridge"
	"rfm/model/learn/score"
	"rfm/solver/base/fault"
	"rfm/solver/base/parallel"
	"rfm/solver/dataset"
	"rfm/solver/num/linalg"
	"rfm/solver/space/grid"
)

// Relatives are the values of lambda, relative to the largest eigenvalue of G, that Trial tries: from the rounding
// errors of G to 1e-3, one in a decade. The error is flat near its minimum.
var Relatives = [...]float64{1e-15, 1e-14, 1e-13, 1e-12, 1e-11, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3}

// HeldOut returns the lambda, relative to the largest eigenvalue of G, with the least mean relative L2 error on
// held-out pairs, of several the largest, and that error. For each fold in turn, m features are chosen greedily from
// all of the evaluator's, if there are more, and trained, on the pairs outside the fold. A choice of features that
// has seen the held-out pairs would give far too small an error. offset is the field of Normal; errors are relative
// to the outputs including their mean.
//
// Folds are numbers of pairs, at least one and not all. Each costs a training with all features, which may as well be
// on a coarser grid than the training, and a choice. Before each, progress (which may be nil) gets the number done. The
// result does not depend on workers. Errors are ctx.Err(), the evaluator's, a *fault.Data if an output is zero or no
// fold leaves pairs that differ, and a *fault.Numerical.
func HeldOut(ctx context.Context, e feature.Evaluator, pairs dataset.Pairs, offset bool, m int, folds [][]int,
	workers int, progress func(folds int)) (relative, least float64, err error) {
	errors := make([]float64, len(Relatives)) // sums of the relative errors with each lambda
	total := 0                                // held-out pairs
	useful := false                           // whether features of any fold differ
	for done, fold := range folds {
		if progress != nil {
			progress(done)
		}
		rest := ridge.Others(fold, pairs.Count())
		if len(rest) == 0 {
			const none = "there are %d: none is left to train with when some are held out"
			return 0, 0, &fault.Data{
				Where: "training pairs",
				What:  fmt.Sprintf(none, pairs.Count()),
				Do:    "give more pairs, or set train.method = features and train.choice = given",
			}
		}
		fit := pairs.Take(rest)
		held := pairs.Take(fold)
		largest, err := Trial(ctx, errors, e, fit, held, Rows{}, offset, m, workers)
		if err != nil {
			return 0, 0, err
		}
		useful = useful || largest > 0
		total += len(fold)
	}
	if !useful { // features are orthogonal to the outputs, or zero less the mean
		const same = "the features of the others when %d of %d are held out are the same, so no error can choose lambda"
		return 0, 0, &fault.Data{
			Where: "training pairs",
			What:  fmt.Sprintf(same, len(folds[0]), pairs.Count()),
			Do:    "give more pairs with different inputs, or set train.method = features and train.choice = given",
		}
	}
	least = math.Inf(1)
	for q, sum := range errors {
		mean := sum / float64(total)
		if mean <= least {
			relative = Relatives[q]
			least = mean
		}
	}
	if !grid.Finite(least) {
		return 0, 0, &fault.Numerical{
			Where: "holding pairs out",
			What:  "the error is not finite at any lambda",
			Do:    "try larger ones, and check the features",
		}
	}
	return relative, least, nil
}

// Trial trains m features, chosen greedily from all if there are more, on some pairs with each of Relatives. It adds
// relative errors of other pairs to errors, and returns the largest eigenvalue. Errors are as for HeldOut.
func Trial(ctx context.Context, errors []float64, e feature.Evaluator, fit, held dataset.Pairs, rows Rows, offset bool,
	m, workers int) (largest float64, err error) {
	n := NewNormal(e.Count())
	n.Rows = rows
	n.Offset = offset
	if err := n.Accumulate(ctx, e, fit, workers, nil, nil); err != nil {
		return 0, err
	}
	chosen := ridge.Others(nil, e.Count()) // all features
	part := n
	if m < len(chosen) {
		chosen, err = n.Select(ctx, m, workers)
		if err != nil {
			return 0, err
		}
		part = n.Subset(chosen)
	}
	m = len(chosen)
	spectral, err := linalg.Decompose(ctx, part.Gram(m), workers)
	if err != nil {
		return 0, solveFault(err, m, Regularisation{Relative: Relatives[0]})
	}
	alphas := make([][]float64, len(Relatives)) // nil where no solution exists
	for q, relative := range Relatives {
		alpha := make([]float64, m)
		_, err := spectral.SolveRelative(alpha, part.RHS, relative)
		if err == nil {
			alphas[q] = withPadding(alpha, chosen, e.Count())
		}
	}
	largest = spectral.Eigenvalues()[0]
	return largest, n.addErrors(ctx, errors, e, held, alphas, workers)
}

// addErrors adds to errors the relative errors of each coefficient vector on pairs that the sums have not seen.
func (n *Normal) addErrors(ctx context.Context, errors []float64, e feature.Evaluator, pairs dataset.Pairs,
	alphas [][]float64, workers int) error {
	blocks := newBlockEvaluator(e, pairs, workers, Rows{}, n.means)
	blocks.size = max(1, blocks.size/8) // because the cache then holds the features for all coefficient vectors
	features := blocks.newMatrix()
	var squares []float64                       // of the outputs
	residuals := make([][]float64, len(alphas)) // squares of them, for each coefficient vector
	for first := 0; first < pairs.Count(); first += blocks.size {
		block, err := blocks.evaluate(ctx, features, blocks.discarded, first)
		if err != nil {
			return err
		}
		squares = append(squares, block.squares...)
		err = parallel.For(ctx, workers, len(alphas), func(_, q int) error {
			if alphas[q] != nil {
				residuals[q] = append(residuals[q], block.squaredResiduals(features, alphas[q])...)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	if pairs.Outputs.Numbers() {
		squares = slices.Repeat([]float64{stat.Mean(squares, nil)}, len(squares))
	}
	if slices.Contains(squares, 0) {
		return score.ZeroError("a training output")
	}
	for q, alpha := range alphas {
		if alpha == nil {
			errors[q] = math.Inf(1)
		}
		for i, residual := range residuals[q] {
			errors[q] += math.Sqrt(residual / squares[i])
		}
	}
	return nil
}
