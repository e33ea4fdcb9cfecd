// Positive definite systems by blocked Cholesky factorisation, and blocks of the inverse.

package linalg

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"rfm/solver/num/simd"
)

// choleskyBlock returns the number of rows factored before the rest is updated by a rank-k update, a multiple of strip:
// the rest of large systems is not in the caches, so that updates should be few.
func choleskyBlock(order int) int {
	if order > 1024 {
		return 2 * strip
	}
	return strip
}

// choleskyColumns is the number of columns of such rows that are one task: fixed, so that no bit depends on workers.
const choleskyColumns = 256

// checkSystem panics unless a right-hand side and a solution have the order of a system.
func checkSystem(n int, dst, b []float64) {
	if len(dst) != n || len(b) != n {
		panic(fmt.Sprintf("linalg: system of order %d with a right-hand side of length %d and a solution of length %d",
			n, len(b), len(dst)))
	}
}

// checkFinite returns a *NonFiniteError for the first entry that is not finite.
func (s *Symmetric) checkFinite() error {
	for i := range s.order {
		for j, v := range s.Row(i) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return &NonFiniteError{Row: i, Col: i + j, Value: v}
			}
		}
	}
	return nil
}

// factor replaces the upper triangle by U with U'U = S + lambda I. The error is ctx.Err(), or a
// *NotPositiveDefiniteError.
func (s *Symmetric) factor(ctx context.Context, lambda float64, workers int) error {
	s.AddDiagonal(lambda)
	n := s.order
	size := choleskyBlock(n)
	var left, right *Panels // -U and U in the rows of a block, size x n; matrices of one block need none
	if n > size {
		left = NewPanels(size, n)
		right = NewPanels(size, n)
	}
	for start := 0; start < n; start += size {
		if err := ctx.Err(); err != nil {
			return err
		}
		end := min(start+size, n)
		if err := s.factorDiagonal(start, end, lambda); err != nil {
			return err
		}
		if end == n {
			break
		}
		tasks := ceilDiv(n-end, choleskyColumns)
		err := share(ctx, tasks, workers, func(task int) {
			from := end + task*choleskyColumns
			to := min(from+choleskyColumns, n)
			s.factorColumns(start, end, from, to, left, right)
		})
		if err != nil {
			return err
		}
		rest := s.update(left, right, size, end)
		if err := rest.run(ctx, workers); err != nil {
			return err
		}
	}
	return nil
}

// factorDiagonal replaces the diagonal block of the rows start to end-1 by its factor.
func (s *Symmetric) factorDiagonal(start, end int, lambda float64) error {
	k := kernels{s.level}
	above := s.data[start*s.stride:] // the rows from start on
	for i := start; i < end; i++ {
		row := s.Row(i)[:end-i]
		k.subtractRows(row, above, s.stride, i-start, i, i)
		pivot := row[0]
		if !(pivot > 0) {
			return &NotPositiveDefiniteError{Pivot: i, Value: pivot, Lambda: lambda}
		}
		root := math.Sqrt(pivot)
		row[0] = root
		for j := range row[1:] {
			row[1+j] /= root
		}
	}
	return nil
}

// factorColumns computes the columns from to to-1 of the rows start to end-1 of U, whose diagonal block is known, and
// copies them to right, and their negatives to left.
func (s *Symmetric) factorColumns(start, end, from, to int, left, right *Panels) {
	k := kernels{s.level}
	above := s.data[start*s.stride:] // the rows from start on
	for i := start; i < end; i++ {
		row := s.data[i*s.stride+from:][:to-from]
		root := s.upper(i, i)
		k.subtractRows(row, above, s.stride, i-start, i, from)
		for j := range row {
			x := row[j] / root
			row[j] = x
			at := right.at(i-start, from+j)
			right.data[at] = x
			left.data[at] = -x
		}
	}
}

// subtractRows subtracts from y, for each of count rows that start stride apart, entry i of the row times the row from
// column on.
func (k kernels) subtractRows(y, rows []float64, stride, count, i, column int) {
	for r := range count {
		row := rows[r*stride:]
		k.axpy(-row[i], row[column:][:len(y)], y)
	}
}

// Cholesky is the factor U of a positive definite matrix S = U'U. It is immutable and safe for concurrent use.
type Cholesky struct{ u *Symmetric }

// Factor computes the factor of s + lambda I, at n^3/6 multiplications on up to workers goroutines. s becomes a part of
// it and must not be used again. The error is a *NotPositiveDefiniteError, a *NonFiniteError, or ctx.Err(). The result
// does not depend on workers.
func Factor(ctx context.Context, s *Symmetric, lambda float64, workers int) (*Cholesky, error) {
	if err := s.checkFinite(); err != nil {
		return nil, err
	}
	if err := s.factor(ctx, lambda, workers); err != nil {
		return nil, err
	}
	return &Cholesky{u: s}, nil
}

// Solve replaces x by the solution of S y = x. It panics unless len(x) = n.
func (c *Cholesky) Solve(x []float64) {
	u := c.u
	k := kernels{u.level}
	checkSystem(u.order, x, x)
	for i := range u.order { // U'z = x
		row := u.Row(i)
		x[i] /= row[0]
		k.axpy(-x[i], row[1:], x[i+1:])
	}
	for i := u.order - 1; i >= 0; i-- { // U y = z
		row := u.Row(i)
		known := k.dot(row[1:], x[i+1:])
		x[i] = (x[i] - known) / row[0]
	}
}

