// This file declares the tables of kernels of a transform: in pure Go, and for each instruction set in assembly.

package fft

// kernels work on whole numbers of sub-transforms, and derive their number from the lengths of their arguments.
// Function twiddles makes the twiddle tables; the forward kernels use their conjugates.
type kernels struct {
	// inverseFirst applies the first pass of the inverse, which has no twiddle factors, to adjacent positions, in place.
	inverseFirst func(radix int, z []float64)
	// productFirst applies the first pass of the inverse to v a and writes to z, which may be v: with radix 1 the product.
	productFirst func(radix int, z, v, a []float64)
	// forwardLast applies the last pass of the forward transform, in place.
	forwardLast func(radix int, z []float64)
	// inversePass joins radix sub-transforms of length q at a time, in place.
	inversePass func(radix int, z, twiddles []float64, q int)
	// inverseSplit joins the last ones, from z into separate panels.
	inverseSplit func(radix int, re, im, z, twiddles []float64, q int)
	// forwardPass splits into radix sub-transforms, in place.
	forwardPass func(radix int, z, twiddles []float64, q int)

	// The other kernels act on every position.

	// combine sets dst = c_0 v_0 + c_1 v_1 + ... with real c, times i after the plain ones; blend has complex c, all plain.
	combine, blend func(plain int, dst []float64, tables, blocks [][]float64)
	// product sets dst = (c a + e) b, or adds it to dst if there is more; all are real.
	product func(more bool, dst []float64, c float64, a []float64, e float64, b []float64)
	// estimate adds the first three sums, or with the bend all four.
	estimate func(bend bool, sums *[4][Lanes]float64, weights, last, next, u, first, middle []float64)
}

var genericKernels = kernels{
	inverseFirst: inverseFirst,
	productFirst: productFirst,
	forwardLast:  forwardLast,
	inversePass:  inversePass,
	inverseSplit: inverseSplit,
	forwardPass:  forwardPass,
	combine:      combine,
	blend:        blend,
	product:      product,
	estimate:     estimate,
}

// vectorKernels are in assembly. Architectures without any have the generic level only.
var vectorKernels kernels

// wide are kernels for wide blocks, see Plan.Pack.
type wide struct {
	productFirst func(radix int, z, v, a []float64)
	inversePass  func(radix int, z, twiddles []float64, q int)
}

// wideKernels are in assembly for AVX-512; nil on other architectures.
var wideKernels *wide
