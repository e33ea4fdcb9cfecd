package linear

import (
	"context"
	"fmt"
	"math"

	"rfm/config"
	"rfm/model/learn/operator"
	"rfm/model/learn/ridge"
	"rfm/model/trained/codec"
	"rfm/solver/dataset"
	"rfm/solver/space/grid"
	"rfm/solver/space/waves"
)

// Multiplier is the translation-equivariant operator u_k = c_k a_k on the Fourier coefficients of periodic functions.
type Multiplier struct {
	operator.Base
	Ridge   float64   `json:"ridge"`                            // relative to the largest mean square of a coefficient
	Factors []float64 `json:"multiplier" shape:"wavenumbers 2"` // real and imaginary parts of c_k, k = 0, 1, ...
}

func (*Multiplier) Name() string { return Method.Name }

func (m *Multiplier) String() string {
	return fmt.Sprintf("Fourier multiplier of %d wavenumbers, ridge %g", len(m.Factors)/2, m.Ridge)
}

func (m *Multiplier) Predict(ctx context.Context, inputs grid.Batch, workers int,
	progress func(added int)) (grid.Batch, error) {
	w := waves.On(m.Domain(), m.Points)
	positions := w.Positive()
	predict := func(ctx context.Context, outputs, input grid.Batch, _ int) error {
		spectra := w.Spectra(input)
		spectrum := spectra[0] // of the only input
		for k, p := range positions {
			factor := complexAt(m.Factors, k)
			product := factor * complexAt(spectrum, p)
			w.Set(spectrum, p, real(product), imag(product))
		}
		u, err := w.Functions(ctx, spectra, 1)
		copy(outputs.Data, u.Data)
		return err
	}
	return m.InBlocks(ctx, inputs, workers, 1, 1, progress, predict)
}

// complexAt returns number k of complex numbers stored as real and imaginary parts in turn.
func complexAt(numbers []float64, k int) complex128 {
	return complex(numbers[2*k], numbers[2*k+1])
}

// fitMultiplier fits u_k = c_k a_k, one complex number a wavenumber, with the ridge that has the smallest leave-one-out
// error: a regression of real and imaginary parts of u_k on those of a_k and i a_k. sizes are the L2 norms of the
// outputs. With even or odd reflections the factors are real, as pairs and their images have conjugate coefficients.
func fitMultiplier(ctx context.Context, pairs dataset.Pairs, sizes []float64, o operator.Options) (*Multiplier, error) {
	n := pairs.Count()
	w := waves.On(pairs.Inputs.Domain, pairs.Inputs.Points)
	reflected := o.Symmetry == config.Reflection || o.Symmetry == config.OddReflection
	r := newRegressions(w, pairs, reflected)
	lambda, score, err := linearRidge(func(lambda float64) (float64, error) {
		squares, err := r.squares(ctx, lambda)
		if err != nil {
			return 0, err
		}
		total := 0.0
		for i, square := range squares {
			total += math.Sqrt(square) / sizes[i] / float64(n)
		}
		return total, nil
	})
	if err != nil {
		return nil, err
	}
	m := &Multiplier{
		Base:  operator.BaseOf(pairs),
		Ridge: lambda,
	}
	m.Error = score
	left := make([][]float64, n) // spectra of the residuals
	for i := range left {
		left[i] = make([]float64, 2*w.N())
	}
	for k := range r.fits {
		s, err := r.solve(ctx, k, lambda)
		if err != nil {
			return nil, err
		}
		imaginary := 0.0 // with a reflection
		if !reflected {
			imaginary = s.Coefficients[1]
		}
		m.Factors = append(m.Factors, s.Coefficients[0], imaginary)
		unit := float64(w.N()) // spectra are not normalised
		for i := range left {
			re := unit * s.Residuals[2*i]
			im := unit * s.Residuals[2*i+1]
			w.Set(left[i], r.positions[k], re, im)
		}
	}
	m.Left, err = w.Functions(ctx, left, o.Workers)
	return m, err
}

// regressions fit a factor for each wavenumber.
type regressions struct {
	waves     *waves.Waves
	positions []int             // of the wavenumbers in spectra
	fits      []*ridge.Features // one for each wavenumber
	largest   float64           // sum of squares of a coefficient over the inputs: the unit of ridges
	groups    ridge.Groups      // rows that are left out together
	pairs     int
}

// newRegressions returns the regressions of u_k on a_k and, without a reflection, on i a_k. Their rows are the real and
// the imaginary part of each pair in turn.
func newRegressions(w *waves.Waves, pairs dataset.Pairs, reflected bool) *regressions {
	n := pairs.Count()
	a := waves.Normalised(w, pairs.Inputs)
	u := waves.Normalised(w, pairs.Outputs)
	r := &regressions{
		waves:     w,
		positions: w.Positive(),
		groups:    ridge.Labelled(pairs.Groups, n).Times(2),
		pairs:     n,
	}
	for _, p := range r.positions {
		own := make([]float64, 0, 2*n)    // a_k
		turned := make([]float64, 0, 2*n) // i a_k
		targets := make([]float64, 0, 2*n)
		energy := 0.0
		for i := range n {
			re := a[i][2*p]
			im := a[i][2*p+1]
			own = append(own, re, im)
			turned = append(turned, -im, re)
			targets = append(targets, u[i][2*p], u[i][2*p+1])
			energy += re*re + im*im
		}
		r.largest = max(r.largest, energy)
		values := own
		if !reflected {
			values = append(values, turned...)
		}
		r.fits = append(r.fits, ridge.NewFeatures(values, targets, 1))
	}
	return r
}

// solve solves for the factor of a wavenumber. The error is that of ridge.Features.
func (r *regressions) solve(ctx context.Context, k int, lambda float64) (ridge.Solution, error) {
	return r.fits[k].Solve(ctx, lambda*r.largest, r.groups)
}

// squares returns the sums of squares of the leave-one-out residuals of each pair: of its output, by Parseval's identity.
func (r *regressions) squares(ctx context.Context, lambda float64) ([]float64, error) {
	squares := make([]float64, r.pairs)
	for k := range r.fits {
		solved, err := r.solve(ctx, k, lambda)
		if err != nil {
			return nil, err
		}
		multiplicity := r.waves.Multiplicity(r.positions[k])
		for i := range squares {
			re := solved.Residuals[2*i]
			im := solved.Residuals[2*i+1]
			squares[i] += multiplicity * (re*re + im*im)
		}
	}
	return squares, nil
}

func (m *Multiplier) Sizes() (map[string][]int, error) {
	all, err := m.Base.Sizes()
	if err != nil {
		return nil, err
	}
	channels := m.InChannels() * m.OutChannels()
	if channels > 1 || m.Domain() != grid.Torus {
		return nil, codec.Bad("has a multiplier of %s, want periodic functions of one variable and channel",
			m.Domain().Name())
	}
	wavenumbers := (m.Points-1)/2 + 1
	all["wavenumbers"] = []int{wavenumbers}
	return all, nil
}
