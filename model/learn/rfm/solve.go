package rfm

import (
	"context"
	"errors"
	"fmt"

	"rfm/solver/base/fault"
	"rfm/solver/num/linalg"
)

// Regularisation selects the solution of an ill-conditioned least squares problem: G is the Gram matrix, b the
// right-hand side of (G + lambda I) alpha = b.
type Regularisation struct {
	Lambda   float64 // lambda
	Relative float64 // lambda as a multiple of the largest eigenvalue of G; Lambda is 0 then
	Rcond    float64 // for lambda = 0: eigenvalues of G that are not above Rcond times the largest are dropped
}

// Solution is the result of the linear solve.
type Solution struct {
	Alpha  []float64 `json:"alpha" shape:"features"`
	Lambda float64   `json:"lambda"` // absolute also if it was given relative to the largest eigenvalue
	Rank   int       `json:"rank"`   // eigenvalues kept if lambda = 0, else m
	// Eigenvalues of G, descending; nil after a Cholesky factorisation
	Eigenvalues []float64 `json:"eigenvalues,omitempty" shape:"kept"`
	LeaveOneOut float64   `json:"leave_one_out"` // mean relative error on held-out pairs if it chose lambda, else 0
}

// Fit computes alpha for the first m features from the normal equations, which it does not change. With an absolute
// lambda > 0 it solves (G + lambda I) alpha = b by Cholesky, which fails if lambda is below the rounding errors of G.
// With a relative one it uses the spectrum of G, in which eigenvalues that rounding made negative count as zero: this
// serves down to 1e-15. With neither, the result is the minimum norm solution after truncation at Rcond. The error is a
// *fault.Numerical or ctx.Err(). At most one kind of lambda is given.
func (n *Normal) Fit(ctx context.Context, m int, r Regularisation, workers int) (Solution, error) {
	return solve(ctx, n.Gram(m), n.RHS[:m], r, workers)
}

// Finish computes alpha for all features, as Fit does, in the memory of the sums, which become invalid.
func (n *Normal) Finish(ctx context.Context, r Regularisation, workers int) (Solution, error) {
	gram := n.Sums
	n.Sums = nil
	gram.Scale(1 / float64(gram.Order()))
	return solve(ctx, gram, n.RHS, r, workers)
}

// solve computes alpha, as Fit does, from a Gram matrix, which it overwrites.
func solve(ctx context.Context, gram *linalg.Symmetric, rhs []float64, r Regularisation, workers int) (
	Solution, error) {
	m := len(rhs)
	solution := Solution{
		Alpha:  make([]float64, m),
		Lambda: r.Lambda,
		Rank:   m,
	}
	if r.Lambda > 0 {
		factor, err := linalg.Factor(ctx, gram, r.Lambda, workers)
		if err != nil {
			return Solution{}, solveFault(err, m, r)
		}
		copy(solution.Alpha, rhs)
		factor.Solve(solution.Alpha)
		return solution, nil
	}
	spectral, err := linalg.Decompose(ctx, gram, workers)
	if err != nil {
		return Solution{}, solveFault(err, m, r)
	}
	solution.Eigenvalues = spectral.Eigenvalues()
	if r.Relative > 0 {
		solution.Lambda, err = spectral.SolveRelative(solution.Alpha, rhs, r.Relative)
	} else {
		solution.Rank, err = spectral.SolveTruncated(solution.Alpha, rhs, r.Rcond)
	}
	if err != nil {
		return Solution{}, solveFault(err, m, r)
	}
	return solution, nil
}

func (r Regularisation) String() string {
	if r.Relative > 0 {
		return fmt.Sprintf("lambda=%g times the largest eigenvalue", r.Relative)
	}
	return fmt.Sprintf("lambda=%g", r.Lambda)
}

// solveFault describes a system that cannot be solved; errors that do not come from the numbers stay as they are.
func solveFault(err error, m int, r Regularisation) error {
	advice := "check the data and the feature parameters"
	var notPositive *linalg.NotPositiveDefiniteError
	var notFinite *linalg.NonFiniteError
	var unsolved *linalg.UnsolvedError
	switch {
	case errors.As(err, &notPositive):
		advice = "raise train.lambda, or give train.relative instead, " +
			"or use train.lambda = 0, which drops directions that rounding spoils"
	case errors.As(err, &notFinite):
		advice = "features overflow: lower features.gain"
	case errors.As(err, &unsolved):
	default:
		return err
	}
	return &fault.Numerical{
		Where: fmt.Sprintf("solving for alpha, m=%d, %v", m, r),
		What:  err.Error(),
		Do:    advice,
	}
}

// Select chooses up to count features by orthogonal least squares: in each step the feature that lowers the training
// error most (linalg.Greedy). It uses training data only. It never chooses features that are, up to rounding,
// combinations of chosen ones, so it returns fewer than count from a pool of lower rank. If all are zero, as centred
// features of one pair are, it returns the first, whose coefficient will be 0. Indices are in the order of choice: the
// first k of them are the choice of k. The error is a *fault.Numerical or ctx.Err().
func (n *Normal) Select(ctx context.Context, count, workers int) ([]int, error) {
	const rounding = 0x1p-52
	floor := float64(n.Sums.Order()) * rounding
	features, err := linalg.Greedy(ctx, n.Sums, n.RHS, count, floor, workers)
	var notFinite *linalg.NonFiniteError
	if errors.As(err, &notFinite) {
		return nil, &fault.Numerical{
			Where: fmt.Sprintf("choosing %d of %d features", count, n.Sums.Order()),
			What:  err.Error(),
			Do:    "features overflow: lower features.gain",
		}
	}
	if err != nil {
		return nil, err
	}
	if len(features) == 0 {
		return []int{0}, nil
	}
	return features, nil
}

// Subset returns the sums for the given features alone, in that order, as Accumulate would compute them.
func (n *Normal) Subset(features []int) *Normal {
	part := NewNormal(len(features))
	part.Samples = n.Samples
	for i, p := range features {
		part.RHS[i] = n.RHS[p]
		for j := i; j < len(features); j++ {
			entry := n.Sums.At(p, features[j])
			part.Sums.Set(i, j, entry)
		}
	}
	return part
}
