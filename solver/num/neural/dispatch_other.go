//go:build !amd64

package neural

// No processor but amd64 has kernels: vectors is false there, and these are never called.

func addProductVectors(_, _, _ Matrix[float32])                 { panic("neural: no kernels") }
func addProductTransposedVectors(_, _, _ Matrix[float32])       { panic("neural: no kernels") }
func addSpectraVectors(_, _, _ Spectra[float32], _ int, _ bool) { panic("neural: no kernels") }
func geluVectors(_, _, _ []float32)                             { panic("neural: no kernels") }
func multiplyVectors(_, _ []float32)                            { panic("neural: no kernels") }
func addVectors(_, _ []float32)                                 { panic("neural: no kernels") }
func adamVectors(_, _, _, _ []float32, rate, unbiased, decay, epsilon float32) {
	panic("neural: no kernels")
}
