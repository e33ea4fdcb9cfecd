// The first stage: a symmetric matrix becomes a band by blocks of reflectors.
//
// With the rows of a block of columns below the band reduced to a triangle by
// I - V T V', the rest S of the matrix becomes
//
//	(I - V T'V') S (I - V T V') = S - V W' - W V',  W = S V T - V T'(V'S V) T/2,
//
// two products of matrices (Bischof, Lang & Sun 2000). The block that comes next is the first to
// receive that update, and is reduced while other workers update the rest.

package linalg

import (
	"context"

	"gonum.org/v1/gonum/floats"

	"rfm/solver/base/parallel"
)

const (
	// productCols is the number of columns of V'S that are one task. It is fixed, so that
	// sums do not depend on the number of workers.
	productCols = 2 * strip
	// transposedRows is the number of rows of such columns below the diagonal that are
	// copied at once from above it: their place is not kept up to date.
	transposedRows = 10 * strip
)

// band is the upper half of a symmetric matrix with bandWidth diagonals next to the main one. Entry (i, j), i <= j, is
// band[i*bandStride+j-i]; rows have room for a bulge of the same width.
type band []float64

const bandStride = 2 * bandWidth

// bandReduction is the state of a reduction.
type bandReduction struct {
	*tridiagonal
	kernels
	workers int
	band    band
	s       *Panels   // the matrix; entries below its diagonal are never read
	v       *Panels   // V, n x bandWidth
	t       *Panels   // T
	inner   *Panels   // V'V, for T
	y       *Panels   // Y' = V'S, bandWidth x n
	partial []*Panels // of V'Y, one for each task
	x       *Panels   // minus T'(V'Y) T/2
	left    *Panels   // -V' above -W', 2 bandWidth x n
	right   *Panels   // W' above V'
}

// productSpace is the working memory of one worker.
type productSpace struct {
	diagonal   *Panels // the diagonal block of some columns
	transposed *Panels
	turned     *Panels // their Y
}

func (r *bandReduction) newSpace() productSpace {
	return productSpace{
		diagonal:   NewPanels(productCols, productCols),
		transposed: NewPanels(transposedRows, productCols),
		turned:     NewPanels(productCols, bandWidth),
	}
}

// reduceToBand computes B with S = Q1 B Q1', S being t.reflectors, and Q1. It returns ctx.Err() if ctx is done.
func (t *tridiagonal) reduceToBand(ctx context.Context, workers int) (band, error) {
	const width = bandWidth
	n := t.reflectors.order
	r := bandReduction{
		tridiagonal: t,
		kernels:     kernels{t.reflectors.level},
		workers:     max(1, workers),
		band:        make(band, n*bandStride),
		s:           NewPanels(padded(n), n),
		v:           NewPanels(n, width),
		t:           NewPanels(width, width),
		inner:       NewPanels(width, width),
		y:           NewPanels(width, n),
		partial:     make([]*Panels, ceilDiv(n, productCols)),
		x:           NewPanels(width, width),
		left:        NewPanels(2*width, n),
		right:       NewPanels(2*width, n),
	}
	if err := share(ctx, ceilDiv(n, productCols), workers, r.load); err != nil {
		return nil, err
	}
	r.reduceBlock(0)
	for first := width; first < n; first += width {
		if err := r.multiply(ctx, first); err != nil {
			return nil, err
		}
		if err := r.update(ctx, first); err != nil {
			return nil, err
		}
	}
	return r.band, nil
}

// load copies some columns of the matrix.
func (r *bandReduction) load(task int) {
	a := r.reflectors
	at, count := r.columnsOf(0, task)
	for i := range at + count {
		row := a.data[i*a.stride:]
		for j := max(i, at); j < at+count; j++ {
			r.s.set(i, j, row[j])
		}
	}
}

// reduceBlock computes bandWidth rows of the band from row start of the matrix on, which are up to date, and with them
// their reflectors, V and T.
func (r *bandReduction) reduceBlock(start int) {
	a := r.reflectors
	n := a.order
	first := start + bandWidth // the rows of V
	count := max(n-first, 0)
	for p := range r.v.count {
		clear(r.v.Panel(p)[4*min(first, n):])
	}
	for t := range min(bandWidth, n-start) {
		j := start + t
		row := r.band[j*bandStride:]
		for k := j; k < min(first, n); k++ {
			row[k-j] = r.s.At(j, k)
		}
		if count == 0 {
			continue
		}
		x := a.data[j*a.stride+first : j*a.stride+n] // what is behind the band
		for i := range x {
			x[i] = r.s.At(j, first+i)
		}
		reduced := min(t, count) // rows of the triangle above
		for i := range reduced {
			r.reflect(r.bandTau[start+i], r.bandVector(start+i), x[i:])
		}
		below := x[reduced:]
		if len(below) > 0 {
			tau, beta := r.reflector(below)
			r.bandTau[j] = tau
			row[bandWidth] = beta
		}
		for i, v := range x[:reduced] {
			row[bandWidth+i-t] = v
			x[i] = 0
		}
		column := r.v.Panel(t / 4)[4*first+t%4:]
		for i, v := range x {
			column[4*i] = v
		}
	}
	if count == 0 {
		return
	}
	clear(r.inner.data)
	v := r.v.From(first)
	inner := intoPanels(r.level, r.inner, v, v)
	inner.alone(count)
	clear(r.t.data)
	for t := range bandWidth {
		products := r.inner.data[r.inner.at(0, t):]
		setFactor(r.t, t, r.bandTau[start+t], products, 4)
	}
}

