// The choice of kernels on amd64.

package trig

import "rfm/solver/simd"

//go:generate go run -tags assembly ./internal/gen -pkg trig -out avx2_amd64.s -stubs avx2_amd64.go

func kernelsFor(level simd.Level) kernels {
	if level < simd.AVX2 {
		return genericKernels
	}
	return kernels{foldSineAVX2, unfoldSineAVX2, foldCosineAVX2, unfoldCosineAVX2,
		unfoldCentred, foldCentred, transposeAVX2, productAVX2}
}
