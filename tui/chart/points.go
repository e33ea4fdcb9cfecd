package chart

// Counting is 1, 2, ..., n.
func Counting(n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = float64(i + 1)
	}
	return x
}

// UnitPoints are K equispaced points from 0 to 1.
func UnitPoints(K int) []float64 {
	x := make([]float64, K)
	for i := range x {
		x[i] = float64(i) / float64(K-1)
	}
	return x
}