// multiply computes the factors of the update of the matrix from row first on.
func (r *bandReduction) multiply(ctx context.Context, first int) error {
	tasks := ceilDiv(r.reflectors.order-first, productCols)
	err := parallel.With(ctx, r.workers, tasks, r.newSpace, func(w productSpace, task int) error {
		r.multiplyColumns(first, task, w)
		return nil
	})
	if err != nil {
		return err
	}
	sum := r.partial[0]
	for _, p := range r.partial[1:tasks] {
		r.axpy(1, p.data, sum.data)
	}
	clear(r.inner.data)
	right := intoPanels(r.level, r.inner, sum, r.t) // (V'Y)' T
	right.alone(bandWidth)
	clear(r.x.data)
	both := intoPanels(r.level, r.x, r.t, r.inner) // T'(V'Y)' T
	both.alone(bandWidth)
	floats.Scale(-0.5, r.x.data)
	return share(ctx, tasks, r.workers, func(task int) { r.combine(first, task) })
}

// columnsOf returns the columns of a task, from first on.
func (r *bandReduction) columnsOf(first, task int) (from, count int) {
	from = first + task*productCols
	return from, min(productCols, r.reflectors.order-from)
}

// multiplyColumns computes some columns of Y' = V'S and their share of V'Y.
func (r *bandReduction) multiplyColumns(first, task int, w productSpace) {
	n := r.reflectors.order
	at, count := r.columnsOf(first, task)
	y := r.y.Columns(at, count)
	s := r.s.Columns(at, count)
	clear(y.data[:y.count*y.stride])
	add := func(row, rows int, right *Panels) {
		p := intoPanels(r.level, y, r.v.From(row), right)
		p.alone(rows)
	}
	add(first, at-first, s.From(first))
	for j := range count {
		lane := j % 4
		from := s.Panel(j / 4)[4*at+lane:]
		to := w.diagonal.Panel(j / 4)[lane:]
		for i := range j + 1 {
			v := from[4*i]
			to[4*i] = v
			w.diagonal.set(j, i, v)
		}
	}
	add(at, count, w.diagonal.Columns(0, count))
	for row := at + count; row < n; row += transposedRows {
		rows := min(transposedRows, n-row)
		below := w.transposed.Columns(0, count)
		r.s.Columns(row, rows).transpose(below, at)
		add(row, rows, below)
	}
	if r.partial[task] == nil {
		r.partial[task] = NewPanels(bandWidth, bandWidth)
	}
	clear(r.partial[task].data)
	y.transpose(w.turned, 0)
	p := intoPanels(r.level, r.partial[task], r.v.From(at), w.turned)
	p.alone(count)
}

// combine fills some columns of left and right.
func (r *bandReduction) combine(first, task int) {
	at, count := r.columnsOf(first, task)
	left := r.left.Columns(at, count)
	right := r.right.Columns(at, count)
	y := r.y.Columns(at, count)
	const width = bandWidth
	a := r.reflectors
	for t := range width {
		vector := a.data[(first-width+t)*a.stride+at:][:count]
		for j, v := range vector {
			k := left.at(t, j)
			left.data[k] = -v
			right.data[k+4*width] = v
		}
	}
	for p := range ceilDiv(count, 4) {
		clear(right.Panel(p)[:4*width])
	}
	w := intoPanels(r.level, right, r.t, y)
	w.alone(width)
	w = intoPanels(r.level, right, r.x, right.From(width))
	w.alone(width)
	for p := range ceilDiv(count, 4) {
		to := left.Panel(p)[4*width:]
		for i, v := range right.Panel(p)[:4*width] {
			to[i] = -v
		}
	}
}

// update subtracts V W' + W V' from the matrix from row first on, and reduces the block that starts there.
func (r *bandReduction) update(ctx context.Context, first int) error {
	n := r.reflectors.order
	all := product{
		level: r.level,
		c:     r.s.data,
		row:   4,
		panel: r.s.stride,
		upper: true,
		left:  r.left,
		right: r.right,
		first: first,
		last:  n,
		cols:  n,
		rows:  2 * bandWidth,
	}
	next := all // the rows of the next block
	next.last = min(first+bandWidth, n)
	rest := all
	rest.first = next.last
	return share(ctx, 1+rest.divide(r.workers), r.workers, func(task int) {
		if task > 0 {
			rest.block(task - 1)
		} else if next.run(ctx, 1) == nil {
			r.reduceBlock(first)
		}
	})
}
