// The choice of kernels on amd64.

package poisson

import (
	"rfm/solver/fft"
	"rfm/solver/simd"
)

//go:generate go run ./internal/gen -pkg poisson -out avx2_amd64.s -stubs avx2_amd64.go

// kernelsFor returns the best kernels. Those in assembly need an even number of intervals.
func kernelsFor(level simd.Level, plan *fft.Plan) kernels {
	if level < simd.AVX2 || plan.N()%2 == 1 {
		return genericKernels()
	}
	return kernels{foldAVX2, unfoldAVX2, transposeAVX2, eliminateAVX2, substituteAVX2, multiplyAVX2}
}
