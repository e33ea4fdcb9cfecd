// This file declares the table of kernels: one table in pure Go, one for each instruction set in assembly.

package trig

import "rfm/solver/simd"

// kernels work on blocks of eight columns, [row][column].
type kernels struct {
	// foldSine sets z to y of SineAxis for the eight columns of the strided rows.
	foldSine func(z []float64, positions []int, rows []float64, stride int, difference float64, sum []float64)
	// unfoldSine recovers the sine transforms of the eight columns from the transform z of y.
	unfoldSine func(rows []float64, stride int, z []float64)
	// foldCosine sets z to half the y of CosineAxis for the eight columns of the strided rows, and odd to F_1.
	foldCosine func(z []float64, positions []int, rows []float64, stride int, sines, cosines, odd []float64)
	// unfoldCosine recovers the cosine transforms of the eight columns from the transform z of y/2 and from F_1.
	unfoldCosine func(rows []float64, stride int, z, odd []float64)
	// unfoldCentred recovers the cosine transforms of eight columns from the transform z of v, see CentredAxis.
	unfoldCentred func(rows []float64, stride int, z, cosines, sines []float64)
	// foldCentred sets z to the spectrum of the v of the sums of eight columns.
	foldCentred func(z []float64, positions []int, rows []float64, stride int, cosines, sines []float64)
	// transpose writes the columns of block, whose rows are a multiple of four, as eight strided rows.
	transpose func(rows []float64, stride int, block []float64)
	// product sets dst to x times factors, element by element.
	product func(dst, x, factors []float64)
}

var genericKernels = kernels{foldSine, unfoldSine, foldCosine, unfoldCosine,
	unfoldCentred, foldCentred, transpose, product}

// vectorKernels are in assembly. Architectures without any have the generic level only.
var vectorKernels kernels

func kernelsFor(level simd.Level) kernels {
	if level < simd.AVX2 {
		return genericKernels
	}
	return vectorKernels
}
