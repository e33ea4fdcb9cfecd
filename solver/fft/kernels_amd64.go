// The choice of kernels on amd64.

package fft

import "rfm/solver/simd"

//go:generate go run ./internal/gen -pkg fft -out avx2_amd64.s -stubs avx2_amd64.go

func kernelsFor(level simd.Level, first int) kernels {
	if level < simd.AVX2 {
		return genericKernels(first)
	}
	k := kernels{
		inverseFirst: inverseFirst4AVX2,
		productFirst: productFirst4AVX2,
		inversePass:  inversePassAVX2,
		inverseSplit: inverseSplitAVX2,
		forwardPass:  forwardPassAVX2,
		squaresPass:  squaresPassAVX2,
		forwardLast:  forwardLast4AVX2,
		combine:      combineAVX2,
	}
	if first == 8 {
		k.inverseFirst = inverseFirst8AVX2
		k.productFirst = productFirst8AVX2
		k.forwardLast = forwardLast8AVX2
	}
	return k
}
