// Ridge regression from a triangular factor, which does not square its condition number.

package linalg

import (
	"context"
	"fmt"
	"math"
	"slices"
)

// SolveShifted stores in dst, which may be z, the x that minimises |z - R x|^2 + lambda |x|^2, R being the leading
// block of order len(z) of t, which is left untouched: that of the factor of R with sqrt(lambda) I below it, at 2/3 n^3
// multiplications and 8 n^2 bytes on up to workers goroutines, on which the result does not depend. lambda may be as
// small as 2^-106 times the largest eigenvalue of R'R. The error is ctx's, a *NonFiniteError, or a *SolutionError if
// the solution is not finite; dst is then unchanged. It panics unless dst and z have the same length <= t.Order() and
// lambda > 0.
func (t *Triangular) SolveShifted(ctx context.Context, dst, z []float64, lambda float64, workers int) error {
	n := len(z)
	checkSystem(n, dst, z)
	if !(lambda > 0) {
		panic(fmt.Sprintf("linalg: SolveShifted with lambda %g", lambda))
	}
	exponent, err := t.checkLeading(n)
	if err != nil {
		return err
	}
	// Of R and sqrt(lambda) I, the larger is scaled to about 1. z is the last column.
	root := math.Sqrt(lambda)
	if _, e := math.Frexp(root); exponent != 0 || e < -safeExponent || e > safeExponent {
		exponent = max(exponent, e)
	}
	r := NewTriangular(n + 1)
	r.level = t.level
	for i := range n {
		row := r.Row(i)
		for j, v := range t.Row(i)[:n-i] {
			row[j] = math.Ldexp(v, -exponent)
		}
		row[n-i] = z[i]
	}
	if err := r.appendDiagonal(ctx, math.Ldexp(root, -exponent), n, workers); err != nil {
		return err
	}
	x, k := make([]float64, n), kernels{t.level}
	for i := n - 1; i >= 0; i-- {
		row := r.Row(i)
		x[i] = (row[n-i] - k.dot(row[1:n-i], x[i+1:])) / row[0]
	}
	return store(dst, x, exponent)
}

// checkLeading returns a *NonFiniteError for the first entry of the leading block of order n that is not finite, and
// else the exponent e with which 2^-e R has entries of at most about 1; 0 if R needs no scaling.
func (t *Triangular) checkLeading(n int) (exponent int, err error) {
	if n < 0 || n > t.order {
		panic(fmt.Sprintf("linalg: leading block of order %d of a factor of order %d", n, t.order))
	}
	largest := 0.0
	for i := range n {
		for j, v := range t.Row(i)[:n-i] {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return 0, &NonFiniteError{Row: i, Col: i + j, Value: v}
			}
			largest = max(largest, math.Abs(v))
		}
	}
	_, exponent = math.Frexp(largest)
	if largest == 0 || -safeExponent <= exponent && exponent <= safeExponent {
		return 0, nil
	}
	return exponent, nil
}

// appendDiagonal replaces R by the factor of R with count rows below it, row i having c in column i. Columns to the
// left of a block of such rows are zero and stay so. After an error, which is ctx's, R is not to be used.
func (t *Triangular) appendDiagonal(ctx context.Context, c float64, count, workers int) error {
	f := newFactorisation(t)
	for first := 0; first < count; first += factorRows {
		clear(f.rows.data)
		for i := range min(factorRows, count-first) {
			f.rows.Panel((first + i) / 4)[4*i+(first+i)%4] = c
		}
		if err := f.run(ctx, first/reflectorBlock, workers); err != nil {
			return err
		}
	}
	return nil
}

const (
	// lanczosSteps is enough for the largest eigenvalue of a matrix whose eigenvalues are close together; where they
	// decay, some ten do.
	lanczosSteps = 200
	// lanczosTolerance is the relative change of the largest eigenvalue in a step below which it has converged.
	lanczosTolerance = 0x1p-52
)

// LargestSquare is the largest eigenvalue of R'R, R being the leading block of order n of t: the square of the largest
// singular value, from below, by up to 200 steps of Lanczos' iteration with full orthogonalisation, n^2 multiplications
// each. It is right to rounding where eigenvalues decay, and always to some 1e-3. The errors are those of SolveShifted,
// and a *ConvergenceError. It panics unless 0 <= n <= t.Order().
func (t *Triangular) LargestSquare(ctx context.Context, n int) (float64, error) {
	exponent, err := t.checkLeading(n)
	if err != nil {
		return 0, err
	}
	k := kernels{t.level}
	v, image, w := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range v { // not orthogonal to any vector that a problem may prefer
		v[i] = math.Sin(float64(3*i*i + i + 1))
	}
	var basis [][]float64
	var diagonal, offDiagonal []float64
	largest, size := 0.0, k.norm(v)
	for range min(n, lanczosSteps) {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		q := make([]float64, n)
		for i := range q {
			q[i] = v[i] / size
		}
		basis = append(basis, q)
		clear(w)
		for i := range n { // w = R'R q
			row := t.Row(i)[:n-i]
			image[i] = math.Ldexp(k.dot(row, q[i:]), -exponent)
			k.axpy(math.Ldexp(image[i], -exponent), row, w[i:])
		}
		diagonal = append(diagonal, k.dot(image, image))
		copy(v, w)
		for range 2 {
			for _, q := range basis {
				k.axpy(-k.dot(q, v), q, v)
			}
		}
		before := largest
		values := slices.Clone(diagonal)
		if _, err := implicitQL(ctx, values, append(slices.Clone(offDiagonal), 0), 0); err != nil {
			return 0, err
		}
		largest = slices.Max(values)
		size = k.norm(v)
		if size <= lanczosTolerance*largest || largest-before <= lanczosTolerance*largest && len(basis) > 2 {
			break
		}
		offDiagonal = append(offDiagonal, size)
	}
	return math.Ldexp(largest, 2*exponent), nil
}
