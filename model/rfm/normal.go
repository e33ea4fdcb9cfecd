// Package rfm trains and applies the random feature model
//
//	F(a) = (1/m) sum_j alpha_j phi(a; theta_j)
//
// of Nelsen & Stuart 2021: the coefficients alpha solve one linear system, the normal equations of a least squares
// problem (eqs. 2.25 and 2.27).
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

// BlockSamples is the number of samples between two updates of the Gram matrix on the closed grid of K points.
func BlockSamples(K int) int { return max(1, blockRows/(K-1)) }

// Accumulate sums the normal equations over the pairs, which are on the evaluator's grid. Samples enter in blocks of
// fixed size in index order, so the sums do not depend on the number of workers. After each block, progress (which
// may be nil) is told the number of samples seen. The error is ctx's.
func Accumulate(ctx context.Context, e *feature.Evaluator, pairs dataset.Pairs, workers int, progress func(samples int)) (*Normal, error) {
	if pairs.Inputs.K != e.K() || pairs.Outputs.K != e.K() {
		panic(fmt.Sprintf("rfm: pairs on K=%d and K=%d, features on K=%d", pairs.Inputs.K, pairs.Outputs.K, e.K()))
	}
	n, N, m := pairs.Count(), e.Points(), e.Count()
	size := min(n, BlockSamples(e.K()))
	features := linalg.NewPanels(size*N, m)
	normal := &Normal{Sums: linalg.NewSymmetric(m), RHS: make([]float64, m), Samples: n}
	scratches := make([]*feature.Scratch, max(1, workers))
	for i := range scratches {
		scratches[i] = e.NewScratch()
	}
	for first := 0; first < n; first += size {
		samples := min(size, n-first)
		block := pairs.Range(first, samples)
		spectra := e.Spectra(block.Inputs)
		err := parallel.For(ctx, workers, e.Groups(), func(worker, g int) error {
			for i := range samples {
				e.Train(features, i*N, g, spectra[2*N*i:2*N*(i+1)], block.Outputs.At(i), normal.RHS, scratches[worker])
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		normal.Sums.RankUpdate(features, samples*N, workers)
		if progress != nil {
			progress(first + samples)
		}
	}
	normal.Sums.Scale(1 / float64(N)) // the trapezoid rule on periodic functions
	for j := range normal.RHS {
		normal.RHS[j] /= float64(N)
	}
	return normal, nil
}

// Gram is G = S/m of eq. 2.27 for the first m features.
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
