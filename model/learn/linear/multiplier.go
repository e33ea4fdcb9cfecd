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
		spectrum := w.Spectra(input)
		for k, p := range positions {
			v := complex(m.Factors[2*k], m.Factors[2*k+1]) * complex(spectrum[0][2*p], spectrum[0][2*p+1])
			w.Set(spectrum[0], p, real(v), imag(v))
		}
		u, err := w.Functions(ctx, spectrum, 1)
		copy(outputs.Data, u.Data)
		return err
	}
	return m.InBlocks(ctx, inputs, workers, 1, 1, progress, predict)
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
		squares := make([]float64, n) // of the residuals of each pair
		for k := range r.fits {
			solved, err := r.solve(ctx, k, lambda)
			if err != nil {
				return 0, err
			}
			for i := range squares {
				re := solved.Residuals[2*i]
				im := solved.Residuals[2*i+1]
				squares[i] += w.Multiplicity(r.positions[k]) * (re*re + im*im)
			}
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
	m := &Multiplier{Base: operator.BaseOf(pairs), Ridge: lambda}
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
		for i := range left {
			unit := float64(w.N()) // spectra are not normalised
			w.Set(left[i], r.positions[k], unit*s.Residuals[2*i], unit*s.Residuals[2*i+1])
		}
	}
	m.Left, err = w.Functions(ctx, left, o.Workers)
	return m, err
}

// regressions fit a factor for each wavenumber.
type regressions struct {
	positions []int // of the wavenumbers in spectra
	fits      []*ridge.Features
	largest   float64      // sum of squares of a coefficient over the inputs: the unit of ridges
	groups    ridge.Groups // rows that are left out together
}

// newRegressions returns the regressions of u_k on a_k and, without a reflection, on i a_k. Their rows are the real and
// the imaginary part of each pair in turn.
func newRegressions(w *waves.Waves, pairs dataset.Pairs, reflected bool) *regressions {
	n := pairs.Count()
	a := waves.Normalised(w, pairs.Inputs)
	u := waves.Normalised(w, pairs.Outputs)
	r := &regressions{positions: w.Positive(), groups: ridge.Labelled(pairs.Groups, n).Times(2)}
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
			targets = append(targets, u[i][2*p:2*p+2]...)
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

func (m *Multiplier) Sizes() (map[string][]int, error) {
	all, err := m.Base.Sizes()
	if err == nil && (m.Domain() != grid.Torus || m.InChannels()*m.OutChannels() > 1) {
		err = codec.Bad("has a multiplier of %s, want periodic functions of one variable and channel", m.Domain().Name())
	}
	if err != nil {
		return nil, err
	}
	all["wavenumbers"] = []int{(m.Points-1)/2 + 1}
	return all, nil
}
