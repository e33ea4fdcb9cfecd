package grf

import (
	"math"
	"slices"

	"rfm/solver/grid"
)

// Expanding describes draws sum_k sqrt(lambda_k) xi_k e_k with known e_k and independent standard normal xi_k.
type Expanding interface {
	Draws
	// Leading returns up to most functions e_k with the largest lambda_k, descending. They are orthonormal in the
	// quadrature of the grid.
	Leading(most int) (functions grid.Batch, lambda []float64)
}

// Leading implements Expanding with sqrt(2) cos(2 pi j x) and sqrt(2) sin(2 pi j x).
func (s *Sampler) Leading(most int) (functions grid.Batch, lambda []float64) {
	K := s.plan.N() + 1
	functions = grid.NewBatch(grid.Torus, K, min(most, 2*s.Modes()))
	for i := range functions.Count {
		j := i/2 + 1
		lambda = append(lambda, 2*s.amplitude[j]*s.amplitude[j])
		for x := range K {
			functions.At(i)[x] = wave(j*x, K-1, i%2)
		}
	}
	return functions, lambda
}

// Leading implements Expanding with sqrt(2) cos(2 pi k.x) and sqrt(2) sin(2 pi k.x).
func (s *FieldSampler) Leading(most int) (functions grid.Batch, lambda []float64) {
	var modes []fieldMode
	for _, m := range s.modes {
		if m.plus != none {
			modes = append(modes, m)
		}
	}
	slices.SortStableFunc(modes, func(a, b fieldMode) int {
		switch {
		case a.amplitude > b.amplitude:
			return -1
		case a.amplitude < b.amplitude:
			return 1
		}
		return 0
	})
	N1, N2 := s.plan.Shape()
	frequencies := s.plan.Frequencies()
	functions = grid.NewBatch(s.domain, s.points, min(most, 2*len(modes)))
	for i := range functions.Count {
		m, f := modes[i/2], functions.At(i)
		k := frequencies[m.plus]
		lambda = append(lambda, 2*m.amplitude*m.amplitude)
		for x := range f { // k1 i/N1 + k2 j/N2 periods
			f[x] = wave(k[0]*(x/(N2+1))*N2+k[1]*(x%(N2+1))*N1, N1*N2, i%2)
		}
	}
	return functions, lambda
}

// wave returns sqrt(2) times the cosine, or for part 1 the sine, of 2 pi times a fraction.
func wave(numerator, denominator, part int) float64 {
	sin, cos := math.Sincos(2 * math.Pi * float64(numerator%denominator) / float64(denominator))
	return math.Sqrt2 * []float64{cos, sin}[part]
}
