package rfm

import (
	"context"
	"fmt"
	"math"

	"rfm/model/feature"
	"rfm/model/linalg"
	"rfm/solver/dataset"
)

// Triangular is the least squares problem of training after an orthogonal transformation Q' of its rows, which are
// those of the features and of the outputs, weighted such that products of columns are sums of L2 inner products:
//
//	S = R'R,  b = R'z,
//
// S and b as in Normal. It serves every lambda, and its leading blocks every smaller m.
type Triangular struct {
	Factor  *linalg.Triangular // of order m+1: R, and z = Q'u as the last column
	Samples int                // n
	Rows    Rows               // the points of samples that enter
	Means   *Means             // of what is taken off features and outputs; nil: nothing
}

// NewTriangular is the problem of m features before any sample.
func NewTriangular(m int) *Triangular { return &Triangular{Factor: linalg.NewTriangular(m + 1)} }

// Accumulate goes on with a problem of the first t.Samples pairs until it is that of all pairs, in the blocks and with
// the results of an uninterrupted pass. After each block it calls after (which may be nil), whose error ends it. What
// after sees, and what is left by an error or the end of ctx, is of t.Samples pairs, a whole number of blocks, but not
// weighted: the factor enters at the end. It can be stored, row by row, and gone on with.
func (t *Triangular) Accumulate(ctx context.Context, e feature.Evaluator, pairs dataset.Pairs, workers int,
	after func() error) error {
	blocks := centredBlocks(e, pairs, workers, t.Rows, t.Means)
	n, rows, m, size := pairs.Count(), blocks.rows, e.Count(), blocks.size
	if t.Samples > n || t.Samples < n && t.Samples%size != 0 || t.Factor.Order() != m+1 {
		panic(fmt.Sprintf("rfm: a factor of order %d over %d samples cannot go on with %d features and %d samples in "+
			"blocks of %d", t.Factor.Order(), t.Samples, m, n, size))
	}
	matrix := blocks.matrix(m + 1)
	outputs, ignored := matrix.Panel(m/4), make([]float64, m)
	if t.Means != nil {
		if err := t.Means.follow(ctx, blocks, matrix, t.Samples); err != nil {
			return err
		}
	}
	for t.Samples < n {
		block, err := blocks.evaluate(ctx, matrix, ignored, t.Samples)
		if err != nil {
			return err
		}
		for r, u := range block.targets {
			outputs[4*r+m%4] = u
		}
		if err := t.Factor.Update(ctx, matrix, block.samples*rows, workers); err != nil {
			return err
		}
		t.Samples += block.samples
		if after != nil {
			if err := after(); err != nil {
				return err
			}
		}
	}
	t.Factor.Scale(math.Sqrt(t.Rows.weight(e)))
	return nil
}

// Fit computes alpha for the first m features as Normal.Fit does, but from R, with relative errors of about 1e-16 in
// its singular values sigma instead of the eigenvalues sigma^2/m of G: a relative lambda may be as small as 1e-30, and
// so may Rcond. With lambda > 0, G has no spectrum to show. The error is a *fault.Numerical or ctx's. Fit panics if
// both kinds of lambda are given.
func (t *Triangular) Fit(ctx context.Context, m int, r Regularisation, workers int) (Solution, error) {
	r.check()
	solution, err := t.fit(ctx, m, r, workers)
	if err != nil {
		return Solution{}, solveFault(err, m, r)
	}
	for j := range solution.Alpha {
		solution.Alpha[j] *= float64(m)
	}
	return solution, nil
}

// fit is Fit for beta = alpha/m: with R/sqrt(m) for G, alpha is the solution for sqrt(m) z, and beta that for z, R and
// m lambda.
func (t *Triangular) fit(ctx context.Context, m int, r Regularisation, workers int) (solution Solution, err error) {
	solution = Solution{Alpha: make([]float64, m), Lambda: r.Lambda, Rank: m}
	z := make([]float64, m)
	for i := range z {
		z[i] = t.Factor.Row(i)[t.Factor.Order()-1-i]
	}
	if r.Relative > 0 {
		largest, err := t.Factor.LargestSquare(ctx, m)
		if err != nil || largest == 0 { // features that are zero have the solution 0
			return solution, err
		}
		solution.Lambda = r.Relative * largest / float64(m)
	}
	if solution.Lambda > 0 {
		return solution, t.Factor.SolveShifted(ctx, solution.Alpha, z, float64(m)*solution.Lambda, workers)
	}
	singular, err := linalg.DecomposeTriangular(ctx, t.Factor, m, workers)
	if err != nil {
		return solution, err
	}
	solution.Eigenvalues = singular.Values()
	for k, sigma := range solution.Eigenvalues {
		solution.Eigenvalues[k] = sigma / float64(m) * sigma
	}
	solution.Rank, err = singular.SolveTruncated(solution.Alpha, z, r.Rcond)
	return solution, err
}
