// This file chooses lambda for features that are chosen themselves, by the error on pairs that neither choice has seen.

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
	"rfm/solver/fft"
	"rfm/solver/parallel"
)

// HeldOut computes, for every lambda of a path relative to the largest eigenvalue of G, the mean relative L2 error on
// held-out pairs. For each fold in turn, m features are chosen greedily from all of the evaluator's, and trained, on
// the pairs outside the fold. Leaving out functions after such a choice gives far too small an error, since the choice
// has seen them. centred fits a function of x alone, too.
//
// Folds are numbers of pairs, at least one and not all. Each costs a training with all features and a choice. Before
// each, progress (which may be nil) gets the number done. The result does not depend on workers. Errors are ctx's,
// the evaluator's, a *fault.Data if an output is zero or no fold leaves pairs that differ, and a *fault.Numerical.
func HeldOut(ctx context.Context, e feature.Evaluator, pairs dataset.Pairs, centred bool, m int, folds [][]int,
	path []float64, workers int, progress func(folds int)) (LOO, error) {
	l := LOO{Relative: path, Lambda: make([]float64, len(path)), Error: make([]float64, len(path)), Folds: len(folds)}
	total, useful := 0, false
	for done, fold := range folds {
		if progress != nil {
			progress(done)
		}
		rest := ridge.Others(fold, pairs.Count())
		if len(rest) == 0 {
			return LOO{}, &fault.Data{Where: "training pairs",
				What: fmt.Sprintf("there are %d: none is left to train with when some are held out", pairs.Count()),
				Do:   "give more pairs, or set train.choice = given with train.relative"}
		}
		normal := NewNormal(e.Count())
		if centred {
			normal.Means = NewMeans(e)
		}
		if err := normal.Accumulate(ctx, e, pairs.Take(rest), workers, Watch{}); err != nil {
			return LOO{}, err
		}
		alphas, lambdas, err := normal.choice(ctx, m, path, workers)
		if err != nil {
			return LOO{}, err
		}
		if !useful && lambdas[0] > 0 {
			l.Lambda, useful = lambdas, true
		}
		if err := normal.miss(ctx, l.Error, e, pairs.Take(fold), alphas, workers); err != nil {
			return LOO{}, err
		}
		total += len(fold)
	}
	if !useful {
		return LOO{}, errSame(len(folds[0]), pairs.Count())
	}
	for q := range l.Error {
		l.Error[q] /= float64(total)
	}
	return l.chosen("holding pairs out", l.Relative)
}

// errSame returns the error for features of the training pairs that are orthogonal to their outputs, or zero less the
// mean: after holding out so many of all pairs, the remaining pairs are copies of one.
func errSame(held, all int) error {
	which := "of all training pairs"
	if held > 0 {
		which = fmt.Sprintf("of the others when %d of %d are held out", held, all)
	}
	return &fault.Data{Where: "training pairs",
		What: fmt.Sprintf("the features %s are the same, so no error can choose lambda", which),
		Do:   "give more pairs with different inputs, or set train.choice = given with train.relative"}
}

// choice returns, for every lambda, the coefficients of m features chosen greedily, padded and zero for all others, and
// the lambdas. Where no solution exists they are nil.
func (n *Normal) choice(ctx context.Context, m int, path []float64, workers int) (alphas [][]float64, lambdas []float64,
	err error) {
	chosen := make([]int, n.Sums.Order())
	for j := range chosen {
		chosen[j] = j
	}
	part := n
	if m < len(chosen) {
		if chosen, err = n.Select(ctx, m, workers); err != nil {
			return nil, nil, err
		}
		part = n.Subset(chosen)
	}
	m = len(chosen)
	spectral, err := linalg.Decompose(ctx, part.Gram(m), workers)
	if err != nil {
		return nil, nil, solveFault(err, m, Regularisation{Relative: path[0]})
	}
	alphas, lambdas = make([][]float64, len(path)), make([]float64, len(path))
	for q, relative := range path {
		alpha := make([]float64, m)
		lambdas[q] = relative * spectral.Eigenvalues()[0]
		if _, err := spectral.SolveRelative(alpha, part.RHS, relative); err != nil {
			continue
		}
		alphas[q] = make([]float64, (n.Sums.Order()+fft.Lanes-1)/fft.Lanes*fft.Lanes)
		for i, j := range chosen {
			alphas[q][j] = alpha[i] / float64(m)
		}
	}
	return alphas, lambdas, nil
}

// miss adds to errors the relative errors of each coefficient vector on pairs that the sums have not seen.
func (n *Normal) miss(ctx context.Context, errors []float64, e feature.Evaluator, pairs dataset.Pairs,
	alphas [][]float64, workers int) error {
	rows := e.Points()
	blocks := newBlocks(e, pairs, workers, Rows{}, nil)
	blocks.fixed = n.Means
	features, ignored := linalg.NewPanels(blocks.size*rows, e.Count()), make([]float64, e.Count())
	for first := 0; first < pairs.Count(); first += blocks.size {
		block, err := blocks.evaluate(ctx, features, ignored, first)
		if err != nil {
			return err
		}
		if i := slices.Index(block.squares, 0); i >= 0 {
			return errZero("a training output")
		}
		err = parallel.For(ctx, workers, len(alphas), func(_, q int) error {
			if alphas[q] == nil {
				errors[q] = math.Inf(1)
				return nil
			}
			for i, miss := range misses(features, alphas[q], block.targets, block.samples) {
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
