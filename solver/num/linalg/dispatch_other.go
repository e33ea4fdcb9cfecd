// Pure Go on every architecture without kernels.

//go:build !amd64

package linalg

func (u *product) tiles(i0, i1, j0, j1, r, k int) { u.tilesGeneric(i0, i1, j0, j1, r, k) }

func (v kernels) dot(x, y []float64) float64 { return dotGeneric(x, y) }

func (v kernels) axpy(a float64, x, y []float64) { axpyGeneric(a, x, y) }

func (v kernels) foldRows(pairs int, values, even, odd []float64) {
	foldRowsGeneric(pairs, values, even, odd)
}

func (v kernels) unfoldRows(pairs int, even, odd, values []float64) {
	unfoldRowsGeneric(pairs, even, odd, values)
}

func (v kernels) addSquares(sums *Eight, weights, block []float64) {
	addSquaresGeneric(sums, weights, block)
}

func (v kernels) combine(out, panel, alpha []float64) { combineGeneric(out, panel, alpha) }

func (v kernels) packedColumns(dst []float64, dstRow int, packed []float64, cols int, src []float64, srcRow int) (rows int) {
	return 0
}

func (v kernels) columns(dst []float64, dstRow int, m []float64, rows, cols int, src []float64, srcRow int) {
	columnsGeneric(dst, dstRow, m, rows, cols, src, srcRow)
}
