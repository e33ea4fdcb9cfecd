// This file implements the kernels in pure Go.

package poisson

// point is one row of a block.
type point = [columns]float64

func at(x []float64, offset int) *point { return (*point)(x[offset : offset+columns]) }

func eliminate(rows []float64, stride int, block, previous, factors []float64, factorStride int) {
	for k, y := range previous {
		for j, f := range at(block, k*columns) {
			y = factors[j*factorStride+k] * (f + y)
			rows[j*stride+k] = y
		}
	}
}

func substitute(block, rows []float64, stride int, next, factors []float64, factorStride int) {
	for k, x := range next {
		column := at(block, k*columns)
		for j := columns - 1; j >= 0; j-- {
			x = rows[j*stride+k] + factors[j*factorStride+k]*x
			column[j] = x
		}
		next[k] = x
	}
}
