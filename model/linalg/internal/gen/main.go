//go:build assembly

// Command gen writes the amd64 kernels of package linalg; go generate runs it.
package main

import . "github.com/mmcloughlin/avo/build"

func main() {
	rankTile4x12()
	rankTile8x24()
	dot()
	axpy()
	combine8("combine8AVX2", "is Combine for 8*groups rows, groups >= 1, and vectors >= 1.", false)
	combine8("combine8AVX512", "is combine8AVX2 with eight rows in a vector: the same bits.", true)
	Generate()
}
