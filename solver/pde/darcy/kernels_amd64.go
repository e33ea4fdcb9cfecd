// The kernels on amd64. Those in assembly take whole vectors; the pure Go ones do what is left.

package darcy

//go:generate go run -tags assembly ../../num/internal/gen -pkg darcy -out avx2_amd64.s -stubs avx2_amd64.go

func init() {
	vectorKernels = kernels{applyVectors, combineVectors, advanceVectors, dotVectors}
}

func applyVectors(image, above, row, below, east, north, south []float64) float64 {
	n := len(image) &^ 3
	sum := applyAVX2(image[:n], above[:n], row[:n+2], below[:n], east[:n+1], north[:n], south[:n])
	if n < len(image) {
		sum += apply(image[n:], above[n:], row[n:], below[n:], east[n:], north[n:], south[n:])
	}
	return sum
}

func combineVectors(p, z []float64, beta float64) {
	n := len(p) &^ 3
	combineAVX2(p[:n], z[:n], beta)
	combine(p[n:], z[n:], beta)
}

func advanceVectors(u, b, p, q []float64, alpha float64) float64 {
	n := len(u) &^ 7
	return advanceAVX2(u[:n], b[:n], p[:n], q[:n], alpha) + advance(u[n:], b[n:], p[n:], q[n:], alpha)
}

func dotVectors(x, y []float64) float64 {
	n := len(x) &^ 7
	return dotAVX2(x[:n], y[:n]) + dot(x[n:], y[n:])
}
