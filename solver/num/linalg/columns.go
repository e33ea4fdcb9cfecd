// Products of a matrix and few columns, which lie side by side.

package linalg

import (
	"fmt"

	"rfm/solver/num/simd"
)

// columnLanes is the number of columns in a group of Columns.
const columnLanes = 8

// Columns adds the product of a matrix, rows x cols and row-major, and src, cols x width, to dst, rows x width. The width
// is a multiple of columnLanes. It panics if the lengths do not fit.
func Columns(dst, matrix []float64, rows, cols int, src []float64, width int) {
	sizesFit := len(matrix) == rows*cols && len(src) == cols*width && len(dst) == rows*width
	if !sizesFit || width%columnLanes != 0 {
		panic(fmt.Sprintf("linalg: Columns of %d numbers as %d x %d, times %d numbers, into %d numbers of width %d",
			len(matrix), rows, cols, len(src), len(dst), width))
	}
	if rows == 0 || cols == 0 {
		return
	}
	active := kernels{simd.Active()}
	for first := 0; first < width; first += columnLanes {
		active.columns(dst[first:], width, matrix, rows, cols, src[first:], width)
	}
}

// packedGroup is the number of rows of a packed matrix that stand together.
const packedGroup = 16

// Packed is a matrix for many products with eight columns. It must not change meanwhile.
type Packed struct {
	rows, cols int
	matrix     []float64 // row-major
	groups     []float64 // of rows, as many as are full: by group, column and row; so a group is one stream of memory
}

// Pack prepares products of a matrix, rows x cols and row-major, which it keeps. It panics if the length does not fit.
func Pack(matrix []float64, rows, cols int) *Packed {
	if len(matrix) != rows*cols {
		panic(fmt.Sprintf("linalg: Pack of %d numbers as %d x %d", len(matrix), rows, cols))
	}
	p := &Packed{
		rows:   rows,
		cols:   cols,
		matrix: matrix,
	}
	for first := 0; first+packedGroup <= rows; first += packedGroup {
		for j := range cols {
			for i := range packedGroup {
				p.groups = append(p.groups, matrix[(first+i)*cols+j])
			}
		}
	}
	return p
}

// AddTo adds the product of the matrix and src, cols x 8, to dst, rows x 8. Rows of dst and src begin dstRow and srcRow numbers
// apart. It panics if the lengths do not fit.
func (p *Packed) AddTo(dst []float64, dstRow int, src []float64, srcRow int) {
	if p.rows == 0 || p.cols == 0 {
		return
	}
	lastOfDst := (p.rows - 1) * dstRow
	lastOfSrc := (p.cols - 1) * srcRow
	hasRows := len(src) >= lastOfSrc+columnLanes && len(dst) >= lastOfDst+columnLanes
	if !hasRows {
		panic(fmt.Sprintf("linalg: a product of %d x %d numbers, times %d, into %d", p.rows, p.cols, len(src), len(dst)))
	}
	active := kernels{simd.Active()}
	done := active.packedColumns(dst, dstRow, p.groups, p.cols, src, srcRow)
	if done < p.rows {
		active.columns(dst[done*dstRow:], dstRow, p.matrix[done*p.cols:], p.rows-done, p.cols, src, srcRow)
	}
}

// columnsGeneric is Columns for one group in pure Go.
func columnsGeneric(dst []float64, dstRow int, matrix []float64, rows, cols int, src []float64, srcRow int) {
	for i := range rows {
		sums := (*[columnLanes]float64)(dst[i*dstRow:])
		row := matrix[i*cols:][:cols]
		for k, c := range row {
			column := (*[columnLanes]float64)(src[k*srcRow:])
			for l := range sums {
				sums[l] += c * column[l]
			}
		}
	}
}
