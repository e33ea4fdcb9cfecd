package fft

//go:generate go run -tags assembly ../internal/gen -pkg fft -out avx2_amd64.s -stubs avx2_amd64.go

func init() {
	vectorKernels = kernels{inverseFirstAVX2, productFirstAVX2, forwardLastAVX2, inversePassAVX2, inverseSplitAVX2,
		forwardPassAVX2, combineAVX2, blendAVX2, productAVX2, estimateAVX2}
}
