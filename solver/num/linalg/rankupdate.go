// The symmetric rank-k update: its tiles, their workers and their order.

package linalg

import (
	"context"
	"fmt"
)

// KC is the number of rows that one kernel call sums in registers. Sums over rows
// are formed KC at a time, counted from the first row of a call.
const KC = 256

// One worker takes blocks of blockRows x blockCols entries, multiples of every kernel
// tile, whose two operands fit a second level cache of 1 MiB.
const (
	blockRows = 96
	blockCols = 192
)

// blockShape is the rows and columns of the blocks that workers take, multiples of strip.
type blockShape struct {
	rows int
	cols int
}

// blockShapes are the shapes from which an update takes the first that gives every worker blocksPerWorker blocks. No
// bit depends on that: a tile is summed by itself.
var blockShapes = [...]blockShape{
	{blockRows, blockCols},
	{blockRows, blockRows},
	{2 * strip, blockRows},
	{2 * strip, 2 * strip},
	{strip, 2 * strip},
	{strip, strip},
}

const blocksPerWorker = 4

// shapeFor returns the shape for some workers, given the number of blocks of each shape.
func shapeFor(workers int, blocks func(blockShape) int) blockShape {
	for _, shape := range blockShapes {
		if workers <= 1 || blocks(shape) >= blocksPerWorker*workers {
			return shape
		}
	}
	return blockShapes[len(blockShapes)-1]
}

// RankUpdate adds F'F to s, summed over the first rows rows of f:
//
//	s[i][j] += sum_{r < rows} f[r][i]*f[r][j].
//
// The result is bit for bit the same for any number of workers >= 1, and for any grouping of the same rows into
// consecutive calls in which every call but the last has a multiple of KC rows. RankUpdate panics unless f has
// s.Order() columns and 0 <= rows <= f.Rows(). The error is ctx.Err(); s is invalid then.
func (s *Symmetric) RankUpdate(ctx context.Context, f *Panels, rows, workers int) error {
	if f.cols != s.order || rows < 0 || rows > f.rows {
		panic(fmt.Sprintf("linalg: rank update of order %d with %d of the rows of a %d x %d matrix", s.order, rows,
			f.rows, f.cols))
	}
	u := s.update(f, f, rows, 0)
	return u.run(ctx, workers)
}

// update returns the update s += A'B, for an A'B that is symmetric, in the rows and columns from first on, summed over
// the given number of rows of A and B.
func (s *Symmetric) update(left, right *Panels, rows, first int) product {
	return product{
		level: s.level,
		c:     s.data,
		row:   s.stride,
		panel: 4,
		upper: true,
		left:  left,
		right: right,
		first: first,
		last:  s.order,
		cols:  s.order,
		rows:  rows,
	}
}

func ceilDiv(a, b int) int { return (a + b - 1) / b }
