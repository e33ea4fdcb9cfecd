// Least squares by orthogonal transformations: the triangular factor of a tall matrix that arrives in blocks of rows.

package linalg

import (
	"context"
	"fmt"
	"slices"

	"rfm/solver/simd"
)

// Triangular is the upper triangular factor R of A = QR, A having n columns, without Q: R'R = A'A up to the rounding
// errors of A, of which the Gram matrix has the square. Rows of A enter in blocks. With the right-hand side as a last
// column, that of R is Q'y and the length of the residual. Methods that do not change R are safe for concurrent use.
type Triangular struct {
	order  int
	stride int
	data   []float64 // row by row; what is below the diagonal is zero
	level  simd.Level
}

// NewTriangular returns the factor of a matrix of n columns without rows, which is zero. It panics if n is negative.
func NewTriangular(n int) *Triangular {
	if n < 0 {
		panic(fmt.Sprintf("linalg: triangular matrix of order %d", n))
	}
	stride := padded(n)
	return &Triangular{order: n, stride: stride, data: make([]float64, n*stride), level: simd.Active()}
}

// Order returns n.
func (t *Triangular) Order() int { return t.order }

// Row returns the entries (i, i) to (i, n-1), which share memory with t. It panics if i is out of range.
func (t *Triangular) Row(i int) []float64 { return t.data[i*t.stride+i : i*t.stride+t.order] }

// Scale multiplies every entry by c.
func (t *Triangular) Scale(c float64) {
	for i := range t.data {
		t.data[i] *= c
	}
}

// factorRows is the number of rows that enter at once: few enough for their part of a block of columns to stay in the
// second level cache, many enough for the work on them to outweigh that on R.
const factorRows = 29 * strip

// Update replaces R by the factor of R with the first rows rows of a below it, by blocked Householder reflections
// (the TPQRT of LAPACK) at rows n^2 multiplications, twice those of the rank-k update. Rows enter
// 696 at a time, counted from the first row of a call; the result is bit for bit the same for any number of
// workers >= 1. The error is ctx's, and R then as it was before. Update panics unless a has n columns and
// 0 <= rows <= a.Rows().
func (t *Triangular) Update(ctx context.Context, a *Panels, rows, workers int) error {
	if a.cols != t.order || rows < 0 || rows > a.rows {
		panic(fmt.Sprintf("linalg: update of a factor of order %d with %d of the rows of a %d x %d matrix", t.order, rows,
			a.rows, a.cols))
	}
	f, before := newFactorisation(t), slices.Clone(t.data)
	for first := 0; first < rows; first += factorRows {
		f.load(a, first, min(factorRows, rows-first))
		if err := f.run(ctx, 0, workers); err != nil {
			copy(t.data, before)
			return err
		}
	}
	return nil
}

// factorisation is an update under way.
type factorisation struct {
	kernels
	r        *Triangular
	rows     *Panels        // factorRows rows of A
	next     [2]*reflectors // of a block of columns, and of the one after it
	spaces   []reflection   // for each block of columns
	columns  []float64      // those of a block, each with the entry of R above it
	sums     []float64
	products []float64
}

// columnStride is the distance of two columns in factorisation.columns.
const columnStride = factorRows + 8

func newFactorisation(t *Triangular) *factorisation {
	f := &factorisation{
		kernels: kernels{t.level}, r: t, rows: NewPanels(factorRows, t.order),
		columns: make([]float64, reflectorBlock*columnStride), sums: make([]float64, reflectorBlock),
		products: make([]float64, reflectorBlock),
	}
	for i := range f.next {
		f.next[i] = newReflectors(t.level, factorRows)
	}
	for range ceilDiv(t.order, reflectorBlock) {
		f.spaces = append(f.spaces, newReflection(reflectorBlock))
	}
	return f
}

