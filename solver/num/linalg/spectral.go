// One decomposition of a symmetric matrix that serves every regularisation.

package linalg

import (
	"context"
	"fmt"
	"math"
	"slices"
)

// Spectral is the decomposition S = Q T Q' of a symmetric matrix of order n, Q orthogonal and T tridiagonal, with the
// eigenvalues of T and the rotations that diagonalise it; the eigenvectors are never formed. It takes up to 32 n^2
// bytes, 8 of them the memory of s, and another 8 n^2 temporarily in the computation. Methods are safe for concurrent
// use.
type Spectral struct {
	tridiagonal
	exponent  int       // the decomposed matrix is 2^-exponent S
	values    []float64 // eigenvalues of T, as the rotations order them
	rotations rotations
}

// safeExponent bounds the entries, 2^-safeExponent to 2^safeExponent, that need no
// scaling: squares and sums of squares neither overflow nor lose digits.
const safeExponent = 300

// Decompose computes the decomposition of s, at 4/3 n^3 additions and multiplications, with the given number of workers
// >= 1, on which the result does not depend. s becomes a part of the decomposition and must not be used again. The
// error is ctx.Err(), a *NonFiniteError or a *UnsolvedError.
func Decompose(ctx context.Context, s *Symmetric, workers int) (*Spectral, error) {
	if err := s.checkFinite(); err != nil {
		return nil, err
	}
	exponent := s.scaleToUnit()
	t, err := tridiagonalise(ctx, s, workers)
	if err != nil {
		return nil, err
	}
	values := slices.Clone(t.diagonal)
	rotations, err := implicitQL(ctx, values, slices.Clone(t.offDiagonal))
	if err != nil {
		return nil, err
	}
	return &Spectral{
		tridiagonal: t,
		exponent:    exponent,
		values:      values,
		rotations:   rotations,
	}, nil
}

// scaleToUnit multiplies s by 2^-exponent, such that its largest entry is about 1,
// if it is not within the safe range, and returns the exponent.
func (s *Symmetric) scaleToUnit() (exponent int) {
	largest := 0.0
	for i := range s.order {
		for _, v := range s.Row(i) {
			largest = max(largest, math.Abs(v))
		}
	}
	_, exponent = math.Frexp(largest)
	if largest == 0 || -safeExponent <= exponent && exponent <= safeExponent {
		return 0
	}
	for i := range s.order {
		row := s.Row(i)
		for j, v := range row {
			row[j] = math.Ldexp(v, -exponent)
		}
	}
	return exponent
}

// Eigenvalues returns the n eigenvalues of S in descending order. Their errors are of the order of 2^-53 times the
// largest modulus, so eigenvalues of a semidefinite matrix may be slightly negative.
func (d *Spectral) Eigenvalues() []float64 {
	values := slices.Clone(d.values)
	for i, v := range values {
		values[i] = math.Ldexp(v, d.exponent)
	}
	slices.Sort(values)
	slices.Reverse(values)
	return values
}

// SolveTruncated stores in dst, which may be b, the minimum norm least squares solution of S x = b after the
// eigenvalues of S that are not above rcond times the largest have been set to zero, and returns the number of those
// kept. A matrix without a positive eigenvalue has rank 0 and the solution 0. It costs O(n^2). The error is a
// *UnsolvedError if the solution is not finite. It panics unless dst and b have length n.
func (d *Spectral) SolveTruncated(dst, b []float64, rcond float64) (rank int, err error) {
	cutoff := rcond * d.largest()
	err = d.solveDivided(dst, b, func(v float64) float64 {
		if v > cutoff {
			rank++
			return v
		}
		return 0
	})
	return rank, err
}

// SolveRelative solves (S + lambda I) x = b for lambda = relative times the largest eigenvalue of S, after negative
// eigenvalues, which a semidefinite matrix has by rounding only, have been set to zero: relative may be as small as the
// rounding errors of S. It stores x in dst, which may be b, and returns lambda. A matrix without a positive eigenvalue
// has lambda 0 and the solution 0. It costs O(n^2). The error is a *UnsolvedError if the solution is not finite. It
// panics unless dst and b have length n.
func (d *Spectral) SolveRelative(dst, b []float64, relative float64) (lambda float64, err error) {
	scaled := relative * d.largest()
	err = d.solveDivided(dst, b, func(v float64) float64 { return max(v, 0) + scaled })
	return math.Ldexp(scaled, d.exponent), err
}

// largest returns the largest eigenvalue of 2^-exponent S, or 0 if none is positive.
func (d *Spectral) largest() float64 {
	return slices.Max(append([]float64{0}, d.values...))
}

// solveDivided stores in dst, which may be b, the solution whose component for eigenvalue v of 2^-exponent S is the
// component of b divided by divisor(v), or 0 if the divisor is 0.
func (d *Spectral) solveDivided(dst, b []float64, divisor func(v float64) float64) error {
	checkSystem(len(d.values), dst, b)
	x := slices.Clone(b)
	d.applyQTransposed(x)
	d.rotations.applyTransposed(x)
	for i, v := range d.values {
		if c := divisor(v); c != 0 {
			x[i] /= c
		} else {
			x[i] = 0
		}
	}
	d.rotations.apply(x)
	d.applyQ(x)
	for i, v := range x {
		x[i] = math.Ldexp(v, -d.exponent)
		if math.IsNaN(x[i]) || math.IsInf(x[i], 0) {
			return &UnsolvedError{fmt.Sprintf("solution component %d is %v, want a finite number; check the right-hand "+
				"side, or increase lambda or rcond", i, x[i])}
		}
	}
	copy(dst, x)
	return nil
}
