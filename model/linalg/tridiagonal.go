// Blocked Householder tridiagonalisation of a symmetric matrix.
//
// This is the algorithm of LAPACK's DSYTRD (Dongarra, Sorensen & Hammarling 1989),
// on rows of the upper triangle: within a block of columns the reflectors
// H = I - tau v v' are applied to one row at a time, through S - V W' - W V'; then
// the rest of the matrix receives the whole block as one rank-k update.

package linalg

import "context"

const (
	// tridiagonalBlock is the number of columns reduced between two rank-k updates.
	tridiagonalBlock = strip
	// symvRows is the number of rows whose product with a vector is one task. It is
	// fixed, so that sums do not depend on the number of workers.
	symvRows = 64
	// sharedOrder is the order from which a matrix-vector product, some 0.2 ms, is
	// worth waking other workers.
	sharedOrder = 1024
)

// tridiagonal is S = Q T Q' with T tridiagonal and Q = H(0) H(1) ... H(n-2).
type tridiagonal struct {
	diagonal    []float64 // n
	offDiagonal []float64 // n, the last is 0
	tau         []float64 // n
	// Row j of reflectors holds v(j) in columns j+1 to n-1; v(j)[j+1] = 1.
	reflectors *Symmetric
}

// reduction is a tridiagonalisation under way.
type reduction struct {
	tridiagonal
	kernels
	workers int
	shared  int // matrix-vector products of this order or more are shared among workers
	// Rows 2t and 2t+1 of pairs are v and w of column t of the block.
	pairs       []float64
	left, right *Panels
	// products and coefficients hold one value per row of pairs.
	products, coefficients []float64
	partial                []float64 // one vector per task of a matrix-vector product
}

// tridiagonalise reduces a, which it overwrites and keeps. All entries of a should
// be at most about 1 in modulus. Matrix-vector products of an order of shared or more
// are computed by several workers. The error is ctx's.
func tridiagonalise(ctx context.Context, a *Symmetric, workers, shared int) (tridiagonal, error) {
	n := a.order
	const rows = 2 * tridiagonalBlock
	r := reduction{
		tridiagonal: tridiagonal{
			diagonal: make([]float64, n), offDiagonal: make([]float64, n), tau: make([]float64, n),
			reflectors: a,
		},
		kernels: kernels{a.level},
		workers: workers,
		shared:  shared,
		pairs:   make([]float64, rows*a.stride),
		left:    NewPanels(rows, n), right: NewPanels(rows, n),
		products: make([]float64, rows), coefficients: make([]float64, rows),
		partial: make([]float64, ceilDiv(n, symvRows)*a.stride),
	}
	for start := 0; start < n; start += tridiagonalBlock {
		end := min(start+tridiagonalBlock, n)
		clear(r.pairs)
		for j := start; j < end; j++ {
			if err := r.column(ctx, j, j-start); err != nil {
				return tridiagonal{}, err
			}
		}
		if end < n {
			if err := r.updateRest(ctx, end); err != nil {
				return tridiagonal{}, err
			}
		}
	}
	return r.tridiagonal, nil
}

// column computes column j of T, and the reflector and the w of column j, which is
// column t of its block.
func (r *reduction) column(ctx context.Context, j, t int) error {
	a := r.reflectors
	n := a.order
	row := a.Row(j)
	for k := 0; k < 2*t; k += 2 {
		r.coefficients[k] = -r.pairs[(k+1)*a.stride+j]
		r.coefficients[k+1] = -r.pairs[k*a.stride+j]
	}
	r.addPairs(t, j, row)
	r.diagonal[j] = row[0]
	if j == n-1 {
		return nil
	}
	v := row[1:]
	r.tau[j], r.offDiagonal[j] = r.reflector(v)
	copy(r.pairs[2*t*a.stride+j+1:], v)
	w := r.pairs[(2*t+1)*a.stride+j+1 : (2*t+1)*a.stride+n]
	if err := r.multiply(ctx, w, v, j+1); err != nil {
		return err
	}
	r.pairProducts(t, j+1, v)
	for k := 0; k < 2*t; k += 2 {
		r.coefficients[k], r.coefficients[k+1] = -r.products[k+1], -r.products[k]
	}
	r.addPairs(t, j+1, w)
	tau := r.tau[j]
	for i := range w {
		w[i] *= tau
	}
	r.axpy(-tau/2*r.dot(w, v), v, w)
	return nil
}

// addPairs adds to y the sum of coefficients[k] times row k of pairs, over the first
// 2*t rows, in the columns from first on.
func (r *reduction) addPairs(t, first int, y []float64) {
	stride := r.reflectors.stride
	k := 0
	for ; k+4 <= 2*t; k += 4 {
		r.axpy4((*[4]float64)(r.coefficients[k:]), r.pairs[k*stride+first:], stride, y)
	}
	for ; k < 2*t; k++ {
		r.axpy(r.coefficients[k], r.pairs[k*stride+first:][:len(y)], y)
	}
}

