//go:build assembly

// Command gen writes the amd64 kernels of package linalg; go generate runs it.
package main

import . "github.com/mmcloughlin/avo/build"

func main() {
	rankTile4x12()
	rankTile8x24()
	dot()
	axpy()
	combine8()
	columns(4)
	columns(1)
	foldRows()
	unfoldRows()
	weightedSquares()
	for rows := 1; rows <= 8; rows++ {
		rowsOfEight(rows)
	}
	packedRows()
	Generate()
}
