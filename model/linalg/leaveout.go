// The error of ridge regression on rows that were left out, without solving again.

package linalg

import (
	"context"
	"errors"
	"fmt"
	"math"
)

// LeaveOut knows a ridge regression, x minimising |y - A x|^2 + lambda |x|^2 with S = A'A, for every lambda, and what
// its residual on a group of rows A_i, y_i would be had the group been left out:
//
//	(I - A_i (S + lambda I)^-1 A_i')^-1 (y_i - A_i x).
//
// It is immutable and safe for concurrent use.
type LeaveOut struct {
	kernels
	values  []float64 // eigenvalues of S, not below zero
	vectors *Panels   // of S
	rhs     []float64 // Q'A'y in the basis of eigenvectors
}

// NewLeaveOut takes the decomposition of S and b = A'y, of length n. It computes the eigenvectors of S on workers
// goroutines. Eigenvalues that rounding made negative count as zero. The error is ctx's. It panics unless len(b) = n.
func NewLeaveOut(ctx context.Context, d *Spectral, b []float64, workers int) (*LeaveOut, error) {
	n := len(d.values)
	if len(b) != n {
		panic(fmt.Sprintf("linalg: %d right-hand sides for a matrix of order %d", len(b), n))
	}
	vectors, err := d.Eigenvectors(ctx, workers)
	if err != nil {
		return nil, err
	}
	l := &LeaveOut{kernels: kernels{d.reflectors.level}, values: d.Eigenvalues(), vectors: vectors,
		rhs: make([]float64, n)}
	for k := range n {
		l.values[k] = max(l.values[k], 0)
		for j, v := range b {
			l.rhs[k] += l.vectors.data[k/4*l.vectors.stride+4*j+k%4] * v
		}
	}
	return l, nil
}

// LeaveOutScratch is the working memory of one goroutine for groups of a given size.
type LeaveOutScratch struct {
	transposed *Panels    // A_i'
	rotated    *Panels    // B' = Q'A_i'
	scaled     *Panels    // -(D + lambda)^-1 B', D the eigenvalues; or B
	matrix     *Symmetric // of the system that gives the residual
	products   *Symmetric // B'B, if that is the smaller matrix
	residual   []float64
	factors    []float64 // -(D + lambda)^-1
	unknowns   []float64
	without    []float64 // Q'A'y - B'y_i, if products are needed
}

// NewScratch allocates working memory for groups of the given number of rows.
func (l *LeaveOut) NewScratch(rows int) *LeaveOutScratch {
	n := len(l.values)
	s := &LeaveOutScratch{transposed: NewPanels(n, rows), rotated: NewPanels(padded(n), rows),
		matrix: NewSymmetric(min(rows, n)), residual: make([]float64, rows)}
	s.matrix.level = l.level
	if rows <= n {
		s.scaled, s.factors = NewPanels(n, rows), make([]float64, n)
	} else {
		s.scaled, s.products = NewPanels(rows, n), NewSymmetric(n)
		s.unknowns, s.without = make([]float64, padded(n)), make([]float64, n)
		s.products.level = l.level
	}
	return s
}

// Squares stores in dst, for each of the lambdas, all positive, the sum of squares of the left-out residual of a group.
// The rows of A_i are scale times the rows of the matrix a from first on, as many as y has and s was made for. Where
// rounding leaves no residual, as the group alone determines some combination of coefficients, the result is +Inf. The
// error is ctx's.
//
// With k = len(y) it costs k n^2 multiplications and, for each lambda, k^2 n/2 + k^3/6 (k <= n) or n^3/6.
func (l *LeaveOut) Squares(ctx context.Context, dst []float64, a *Panels, first int, scale float64, y,
	lambdas []float64, s *LeaveOutScratch) error {
	if a.cols != len(l.values) || first < 0 || first+len(y) > a.rows || len(y) != len(s.residual) ||
		len(dst) != len(lambdas) {
		panic(fmt.Sprintf("linalg: %d rows from %d on of a %d x %d matrix left out of %d unknowns, scratch for %d; %d "+
			"results for %d lambdas",
			len(y), first, a.rows, a.cols, len(l.values), len(s.residual), len(dst), len(lambdas)))
	}
	a.transpose(s.transposed, first)
	clear(s.rotated.data)
	p := intoPanels(l.level, s.rotated, l.vectors, s.transposed)
	if err := p.runUntil(ctx, len(l.values)); err != nil {
		return err
	}
	for i := range s.rotated.data {
		s.rotated.data[i] *= scale
	}
	solve := l.inRows
	if s.products != nil {
		solve = l.inUnknowns
		l.leaveProducts(y, s)
	}
	for q, lambda := range lambdas {
		var notPositive *NotPositiveDefiniteError
		switch err := solve(ctx, lambda, y, s); {
		case err == nil:
			dst[q] = l.dot(s.residual, s.residual)
		case errors.As(err, &notPositive):
			dst[q] = math.Inf(1)
		default:
			return err
		}
	}
	return nil
}