// load takes count rows of a from first on. Others are zero, which changes nothing.
func (f *factorisation) load(a *Panels, first, count int) {
	for p := range f.rows.count {
		to := f.rows.Panel(p)
		clear(to[copy(to, a.Panel(p)[4*first:4*(first+count)]):])
	}
}

// run factors the rows that were loaded, which are zero before block first of columns: block of columns by block of
// columns, the later ones being transformed by several workers. The next block is the first of these, and is factored
// at once, while others work on the rest. The error is ctx's.
func (f *factorisation) run(ctx context.Context, first, workers int) error {
	blocks := len(f.spaces)
	if first < blocks {
		f.factor(first, f.next[first%2])
	}
	for b := first; b < blocks; b++ {
		h, after := f.next[b%2], f.next[(b+1)%2]
		err := share(ctx, blocks-b-1, workers, func(task int) {
			c := b + 1 + task
			f.transform(b, c, h)
			if task == 0 {
				f.factor(c, after)
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// factor reduces block b of columns to its part of R, by reflectors that it stores in h.
func (f *factorisation) factor(b int, h *reflectors) {
	h.clear()
	start := b * reflectorBlock
	count := min(reflectorBlock, f.r.order-start)
	for t := range count {
		j := start + t
		column := f.columns[t*columnStride:][:1+factorRows]
		v, panel := column[1:], f.rows.Panel(j / 4)[j%4:]
		for i := range v {
			v[i] = panel[4*i]
		}
		f.reflectColumn(t, start, v, h)
		column[0] = f.r.data[j*f.r.stride+j]
		tau, beta := f.reflector(column)
		f.r.data[j*f.r.stride+j] = beta
		f.inner(t, v, f.products)
		h.set(t, tau, 0, v, f.products)
	}
}

// reflectColumn applies the reflectors before column t of a block to it: a, and what R has above it.
func (f *factorisation) reflectColumn(t, start int, a []float64, h *reflectors) {
	f.inner(t, a, f.sums)
	top := f.r.data[start*f.r.stride+start+t:]
	for i := range t {
		f.sums[i] += top[i*f.r.stride]
	}
	var weights [reflectorBlock]float64
	for s := range t {
		factor, sum := h.factor.data[4*s:], f.sums[s]
		for i := s; i < t; i++ {
			weights[i] -= factor[i/4*h.factor.stride+i%4] * sum
		}
	}
	i := 0
	for ; i+4 <= t; i += 4 {
		f.axpy4((*[4]float64)(weights[i:]), f.columns[i*columnStride+1:], columnStride, a)
	}
	for ; i < t; i++ {
		f.axpy(weights[i], f.columns[i*columnStride+1:][:len(a)], a)
	}
	for i := range t {
		top[i*f.r.stride] += weights[i]
	}
}

// inner stores in sums the inner products of a with the reflectors before column t of a block.
func (f *factorisation) inner(t int, a, sums []float64) {
	for i := 0; i < t; i += 4 {
		*(*[4]float64)(sums[i:]) = f.dot4(f.columns[i*columnStride+1:], columnStride, a)
	}
}

// transform applies the reflectors h of block b to the later block c.
func (f *factorisation) transform(b, c int, h *reflectors) {
	r, w := f.r, f.spaces[c]
	first := c * reflectorBlock
	x := f.rows.columns(first, min(reflectorBlock, 4*f.rows.count-first))
	width := min(reflectorBlock, r.order-first)
	top := r.data[b*reflectorBlock*r.stride+first:]
	clear(w.sums.data)
	for t := range reflectorBlock {
		for j, v := range top[t*r.stride:][:width] {
			w.sums.data[j/4*w.sums.stride+4*t+j%4] = v
		}
	}
	h.project(x, w)
	h.subtract(x, w)
	for t := range reflectorBlock {
		to := top[t*r.stride:][:width]
		for j := range to {
			to[j] -= w.weights.data[j/4*w.weights.stride+4*t+j%4]
		}
	}
}
