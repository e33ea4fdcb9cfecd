// The error of ridge regression on rows that are left out, without solving again.

package linalg

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
)

// LeaveOut holds a ridge regression, x minimising |y - A x|^2 + lambda |x|^2 with S = A'A, for every lambda, and
// computes its residual on a group of rows A_i, y_i as if the group had been left out:
//
//	(I - A_i (S + lambda I)^-1 A_i')^-1 (y_i - A_i x).
//
// It is immutable and safe for concurrent use.
type LeaveOut struct {
	kernels
	t   *Spectral // S = Q T Q'
	q   *Panels   // Q
	rhs []float64 // Q'A'y
}

// NewLeaveOut takes the decomposition of S and b = A'y, of length n. It computes Q on workers goroutines. The error is
// ctx's. It panics unless len(b) = n.
func NewLeaveOut(ctx context.Context, d *Spectral, b []float64, workers int) (*LeaveOut, error) {
	if n := len(d.values); len(b) != n {
		panic(fmt.Sprintf("linalg: %d right-hand sides for a matrix of order %d", len(b), n))
	}
	q, err := d.orthogonal(ctx, workers)
	if err != nil {
		return nil, err
	}
	l := &LeaveOut{kernels: kernels{d.reflectors.level}, t: d, q: q, rhs: slices.Clone(b)}
	d.applyQTransposed(l.rhs)
	return l, nil
}

// LeaveOutScratch is the working memory of one goroutine for groups of a given size.
type LeaveOutScratch struct {
	transposed *Panels    // A_i'
	rotated    *Panels    // B' = Q'A_i'
	scaled     *Panels    // -(T + lambda)^-1 B'; or B
	matrix     *Symmetric // of the system that gives the residual
	products   *Symmetric // B'B, if that is the smaller matrix
	residual   []float64
	unknowns   []float64
	without    []float64 // Q'A'y - B'y_i, if products are needed
}

// NewScratch allocates working memory for groups of the given number of rows.
func (l *LeaveOut) NewScratch(rows int) *LeaveOutScratch {
	n := len(l.rhs)
	s := &LeaveOutScratch{transposed: NewPanels(n, rows), rotated: NewPanels(padded(n), rows),
		matrix: NewSymmetric(min(rows, n)), residual: make([]float64, rows)}
	s.matrix.level = l.level
	if rows <= n {
		s.scaled = NewPanels(n, rows)
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
	if a.cols != len(l.rhs) || first < 0 || first+len(y) > a.rows || len(y) != len(s.residual) ||
		len(dst) != len(lambdas) {
		panic(fmt.Sprintf("linalg: %d rows from %d on of a %d x %d matrix left out of %d unknowns, scratch for %d; %d "+
			"results for %d lambdas",
			len(y), first, a.rows, a.cols, len(l.rhs), len(s.residual), len(dst), len(lambdas)))
	}
	a.transpose(s.transposed, first)
	clear(s.rotated.data)
	p := intoPanels(l.level, s.rotated, l.q, s.transposed)
	if err := p.runUntil(ctx, len(l.rhs)); err != nil {
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

// inRows solves for the residual e in its own space: (I - B (T + lambda)^-1 B') e = y - A_i x.
func (l *LeaveOut) inRows(ctx context.Context, lambda float64, y []float64, s *LeaveOutScratch) error {
	pivots, multipliers, err := l.t.factorTridiagonal(lambda)
	if err != nil {
		return err
	}
	for k, v := range pivots {
		pivots[k] = 1 / v
	}
	copy(s.residual, y)
	for p := range ceilDiv(len(y), 4) {
		var sums [4]float64
		solvePanel(s.scaled.Panel(p), s.rotated.Panel(p), pivots, multipliers, l.rhs, &sums)
		for i := range min(4, len(y)-4*p) {
			s.residual[4*p+i] += sums[i]
		}
	}
	clear(s.matrix.data)
	s.matrix.AddDiagonal(1)
	u := s.matrix.update(s.scaled, s.rotated, len(l.rhs), 0)
	if err := u.run(ctx, 1); err != nil {
		return err
	}
	return s.matrix.solveIn(ctx, s.residual)
}

// solvePanel sets to to -(T + lambda)^-1 times from, four columns side by side, and adds their products with rhs to
// sums. inverses are the inverses of the pivots.
func solvePanel(to, from, inverses, multipliers, rhs []float64, sums *[4]float64) {
	n := len(inverses)
	multipliers, rhs = multipliers[:n], rhs[:n]
	var x0, x1, x2, x3, s0, s1, s2, s3 float64
	for k, m := range multipliers { // L y = -b
		b, c := (*[4]float64)(from[4*k:]), (*[4]float64)(to[4*k:])
		x0, x1, x2, x3 = -b[0]-m*x0, -b[1]-m*x1, -b[2]-m*x2, -b[3]-m*x3
		c[0], c[1], c[2], c[3] = x0, x1, x2, x3
	}
	x0, x1, x2, x3 = 0, 0, 0, 0
	next := 0.0                   // the multiplier of the row below
	for k := n - 1; k >= 0; k-- { // D L' x = y
		d, c, r := inverses[k], (*[4]float64)(to[4*k:]), rhs[k]
		x0, x1, x2, x3 = d*c[0]-next*x0, d*c[1]-next*x1, d*c[2]-next*x2, d*c[3]-next*x3
		c[0], c[1], c[2], c[3] = x0, x1, x2, x3
		s0, s1, s2, s3 = s0+x0*r, s1+x1*r, s2+x2*r, s3+x3*r
		next = multipliers[k]
	}
	*sums = [4]float64{s0, s1, s2, s3}
}

// leaveProducts computes the terms of inUnknowns that do not depend on lambda.
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

// inUnknowns solves for the coefficients z without the group, in the basis of Q:
// (T + lambda - B'B) z = Q'A'y - B'y_i, e = y_i - B z.
func (l *LeaveOut) inUnknowns(ctx context.Context, lambda float64, y []float64, s *LeaveOutScratch) error {
	for k, v := range l.t.diagonal {
		to := s.matrix.Row(k)
		for j, c := range s.products.Row(k) {
			to[j] = -c
		}
		to[0] += math.Ldexp(v, l.t.exponent) + lambda
		if len(to) > 1 {
			to[1] += math.Ldexp(l.t.offDiagonal[k], l.t.exponent)
		}
	}
	z := s.unknowns[:len(l.rhs)]
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

// solveIn overwrites x by the solution of S x = b, and S by a factor of it. Errors are those of factor.
func (s *Symmetric) solveIn(ctx context.Context, x []float64) error {
	if err := s.factor(ctx, 0, 1); err != nil {
		return err
	}
	s.solveFactored(x)
	return nil
}
