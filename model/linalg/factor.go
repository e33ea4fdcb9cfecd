// Positive definite systems with many right-hand sides, and blocks of the inverse.

package linalg

import (
	"context"
	"errors"
	"fmt"
)

// Cholesky is the factor U of a positive definite matrix S = U'U. It is immutable and safe for concurrent use.
type Cholesky struct{ u *Symmetric }

// Factor computes the factor of s + lambda I, at n^3/6 multiplications on up to workers goroutines. s becomes a part of
// it and must not be used again. The error is a *NotPositiveDefiniteError, a *NonFiniteError, or ctx's. The result does
// not depend on workers.
func Factor(ctx context.Context, s *Symmetric, lambda float64, workers int) (*Cholesky, error) {
	if err := s.checkFinite(); err != nil {
		return nil, err
	}
	s.AddDiagonal(lambda)
	if err := s.factor(ctx, workers); err != nil {
		var notPositive *NotPositiveDefiniteError
		if errors.As(err, &notPositive) {
			notPositive.Lambda = lambda
		}
		return nil, err
	}
	return &Cholesky{s}, nil
}

// Solve replaces x by the solution of S y = x. It panics unless len(x) = n.
func (c *Cholesky) Solve(x []float64) {
	checkSystem(c.u.order, x, x)
	c.u.solveFactored(x)
}

// SolveMany replaces the row-major n x columns matrix x by the solution of S Y = X, at n^2 columns multiplications on
// up to workers goroutines. The error is ctx's, and x is then unchanged. The result does not depend on workers.
func (c *Cholesky) SolveMany(ctx context.Context, x []float64, columns, workers int) error {
	if len(x) != c.u.order*columns {
		panic(fmt.Sprintf("linalg: %d values for %d right-hand sides of a system of order %d", len(x), columns, c.u.order))
	}
	r := NewRectangle(c.u.order, columns)
	for i := range c.u.order {
		copy(r.Row(i), x[i*columns:(i+1)*columns])
	}
	if err := c.forward(ctx, r, false, workers); err != nil {
		return err
	}
	if err := c.backward(ctx, r, workers); err != nil {
		return err
	}
	for i := range c.u.order {
		copy(x[i*columns:], r.Row(i))
	}
	return nil
}

// InverseBlocks returns the blocks of the inverse of S that belong to sets of rows, each row-major, at n^3/6
// multiplications and 8 n^2 bytes on up to workers goroutines. The rows of a set ascend. The error is ctx's.
func (c *Cholesky) InverseBlocks(ctx context.Context, sets [][]int, workers int) ([][]float64, error) {
	n := c.u.order
	r := NewRectangle(n, n)
	for i := range n {
		r.Row(i)[i] = 1
	}
	if err := c.forward(ctx, r, true, workers); err != nil {
		return nil, err
	}
	blocks := make([][]float64, len(sets))
	for b, rows := range sets {
		blocks[b] = make([]float64, len(rows)*len(rows))
	}
	for i := range n { // S^-1 = X'X, and X is zero above its diagonal
		row := r.Row(i)
		for b, rows := range sets {
			for k, q := range rows {
				if q > i {
					break
				}
				v, sums := row[q], blocks[b][k*len(rows):]
				for l, p := range rows {
					sums[l] += v * row[p]
				}
			}
		}
	}
	return blocks, nil
}

// forward replaces X by U'^-1 X. If X is lower triangular, it stays so, and its zeros are skipped.
func (c *Cholesky) forward(ctx context.Context, r *Rectangle, triangular bool, workers int) error {
	s, v := c.u, kernels{c.u.level}
	for start := 0; start < s.order; start += choleskyBlock {
		end, columns := min(start+choleskyBlock, s.order), r.cols
		if triangular {
			columns = end
		}
		for i := start; i < end; i++ {
			row := r.Row(i)[:columns]
			for k := start; k < i; k++ {
				v.axpy(-s.data[k*s.stride+i], r.Row(k)[:columns], row)
			}
			scale(row, 1/s.data[i*s.stride+i])
		}
		if end == s.order {
			break
		}
		left := NewPanels(end-start, s.order-end)
		for k := start; k < end; k++ {
			left.SetRow(k-start, s.data[k*s.stride+end:k*s.stride+s.order])
		}
		if err := r.subtract(ctx, s, left, start, columns, end, workers); err != nil {
			return err
		}
	}
	return nil
}

// backward replaces X by U^-1 X.
func (c *Cholesky) backward(ctx context.Context, r *Rectangle, workers int) error {
	s, v := c.u, kernels{c.u.level}
	for start := (s.order - 1) / choleskyBlock * choleskyBlock; start >= 0; start -= choleskyBlock {
		end := min(start+choleskyBlock, s.order)
		for i := end - 1; i >= start; i-- {
			row := r.Row(i)
			for k := i + 1; k < end; k++ {
				v.axpy(-s.data[i*s.stride+k], r.Row(k), row)
			}
			scale(row, 1/s.data[i*s.stride+i])
		}
		if start == 0 {
			break
		}
		left, column := NewPanels(end-start, start), make([]float64, start)
		for k := start; k < end; k++ {
			for i := range column {
				column[i] = s.data[i*s.stride+k]
			}
			left.SetRow(k-start, column)
		}
		if err := r.subtract(ctx, s, left, start, r.cols, 0, workers); err != nil {
			return err
		}
	}
	return nil
}

// subtract subtracts A'B from row to and those after it, for the transpose of the panels A and as many rows B as A has
// from first on, in the first columns. A is negated.
func (r *Rectangle) subtract(ctx context.Context, s *Symmetric, a *Panels, first, columns, to, workers int) error {
	scale(a.data, -1)
	b := NewPanels(a.rows, columns)
	for k := range a.rows {
		b.SetRow(k, r.Row(first + k)[:columns])
	}
	p := product{level: s.level, c: r.data[to*r.stride:], row: r.stride, panel: 4, left: a, right: b}
	return share(ctx, ceilDiv(a.cols, blockRows), workers, func(t int) { p.blockRow(t*blockRows, a.rows) })
}

func scale(x []float64, c float64) {
	for i := range x {
		x[i] *= c
	}
}
