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
	n, w := pairs.Count(), waves.On(pairs.Inputs.Domain, pairs.Inputs.Points)
	a, u, positions := waves.Normalised(w, pairs.Inputs), waves.Normalised(w, pairs.Outputs), w.Positive()
	fits, largest := make([]*ridge.Features, len(positions)), 0.0
	for k, p := range positions {
		values, targets, energy := make([]float64, 4*n), make([]float64, 2*n), 0.0
		for i := range n {
			re, im := a[i][2*p], a[i][2*p+1]
			values[2*i], values[2*i+1], values[2*(n+i)], values[2*(n+i)+1] = re, im, -im, re
			copy(targets[2*i:], u[i][2*p:2*p+2])
			energy += re*re + im*im
		}
		if largest = max(largest, energy); o.Symmetry == config.Reflection || o.Symmetry == config.OddReflection {
			values = values[:2*n]
		}
		fits[k] = ridge.NewFeatures(values, targets, 1)
	}
	groups := ridge.Labelled(pairs.Groups, n).Times(2)
	lambda, score, err := linearRidge(func(lambda float64) (float64, error) {
		squares, total := make([]float64, n), 0.0
		for k, fit := range fits {
			solved, err := fit.Solve(ctx, lambda*largest, groups)
			if err != nil {
				return 0, err
			}
			left := solved.Residuals
			for i := range squares {
				squares[i] += w.Multiplicity(positions[k]) * (left[2*i]*left[2*i] + left[2*i+1]*left[2*i+1])
			}
		}
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
	for k, fit := range fits {
		s, err := fit.Solve(ctx, lambda*largest, groups)
		if err != nil {
			return nil, err
		}
		imaginary := 0.0 // with a reflection
		if len(s.Coefficients) > 1 {
			imaginary = s.Coefficients[1]
		}
		m.Factors = append(m.Factors, s.Coefficients[0], imaginary)
		for i := range left {
			unit := float64(w.N()) // spectra are not normalised
			w.Set(left[i], positions[k], unit*s.Residuals[2*i], unit*s.Residuals[2*i+1])
		}
	}
	m.Left, err = w.Functions(ctx, left, o.Workers)
	return m, err
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
