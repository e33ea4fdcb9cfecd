// This file declares the kernels and implements them in pure Go.

package poisson

// kernels work on blocks of eight columns, [row][column], and on the modes k of one axis; the assembly requires the
// number of modes to be a multiple of four. A stride of zero repeats a single row of factors.
type kernels struct {
	// eliminate writes y_j = c_j (f_j + y_j-1) for the columns f_j of block as strided
	// rows, beginning from y_j-1 = previous, whose length is the number of modes.
	eliminate func(rows []float64, stride int, block, previous, factors []float64, factorStride int)
	// substitute writes x_j = y_j + c_j x_j+1, from the last of eight strided rows y_j to the first, as columns of block,
	// beginning from x_j+1 = next, and stores the last x_j in next.
	substitute func(block, rows []float64, stride int, next, factors []float64, factorStride int)
}

var genericKernels = kernels{
	eliminate:  eliminate,
	substitute: substitute,
}

// vectorKernels are in assembly. Architectures without any have the generic level only.
var vectorKernels kernels

// point is one row of a block.
type point = [columns]float64

func at(x []float64, offset int) *point { return (*point)(x[offset : offset+columns]) }

func eliminate(rows []float64, stride int, block, previous, factors []float64, factorStride int) {
	for k, y := range previous {
		for j, f := range at(block, k*columns) {
			factor := factors[j*factorStride+k]
			y = factor * (f + y)
			rows[j*stride+k] = y
		}
	}
}

func substitute(block, rows []float64, stride int, next, factors []float64, factorStride int) {
	for k, x := range next {
		column := at(block, k*columns)
		for j := columns - 1; j >= 0; j-- {
			y := rows[j*stride+k]
			factor := factors[j*factorStride+k]
			x = y + factor*x
			column[j] = x
		}
		next[k] = x
	}
}
