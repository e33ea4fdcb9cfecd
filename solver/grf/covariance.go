package grf

import (
	"fmt"

	"rfm/solver/fft"
)

// Covarying are draws whose covariance C can be applied to functions on their grid:
//
//	(C f)(x) = integral of E g(x) g(y) f(y) dy,
//
// by the quadrature of the grid. dst may be f.
type Covarying interface {
	Draws
	Covary(dst, f []float64)
}

// Covary is one of Covarying.
func (s *Sampler) Covary(dst, f []float64) {
	N := s.plan.N()
	if len(dst) != N+1 || len(f) != N+1 {
		panic(fmt.Sprintf("grf: covariance of %d values into %d, sampler on K=%d", len(f), len(dst), N+1))
	}
	spectrum, eigenvalues := make([]float64, 2*N), make([]float64, N)
	s.plan.Spectra(spectrum, f[:N], 1)
	for j := 1; j < len(s.amplitude); j++ {
		v := 2 * s.amplitude[j] * s.amplitude[j]
		eigenvalues[s.position[j]], eigenvalues[s.position[N-j]] = v, v
	}
	block := filtered(spectrum, eigenvalues)
	s.plan.Inverse(block)
	for x := range N {
		dst[x] = block[2*fft.Lanes*x]
	}
	dst[N] = dst[0]
}

// Covary is one of Covarying.
func (s *FieldSampler) Covary(dst, f []float64) {
	N1, N2 := s.plan.Shape()
	if len(dst) != (N1+1)*(N2+1) || len(f) != len(dst) {
		panic(fmt.Sprintf("grf: covariance of %d values into %d, sampler on %d x %d points", len(f), len(dst), N1+1, N2+1))
	}
	values, spectrum, eigenvalues := make([]float64, 0, N1*N2), make([]float64, 2*N1*N2), make([]float64, N1*N2)
	for i := range N1 {
		values = append(values, f[i*(N2+1):i*(N2+1)+N2]...)
	}
	s.plan.Spectra(spectrum, values, 1)
	for _, mode := range s.modes {
		if mode.plus != none {
			v := 2 * mode.amplitude * mode.amplitude
			eigenvalues[mode.plus], eigenvalues[mode.minus] = v, v
		}
	}
	block := filtered(spectrum, eigenvalues)
	s.plan.Inverse(block)
	for i := range N1 + 1 {
		for j := range N2 + 1 { // the last values along an axis repeat the first
			dst[i*(N2+1)+j] = block[2*fft.Lanes*(i%N1*N2+j%N2)]
		}
	}
}

// filtered is a block whose first lane has a spectrum, not normalised, times numbers.
func filtered(spectrum, numbers []float64) []float64 {
	n := len(numbers)
	block := make([]float64, 2*fft.Lanes*n)
	for p, v := range numbers {
		block[2*fft.Lanes*p], block[2*fft.Lanes*p+fft.Lanes] = v*spectrum[2*p]/float64(n), v*spectrum[2*p+1]/float64(n)
	}
	return block
}
