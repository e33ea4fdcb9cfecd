// The kernels, as a table: one in pure Go, one for each instruction set in assembly.

package poisson

// kernels work on blocks of eight columns, [row][column], and on the modes k of one
// axis; the assembly wants the number of modes to be a multiple of four. A stride of
// zero repeats the one row of factors.
type kernels struct {
	// fold sets z to the y of sine.go for the eight columns of the strided rows.
	fold func(z []float64, positions []int, rows []float64, stride int, difference float64, sum []float64)
	// unfold recovers the sine transforms of the eight columns from the transform z of y.
	unfold func(rows []float64, stride int, z []float64)
	// transpose writes the columns of block as eight strided rows.
	transpose func(rows []float64, stride int, block []float64)
	// eliminate writes y_j = c_j (f_j + y_j-1) for the columns f_j of block as strided
	// rows, beginning from y_j-1 = previous, whose length is the number of modes.
	eliminate func(rows []float64, stride int, block, previous, factors []float64, factorStride int)
	// substitute writes x_j = y_j + c_j x_j+1, from the last of eight strided rows y_j to the
	// first, as columns of block, beginning from x_j+1 = next and leaving the last x_j there.
	substitute func(block, rows []float64, stride int, next, factors []float64, factorStride int)
	// multiply sets x to x factors, element by element.
	multiply func(x, factors []float64)
}

func genericKernels() kernels {
	return kernels{fold, unfold, transpose, eliminate, substitute, multiply}
}
