// The singular values of a triangular factor, and least squares solutions that do not square its condition number.

package linalg

import (
	"context"
	"fmt"
	"math"
	"slices"
)

// Singular is the decomposition R = U B V' of a triangular matrix of order n, U and V orthogonal and B bidiagonal, with
// what it takes to apply functions of B; the singular vectors are never formed. It serves every regularisation of the
// least squares problem of R, with errors of the singular values of the order of 2^-53 times the largest: regularisation
// of R'R may be as small as the square of that. It takes up to 90 n^2 bytes. Methods are safe for concurrent use.
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
	if n < 0 || n > r.order {
		panic(fmt.Sprintf("linalg: leading block of order %d of a factor of order %d", n, r.order))
	}
	a := newSquare(n, kernels{r.level})
	largest := 0.0
	for i := range n {
		for j, v := range r.Row(i)[:n-i] {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, &NonFiniteError{Row: i, Col: i + j, Value: v}
			}
			a.row(i)[i+j] = v
			largest = max(largest, math.Abs(v))
		}
	}
	_, exponent := math.Frexp(largest)
	if largest == 0 || -safeExponent <= exponent && exponent <= safeExponent {
		exponent = 0
	}
	for i := range a.data {
		a.data[i] = math.Ldexp(a.data[i], -exponent)
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
	d.rotations, err = implicitQL(ctx, d.values, offDiagonal)
	return d, err
}

// Values returns the n singular values of R in descending order.
func (d *Singular) Values() []float64 {
	values := slices.Clone(d.values)
	slices.Sort(values)
	slices.Reverse(values)
	values = values[:len(values)/2]
	for i, v := range values {
		values[i] = math.Ldexp(max(v, 0), d.exponent)
	}
	return values
}

// SolveShifted stores in dst, which may be z, the x that minimises |z - R x|^2 + lambda |x|^2. It costs O(n^2). The error
// is a *SolutionError if the solution is not finite. It panics unless dst and z have length n and lambda >= 0.
func (d *Singular) SolveShifted(dst, z []float64, lambda float64) error {
	if !(lambda >= 0) {
		panic("linalg: SolveShifted wants lambda >= 0")
	}
	root := math.Ldexp(math.Sqrt(lambda), -d.exponent)
	return d.solve(dst, z, func(sigma float64) float64 {
		if sigma == 0 {
			return 0
		}
		// sigma/(sigma^2 + root^2), where squares may underflow.
		h := math.Hypot(sigma, root)
		return sigma / h / h
	})
}

// SolveRelative is SolveShifted for lambda = relative times the largest eigenvalue of R'R, which it returns. A matrix of
// zeros has lambda 0 and the solution 0.
func (d *Singular) SolveRelative(dst, z []float64, relative float64) (lambda float64, err error) {
	if !(relative > 0) {
		panic("linalg: SolveRelative wants relative > 0")
	}
	root := math.Ldexp(math.Sqrt(relative)*d.largest(), d.exponent)
	return root * root, d.SolveShifted(dst, z, root*root)
}

// SolveTruncated stores in dst, which may be z, the minimum norm solution of least |z - R x| after the singular values
// whose squares are not above rcond times the largest square have been set to zero, and returns the number of those kept:
// rcond has the meaning it has for R'R. The rest is as for SolveShifted.
func (d *Singular) SolveTruncated(dst, z []float64, rcond float64) (rank int, err error) {
	if !(rcond >= 0) {
		panic("linalg: SolveTruncated wants rcond >= 0")
	}
	cutoff := math.Sqrt(rcond) * d.largest()
	err = d.solve(dst, z, func(sigma float64) float64 {
		if math.Abs(sigma) <= cutoff {
			return 0
		}
		if sigma > 0 {
			rank++
		}
		return 1 / sigma
	})
	return rank, err
}

// largest is the largest singular value of 2^-exponent R.
func (d *Singular) largest() float64 {
	largest := 0.0
	for _, v := range d.values {
		largest = max(largest, v)
	}
	return largest
}

// solve stores in dst V f(B)' U'z, f an odd function that applies to singular values: with the rows and columns of B in
// turn, the function of a symmetric matrix.
func (d *Singular) solve(dst, z []float64, f func(sigma float64) float64) error {
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
		both[k] *= f(sigma)
	}
	d.rotations.apply(both)
	for k := range x {
		x[k] = both[2*k]
	}
	d.right.apply(x)
	return store(dst, x, d.exponent)
}
