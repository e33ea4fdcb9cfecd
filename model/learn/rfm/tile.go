package rfm

import (
	"context"
	"fmt"
	"math"

	"rfm/model/learn/feature"
	"rfm/solver/dataset"
	"rfm/solver/num/linalg"
)

// TileUnit divides the first rows and columns of tiles: groups of features and strips of the kernels are then the same
// as for the whole matrix.
const TileUnit = 24

// Tile is a block of S: the rows FirstRow to FirstRow+Rows-1, Columns columns from FirstColumn on. It lies on the
// diagonal, and is a square, or above it. An entry of S is a sum over samples in index order that depends on its two
// features alone, so tiles are bitwise equal to the whole matrix, on any machine.
type Tile struct {
	FirstRow    int
	Rows        int
	FirstColumn int
	Columns     int
}

// Tiles returns the tiles of m features in bands of the given width, a multiple of TileUnit, row by row.
func Tiles(m, width int) []Tile {
	var all []Tile
	for i := 0; i < m; i += width {
		for j := i; j < m; j += width {
			all = append(all, Tile{
				FirstRow:    i,
				Rows:        min(width, m-i),
				FirstColumn: j,
				Columns:     min(width, m-j),
			})
		}
	}
	return all
}

// Diagonal reports whether the tile lies on the diagonal.
func (t Tile) Diagonal() bool { return t.FirstRow == t.FirstColumn }

// Shape returns the shape of the tile's values: a tile on the diagonal has the right-hand side as an extra row.
func (t Tile) Shape() (rows, columns int) {
	if t.Diagonal() {
		return t.Rows + 1, t.Columns
	}
	return t.Rows, t.Columns
}

// Sum sums the tile over the pairs, which are on the evaluator's grid: row by row, zeros below the diagonal, as
// Normal.sum sums rows of the feature matrix, without the weight. some and offset are the fields of Normal. The result
// does not depend on workers. Errors are ctx.Err() and the evaluator's.
func (t Tile) Sum(ctx context.Context, e feature.Evaluator, pairs dataset.Pairs, some Rows, offset bool, workers int) (
	[]float64, error) {
	left := e.Band(t.FirstRow, t.Rows)
	if t.Diagonal() {
		normal := NewNormal(t.Rows)
		normal.Rows = some
		normal.Offset = offset
		err := normal.sum(ctx, left, pairs, workers, nil, nil)
		if err != nil {
			return nil, err
		}
		return t.diagonalValues(normal), nil
	}
	right := e.Band(t.FirstColumn, t.Columns)
	var sides [2]*blockEvaluator
	var features [2]*linalg.Panels
	for s, band := range []feature.Evaluator{left, right} {
		var m *means
		if offset {
			var err error
			m, err = meansOf(ctx, band, pairs, workers)
			if err != nil {
				return nil, err
			}
		}
		sides[s] = newBlockEvaluator(band, pairs, workers, some, m)
		features[s] = sides[s].newMatrix()
	}
	sums := linalg.NewRectangle(t.Rows, t.Columns)
	for first := 0; first < pairs.Count(); first += sides[0].size {
		rows := 0 // of the block, the same on both sides
		for s, b := range sides {
			block, err := b.evaluate(ctx, features[s], b.discarded, first)
			if err != nil {
				return nil, err
			}
			rows = len(block.targets)
		}
		err := sums.AddProduct(ctx, features[0], features[1], rows, workers)
		if err != nil {
			return nil, err
		}
	}
	values := make([]float64, 0, t.Rows*t.Columns)
	for i := range t.Rows {
		values = append(values, sums.Row(i)...)
	}
	return values, nil
}

// diagonalValues returns the values of a tile on the diagonal: the upper triangle of the sums, then the right-hand side.
func (t Tile) diagonalValues(n *Normal) []float64 {
	rows, columns := t.Shape()
	values := make([]float64, rows*columns) // rows x columns, row-major
	for i := range t.Rows {
		row := values[i*columns:][:columns]
		copy(row[i:], n.Sums.Row(i))
	}
	copy(values[t.Rows*columns:], n.RHS)
	return values
}

// Put copies the values of a tile, as Sum returns them, into the sums. After all tiles, Weigh completes the sums.
func (n *Normal) Put(t Tile, values []float64) {
	rows, columns := t.Shape()
	m := len(n.RHS)
	inside := t.FirstColumn+t.Columns <= m
	if len(values) != rows*columns || !inside {
		panic(fmt.Sprintf("rfm: %d values for tile %+v of %d features", len(values), t, len(n.RHS)))
	}
	for i := range t.Rows {
		own := values[i*columns:][:columns]
		row := n.Sums.Row(t.FirstRow + i)                 // begins at the diagonal
		offset := t.FirstColumn - (t.FirstRow + i)        // of the tile in it, negative if the tile begins before
		copy(row[max(0, offset):], own[max(0, -offset):]) // values before the diagonal are zeros
	}
	if t.Diagonal() {
		copy(n.RHS[t.FirstRow:], values[t.Rows*columns:])
	}
}

// Unsound returns the place of an entry that sums of products cannot have: one that is not finite, a negative one on
// the diagonal, or one with S_jl^2 > S_jj S_ll. ok is false if the sums have none.
func (n *Normal) Unsound() (row, column int, ok bool) {
	const rounding = 1e-12
	m := len(n.RHS)
	for i := range m {
		diagonal := n.Sums.At(i, i)
		for k, v := range n.Sums.Row(i) {
			j := i + k
			sound := diagonal >= 0 && !math.IsInf(v, 0) // false of NaN
			bounded := v*v <= diagonal*n.Sums.At(j, j)*(1+rounding)
			if !sound || !bounded {
				return i, j, true
			}
		}
	}
	return 0, 0, false
}
