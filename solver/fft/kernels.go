// This file declares the tables of kernels of a transform: in pure Go, and for each instruction set in assembly.

package fft

// Kernels work on whole numbers of sub-transforms, and derive their number from the lengths of their arguments.
// Function twiddles makes the twiddle tables; the forward kernels use their conjugates.

// firstKernels apply the pass without twiddle factors, on adjacent positions.
type firstKernels struct {
	// inverse applies the first pass of the inverse, in place.
	inverse func(z []float64)
	// product applies the first pass of the inverse to v a and writes to z, which may be v.
	product func(z, v, a []float64)
	// forward applies the last pass of the forward transform, in place.
	forward func(z []float64)
}

// passKernels join radix sub-transforms of length q at a time, or split into them.
type passKernels struct {
	// inverse joins sub-transforms, in place.
	inverse func(z, twiddles []float64, q int)
	// split joins the last ones, from z into separate panels.
	split func(re, im, z, twiddles []float64, q int)
	// forward splits into sub-transforms, in place.
	forward func(z, twiddles []float64, q int)
}

// pointKernels apply pointwise operations to every position.
type pointKernels struct {
	// mix sets dst = c_0 v_0 + c_1 v_1 + ..., combine dst = c_0 v_0 + i (c_1 v_1 + ...), both with real c, blend
	// dst = a_0 v_0 + a_1 v_1 + ... with complex a.
	mix, combine, blend func(dst []float64, tables, blocks [][]float64)
	// multiply sets z = v a.
	multiply func(z, v, a []float64)
	// product sets dst = (c a + e) b, productAdd adds (c a + e) b to dst; all are real.
	product, productAdd func(dst []float64, c float64, a []float64, e float64, b []float64)
	// estimate adds the first three sums, estimateBend all four.
	estimate, estimateBend func(sums *[4][Lanes]float64, weights, last, next, u, first, middle []float64)
}

// kernels holds the kernels of one instruction set, by radix.
type kernels struct {
	first  map[int]firstKernels
	pass   map[int]passKernels
	points pointKernels
}

// genericKernels are in pure Go.
var genericKernels = func() kernels {
	k := kernels{
		map[int]firstKernels{4: {inverseFirst4, productFirst(inverseFirst4), forwardLast4},
			8: {inverseFirst8, productFirst(inverseFirst8), forwardLast8}},
		map[int]passKernels{4: {inversePass4, splitAfter(inversePass4), forwardPass4}},
		pointKernels{mix, combine, blend, multiply, product(false), product(true), estimate, estimateBend}}
	for _, radix := range []odd{1, 2, 3, 5, 7} {
		k.first[int(radix)], k.pass[int(radix)] = radix.firstKernels(), radix.passKernels()
	}
	return k
}()

// vectorKernels are in assembly. Architectures without any have the generic level only.
var vectorKernels kernels
