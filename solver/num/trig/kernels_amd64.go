// The kernels on amd64.

package trig

//go:generate go run -tags assembly ../internal/gen -pkg trig -out avx2_amd64.s -stubs avx2_amd64.go

func init() {
	vectorKernels = kernels{
		foldSine:     foldSineAVX2,
		unfoldSine:   unfoldSineAVX2,
		foldCosine:   foldCosineAVX2,
		unfoldCosine: unfoldCosineAVX2,
		transpose:    transposeAVX2,
		product:      productAVX2,
	}
}
