//go:build !amd64

package neural

// No processor but amd64 has kernels: vectors is false there, and these are never called.

func addProductVectors(c, a, b Matrix[float32])           { panic("neural: no kernels") }
func addProductTransposedVectors(c, a, b Matrix[float32]) { panic("neural: no kernels") }
func addSpectraVectors(c, p, q Spectra[float32], groups int, conjugate bool) {
	panic("neural: no kernels")
}
func geluVectors(y, slope, x []float32) { panic("neural: no kernels") }
func multiplyVectors(y, x []float32)    { panic("neural: no kernels") }
func addVectors(y, x []float32)         { panic("neural: no kernels") }
func adamVectors(w, g, mean, square []float32, rate, unbiased, decay, epsilon float32) {
	panic("neural: no kernels")
}
