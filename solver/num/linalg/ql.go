// The implicit QL iteration for the eigenvalues of a tridiagonal matrix, with its rotations kept: eigenvectors are
// applied to a vector by replaying them, and never formed.
//
// The iteration is LAPACK's DSTEQR, with the same shift and the same criterion for a negligible off-diagonal entry.

package linalg

import (
	"context"
	"fmt"
	"math"
	"slices"
)

// rotation is a plane rotation: (x, y) becomes (c x - s y, s x + c y).
type rotation struct{ c, s float64 }

// sweep is one chain of rotations: rotation k acts on coordinates start - k*step (x) and start - k*step + step (y).
type sweep struct {
	rotations []rotation
	start     int
	step      int
}

// rotations is an orthogonal matrix Z with T = Z diag(values) Z': sweeps that follow one another.
type rotations []sweep

// iterationsPerValue is the average that LAPACK allows; the mean is below 2.
const iterationsPerValue = 30

const (
	halfUlp         = 0x1p-53
	smallestNormal  = 0x1p-1022
	smallestSquared = 0x1p-960 // below it a sum of squares has lost digits
)

// implicitQL overwrites diagonal by the eigenvalues, in no particular order, and offDiagonal by zeros. Entry i of
// offDiagonal couples i and i+1. The error is ctx.Err() or a *UnsolvedError.
func implicitQL(ctx context.Context, diagonal, offDiagonal []float64) (rotations, error) {
	n := len(diagonal)
	q := ql{budget: iterationsPerValue * n}
	for first := 0; first < n; {
		last := first
		for last < n-1 && !negligible(offDiagonal[last], diagonal[last], diagonal[last+1]) {
			last++
		}
		if last < n-1 {
			offDiagonal[last] = 0
		}
		if err := q.block(ctx, diagonal[first:last+1], offDiagonal[first:last+1], first); err != nil {
			return nil, err
		}
		first = last + 1
	}
	return q.sweeps, nil
}

func negligible(e, d0, d1 float64) bool {
	return math.Abs(e) <= halfUlp*math.Sqrt(math.Abs(d0))*math.Sqrt(math.Abs(d1))
}

// ql is the state of one iteration. d and e are a copy of the block at hand, in
// mirrored order if that puts its small entries first, where they converge.
type ql struct {
	d     []float64
	e     []float64
	l     int // values before it are found
	start int // coordinate of d[0]
	step  int // from it to the coordinate of d[1]
	free  []rotation

	sweeps     rotations
	iterations int // of all values so far
	budget     int // iterations at most
}

// block finds the eigenvalues of an unreduced block that starts at coordinate first.
func (q *ql) block(ctx context.Context, diagonal, offDiagonal []float64, first int) error {
	n := len(diagonal)
	mirrored := math.Abs(diagonal[n-1]) < math.Abs(diagonal[0])
	q.d = append(q.d[:0], diagonal...)
	q.e = append(q.e[:0], offDiagonal[:n-1]...)
	q.start = first
	q.step = 1
	if mirrored {
		slices.Reverse(q.d)
		slices.Reverse(q.e)
		q.start = first + n - 1
		q.step = -1
	}
	q.l = 0
	for {
		m, ok := q.next()
		if !ok {
			break
		}
		q.iterations++
		if q.iterations > q.budget {
			return &UnsolvedError{fmt.Sprintf("eigenvalue %d did not converge in %d QL iterations; the matrix is badly "+
				"scaled, use lambda > 0", q.start+q.step*q.l, q.iterations-1)}
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		q.sweeps = append(q.sweeps, q.sweep(m))
	}
	if mirrored {
		slices.Reverse(q.d)
	}
	copy(diagonal, q.d)
	clear(offDiagonal)
	return nil
}

// next finds the entries l to m of the next sweep; ok is false if all values are found.
func (q *ql) next() (m int, ok bool) {
	n := len(q.d)
	for ; q.l < n; q.l++ {
		m := q.l
		for m < n-1 && !negligibleSquare(q.e[m], q.d[m], q.d[m+1]) {
			m++
		}
		if m < n-1 {
			q.e[m] = 0
		}
		if m > q.l {
			return m, true
		}
	}
	return 0, false
}

// negligibleSquare is negligible without a square root, which it need not take in each sweep.
func negligibleSquare(e, d0, d1 float64) bool {
	bound := halfUlp * halfUlp * math.Abs(d0) * math.Abs(d1)
	return e*e <= bound+smallestNormal
}

// sweep returns one implicit QL step on the entries l to m.
func (q *ql) sweep(m int) sweep {
	d := q.d
	e := q.e
	l := q.l
	ratio := (d[l+1] - d[l]) / (2 * e[l])
	root := math.Hypot(ratio, 1)
	g := d[m] - d[l] + e[l]/(ratio+math.Copysign(root, ratio))
	chain := q.allocate(m - l)
	c := 1.0 // of the last rotation
	s := 1.0
	p := 0.0 // the change of d[i+1] that is still due
	for i := m - 1; i >= l; i-- {
		f := s * e[i] // the bulge
		b := c * e[i]
		var r float64
		c, s, r = rotate(g, f)
		if i != m-1 {
			e[i+1] = r
		}
		g = d[i+1] - p
		r = (d[i]-g)*s + 2*c*b
		p = s * r
		d[i+1] = g + p
		g = c*r - b
		chain[m-1-i] = rotation{c, s}
	}
	d[l] -= p
	e[l] = g
	return sweep{
		rotations: chain,
		start:     q.start + q.step*(m-1),
		step:      q.step,
	}
}

// rotate returns c, s and r with c g + s f = r and c f = s g.
func rotate(g, f float64) (c, s, r float64) {
	square := g*g + f*f
	r = math.Sqrt(square)
	if !(square > smallestSquared) {
		if f == 0 {
			return 1, 0, g
		}
		r = math.Hypot(g, f)
	}
	return g / r, f / r, r
}

// allocate returns n rotations from a large slab.
func (q *ql) allocate(n int) []rotation {
	const slab = 1 << 15
	if len(q.free) < n {
		q.free = make([]rotation, max(n, slab))
	}
	chain := q.free[:n:n]
	q.free = q.free[n:]
	return chain
}

// applyTransposed replaces x by Z'x.
func (z rotations) applyTransposed(x []float64) {
	for _, w := range z {
		at := w.start
		y := x[at+w.step]
		for _, r := range w.rotations {
			v := x[at]
			x[at+w.step] = r.s*v + r.c*y
			y = r.c*v - r.s*y
			at -= w.step
		}
		x[at+w.step] = y
	}
}

// apply replaces x by Z x.
func (z rotations) apply(x []float64) {
	for _, w := range slices.Backward(z) {
		at := w.start - (len(w.rotations)-1)*w.step
		v := x[at]
		for i := len(w.rotations) - 1; i >= 0; i-- { // an iterator here would take half as long again
			r := w.rotations[i]
			y := x[at+w.step]
			x[at] = r.c*v + r.s*y
			v = r.c*y - r.s*v
			at += w.step
		}
		x[at] = v
	}
}
