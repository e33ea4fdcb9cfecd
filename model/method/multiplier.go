package method

import (
	"context"
	"fmt"
	"math"

	"rfm/config"
	"rfm/model/codec"
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
}

func (*Multiplier) Name() string { return linearMethod.Name }

func (m *Multiplier) String() string {
	return fmt.Sprintf("Fourier multiplier of %d wavenumbers, ridge %g", len(m.factors), m.Ridge)
}

// Cost implements Operator: two transforms.
func (m *Multiplier) Cost(int) float64 {
	N := float64(m.points - 1)
	return 5 * N * math.Log2(N)
}

func (m *Multiplier) Predict(ctx context.Context, inputs grid.Batch, workers int,
	progress func(added int)) (grid.Batch, error) {
	return m.apply(ctx, inputs, progress, func(inputs grid.Batch, progress func(added int)) (grid.Batch, error) {
		outputs, w := inputs.Like(inputs.Count), newWaves(m.domain, m.points)
		positions := w.positive()
		return outputs, parallel.For(ctx, workers, inputs.Count, func(_, i int) error {
			spectrum := w.spectra(inputs.Range(i, 1))
			for k, p := range positions {
				q := w.mirror[p]
				v := m.factors[k] * complex(spectrum[0][2*p], spectrum[0][2*p+1])
				spectrum[0][2*q], spectrum[0][2*q+1] = real(v), -imag(v)
				spectrum[0][2*p], spectrum[0][2*p+1] = real(v), imag(v)
			}
			u, err := w.functions(ctx, spectrum, 1)
			copy(outputs.At(i), u.Data)
			progress(1)
			return err
		})
	})
}

// fitMultiplier fits u_k = c_k a_k, one complex number a wavenumber, with the ridge that has the smallest leave-one-out
// error: a regression of real and imaginary parts of u_k on those of a_k and i a_k. sizes are the L2 norms of the
// outputs. With even or odd reflections the factors are real, as pairs and their images have conjugate coefficients.
func fitMultiplier(ctx context.Context, pairs dataset.Pairs, sizes []float64, o Options) (*Multiplier, error) {
	n, w := pairs.Count(), newWaves(pairs.Inputs.Domain, pairs.Inputs.Points)
	a, u := spectra(pairs.Inputs), spectra(pairs.Outputs)
	fits, largest := make([]*ridge.Features, len(a[0])), 0.0
	for k := range fits {
		values, targets, energy := make([]float64, 4*n), make([]float64, 2*n), 0.0
		for i := range n {
			re, im := real(a[i][k]), imag(a[i][k])
			values[2*i], values[2*i+1], values[2*(n+i)], values[2*(n+i)+1] = re, im, -im, re
			targets[2*i], targets[2*i+1] = real(u[i][k]), imag(u[i][k])
			energy += re*re + im*im
		}
		if largest = max(largest, energy); o.Symmetry == config.Reflection || o.Symmetry == config.OddReflection {
			values = values[:2*n]
		}
		fits[k] = ridge.NewFeatures(values, targets, 1)
	}
	groups, positions := ridge.Labelled(pairs.Groups, n).Times(2), w.positive()
	lambda, score, err := ridge.Choose(ctx, "linear operator", ridge.Lambdas, func(lambda float64) (float64, error) {
		squares, total := make([]float64, n), 0.0
		for k, fit := range fits {
			left, err := fit.Residuals(ctx, lambda*largest, groups)
			if err != nil {
				return 0, err
			}
			for i := range squares {
				squares[i] += w.multiplicity(positions[k]) * (left[2*i]*left[2*i] + left[2*i+1]*left[2*i+1])
			}
		}
		for i, square := range squares {
			total += math.Sqrt(square) / sizes[i] / float64(n)
		}
		return total, nil
	}, o.Workers)
	if err != nil {
		return nil, err
	}
	factors := make([]complex128, len(fits))
	for k, fit := range fits {
		c, err := fit.Coefficients(ctx, lambda*largest)
		if err != nil {
			return nil, err
		}
		factors[k] = complex(c[0], append(c, 0)[1])
	}
	at := placeOf(pairs)
	at.leaveOneOut = score
	return &Multiplier{at, lambda, factors}, nil
}

// spectra returns the Fourier coefficients of wavenumbers 0 to N/2 of periodic functions.
func spectra(functions grid.Batch) [][]complex128 {
	w, all := newWaves(functions.Domain, functions.Points), make([][]complex128, functions.Count)
	for i, spectrum := range normalised(w, functions) {
		for _, p := range w.positive() {
			all[i] = append(all[i], complex(spectrum[2*p], spectrum[2*p+1]))
		}
	}
	return all
}

// multiplierFile is a Multiplier in a model file: u_k = c_k a_k, k = 0, 1, ... to half the number of intervals.
type multiplierFile struct {
	placeFile
	Ridge   float64   `json:"ridge"`
	Factors []float64 `json:"multiplier" shape:"wavenumbers 2"` // real and imaginary part
}

func (*multiplierFile) Kind() string { return "multiplier" }

func (p *multiplierFile) Sizes() (map[string][]int, error) {
	all, err := p.placeFile.Sizes()
	if at := p.place(); err == nil && (at.domain != grid.Torus || at.in*at.out > 1) {
		err = codec.Bad("has a multiplier of %s, want periodic functions of one variable and channel", at.domain.Name())
	}
	if err != nil {
		return nil, err
	}
	all["wavenumbers"] = []int{(p.Points-1)/2 + 1}
	return all, nil
}

func (m *Multiplier) Stored() codec.Part {
	p := &multiplierFile{placeFile: m.file(), Ridge: m.Ridge}
	for _, c := range m.factors {
		p.Factors = append(p.Factors, real(c), imag(c))
	}
	return p
}

func (p *multiplierFile) operator() (Operator, error) {
	factors := make([]complex128, len(p.Factors)/2)
	for k := range factors {
		factors[k] = complex(p.Factors[2*k], p.Factors[2*k+1])
	}
	return &Multiplier{p.place(), p.Ridge, factors}, nil
}
