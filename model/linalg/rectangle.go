// Rectangular matrices: blocks of symmetric ones away from the diagonal, and right-hand sides.

package linalg

import (
	"context"
	"fmt"

	"rfm/solver/simd"
)

// Rectangle is a row-major matrix with room for whole kernel tiles, to which products of panels are added: a block of
// the matrix that Symmetric.RankUpdate sums, bit for bit the same, or the right-hand sides of systems.
type Rectangle struct {
	rows, cols, stride int
	data               []float64
	level              simd.Level
}

// NewRectangle returns the zero matrix.
func NewRectangle(rows, cols int) *Rectangle {
	stride := padded(cols)
	const tile = 8 // rows, at most
	return &Rectangle{rows: rows, cols: cols, stride: stride, data: make([]float64, ceilDiv(rows, tile)*tile*stride),
		level: simd.Active()}
}

// Row returns row i, which shares memory with the matrix.
func (r *Rectangle) Row(i int) []float64 { return r.data[i*r.stride : i*r.stride+r.cols] }

// AddProduct adds A'B, summed over the first rows rows of both, which have as many columns as r has rows and columns.
// The result does not depend on workers. The error is ctx's, and r is invalid then.
func (r *Rectangle) AddProduct(ctx context.Context, a, b *Panels, rows, workers int) error {
	if a.cols != r.rows || b.cols != r.cols || rows < 0 || rows > a.rows || rows > b.rows {
		panic(fmt.Sprintf("linalg: product of %d rows of %d x %d and %d x %d added to %d x %d", rows, a.rows, a.cols, b.rows,
			b.cols, r.rows, r.cols))
	}
	p := product{level: r.level, c: r.data, row: r.stride, panel: 4, left: a, right: b}
	tasks := func(s blockShape) int { return ceilDiv(r.rows, s.rows) * ceilDiv(r.cols, s.cols) }
	shape := shapeFor(workers, tasks)
	wide := ceilDiv(r.cols, shape.cols)
	return share(ctx, tasks(shape), workers, func(t int) {
		i, j := t/wide*shape.rows, t%wide*shape.cols
		for k := 0; k < rows; k += KC {
			p.tiles(i, min(i+shape.rows, r.rows), j, min(j+shape.cols, r.cols), k, min(KC, rows-k))
		}
	})
}
