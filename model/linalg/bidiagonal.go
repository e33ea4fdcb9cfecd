// Householder bidiagonalisation of a square matrix (Golub & Kahan 1965).
//
// Every step reads the rest of the matrix twice, once to find what a reflection from the left subtracts, once to apply
// it together with one from the right, row by row while a row is in the first level cache.

package linalg

import "context"

const (
	// symvRows is the number of rows whose product with a vector is one task. It is
	// fixed, so that sums do not depend on the number of workers.
	symvRows = 64
	// sharedOrder is the order from which a matrix-vector product, some 0.2 ms, is
	// worth waking other workers.
	sharedOrder = 1024
)

// square is an n x n matrix, row by row, with rows padded for the kernels.
type square struct {
	kernels
	order, stride int
	data          []float64
}

func newSquare(n int, k kernels) *square {
	stride := padded(n)
	return &square{kernels: k, order: n, stride: stride, data: make([]float64, n*stride)}
}

func (a *square) row(i int) []float64 { return a.data[i*a.stride : i*a.stride+a.order] }

// chain is the product H(0) H(1) ... of reflectors. Reflector k is what the bidiagonalisation has left in row k of a,
// from column k+1 on, or in column k, from row k on.
type chain struct {
	a       *square
	tau     []float64
	columns bool
}

// apply replaces x by H(0) H(1) ... x.
func (c chain) apply(x []float64) {
	for k := len(x) - 1; k >= 0; k-- {
		c.reflect(k, x)
	}
}

// applyTransposed replaces x by ... H(1) H(0) x.
func (c chain) applyTransposed(x []float64) {
	for k := range x {
		c.reflect(k, x)
	}
}

func (c chain) reflect(k int, x []float64) {
	v, y := c.a.row(k)[k:], x[k:]
	if c.columns {
		v = c.a.column(k, make([]float64, len(y)))
	} else {
		v, y = v[1:], y[1:]
	}
	c.a.axpy(-c.tau[k]*c.a.dot(v, y), v, y)
}

// column copies column k from row k on to v.
func (a *square) column(k int, v []float64) []float64 {
	for i := range v {
		v[i] = a.data[(k+i)*a.stride+k]
	}
	return v
}

// bidiagonal is A = U B V' with B upper bidiagonal, U = left and V = right.
type bidiagonal struct {
	diagonal      []float64 // n
	superDiagonal []float64 // n, the last is 0
	left, right   chain
}

// bidiagonaliser is a reduction under way.
type bidiagonaliser struct {
	bidiagonal
	*square
	workers int
	space   []float64 // of a column
	sums    []float64 // what a reflection subtracts from a row, up to a factor
	partial []float64 // sums over symvRows rows each
}

// bidiagonalise reduces a, which becomes a part of the result. Entries should be at most about 1 in modulus. The error
// is ctx's.
func bidiagonalise(ctx context.Context, a *square, workers int) (bidiagonal, error) {
	n := a.order
	b := bidiagonaliser{
		bidiagonal: bidiagonal{
			diagonal: make([]float64, n), superDiagonal: make([]float64, n),
			left: chain{a, make([]float64, n), true}, right: chain{a, make([]float64, n), false},
		},
		square: a, workers: workers, space: make([]float64, n), sums: make([]float64, n),
		partial: make([]float64, ceilDiv(n, symvRows)*a.stride),
	}
	for k := range n {
		if err := b.step(ctx, k); err != nil {
			return bidiagonal{}, err
		}
	}
	return b.bidiagonal, nil
}

// step computes the entries k of B and the reflectors k.
func (b *bidiagonaliser) step(ctx context.Context, k int) error {
	n := b.order
	v := b.column(k, b.space[k:])
	tau, beta := b.reflector(v)
	for i, x := range v {
		b.data[(k+i)*b.stride+k] = x
	}
	b.left.tau[k], b.diagonal[k] = tau, beta
	if k == n-1 {
		return nil
	}
	sums := b.sums[k+1:]
	if err := b.columnSums(ctx, k, v, sums); err != nil {
		return err
	}
	w := b.row(k)[k+1:]
	b.axpy(-tau, sums, w)
	tauRight, beta := b.reflector(w)
	b.right.tau[k], b.superDiagonal[k] = tauRight, beta
	return b.each(ctx, n-k-1, func(t, first, end int) {
		for i := first; i < end; i++ {
			row := b.row(k + 1 + i)[k+1:]
			b.axpy(-tau*v[1+i], sums, row)
			b.axpy(-tauRight*b.dot(w, row), w, row)
		}
	})
}

// columnSums sets sums to the sum over rows k+i of v[i] times the entries from column k+1 on.
func (b *bidiagonaliser) columnSums(ctx context.Context, k int, v, sums []float64) error {
	err := b.each(ctx, len(v), func(t, first, end int) {
		y := b.partial[t*b.stride:][:len(sums)]
		clear(y)
		i := first
		for ; i+4 <= end; i += 4 {
			b.axpy4((*[4]float64)(v[i:]), b.data[(k+i)*b.stride+k+1:], b.stride, y)
		}
		for ; i < end; i++ {
			b.axpy(v[i], b.row(k + i)[k+1:], y)
		}
	})
	if err != nil {
		return err
	}
	clear(sums)
	for t := range ceilDiv(len(v), symvRows) {
		b.axpy(1, b.partial[t*b.stride:][:len(sums)], sums)
	}
	return nil
}

// each calls task for chunks of count rows, first to end-1, which several workers share if that is worth it. Chunks are
// fixed, so that sums do not depend on the number of workers.
func (b *bidiagonaliser) each(ctx context.Context, count int, task func(t, first, end int)) error {
	workers := b.workers
	if count < sharedOrder/2 {
		workers = 1
	}
	return share(ctx, ceilDiv(count, symvRows), workers, func(t int) { task(t, t*symvRows, min((t+1)*symvRows, count)) })
}