// inRows solves for the residual e in its own space: (I - B (D + lambda)^-1 B') e = y - A_i x.
func (l *LeaveOut) inRows(ctx context.Context, lambda float64, y []float64, s *LeaveOutScratch) error {
	for k, v := range l.values {
		s.factors[k] = -1 / (v + lambda)
	}
	copy(s.residual, y)
	for p := range ceilDiv(len(y), 4) {
		from, to := s.rotated.Panel(p), s.scaled.Panel(p)
		var s0, s1, s2, s3 float64
		for k, d := range s.factors {
			b, c, r := (*[4]float64)(from[4*k:]), (*[4]float64)(to[4*k:]), l.rhs[k]
			c0, c1, c2, c3 := d*b[0], d*b[1], d*b[2], d*b[3]
			c[0], c[1], c[2], c[3] = c0, c1, c2, c3
			s0 += c0 * r
			s1 += c1 * r
			s2 += c2 * r
			s3 += c3 * r
		}
		sums := [4]float64{s0, s1, s2, s3}
		for i := range min(4, len(y)-4*p) {
			s.residual[4*p+i] += sums[i]
		}
	}
	clear(s.matrix.data)
	s.matrix.AddDiagonal(1)
	u := s.matrix.update(s.scaled, s.rotated, len(l.values), 0)
	if err := u.run(ctx, 1); err != nil {
		return err
	}
	return s.matrix.solveIn(ctx, s.residual)
}

// leaveProducts computes what inUnknowns needs for every lambda.
func (l *LeaveOut) leaveProducts(y []float64, s *LeaveOutScratch) {
	s.rotated.transpose(s.scaled, 0)
	clear(s.products.data)
	s.products.RankUpdate(s.scaled, len(y), 1)
	for k := range s.without {
		panel, sum := s.scaled.Panel(k/4), 0.0
		for i, v := range y {
			sum += panel[4*i+k%4] * v
		}
		s.without[k] = l.rhs[k] - sum
	}
}

// inUnknowns solves for the coefficients z without the group, in the basis of eigenvectors:
// (D + lambda - B'B) z = Q'A'y - B'y_i, e = y_i - B z.
func (l *LeaveOut) inUnknowns(ctx context.Context, lambda float64, y []float64, s *LeaveOutScratch) error {
	for k, v := range l.values {
		to := s.matrix.Row(k)
		for j, c := range s.products.Row(k) {
			to[j] = -c
		}
		to[0] += v + lambda
	}
	z := s.unknowns[:len(l.values)]
	copy(z, s.without)
	if err := s.matrix.solveIn(ctx, z); err != nil {
		return err
	}
	for k, v := range z {
		z[k] = -v
	}
	copy(s.residual, y)
	for p := range ceilDiv(len(z), 4) {
		l.combine(s.residual, s.scaled.Panel(p), s.unknowns[4*p:4*p+4], 1)
	}
	return nil
}

// solveIn overwrites x by the solution of S x = b, and S by a factor of it. The error is that of factor.
func (s *Symmetric) solveIn(ctx context.Context, x []float64) error {
	if err := s.factor(ctx, 1); err != nil {
		return err
	}
	s.solveFactored(x)
	return nil
}
