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

// StridedColumns is Columns of eight columns, for rows of dst and src that begin dstRow and srcRow numbers apart. It panics if the
// lengths do not fit.
func StridedColumns(dst []float64, dstRow int, matrix []float64, rows, cols int, src []float64, srcRow int) {
	if rows == 0 || cols == 0 {
		return
	}
	lastOfDst := (rows - 1) * dstRow
	lastOfSrc := (cols - 1) * srcRow
	hasRows := len(src) >= lastOfSrc+columnLanes && len(dst) >= lastOfDst+columnLanes
	if len(matrix) != rows*cols || !hasRows {
		panic(fmt.Sprintf("linalg: StridedColumns of %d numbers as %d x %d, times %d numbers, into %d numbers",
			len(matrix), rows, cols, len(src), len(dst)))
	}
	kernels{simd.Active()}.columns(dst, dstRow, matrix, rows, cols, src, srcRow)
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
