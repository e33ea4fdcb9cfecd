// Products of matrices in panels.

package linalg

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/blas/blas64"

	"rfm/solver/base/parallel"
	"rfm/solver/num/simd"
)

// product is C += A'B, a tile at a time. Of a symmetric C only tiles that meet the upper triangle are computed, of the
// rows and columns from first on.
type product struct {
	level simd.Level
	// Entry (i, j) of C is c[i*row+j/4*panel+j%4]: rows of a matrix (panel = 4) or panels (row = 4). C has room for whole
	// tiles.
	c     []float64
	row   int
	panel int
	upper bool
	left  *Panels    // A
	right *Panels    // B
	first int        // of the rows, and columns, of C: a multiple of strip; 0 unless C is symmetric
	last  int        // end of the rows of C, a multiple of strip unless C ends there
	cols  int        // end of the columns of C
	rows  int        // of A and B
	shape blockShape // of the blocks that workers take, set by divide
}

// intoPanels returns the product c += A'B. c has as many rows as A has columns, padded to a multiple of strip.
func intoPanels(level simd.Level, c, left, right *Panels) product {
	return product{
		level: level,
		c:     c.data,
		row:   4,
		panel: c.stride,
		left:  left,
		right: right,
		last:  left.cols,
		cols:  right.cols,
	}
}

// alone computes all of C, summed over the first rows rows of A and B, on one worker.
func (p *product) alone(rows int) {
	p.rows = rows
	for t := range p.divide(1) {
		p.block(t)
	}
}

// run computes all blocks. After an error, which is ctx.Err(), some are not computed.
func (p *product) run(ctx context.Context, workers int) error {
	blocks := p.divide(workers)
	if workers > 1 && blocks > 1 {
		shared := *p
		return share(ctx, blocks, workers, shared.block)
	}
	for t := 0; t < blocks && ctx.Err() == nil; t++ {
		p.block(t)
	}
	return ctx.Err()
}

// divide chooses the shape of the blocks for a number of workers, and returns their number.
func (p *product) divide(workers int) (blocks int) {
	if p.rows == 0 {
		return 0
	}
	p.shape = shapeFor(workers, p.blocks)
	return p.blocks(p.shape)
}

// across returns the first column of the blocks whose rows begin with i, and the number of these blocks.
func (p *product) across(i int, shape blockShape) (from, blocks int) {
	if p.upper {
		from = i
	}
	return from, ceilDiv(p.cols-from, shape.cols)
}

// blocks returns the number of blocks of a shape.
func (p *product) blocks(shape blockShape) (all int) {
	for i := p.first; i < p.last; i += shape.rows {
		_, blocks := p.across(i, shape)
		all += blocks
	}
	return all
}

// block computes block t, counted along block rows. The left operand stays in the second level cache along a row.
func (p *product) block(t int) {
	i := p.first
	from, blocks := p.across(i, p.shape)
	for t >= blocks {
		t -= blocks
		i += p.shape.rows
		from, blocks = p.across(i, p.shape)
	}
	j := from + t*p.shape.cols
	lastRow := min(i+p.shape.rows, p.last)
	lastColumn := min(j+p.shape.cols, p.cols)
	for r := 0; r < p.rows; r += KC {
		p.tiles(i, lastRow, j, lastColumn, r, min(KC, p.rows-r))
	}
}

// Columns returns the columns first to first+cols-1 of p, which share memory with it. first is a multiple of 24.
func (p *Panels) Columns(first, cols int) *Panels {
	return &Panels{
		rows:   p.rows,
		cols:   cols,
		count:  padded(cols) / 4,
		stride: p.stride,
		data:   p.data[first/4*p.stride:],
	}
}

// From returns the rows of p from first on, which share memory with it.
func (p *Panels) From(first int) *Panels {
	return &Panels{
		rows:   p.rows - first,
		cols:   p.cols,
		count:  p.count,
		stride: p.stride,
		data:   p.data[min(4*first, len(p.data)):],
	}
}

