// The kernels on amd64.

package poisson

//go:generate go run -tags assembly ../../num/internal/gen -pkg poisson -out avx2_amd64.s -stubs avx2_amd64.go

func init() {
	vectorKernels = kernels{eliminateAVX2, substituteAVX2}
}