// SolveMany replaces the row-major n x columns matrix x by the solution of S Y = X, at n^2 columns multiplications on
// up to workers goroutines. The error is ctx.Err(), and x is then unchanged. The result does not depend on workers.
func (c *Cholesky) SolveMany(ctx context.Context, x []float64, columns, workers int) error {
	if len(x) != c.u.order*columns {
		panic(fmt.Sprintf("linalg: %d values for %d right-hand sides of a system of order %d",
			len(x), columns, c.u.order))
	}
	r := NewRectangle(c.u.order, columns)
	for i := range c.u.order {
		copy(r.Row(i), x[i*columns:][:columns])
	}
	if err := c.forward(ctx, r, false, workers); err != nil {
		return err
	}
	if err := c.Backward(ctx, r, workers); err != nil {
		return err
	}
	for i := range c.u.order {
		copy(x[i*columns:], r.Row(i))
	}
	return nil
}

// InverseBlocks returns the blocks of the inverse of S that belong to sets of rows, each row-major, at n^3/6
// multiplications and 8 n^2 bytes on up to workers goroutines. The rows of a set ascend. It returns ctx.Err() if ctx
// is done.
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
	for i := range n {
		for b, rows := range sets {
			addInverseRow(blocks[b], r.Row(i), rows, i)
		}
	}
	return blocks, nil
}

// addInverseRow adds the products of the entries of row i of X = U'^-1 to the block of S^-1 = X'X that belongs to rows.
// They are zero from the first of the rows on that comes after i, because X is zero above its diagonal.
func addInverseRow(block, x []float64, rows []int, i int) {
	for k, row := range rows {
		if row > i {
			break
		}
		value := x[row]
		sums := block[k*len(rows):]
		for l, column := range rows {
			sums[l] += value * x[column]
		}
	}
}

// Forward replaces X by U'^-1 X, at n^2/2 multiplications for each column. The error is ctx.Err(), and X is invalid
// then.
func (c *Cholesky) Forward(ctx context.Context, x *Rectangle, workers int) error {
	return c.forward(ctx, x, false, workers)
}

// forward replaces X by U'^-1 X. If X is lower triangular, it stays so, and its zeros are skipped.
func (c *Cholesky) forward(ctx context.Context, r *Rectangle, triangular bool, workers int) error {
	u := c.u
	n := u.order
	vectors := kernels{u.level}
	size := choleskyBlock(n)
	for start := 0; start < n; start += size {
		end := min(start+size, n)
		columns := r.cols
		if triangular {
			columns = end
		}
		for i := start; i < end; i++ {
			row := r.Row(i)[:columns]
			for k := start; k < i; k++ {
				vectors.axpy(-u.upper(k, i), r.Row(k)[:columns], row)
			}
			floats.Scale(1/u.upper(i, i), row)
		}
		if end == n {
			break
		}
		left := NewPanels(end-start, n-end)
		for k := start; k < end; k++ {
			behind := u.Row(k)[end-k:]
			left.SetRow(k-start, behind)
		}
		if err := r.subtract(ctx, left, start, columns, end, u.level, workers); err != nil {
			return err
		}
	}
	return nil
}

// Backward replaces X by U^-1 X. The error is ctx.Err(), and X is invalid then.
func (c *Cholesky) Backward(ctx context.Context, r *Rectangle, workers int) error {
	u := c.u
	vectors := kernels{u.level}
	size := choleskyBlock(u.order)
	for start := (u.order - 1) / size * size; start >= 0; start -= size {
		end := min(start+size, u.order)
		for i := end - 1; i >= start; i-- {
			row := r.Row(i)
			for k := i + 1; k < end; k++ {
				vectors.axpy(-u.upper(i, k), r.Row(k), row)
			}
			floats.Scale(1/u.upper(i, i), row)
		}
		if start == 0 {
			break
		}
		left := NewPanels(end-start, start)
		column := make([]float64, start)
		for k := start; k < end; k++ {
			for i := range column {
				column[i] = u.upper(i, k)
			}
			left.SetRow(k-start, column)
		}
		if err := r.subtract(ctx, left, start, r.cols, 0, u.level, workers); err != nil {
			return err
		}
	}
	return nil
}

// subtract subtracts A'B from row to and those after it, in the first columns. A are panels, which it negates, and B
// is as many rows of r, from first on, as A has.
func (r *Rectangle) subtract(ctx context.Context, a *Panels, first, columns, to int, level simd.Level,
	workers int) error {
	floats.Scale(-1, a.data)
	b := PanelsOf(blas64.General{
		Rows:   a.rows,
		Cols:   columns,
		Stride: r.stride,
		Data:   r.data[first*r.stride:],
	})
	rest := Rectangle{
		rows:   a.cols,
		cols:   columns,
		stride: r.stride,
		data:   r.data[to*r.stride:],
		level:  level,
	}
	return rest.AddProduct(ctx, a, b, a.rows, workers)
}