// transpose sets dst to the transpose of the rows first to first+dst.Cols()-1 of p. dst has at least as many rows as p
// has columns.
func (p *Panels) transpose(dst *Panels, first int) {
	for j := 0; j < p.cols; j += 4 {
		from := p.Panel(j / 4)[4*first:]
		width := min(4, p.cols-j)
		for x := 0; x < dst.cols; x += 4 {
			to := dst.Panel(x / 4)[4*j:]
			if width == 4 && x+4 <= dst.cols {
				transpose4((*[16]float64)(to), (*[16]float64)(from[4*x:]))
				continue
			}
			for l := range width {
				for k := range min(4, dst.cols-x) {
					to[4*l+k] = from[4*(x+k)+l]
				}
			}
		}
	}
}

// transpose4 sets b to the transpose of a, both 4 x 4.
func transpose4(b, a *[16]float64) {
	for i := range 4 {
		b[4*i] = a[i]
		b[4*i+1] = a[4+i]
		b[4*i+2] = a[8+i]
		b[4*i+3] = a[12+i]
	}
}

// share calls task(0), ..., task(tasks-1), each once, from up to workers goroutines, and returns when all are done. The
// error is ctx.Err(), and then some tasks were not begun, or a *fault.Panic.
func share(ctx context.Context, tasks, workers int, task func(int)) error {
	return parallel.For(ctx, workers, tasks, func(_, t int) error {
		task(t)
		return nil
	})
}

// Rectangle is a row-major matrix with room for whole kernel tiles, to which products of panels are added: a block of
// the matrix that Symmetric.RankUpdate sums, bit for bit the same, or the right-hand sides of systems.
type Rectangle struct {
	rows   int
	cols   int
	stride int
	data   []float64
	level  simd.Level
}

// NewRectangle returns the zero matrix.
func NewRectangle(rows, cols int) *Rectangle {
	stride := padded(cols)
	const tile = 8 // rows, at most
	paddedRows := ceilDiv(rows, tile) * tile
	return &Rectangle{
		rows:   rows,
		cols:   cols,
		stride: stride,
		data:   touched(make([]float64, paddedRows*stride)),
		level:  simd.Active(),
	}
}

// Row returns row i, which shares memory with the matrix.
func (r *Rectangle) Row(i int) []float64 { return r.data[i*r.stride:][:r.cols] }

// General returns the matrix, which shares memory with r.
func (r *Rectangle) General() blas64.General {
	return blas64.General{
		Rows:   r.rows,
		Cols:   r.cols,
		Stride: r.stride,
		Data:   r.data,
	}
}

// AddProduct adds A'B, summed over the first rows rows of both, which have as many columns as r has rows and columns.
// The result does not depend on workers. The error is ctx.Err(), and r is invalid then.
func (r *Rectangle) AddProduct(ctx context.Context, a, b *Panels, rows, workers int) error {
	sizesFit := a.cols == r.rows && b.cols == r.cols
	if !sizesFit || rows < 0 || rows > min(a.rows, b.rows) {
		panic(fmt.Sprintf("linalg: product of %d rows of %d x %d and %d x %d added to %d x %d",
			rows, a.rows, a.cols, b.rows, b.cols, r.rows, r.cols))
	}
	p := product{
		level: r.level,
		c:     r.data,
		row:   r.stride,
		panel: 4,
		left:  a,
		right: b,
		last:  r.rows,
		cols:  r.cols,
		rows:  rows,
	}
	return p.run(ctx, workers)
}

// Product returns A'B. Both have the same number of rows. The result does not depend on workers. It returns ctx.Err()
// if ctx is done.
func Product(ctx context.Context, a, b *Panels, workers int) (*Rectangle, error) {
	r := NewRectangle(a.cols, b.cols)
	if err := r.AddProduct(ctx, a, b, a.rows, workers); err != nil {
		return nil, err
	}
	return r, nil
}

// Combine adds to out the combination of the four features of a panel with the coefficients alpha:
//
//	out[r] += sum_{l < 4} alpha[l] * panel[4*r+l].
//
// It panics unless len(panel) = 4*len(out) and len(alpha) = 4.
func Combine(out, panel, alpha []float64) {
	if len(alpha) != 4 || len(panel) != 4*len(out) {
		panic(fmt.Sprintf("linalg: Combine of %d panel values with %d coefficients into %d values",
			len(panel), len(alpha), len(out)))
	}
	kernels{simd.Active()}.combine(out, panel, alpha)
}
