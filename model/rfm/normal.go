// Package rfm trains and applies the random feature model
//
//	F(a) = (1/m) sum_j alpha_j phi(a; theta_j)
//
// of Nelsen & Stuart 2021: the coefficients alpha solve one linear system, the normal equations of a least squares
// problem (section 2.4).
package rfm

import (
	"context"
	"errors"
	"fmt"

	"rfm/model/feature"
	"rfm/model/linalg"
	"rfm/solver/dataset"
	"rfm/solver/fault"
	"rfm/solver/parallel"
)

// Normal are the sums over training samples
//
//	S_jl = sum_i <phi_j(a_i), phi_l(a_i)>,  b_l = sum_i <u_i, phi_l(a_i)>
//
// with L2 inner products by the trapezoid rule. They serve every lambda, and their leading blocks every smaller m.
type Normal struct {
	Sums    *linalg.Symmetric // S
	RHS     []float64         // b
	Samples int               // n
}

// blockRows is about the number of rows (sample, grid point) of the feature matrix that are held at a time: enough to
// keep the rank-k update at its speed, little enough to stay far below the size of the Gram matrix.
const blockRows = 2048

// BlockSamples is the number of samples between two updates of the Gram matrix if a sample takes the given number of rows.
func BlockSamples(rows int) int { return max(1, blockRows/rows) }

// Accumulate sums the normal equations over the pairs, which are on the evaluator's grid. Samples enter in blocks of
// fixed size in index order, so the sums do not depend on the number of workers. After each block, progress (which
// may be nil) is told the number of samples seen. Errors are ctx's and the evaluator's.
func Accumulate(ctx context.Context, e feature.Evaluator, pairs dataset.Pairs, workers int, progress func(samples int)) (*Normal, error) {
	if pairs.Inputs.K != e.K() || pairs.Outputs.K != e.K() {
		panic(fmt.Sprintf("rfm: pairs of %d and %d values, features of %d", pairs.Inputs.K, pairs.Outputs.K, e.K()))
	}
	n, rows, width, m := pairs.Count(), e.Points(), e.InputSize(), e.Count()
	size := min(n, BlockSamples(rows))
	features := linalg.NewPanels(size*rows, m)
	normal := &Normal{Sums: linalg.NewSymmetric(m), RHS: make([]float64, m), Samples: n}
	trainers := make([]feature.Trainer, max(1, min(workers, e.Groups())))
	for i := range trainers {
		trainers[i] = e.NewTrainer()
	}
	for first := 0; first < n; first += size {
		samples := min(size, n-first)
		block := pairs.Range(first, samples)
		inputs, err := e.Prepare(block.Inputs)
		if err != nil {
			return nil, fmt.Errorf("training inputs from %d on: %w", first, err)
		}
		targets := e.Targets(block.Outputs)
		err = parallel.For(ctx, workers, e.Groups(), func(worker, g int) error {
			for i := range samples {
				trainers[worker].Train(features, i*rows, g, inputs[width*i:width*(i+1)], targets[rows*i:rows*(i+1)], normal.RHS)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		normal.Sums.RankUpdate(features, samples*rows, workers)
		if progress != nil {
			progress(first + samples)
		}
	}
	normal.Sums.Scale(e.Weight())
	for j := range normal.RHS {
		normal.RHS[j] *= e.Weight()
	}
	return normal, nil
}

// Gram is G = S/m for the first m features.
func (n *Normal) Gram(m int) *linalg.Symmetric {
	g := n.Sums.Leading(m)
	g.Scale(1 / float64(m))
	return g
}

// Solution is what the linear solve gave.
type Solution struct {
	Alpha       []float64
	Rank        int       // eigenvalues kept if lambda = 0, else m
	Eigenvalues []float64 // of G, descending; nil if lambda > 0
}

// Solve computes alpha for the first m features: (G + lambda I) alpha = b by Cholesky for lambda > 0; for lambda = 0
// the minimum norm solution with the eigenvalues of G below rcond times the largest dropped. The error is a
// *fault.Numerical.
func (n *Normal) Solve(m int, lambda, rcond float64, workers int) (Solution, error) {
	gram, rhs := n.Gram(m), n.RHS[:m]
	solution := Solution{Alpha: make([]float64, m), Rank: m}
	var err error
	if lambda > 0 {
		err = gram.SolveShifted(solution.Alpha, rhs, lambda)
	} else {
		var spectral *linalg.Spectral
		if spectral, err = linalg.Decompose(gram, workers); err == nil {
			solution.Eigenvalues = spectral.Eigenvalues()
			solution.Rank, err = spectral.SolveTruncated(solution.Alpha, rhs, rcond)
		}
	}
	if err != nil {
		return Solution{}, solveFault(err, m, lambda)
	}
	return solution, nil
}

func solveFault(err error, m int, lambda float64) error {
	advice := "check the data and the feature parameters"
	var notPositive *linalg.NotPositiveDefiniteError
	var notFinite *linalg.NonFiniteError
	switch {
	case errors.As(err, &notPositive):
		advice = "raise train.lambda, or use train.lambda = 0, which drops what rounding spoils"
	case errors.As(err, &notFinite):
		advice = "features overflow: lower features.gain"
	}
	return &fault.Numerical{Where: fmt.Sprintf("solving the normal equations, m=%d, lambda=%g", m, lambda), What: err.Error(), Do: advice}
}
