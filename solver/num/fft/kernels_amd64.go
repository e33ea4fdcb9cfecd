package fft

//go:generate go run -tags assembly ../internal/gen -pkg fft -out vector_amd64.s -stubs vector_amd64.go

func init() {
	vectorKernels = kernels{
		inverseFirst: inverseFirstAVX2,
		productFirst: productFirstAVX2,
		forwardLast:  forwardLastAVX2,
		inversePass:  inversePassAVX2,
		inverseSplit: inverseSplitAVX2,
		forwardPass:  forwardPassAVX2,
		combine:      combineAVX2,
		blend:        blendAVX2,
		product:      productAVX2,
		estimate:     estimateAVX2,
	}
	wideKernels = &wide{
		productFirst: productFirstAVX512,
		inversePass:  inversePassAVX512,
	}
}
