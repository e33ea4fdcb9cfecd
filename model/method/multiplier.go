// This file contains the best linear translation-equivariant operator.

package method

import (
	"context"
	"fmt"
	"math"
	"sync"

	"gonum.org/v1/gonum/dsp/fourier"

	"rfm/config"
	"rfm/model/ridge"
	"rfm/solver/dataset"
	"rfm/solver/grid"
	"rfm/solver/parallel"
)

// Multiplier is the translation-equivariant operator u_k = c_k a_k on the Fourier coefficients of periodic functions.
type Multiplier struct {
	place
	Ridge   float64 // relative to the largest mean square of a coefficient of the inputs
	factors []complex128
	plans   sync.Pool // a plan serves one goroutine, and is expensive to make
}

func newMultiplier(at place, ridge float64, factors []complex128) *Multiplier {
	return &Multiplier{place: at, Ridge: ridge, factors: factors,
		plans: sync.Pool{New: func() any { return fourier.NewFFT(at.points - 1) }}}
}

// Name implements Operator.
func (*Multiplier) Name() string { return linearMethod.Name }

// String implements Operator.
func (m *Multiplier) String() string {
	return fmt.Sprintf("Fourier multiplier of %d wavenumbers, ridge %g", len(m.factors), m.Ridge)
}

// Cost implements Operator: two transforms.
func (m *Multiplier) Cost(int) float64 {
	N := float64(m.points - 1)
	return 5 * N * math.Log2(N)
}

// Predict implements Operator.
func (m *Multiplier) Predict(ctx context.Context, inputs grid.Batch, workers int,
	progress func(added int)) (grid.Batch, error) {
	return m.apply(ctx, inputs, progress, func(inputs grid.Batch, progress func(added int)) (grid.Batch, error) {
		outputs := inputs.Like(inputs.Count)
		err := parallel.For(ctx, workers, inputs.Count, func(_, i int) error {
			plan := m.plans.Get().(*fourier.FFT)
			defer m.plans.Put(plan)
			multiplied(outputs.At(i), inputs.At(i), plan, m.factors)
			progress(1)
			return nil
		})
		return outputs, err
	})
}

// multiplied sets dst to the function with the Fourier coefficients of f times factors.
func multiplied(dst, f []float64, plan *fourier.FFT, factors []complex128) {
	N := len(f) - 1
	spectrum := plan.Coefficients(nil, f[:N])
	for k := range spectrum {
		spectrum[k] *= factors[k] / complex(float64(N), 0)
	}
	plan.Sequence(dst[:N], spectrum)
	dst[N] = dst[0]
}

// fitMultiplier fits u_k = c_k a_k, one complex number a wavenumber, with the ridge that has the smallest leave-one-out
// error. With s_k = sum_i |a_ik|^2,
//
//	c_k = sum_i conj(a_ik) u_ik / (s_k + ridge),
//
// and without a group of pairs both sums omit the group. sizes are the L2 norms of the outputs. With even or odd
// reflections the factors are real, as pairs and their images have conjugate coefficients.
func fitMultiplier(ctx context.Context, pairs dataset.Pairs, sizes []float64, o Options) (*Multiplier, error) {
	n, N := pairs.Count(), pairs.Inputs.Values()-1
	a, u := spectra(pairs.Inputs), spectra(pairs.Outputs)
	energy, products := make([]float64, len(a[0])), make([]complex128, len(a[0]))
	largest, mirrored := 0.0, o.Symmetry == config.Reflection || o.Symmetry == config.OddReflection
	for k := range energy {
		for i := range n {
			energy[k] += square(a[i][k])
			products[k] += conjugate(a[i][k]) * u[i][k]
		}
		if mirrored {
			products[k] = complex(real(products[k]), 0)
		}
		largest = max(largest, energy[k])
	}
	coefficients := func(lambda float64) []complex128 {
		c := make([]complex128, len(energy))
		for k, e := range energy {
			if e+lambda*largest > 0 {
				c[k] = products[k] / complex(e+lambda*largest, 0)
			}
		}
		return c
	}
	groups := ridge.Labelled(pairs.Groups, n)
	lambda, score, err := ridge.Choose(ctx, "linear operator", ridge.Lambdas, func(lambda float64) (float64, error) {
		total := 0.0
		for _, group := range groups {
			squares := make([]float64, len(group))
			for k, e := range energy {
				rest, product := e+lambda*largest, products[k]
				for _, i := range group {
					rest -= square(a[i][k])
					product -= conjugate(a[i][k]) * u[i][k]
				}
				if mirrored {
					product = complex(real(product), 0)
				}
				factor := complex(0, 0)
				if rest > 0 {
					factor = product / complex(rest, 0)
				}
				for at, i := range group {
					squares[at] += multiplicity(k, N) * square(u[i][k]-factor*a[i][k])
				}
			}
			for at, i := range group {
				total += math.Sqrt(squares[at]) / sizes[i]
			}
		}
		return total / float64(n), nil
	}, o.Workers)
	if err != nil {
		return nil, err
	}
	at := placeOf(pairs)
	at.leaveOneOut = score
	return newMultiplier(at, lambda, coefficients(lambda)), nil
}

// spectra returns the Fourier coefficients of wavenumbers 0 to N/2 of periodic functions.
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

// multiplicity returns the number of wavenumbers, k and -k, of a coefficient.
func multiplicity(k, N int) float64 {
	if k == 0 || 2*k == N {
		return 1
	}
	return 2
}

func square(z complex128) float64 { return real(z)*real(z) + imag(z)*imag(z) }

func conjugate(z complex128) complex128 { return complex(real(z), -imag(z)) }
