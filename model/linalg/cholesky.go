// Positive definite systems by blocked Cholesky factorisation.

package linalg

import (
	"context"
	"fmt"
	"math"
)

// choleskyBlock is the number of rows factored before the rest is updated by a rank-k update: a multiple of strip.
const choleskyBlock = 2 * strip

// choleskyColumns is the number of columns of such rows that are one task: fixed, so that no bit depends on workers.
const choleskyColumns = 256

func checkSystem(n int, dst, b []float64) {
	if len(dst) != n || len(b) != n {
		panic(fmt.Sprintf("linalg: system of order %d with a right-hand side of length %d and a solution of length %d", n,
			len(b), len(dst)))
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

// factor replaces the upper triangle by U with U'U = S. The error is ctx's, or a *NotPositiveDefiniteError.
func (s *Symmetric) factor(ctx context.Context, workers int) error {
	n, v := s.order, kernels{s.level}
	left, right := NewPanels(choleskyBlock, n), NewPanels(choleskyBlock, n)
	for start := 0; start < n; start += choleskyBlock {
		if err := ctx.Err(); err != nil {
			return err
		}
		end := min(start+choleskyBlock, n)
		for i := start; i < end; i++ {
			row := s.data[i*s.stride+i : i*s.stride+end]
			s.subtractEarlier(v, start, i, i, row)
			if !(row[0] > 0) {
				return &NotPositiveDefiniteError{Pivot: i, Value: row[0]}
			}
			root := math.Sqrt(row[0])
			row[0] = root
			for j := range row[1:] {
				row[1+j] /= root
			}
		}
		if end < n {
			err := share(ctx, ceilDiv(n-end, choleskyColumns), workers, func(t int) {
				from := end + t*choleskyColumns
				s.factorColumns(v, start, end, from, min(from+choleskyColumns, n), left, right)
			})
			if err != nil {
				return err
			}
			u := s.update(left, right, choleskyBlock, end)
			if err := u.run(ctx, workers); err != nil {
				return err
			}
		}
	}
	return nil
}

// factorColumns computes the columns from to to-1 of the rows start to end-1 of U, whose diagonal block is known, and
// copies them to right, and their negatives to left.
func (s *Symmetric) factorColumns(v kernels, start, end, from, to int, left, right *Panels) {
	for i := start; i < end; i++ {
		row, root := s.data[i*s.stride+from:i*s.stride+to], s.data[i*s.stride+i]
		s.subtractEarlier(v, start, i, from, row)
		for j := range row {
			x, at := row[j]/root, right.at(i-start, from+j)
			row[j], right.data[at], left.data[at] = x, x, -x
		}
	}
}

// subtractEarlier subtracts from row, the part of row i from a column on, the share of the rows start to i-1 of U.
func (s *Symmetric) subtractEarlier(v kernels, start, i, column int, row []float64) {
	v.subtractRows(row, s.data[start*s.stride:], s.stride, i-start, i, column)
}

// subtractRows subtracts from y, for each of count rows that start stride apart, entry i of the row times the row from
// column on.
func (k kernels) subtractRows(y, rows []float64, stride, count, i, column int) {
	r := 0
	for ; r+4 <= count; r += 4 {
		at := r*stride + i
		c := [4]float64{-rows[at], -rows[at+stride], -rows[at+2*stride], -rows[at+3*stride]}
		k.axpy4(&c, rows[r*stride+column:], stride, y)
	}
	for ; r < count; r++ {
		k.axpy(-rows[r*stride+i], rows[r*stride+column:][:len(y)], y)
	}
}

// solveFactored replaces x by the solution of U'U y = x, where s holds U.
func (s *Symmetric) solveFactored(x []float64) {
	v := kernels{s.level}
	for i := range s.order {
		row := s.Row(i)
		x[i] /= row[0]
		v.axpy(-x[i], row[1:], x[i+1:])
	}
	for i := s.order - 1; i >= 0; i-- {
		row := s.Row(i)
		x[i] = (x[i] - v.dot(row[1:], x[i+1:])) / row[0]
	}
}
