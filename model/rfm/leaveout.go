package rfm

import (
	"context"
	"fmt"
	"math"

	"rfm/model/feature"
	"rfm/model/linalg"
	"rfm/solver/dataset"
	"rfm/solver/fault"
	"rfm/solver/grid"
	"rfm/solver/parallel"
)

// LOO is the error on functions left out of training, as a function of lambda.
type LOO struct {
	Folds    int       // number of parts that were held out in turn, see HeldOut; 0 if it was one function after the other
	Relative []float64 // lambda as a multiple of the largest eigenvalue of G, as given
	Lambda   []float64 // lambda
	Error    []float64 // mean relative L2 error on the functions left out; +Inf where rounding spoils it
	Best     int       // index of the least error, of several the largest lambda
}

// Regularisation returns the lambda with the least error.
func (l LOO) Regularisation() Regularisation { return Regularisation{Relative: l.Relative[l.Best]} }

// RelativePath returns the values of lambda, relative to the largest eigenvalue of G, from which LeaveOneOut usually
// chooses: from the rounding errors of G, 1e-15, to 1e-3, one in a decade. The error is flat near its minimum.
func RelativePath() []float64 {
	return []float64{1e-15, 1e-14, 1e-13, 1e-12, 1e-11, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3}
}

// LeaveOneOut computes, for every lambda of a path relative to the largest eigenvalue of G, the mean over the given
// pairs of the relative L2 error at a pair of the model that is trained on all others with the same absolute lambda.
// This needs no training: with A_i the features of pair i at all grid points and H_ii = A_i (G + lambda I)^-1 A_i' its
// block of the hat matrix, both up to the factor that makes sums inner products, the residual on the pair left out is
// (I - H_ii)^-1 times the residual of the model of all pairs. One decomposition of G serves the path, and a second pass
// over the features.
//
// If the sums have Means, the function of x alone is fitted again without the pair, too: the mean over n pairs is a
// part 1/n of the identity in every block of the hat matrix, I/n + H_ii. Errors are relative to the outputs, including
// their mean.
//
// normal is the sums for all features of the evaluator over the training pairs, of which pairs are all or a part: a
// mean over fewer is rougher, and cheaper. With N points on the grid and n pairs left out in turn, it costs n N m^2
// multiplications, twice the training on as many, and n (N^2 m/2 + N^3/6) for each lambda (n m^3/6 if m < N). It may as
// well be on a coarser grid than the training, with normal equations of its own. After each block of samples, progress
// (which may be nil) gets the number of samples done. The result does not depend on workers. Errors are ctx's, the
// evaluator's, a *fault.Data if an output is zero or all features are, and a *fault.Numerical.
func LeaveOneOut(ctx context.Context, e feature.Evaluator, pairs dataset.Pairs, normal *Normal, path []float64,
	workers int, progress func(samples int)) (LOO, error) {
	n, rows, m := pairs.Count(), e.Points(), e.Count()
	if normal.Sums.Order() != m || normal.Samples < n || n == 0 || len(path) == 0 {
		panic(fmt.Sprintf("rfm: %d values of lambda for sums of %d features over %d samples, with %d features and %d "+
			"samples to leave out", len(path), normal.Sums.Order(), normal.Samples, m, n))
	}
	kept := 1.0 // the share of the identity that the mean leaves
	if normal.Means != nil {
		if kept -= 1 / float64(normal.Samples); kept == 0 {
			return LOO{}, &fault.Data{Where: "training pairs", What: "there is one: nothing can be left out to choose lambda",
				Do: "give more pairs, or set train.choice = given with train.relative"}
		}
	}
	spectral, err := linalg.Decompose(ctx, normal.Gram(m), workers)
	if err != nil {
		return LOO{}, solveFault(err, m, Regularisation{Relative: path[0]})
	}
	l := LOO{Relative: path, Lambda: make([]float64, len(path)), Error: make([]float64, len(path))}
	largest := spectral.Eigenvalues()[0]
	for q, relative := range path {
		l.Lambda[q] = relative * largest
		if !(l.Lambda[q] > 0) {
			return LOO{}, errSame(0, n)
		}
	}
	// G = A'A with A = sqrt(weight/m) times the features, and A'u = rhs/sqrt(weight m). The residual is (kept I - H_ii)^-1
	// r_i = (I - H_ii/kept)^-1 r_i/kept.
	scale, rhs := math.Sqrt(e.Weight()/float64(m)/kept), make([]float64, m)
	for j, b := range normal.RHS {
		rhs[j] = b / math.Sqrt(e.Weight()*float64(m)*kept)
	}
	leave, err := linalg.NewLeaveOut(ctx, spectral, rhs, workers)
	if err != nil {
		return LOO{}, err
	}
	blocks := newBlocks(e, pairs, workers, Rows{}, nil)
	blocks.fixed = normal.Means
	features, ignored := linalg.NewPanels(blocks.size*rows, m), make([]float64, m)
	squares := make([]float64, blocks.size*len(path))
	for first := 0; first < n; first += blocks.size {
		block, err := blocks.evaluate(ctx, features, ignored, first)
		if err != nil {
			return LOO{}, err
		}
		samples, targets := block.samples, block.targets
		for i := range targets {
			targets[i] /= kept
		}
		scratch := func() *linalg.LeaveOutScratch { return leave.NewScratch(rows) }
		err = parallel.With(ctx, workers, samples, scratch, func(s *linalg.LeaveOutScratch, i int) error {
			return leave.Squares(ctx, squares[i*len(path):(i+1)*len(path)], features, i*rows, scale, targets[i*rows:(i+1)*rows],
				l.Lambda, s)
		})
		if err != nil {
			return LOO{}, err
		}
		for i := range samples {
			norm := block.squares[i]
			if norm == 0 {
				return LOO{}, errZero(fmt.Sprintf("output %d", first+i))
			}
			for q := range path {
				l.Error[q] += math.Sqrt(squares[i*len(path)+q]/norm) / float64(n)
			}
		}
		if progress != nil {
			progress(first + samples)
		}
	}
	return l.chosen("leaving functions out", l.Lambda)
}

// chosen returns the errors with the index of the least one. The error is a *fault.Numerical if none is finite.
func (l LOO) chosen(where string, lambdas []float64) (LOO, error) {
	if l.Best = least(l.Error, lambdas); !grid.Finite(l.Error[l.Best]) {
		return LOO{}, &fault.Numerical{Where: where, What: "there is no finite error at any lambda",
			Do: "try larger ones, and check the features"}
	}
	return l, nil
}

// least returns the index of the least error, of several the one with the largest lambda.
func least(errors, lambdas []float64) int {
	best := 0
	for q, e := range errors {
		if e < errors[best] || e == errors[best] && lambdas[q] > lambdas[best] {
			best = q
		}
	}
	return best
}
