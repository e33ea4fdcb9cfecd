// This file declares the table of kernels: one table in pure Go, one for each instruction set in assembly.

package poisson

import "rfm/solver/simd"

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

var genericKernels = kernels{eliminate, substitute}

// vectorKernels are in assembly. Architectures without any have the generic level only.
var vectorKernels kernels

func kernelsFor(level simd.Level) kernels {
	if level < simd.AVX2 {
		return genericKernels
	}
	return vectorKernels
}
