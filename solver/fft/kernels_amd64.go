// The kernels on amd64.

package fft

//go:generate go run -tags assembly ../internal/gen -pkg fft -out avx2_amd64.s -stubs avx2_amd64.go

func init() {
	vectorKernels = kernels{
		first: map[int]firstKernels{
			1: {func([]float64) {}, multiplyAVX2, func([]float64) {}},
			2: {inverseFirst2AVX2, productFirst2AVX2, forwardLast2AVX2},
			3: {inverseFirst3AVX2, productFirst3AVX2, forwardLast3AVX2},
			4: {inverseFirst4AVX2, productFirst4AVX2, forwardLast4AVX2},
			5: {inverseFirst5AVX2, productFirst5AVX2, forwardLast5AVX2},
			7: {inverseFirst7AVX2, productFirst7AVX2, forwardLast7AVX2},
			8: {inverseFirst8AVX2, productFirst8AVX2, forwardLast8AVX2},
		},
		pass: map[int]passKernels{
			3: {inversePass3AVX2, inverseSplit3AVX2, forwardPass3AVX2},
			4: {inversePass4AVX2, inverseSplit4AVX2, forwardPass4AVX2},
			5: {inversePass5AVX2, inverseSplit5AVX2, forwardPass5AVX2},
			7: {inversePass7AVX2, inverseSplit7AVX2, forwardPass7AVX2},
		},
		points: pointKernels{
			mixAVX2, combineAVX2, blendAVX2, multiplyAVX2, productAVX2, productAddAVX2, estimateAVX2, estimateBendAVX2},
	}
}
