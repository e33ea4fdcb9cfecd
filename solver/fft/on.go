package fft

// Transform is the part that Plan and Plan2 have in common.
type Transform interface {
	N() int
	Mirror() []int // the position of frequency -k for that of k, which callers must not change
	Forward(z []float64)
	Inverse(z []float64)
	InverseOf(z, v, a []float64)
	InverseProduct(re, im, v, a, work []float64)
	Spectra(dst, u []float64, count int)
	Combine(dst []float64, tables, blocks [][]float64)
	Mix(dst []float64, tables, blocks [][]float64)
	Multiply(dst, v, a []float64)
	Blend(dst []float64, tables, blocks [][]float64)
	Estimate(sums *[4][Lanes]float64, weights, last, next, u, first, middle []float64)
	Product(dst []float64, c float64, a []float64, e float64, b []float64, more bool)
}

// On returns the plan for n1 x n2 points, or for n2 points of one axis if n1 = 0, and the frequencies that positions of
// a spectrum hold: (k, 0) for one axis.
func On(n1, n2 int) (t Transform, frequencies [][2]int) {
	if n1 > 0 {
		p := NewPlan2(n1, n2)
		return p, p.frequencies
	}
	p := NewPlan(n2)
	for _, k := range p.frequencies {
		frequencies = append(frequencies, [2]int{k, 0})
	}
	return p, frequencies
}
