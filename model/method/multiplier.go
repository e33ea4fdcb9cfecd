// This file is the best linear operator that commutes with translations.

package method

import (
	"context"
	"math"
	"sync"

	"gonum.org/v1/gonum/dsp/fourier"

	"rfm/solver/dataset"
	"rfm/solver/grid"
)

// fitMultiplier fits u_k = c_k a_k, one complex number a wavenumber, with the ridge that has the smallest leave-one-out
// error. With s_k = sum_i |a_ik|^2,
//
//	c_k = sum_i conj(a_ik) u_ik / (s_k + ridge),
//
// and leaving pair i out divides the residual of its coefficient k by 1 - |a_ik|^2 / (s_k + ridge). sizes are the L2 norms of
// the outputs.
func fitMultiplier(ctx context.Context, pairs dataset.Pairs, sizes []float64, workers int) (*LinearOperator, error) {
	n, N := pairs.Count(), pairs.Inputs.Values()-1
	a, u := spectra(pairs.Inputs), spectra(pairs.Outputs)
	energy, products := make([]float64, len(a[0])), make([]complex128, len(a[0]))
	largest := 0.0
	for k := range energy {
		for i := range n {
			energy[k] += square(a[i][k])
			products[k] += conjugate(a[i][k]) * u[i][k]
		}
		largest = max(largest, energy[k])
	}
	coefficients := func(ridge float64) []complex128 {
		c := make([]complex128, len(energy))
		for k, e := range energy {
			if e+ridge*largest > 0 {
				c[k] = products[k] / complex(e+ridge*largest, 0)
			}
		}
		return c
	}
	ridge, score, err := chooseRidge(ctx, workers, func(ridge float64) float64 {
		c, total := coefficients(ridge), 0.0
		for i := range n {
			distance := 0.0
			for k, e := range energy {
				residual := square(u[i][k] - c[k]*a[i][k])
				if e+ridge*largest > 0 {
					kept := 1 - square(a[i][k])/(e+ridge*largest)
					residual /= kept * kept
				}
				distance += multiplicity(k, N) * residual
			}
			total += math.Sqrt(distance) / sizes[i]
		}
		return total / float64(n)
	})
	if err != nil {
		return nil, err
	}
	c := coefficients(ridge)
	plans := sync.Pool{New: func() any { return fourier.NewFFT(N) }} // a plan serves one goroutine, and is dear to make
	return &LinearOperator{Multiplier: true, Ridge: ridge, LeaveOneOut: score, values: N + 1, predict: func(dst, a []float64) {
		plan := plans.Get().(*fourier.FFT)
		defer plans.Put(plan)
		spectrum := plan.Coefficients(nil, a[:N])
		for k := range spectrum {
			spectrum[k] *= c[k] / complex(float64(N), 0)
		}
		plan.Sequence(dst[:N], spectrum)
		dst[N] = dst[0]
	}}, nil
}

// spectra are the Fourier coefficients of wavenumbers 0 to N/2 of periodic functions.
func spectra(functions grid.Batch) [][]complex128 {
	N := functions.Values() - 1
	plan := fourier.NewFFT(N)
	all := make([][]complex128, functions.Count)
	for i := range all {
		all[i] = plan.Coefficients(nil, functions.At(i)[:N])
		for k := range all[i] {
			all[i][k] /= complex(float64(N), 0)
		}
	}
	return all
}

// multiplicity is the number of wavenumbers, k and -k, that a coefficient stands for.
func multiplicity(k, N int) float64 {
	if k == 0 || 2*k == N {
		return 1
	}
	return 2
}

func square(z complex128) float64 { return real(z)*real(z) + imag(z)*imag(z) }

func conjugate(z complex128) complex128 { return complex(real(z), -imag(z)) }
