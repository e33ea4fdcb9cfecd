// This file chooses the plan for a periodic grid of one or two axes.

package fft

// Transform is the part that Plan and Plan2 have in common.
type Transform interface {
	N() int
	Spectra(dst, u []float64, count int)
	InverseOf(z, v, a []float64)
	InverseProduct(re, im, v, a, work []float64)
	Product(dst []float64, c float64, a, b []float64, more bool)
	Forward(z []float64)
	Inverse(z []float64)
}

// On returns the plan for n1 x n2 points, for n2 points of one axis if n1 = 0, and the frequencies along both axes that
// the positions of a spectrum hold.
func On(n1, n2 int) (t Transform, frequencies [][2]int) {
	if n1 > 0 {
		p := NewPlan2(n1, n2)
		return p, p.Frequencies()
	}
	p := NewPlan(n2)
	for _, k := range p.frequencies {
		frequencies = append(frequencies, [2]int{0, k})
	}
	return p, frequencies
}
