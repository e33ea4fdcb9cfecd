// The choice of kernels on amd64.

package poisson

import "rfm/solver/simd"

//go:generate go run -tags assembly ./internal/gen -pkg poisson -out avx2_amd64.s -stubs avx2_amd64.go

func kernelsFor(level simd.Level) kernels {
	if level < simd.AVX2 {
		return genericKernels
	}
	return kernels{eliminateAVX2, substituteAVX2}
}
