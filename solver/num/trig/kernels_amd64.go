// The kernels on amd64.

package trig

//go:generate go run -tags assembly ../internal/gen -pkg trig -out avx2_amd64.s -stubs avx2_amd64.go

func init() {
	vectorKernels = kernels{foldSineAVX2, unfoldSineAVX2, foldCosineAVX2, unfoldCosineAVX2,
		transposeAVX2, productAVX2}
}
