// The singular values of a triangular factor, for least squares solutions that leave the small ones out.

package linalg

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// Singular is the decomposition R = U B V' of a triangular matrix of order n, U and V orthogonal and B bidiagonal, with
// what it takes to apply functions of B; the singular vectors are never formed. It serves every truncation of the least
// squares problem of R, with errors of the singular values of the order of 2^-53 times the largest. It
// takes 8 n^2 bytes, and some n^1.5. Methods are safe for concurrent use.
type Singular struct {
	bidiagonal
	exponent int // the decomposed matrix is 2^-exponent R
	// B is the upper right block of a symmetric matrix with the eigenvalues +-sigma. With its rows and columns in turn,
	// that is tridiagonal with a zero diagonal (Golub & Kahan 1965).
	values    []float64
	rotations rotations
}

// DecomposeTriangular computes the decomposition of the leading block of order n of r, at 4/3 n^3 multiplications,
// with the given number of workers >= 1, on which the result does not depend. The error is ctx's, a *NonFiniteError
// or a *ConvergenceError. It panics unless 0 <= n <= r.Order().
func DecomposeTriangular(ctx context.Context, r *Triangular, n, workers int) (*Singular, error) {
	exponent, err := r.checkLeading(n)
	if err != nil {
		return nil, err
	}
	a := newSquare(n, kernels{r.level})
	for i := range n {
		for j, v := range r.Row(i)[:n-i] {
			a.row(i)[i+j] = math.Ldexp(v, -exponent)
		}
	}
	b, err := bidiagonalise(ctx, a, workers)
	if err != nil {
		return nil, err
	}
	d := &Singular{bidiagonal: b, exponent: exponent, values: make([]float64, 2*n)}
	offDiagonal := make([]float64, 2*n)
	for k := range n {
		offDiagonal[2*k], offDiagonal[2*k+1] = d.diagonal[k], d.superDiagonal[k]
	}
	d.rotations, err = implicitQL(ctx, d.values, offDiagonal, n*int(math.Sqrt(float64(n))))
	return d, err
}

// Values returns the n singular values of R in descending order.
func (d *Singular) Values() []float64 {
	order := d.descending()
	values := make([]float64, len(order)/2)
	for k := range values {
		values[k] = math.Ldexp(d.sigma(order, k), d.exponent)
	}
	return values
}

// SolveTruncated stores in dst, which may be z, the minimum norm solution of least |z - R x| after the singular values
// whose squares are not above rcond times the largest square have been set to zero, and returns the number of those
// kept: rcond has the meaning it has for R'R. It costs O(n^2). The error is a *SolutionError if the solution is not
// finite. It panics unless dst and z have length n and rcond >= 0.
func (d *Singular) SolveTruncated(dst, z []float64, rcond float64) (rank int, err error) {
	if !(rcond >= 0) {
		panic("linalg: SolveTruncated wants rcond >= 0")
	}
	order := d.descending()
	kept := make([]bool, len(order))
	if n := len(order) / 2; n > 0 {
		cutoff := math.Sqrt(rcond) * d.sigma(order, 0)
		for rank < n && d.sigma(order, rank) > cutoff {
			kept[order[rank]], kept[order[2*n-1-rank]] = true, true
			rank++
		}
	}
	return rank, d.solve(dst, z, kept)
}

// descending is the indices of the eigenvalues, the largest first. Of n singular values, that of index k belongs to the
// eigenvalues k and 2n-1-k in this order.
func (d *Singular) descending() []int {
	order := make([]int, len(d.values))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(d.values[j], d.values[i]) })
	return order
}

// sigma is singular value k. Its two eigenvalues differ by rounding errors: what is decided must be decided for both.
func (d *Singular) sigma(order []int, k int) float64 {
	return max(d.values[order[k]], -d.values[order[len(order)-1-k]], 0)
}

// solve stores in dst V B^+ U'z, where the singular values that are not kept count as zero: with the rows and columns
// of B in turn, the inverse of a symmetric matrix.
func (d *Singular) solve(dst, z []float64, kept []bool) error {
	n := len(d.diagonal)
	checkSystem(n, dst, z)
	x := slices.Clone(z)
	d.left.applyTransposed(x)
	both := make([]float64, 2*n)
	for k, v := range x {
		both[2*k+1] = v
	}
	d.rotations.applyTransposed(both)
	for k, sigma := range d.values {
		if kept[k] && sigma != 0 {
			both[k] /= sigma
		} else {
			both[k] = 0
		}
	}
	d.rotations.apply(both)
	for k := range x {
		x[k] = both[2*k]
	}
	d.right.apply(x)
	return store(dst, x, d.exponent)
}
