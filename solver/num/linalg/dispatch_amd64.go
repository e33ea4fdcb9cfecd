// The choice of kernels on amd64.

package linalg

import (
	"unsafe"

	"rfm/solver/num/simd"
)

//go:generate go run -tags assembly ./internal/gen -out kernels_amd64.s -stubs kernels_amd64.go -pkg linalg

// tiles adds rows r to r+k of the operands to the tiles in rows i0 <= i < i1 and columns j0 <= j < j1.
func (u *product) tiles(i0, i1, j0, j1, r, k int) {
	switch u.level {
	case simd.AVX512:
		u.tilesAVX512(i0, i1, j0, j1, r, k)
	case simd.AVX2:
		u.tilesAVX2(i0, i1, j0, j1, r, k)
	default:
		u.tilesGeneric(i0, i1, j0, j1, r, k)
	}
}

// tilesAVX512 is tiles on tiles of 8 x 24.
func (u *product) tilesAVX512(i0, i1, j0, j1, r, k int) {
	const (
		rows = 8
		cols = 24
	)
	for j := j0; j < j1; j += cols {
		b := &u.right.data[u.right.at(r, j)]
		for i := i0; i < u.end(i1, j+cols); i += rows {
			a := &u.left.data[u.left.at(r, i)]
			tile := &u.tileAt(i, j)[0]
			rankTile8x24AVX512(k, a, u.left.stride, b, u.right.stride, tile, u.row, u.panel)
		}
	}
}

// tilesAVX2 is tiles on tiles of 4 x 12.
func (u *product) tilesAVX2(i0, i1, j0, j1, r, k int) {
	const (
		rows = 4
		cols = 12
	)
	for j := j0; j < j1; j += cols {
		b := &u.right.data[u.right.at(r, j)]
		for i := i0; i < u.end(i1, j+cols); i += rows {
			a := &u.left.data[u.left.at(r, i)]
			tile := &u.tileAt(i, j)[0]
			rankTile4x12AVX2(k, a, b, u.right.stride, tile, u.row, u.panel)
		}
	}
}

// dot returns x'y. The lengths are equal.
func (v kernels) dot(x, y []float64) float64 {
	if v.level == simd.Generic {
		return dotGeneric(x, y)
	}
	return dotAVX2(len(x), unsafe.SliceData(x), unsafe.SliceData(y))
}

// axpy adds a*x to y. The lengths are equal.
func (v kernels) axpy(a float64, x, y []float64) {
	if v.level == simd.Generic {
		axpyGeneric(a, x, y)
		return
	}
	axpyAVX2(len(x), a, unsafe.SliceData(x), unsafe.SliceData(y))
}

// combine is Combine for arguments that fit together.
func (v kernels) combine(out, panel, alpha []float64) {
	const rows = 8 // of a group, as the kernel takes them
	groups := len(out) / rows
	if v.level != simd.Generic && groups > 0 {
		combine8AVX2(groups, &panel[0], &alpha[0], &out[0])
		out = out[rows*groups:]
		panel = panel[4*rows*groups:]
	}
	combineGeneric(out, panel, alpha)
}

// packedColumns is columns for the groups of a packed matrix, and returns their number of rows.
func (v kernels) packedColumns(dst []float64, dstRow int, packed []float64, cols int, src []float64, srcRow int) (rows int) {
	if v.level != simd.AVX512 {
		return 0
	}
	for first := 0; first < len(packed); first += packedGroup * cols {
		packedRowsAVX512(cols, &packed[first], &src[0], srcRow, &dst[rows*dstRow], dstRow)
		rows += packedGroup
	}
	return rows
}

// columnsAVX512 is columns on eight rows at a time.
func columnsAVX512(dst []float64, dstRow int, m []float64, rows, cols int, src []float64, srcRow int) {
	i := 0
	for ; i+8 <= rows; i += 8 {
		columns8AVX512(cols, &m[i*cols], cols, &src[0], srcRow, &dst[i*dstRow], dstRow)
	}
	if i == rows {
		return
	}
	a := &m[i*cols]
	b := &src[0]
	c := &dst[i*dstRow]
	switch rows - i {
	case 1:
		columns1AVX512(cols, a, cols, b, srcRow, c, dstRow)
	case 2:
		columns2AVX512(cols, a, cols, b, srcRow, c, dstRow)
	case 3:
		columns3AVX512(cols, a, cols, b, srcRow, c, dstRow)
	case 4:
		columns4AVX512(cols, a, cols, b, srcRow, c, dstRow)
	case 5:
		columns5AVX512(cols, a, cols, b, srcRow, c, dstRow)
	case 6:
		columns6AVX512(cols, a, cols, b, srcRow, c, dstRow)
	case 7:
		columns7AVX512(cols, a, cols, b, srcRow, c, dstRow)
	}
}

// columns is Columns for arguments that fit together.
func (v kernels) columns(dst []float64, dstRow int, m []float64, rows, cols int, src []float64, srcRow int) {
	if v.level == simd.Generic {
		columnsGeneric(dst, dstRow, m, rows, cols, src, srcRow)
		return
	}
	if v.level == simd.AVX512 {
		columnsAVX512(dst, dstRow, m, rows, cols, src, srcRow)
		return
	}
	i := 0
	for ; i+4 <= rows; i += 4 {
		columns4AVX2(cols, &m[i*cols], cols, &src[0], srcRow, &dst[i*dstRow], dstRow)
	}
	for ; i < rows; i++ {
		columns1AVX2(cols, &m[i*cols], cols, &src[0], srcRow, &dst[i*dstRow], dstRow)
	}
}

// foldRows is FoldRows for so many pairs of rows, at least one.
func (v kernels) foldRows(pairs int, values, even, odd []float64) {
	if v.level == simd.Generic {
		foldRowsGeneric(pairs, values, even, odd)
		return
	}
	last := len(values) - columnLanes
	foldRowsAVX2(pairs, &values[0], &values[last], &even[0], &odd[0])
}

// unfoldRows is UnfoldRows for so many pairs of rows, at least one.
func (v kernels) unfoldRows(pairs int, even, odd, values []float64) {
	if v.level == simd.Generic {
		unfoldRowsGeneric(pairs, even, odd, values)
		return
	}
	last := len(values) - columnLanes
	unfoldRowsAVX2(pairs, &even[0], &odd[0], &values[0], &values[last])
}

// addSquares is AddSquares for at least one row.
func (v kernels) addSquares(sums *Eight, weights, block []float64) {
	if v.level == simd.Generic {
		addSquaresGeneric(sums, weights, block)
		return
	}
	weightedSquaresAVX2(len(weights), &weights[0], &block[0], &sums[0])
}
