// The kernels on amd64. Those in assembly take whole vectors; the pure Go ones do what is left.

package darcy

//go:generate go run -tags assembly ../../num/internal/gen -pkg darcy -out avx2_amd64.s -stubs avx2_amd64.go

func init() {
	vectorKernels = kernels{
		apply:   applyVectors,
		combine: combineVectors,
		advance: advanceVectors,
		dot:     dotVectors,
	}
}

func applyVectors(image, above, row, below, east, north, south []float64) float64 {
	n := len(image) &^ 3
	sum := applyAVX2(
		image[:n],
		above[:n],
		row[:n+2],
		below[:n],
		east[:n+1],
		north[:n],
		south[:n],
	)
	if n == len(image) {
		return sum
	}
	return sum + apply(
		image[n:],
		above[n:],
		row[n:],
		below[n:],
		east[n:],
		north[n:],
		south[n:],
	)
}

func combineVectors(p, z []float64, beta float64) {
	n := len(p) &^ 3
	combineAVX2(p[:n], z[:n], beta)
	combine(p[n:], z[n:], beta)
}

func advanceVectors(u, b, p, q []float64, alpha float64) float64 {
	n := len(u) &^ 7
	vectors := advanceAVX2(u[:n], b[:n], p[:n], q[:n], alpha)
	rest := advance(u[n:], b[n:], p[n:], q[n:], alpha)
	return vectors + rest
}

func dotVectors(x, y []float64) float64 {
	n := len(x) &^ 7
	vectors := dotAVX2(x[:n], y[:n])
	rest := dot(x[n:], y[n:])
	return vectors + rest
}
