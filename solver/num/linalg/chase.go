// The second stage: a symmetric band becomes tridiagonal by chasing bulges.
//
// Sweep s annihilates row s beyond its second entry by a reflector of as many rows as the band is wide. Applied from
// both sides, it fills a block to the right of the band, of which the next reflector annihilates the first row only,
// and so on to the end of the matrix (Haidar, Ltaief & Dongarra 2011). The remaining bulges are where the next sweep,
// one row further down, has its own.

package linalg

import (
	"context"

	"gonum.org/v1/gonum/floats"
)

// chaseTile is the number of sweeps, and of reflectors of a sweep, that are one task. Reflector p of sweep s+1 needs
// reflector p+1 of sweep s, and none after that: they transform other rows.
const chaseTile = 6

// chase is the state of a reduction.
type chase struct {
	*tridiagonal
	kernels
	band band
}

// reduceBand computes T and Q2 with B = Q2 T Q2'. It returns ctx.Err() if ctx is done.
//
// Tile (g, c) is the sweeps from g*chaseTile on, the first at the positions c*chaseTile to (c+1)*chaseTile-1 and each
// other one position behind the one before it. It needs tile (g-1, c+1), and so the tiles (g, step-2g) are independent
// of each other: the result does not depend on the workers that compute them.
func (t *tridiagonal) reduceBand(ctx context.Context, b band, workers int) error {
	n := t.reflectors.order
	c := chase{
		tridiagonal: t,
		kernels:     kernels{t.reflectors.level},
		band:        b,
	}
	groups := ceilDiv(n-1, chaseTile)
	tiles := func(group int) int {
		positions := t.positions(n - 1 - group*chaseTile) // of its first sweep, the longest
		return ceilDiv(positions+chaseTile-1, chaseTile)
	}
	done := 0 // groups whose tiles are all computed
	for step := 0; ; step++ {
		for done < groups && step-2*done >= tiles(done) {
			done++
		}
		if done >= groups {
			break
		}
		begun := min(step/2+1, groups)
		err := share(ctx, begun-done, workers, func(i int) {
			group := done + i
			c.tile(group, step-2*group)
		})
		if err != nil {
			return err
		}
	}
	for i := range n {
		row := b[i*bandStride:]
		t.diagonal[i] = row[0]
		if i < n-1 {
			t.offDiagonal[i] = row[1]
		}
	}
	return nil
}

// tile advances the sweeps of a group.
func (c *chase) tile(group, tile int) {
	n := c.reflectors.order
	for i := range chaseTile {
		s := group*chaseTile + i
		first := tile*chaseTile - i
		last := min(first+chaseTile, c.positions(n-1-s))
		for p := max(first, 0); p < last; p++ {
			if p == 0 {
				v := c.chaseVector(s, 0)
				row := c.band[s*bandStride+1:][:len(v)]
				copy(v, row)
				tau, beta := c.reflector(v)
				*c.tauOf(s, 0) = tau
				row[0] = beta
			}
			c.transform(s, p)
		}
	}
}

// transform applies reflector p of sweep s from both sides, and finds the next one.
func (c *chase) transform(s, p int) {
	v := c.chaseVector(s, p)
	tau := *c.tauOf(s, p)
	rows := c.band[c.chaseRow(s, p)*bandStride:]
	c.transformDiagonal(rows, v, tau)
	if p+1 < c.positions(c.reflectors.order-1-s) {
		next := c.chaseVector(s, p+1)
		tauNext := c.transformBulge(rows[bandWidth:], v, tau, next)
		*c.tauOf(s, p+1) = tauNext
	}
}

// rowStride is the distance between entries of one column in successive rows of a band.
const rowStride = bandStride - 1

// transformDiagonal replaces the diagonal block A with the given rows by H A H = A - v w' - w v', with
// w = y - tau (y'v) v/2 and y = tau A v.
func (c *chase) transformDiagonal(rows, v []float64, tau float64) {
	n := len(v)
	var space [bandWidth]float64
	w := space[:n]
	for i, x := range v {
		row := rows[i*rowStride+i:][:n-i]
		w[i] += tau * c.dot(row, v[i:])
		c.axpy(tau*x, row[1:], w[i+1:])
	}
	product := c.dot(w, v)
	c.axpy(-tau/2*product, v, w)
	for i, x := range v {
		row := rows[i*rowStride+i:][:n-i]
		c.axpy(-x, w[i:], row)
		c.axpy(-w[i], v[i:], row)
	}
}

// transformBulge replaces the block A that starts at rows, next to the diagonal block, by H A, and then by H A H' with
// the reflector H' that annihilates the first row of H A except for one entry. It stores the vector x of H' in next,
// which has the length of a row, and returns its tau, tauNext. With z = tau A'v and u = tauNext (A x - (z'x) v), v z' +
// u x' is subtracted.
func (c *chase) transformBulge(rows, v []float64, tau float64, next []float64) (tauNext float64) {
	var space [bandWidth]float64
	first := rows[:len(next)]
	z := space[:len(next)]
	for i, x := range v {
		row := rows[i*rowStride:][:len(z)]
		c.axpy(-tau*x, row, z)
	}
	floats.AddTo(next, first, z)
	tauNext, beta := c.reflector(next)
	product := c.dot(z, next)
	for i, x := range v {
		row := rows[i*rowStride:][:len(z)]
		u := -tauNext * (c.dot(row, next) + product*x)
		c.axpy(x, z, row)
		c.axpy(u, next, row)
	}
	clear(first)
	first[0] = beta
	return tauNext
}
