// Tridiagonalisation in one stage, for small matrices.
//
// This is the algorithm of LAPACK's DSYTRD (Dongarra, Sorensen & Hammarling 1989), on rows of the upper triangle:
// within a block of columns the reflectors H = I - tau v v' are applied to one row at a time, through S - V W' - W V';
// then the rest of the matrix receives the whole block as one rank-k update.

package linalg

import "context"

// tridiagonalBlock is the number of columns reduced between two rank-k updates.
const tridiagonalBlock = strip

// reduction is the state of a tridiagonalisation.
type reduction struct {
	*tridiagonal
	kernels
	workers int
	// Rows 2t and 2t+1 of pairs are v and w of column t of the block.
	pairs       []float64
	left, right *Panels
	// products and coefficients hold one value per row of pairs.
	products, coefficients []float64
}

// reduceAtOnce computes T and Q1 = Q for a band of width 1. The error is ctx's.
func (t *tridiagonal) reduceAtOnce(ctx context.Context, workers int) error {
	a := t.reflectors
	const rows = 2 * tridiagonalBlock
	r := reduction{
		tridiagonal: t,
		kernels:     kernels{a.level},
		workers:     workers,
		pairs:       make([]float64, rows*a.stride),
		left:        NewPanels(rows, a.order), right: NewPanels(rows, a.order),
		products: make([]float64, rows), coefficients: make([]float64, rows),
	}
	for start := 0; start < a.order; start += tridiagonalBlock {
		end := min(start+tridiagonalBlock, a.order)
		clear(r.pairs)
		for j := start; j < end; j++ {
			if err := ctx.Err(); err != nil {
				return err
			}
			r.column(j, j-start)
		}
		if end < a.order {
			if err := r.updateRest(ctx, end); err != nil {
				return err
			}
		}
	}
	return nil
}

// column computes column j of T, and the reflector and the w of column j, which is column t of its block.
func (r *reduction) column(j, t int) {
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
		return
	}
	v := row[1:]
	r.bandTau[j], r.offDiagonal[j] = r.reflector(v)
	copy(r.pairs[2*t*a.stride+j+1:], v)
	w := r.pairs[(2*t+1)*a.stride+j+1 : (2*t+1)*a.stride+n]
	r.multiplySymmetric(w, a.data[(j+1)*a.stride+j+1:], a.stride, v)
	r.pairProducts(t, j+1, v)
	for k := 0; k < 2*t; k += 2 {
		r.coefficients[k], r.coefficients[k+1] = -r.products[k+1], -r.products[k]
	}
	r.addPairs(t, j+1, w)
	tau := r.bandTau[j]
	for i := range w {
		w[i] *= tau
	}
	r.axpy(-tau/2*r.dot(w, v), v, w)
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

// updateRest subtracts V W' + W V' from the matrix from row first on.
func (r *reduction) updateRest(ctx context.Context, first int) error {
	a := r.reflectors
	const rows = 2 * tridiagonalBlock
	for k := range rows {
		row := r.pairs[k*a.stride : k*a.stride+a.order]
		for j := first; j < a.order; j++ {
			r.left.data[r.left.at(k, j)] = -row[j]
			r.right.data[r.right.at(k^1, j)] = row[j]
		}
	}
	u := a.update(r.left, r.right, rows, first)
	return u.run(ctx, r.workers)
}

// multiplySymmetric sets y to the product of the symmetric matrix with the upper triangle a and v.
func (k kernels) multiplySymmetric(y, a []float64, stride int, v []float64) {
	n := len(v)
	clear(y)
	i := 0
	for ; i+4 <= n; i += 4 {
		block := a[i*stride+i:]
		x, z := (*[4]float64)(v[i:]), (*[4]float64)(y[i:])
		corner4(block, stride, x, z)
		sums := k.symv4(x, block[4:], stride, v[i+4:], y[i+4:])
		for l, s := range sums {
			z[l] += s
		}
	}
	if i < n {
		corner(a[i*stride+i:], stride, n-i, v[i:], y[i:])
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

// corner adds to y the product of the symmetric n x n matrix with the upper triangle a and v.
func corner(a []float64, stride, n int, v, y []float64) {
	for i := range n {
		y[i] += a[i*stride+i] * v[i]
		for j := i + 1; j < n; j++ {
			y[i] += a[i*stride+j] * v[j]
			y[j] += a[i*stride+j] * v[i]
		}
	}
}
