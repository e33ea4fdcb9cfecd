// The kernels of a transform whose length is a power of two, as a table: one in pure
// Go, one for each instruction set in assembly.

package fft

// kernels are the passes of a transform. Blocks hold whole numbers of sub-transforms,
// so a kernel finds the number of sub-transforms from the lengths of its arguments.
// Twiddle tables are those of twiddles; the forward kernels use their conjugates.
type kernels struct {
	// inverseFirst does the first pass of the inverse, in place.
	inverseFirst func(z []float64)
	// productFirst does the first pass of the inverse of v a, into z.
	productFirst func(z, v, a []float64)
	// inversePass joins four sub-transforms at a time, in place.
	inversePass func(z, twiddles []float64, q int)
	// inverseSplit does the last pass from z into separate panels.
	inverseSplit func(re, im, z, twiddles []float64, q int)
	// forwardPass splits a sub-transform into four, in place.
	forwardPass func(z, twiddles []float64, q int)
	// squaresPass is forwardPass of the squares of all real and all imaginary parts.
	squaresPass func(z, twiddles []float64, q int)
	// forwardLast does the last pass of the forward transform, in place.
	forwardLast func(z []float64)
	// combine sets dst = c v + i d w, position by position.
	combine func(dst, c, v, d, w []float64)
}

func genericKernels(first int) kernels {
	k := kernels{
		inverseFirst: inverseFirst4,
		productFirst: productFirst4,
		inversePass:  inversePass,
		inverseSplit: inverseSplit,
		forwardPass:  forwardPass,
		squaresPass:  squaresPass,
		forwardLast:  forwardLast4,
		combine:      combine,
	}
	if first == 8 {
		k.inverseFirst = inverseFirst8
		k.productFirst = productFirst8
		k.forwardLast = forwardLast8
	}
	return k
}