// pairProducts stores in products the inner products of v with the first 2*t rows
// of pairs, in the columns from first on.
func (r *reduction) pairProducts(t, first int, v []float64) {
	stride := r.reflectors.stride
	for k := 0; k < 2*t; k += 4 {
		*(*[4]float64)(r.products[k:]) = r.dot4(r.pairs[k*stride+first:], stride, v)
	}
}

// multiply sets w to A v, A the trailing block of the matrix from row first on.
func (r *reduction) multiply(ctx context.Context, w, v []float64, first int) error {
	n := len(w)
	tasks := ceilDiv(n, symvRows)
	workers := r.workers
	if n < r.shared {
		workers = 1
	}
	if err := share(ctx, tasks, workers, func(t int) { r.multiplyRows(t, v, first) }); err != nil {
		return err
	}
	clear(w)
	for t := range tasks {
		at := t * symvRows
		r.axpy(1, r.partial[t*r.reflectors.stride+at:][:n-at], w[at:])
	}
	return nil
}

// multiplyRows computes in partial what task t of A v contributes: the upper parts
// of symvRows rows and, by symmetry, of as many columns.
func (r *reduction) multiplyRows(t int, v []float64, first int) {
	a := r.reflectors
	n := len(v)
	at := t * symvRows
	y := r.partial[t*a.stride : t*a.stride+n]
	clear(y[at:])
	i, end := at, min(at+symvRows, n)
	for ; i+4 <= end; i += 4 {
		block := a.data[(first+i)*a.stride+first+i:]
		x, z := (*[4]float64)(v[i:]), (*[4]float64)(y[i:])
		corner4(block, a.stride, x, z)
		sums := r.symv4(x, block[4:], a.stride, v[i+4:], y[i+4:])
		for l, s := range sums {
			z[l] += s
		}
	}
	if i < end {
		corner(a.data[(first+i)*a.stride+first+i:], a.stride, end-i, v[i:], y[i:])
	}
}

// corner4 is corner for n = 4.
func corner4(a []float64, stride int, v, y *[4]float64) {
	r0, r1, r2 := (*[4]float64)(a), (*[3]float64)(a[stride+1:]), (*[2]float64)(a[2*stride+2:])
	v0, v1, v2, v3 := v[0], v[1], v[2], v[3]
	y[0] += (r0[0]*v0 + r0[1]*v1) + (r0[2]*v2 + r0[3]*v3)
	y[1] += (r0[1]*v0 + r1[0]*v1) + (r1[1]*v2 + r1[2]*v3)
	y[2] += (r0[2]*v0 + r1[1]*v1) + (r2[0]*v2 + r2[1]*v3)
	y[3] += (r0[3]*v0 + r1[2]*v1) + (r2[1]*v2 + a[3*stride+3]*v3)
}

// corner adds to y the product of the symmetric n x n matrix with the upper
// triangle a and v.
func corner(a []float64, stride, n int, v, y []float64) {
	for i := range n {
		y[i] += a[i*stride+i] * v[i]
		for j := i + 1; j < n; j++ {
			y[i] += a[i*stride+j] * v[j]
			y[j] += a[i*stride+j] * v[i]
		}
	}
}

// updateRest subtracts V W' + W V' from the matrix from row first on.
func (r *reduction) updateRest(ctx context.Context, first int) error {
	a := r.reflectors
	const rows = 2 * tridiagonalBlock
	for k := range rows {
		row := r.pairs[k*a.stride : k*a.stride+a.order]
		for j := first; j < a.order; j++ {
			panel := j / 4 * r.left.stride
			r.left.data[panel+4*k+j%4] = -row[j]
			r.right.data[panel+4*(k^1)+j%4] = row[j]
		}
	}
	u := a.update(r.left, r.right, rows, first)
	return u.run(ctx, r.workers)
}

// applyQ replaces x by Q x.
func (t *tridiagonal) applyQ(x []float64) {
	for j := t.reflectors.order - 2; j >= 0; j-- {
		t.reflect(j, x)
	}
}

// applyQTransposed replaces x by Q'x.
func (t *tridiagonal) applyQTransposed(x []float64) {
	for j := range t.reflectors.order - 1 {
		t.reflect(j, x)
	}
}

// reflect replaces x by H(j) x.
func (t *tridiagonal) reflect(j int, x []float64) {
	v, y := t.reflectors.Row(j)[1:], x[j+1:]
	k := kernels{t.reflectors.level}
	k.axpy(-t.tau[j]*k.dot(v, y), v, y)
}
