// This file declares the table of kernels: one table in pure Go, one for each instruction set in assembly.

package darcy

import "rfm/solver/simd"

// kernels holds the passes over memory of one conjugate gradient step.
type kernels struct {
	// apply sets image to the row of A p and returns the sum of its products with p, for the points inside of one row.
	// row holds p there and on both ends, above and below hold p without the ends; east[j] is the face between row[j] and
	// row[j+1], north and south are the faces to above and below.
	apply func(image, above, row, below, east, north, south []float64) float64
	// combine sets p to z + beta p.
	combine func(p, z []float64, beta float64)
	// advance adds alpha p to u and subtracts alpha q from b, and returns the new b.b.
	advance func(u, b, p, q []float64, alpha float64) float64
	// dot returns x.y.
	dot func(x, y []float64) float64
}

var genericKernels = kernels{apply, combine, advance, dot}

// vectorKernels are in assembly. Architectures without any have the generic level only.
var vectorKernels kernels

func kernelsFor(level simd.Level) kernels {
	if level < simd.AVX2 {
		return genericKernels
	}
	return vectorKernels
}
