// This file is derivatives of operators with respect to their inputs.

package method

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/dsp/fourier"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"rfm/model/feature"
	"rfm/solver/fault"
	"rfm/solver/grid"
	"rfm/solver/resample"
)

// Derivative is one of Operator.
func (f Features) Derivative(ctx context.Context, input grid.Batch, workers int) (feature.Derivative, error) {
	d, err := f.Map.Derivative(ctx, f.Solution.Alpha, input, workers)
	if err != nil || f.Offset == nil {
		return d, err
	}
	offset, err := resample.To(grid.BatchOf(f.outputs(), f.offsetPoints(), f.Offset), input.Points)
	if err == nil {
		d.Value = d.Value.Plus(1, offset.Data)
	}
	return d, err
}

// Derivative is one of Operator.
func (s *Sum) Derivative(ctx context.Context, input grid.Batch, workers int) (feature.Derivative, error) {
	first, err := s.First.Derivative(ctx, input, workers)
	if err != nil {
		return first, err
	}
	second, err := s.Second.Derivative(ctx, input, workers)
	if err != nil {
		return second, err
	}
	return first.Plus(second), nil
}

// Derivative is one of Operator.
func (s scaled) Derivative(ctx context.Context, input grid.Batch, workers int) (feature.Derivative, error) {
	if input.Domain.Width() != len(s.Input) {
		return s.Operator.Derivative(ctx, input, workers) // which says so
	}
	d, err := s.Operator.Derivative(ctx, s.inputs(input), workers)
	if err != nil {
		return d, err
	}
	if s.Log {
		d.Forward, d.Backward = ofLogarithms(d.Forward, input, true), ofLogarithms(d.Backward, input, false)
	}
	d.In, d.Value = input, affinely(d.Value, func(c int) (float64, float64) { return 0, s.Output[c] })
	between := func(m feature.Linear, before, after []float64, inverse bool) feature.Linear {
		return func() func(dst, f []float64) {
			own := m()
			var changed []float64
			return func(dst, f []float64) {
				changed = append(changed[:0], f...)
				stretch(changed, before, inverse)
				own(dst, changed)
				stretch(dst, after, !inverse)
			}
		}
	}
	d.Forward, d.Backward = between(d.Forward, s.Input, s.Output, true), between(d.Backward, s.Output, s.Input, false)
	return d, nil
}

// ofLogarithms is a map of logarithms, or its adjoint, as one of the functions themselves: a change v of a is v/a of
// log a.
func ofLogarithms(m feature.Linear, a grid.Batch, before bool) feature.Linear {
	return func() func(dst, f []float64) {
		own, changed := m(), make([]float64, a.Values())
		return func(dst, f []float64) {
			if before {
				own(dst, floats.DivTo(changed, f, a.At(0)))
				return
			}
			own(dst, f)
			floats.Div(dst, a.At(0))
		}
	}
}

// stretch multiplies each channel of a function by its unit, or divides it.
func stretch(f, units []float64, divide bool) {
	size := len(f) / len(units)
	for c, unit := range units {
		if divide {
			unit = 1 / unit
		}
		floats.Scale(unit, f[c*size:(c+1)*size])
	}
}

// own returns the value at one input on the operator's own grid. Errors: a *fault.Data if it is on another one, those
// of Predict.
func (p place) own(ctx context.Context, o Operator, input grid.Batch, workers int) (grid.Batch, error) {
	if input.Count != 1 {
		panic(fmt.Sprintf("method: a derivative at %d inputs", input.Count))
	}
	if input.Domain == p.inputs() && input.Points != p.points {
		return grid.Batch{}, &fault.Data{Where: "input", What: fmt.Sprintf("is on %s: this method has derivatives on %s, "+
			"its own grid", p.inputs().Grid(input.Points), p.inputs().Grid(p.points)), Do: "choose that grid"}
	}
	return o.Predict(ctx, input, workers, nil)
}

// derive is the derivative of an expansion with the derivatives of its terms at coordinates, a row for each term.
func (e *expansion) derive(ctx context.Context, o Operator, input grid.Batch, workers int,
	slopes func(z []float64) *mat.Dense) (feature.Derivative, error) {
	value, err := e.own(ctx, o, input, workers)
	if err != nil {
		return feature.Derivative{}, err
	}
	var outer mat.Dense // of coordinates, M x V
	outer.Mul(slopes(e.of(input).RawRowView(0)).T(), e.coefficients)
	weights, dual := input.Domain.Weights(input.Points), value.Domain.Weights(value.Points)
	_, modes := e.components.Dims()
	forward := func() func(dst, v []float64) {
		z := mat.NewVecDense(modes, nil)
		return func(dst, v []float64) {
			z.MulVec(e.components.T(), mat.NewVecDense(len(v), v))
			mat.NewVecDense(len(dst), dst).MulVec(outer.T(), z)
		}
	}
	backward := func() func(dst, w []float64) {
		z, weighed := mat.NewVecDense(modes, nil), make([]float64, len(dual))
		return func(dst, w []float64) {
			z.MulVec(&outer, mat.NewVecDense(len(w), floats.MulTo(weighed, dual, w)))
			mat.NewVecDense(len(dst), dst).MulVec(e.components, z)
			floats.Div(dst, weights)
		}
	}
	return feature.Derivative{Value: value, In: input, Forward: forward, Backward: backward}, nil
}

// Derivative is one of Operator.
func (a *Affine) Derivative(ctx context.Context, input grid.Batch, workers int) (feature.Derivative, error) {
	return a.derive(ctx, a, input, workers, func(z []float64) *mat.Dense {
		identity := mat.NewDense(len(z), len(z), nil)
		for k := range z {
			identity.Set(k, k, 1)
		}
		return identity
	})
}

// Derivative is one of Operator.
func (k *KernelRidge) Derivative(ctx context.Context, input grid.Batch, workers int) (feature.Derivative, error) {
	return k.derive(ctx, k, input, workers, func(z []float64) *mat.Dense {
		slopes := mat.DenseCopyOf(k.points)
		n, _ := slopes.Dims()
		for j := range n {
			row := slopes.RawRowView(j)
			floats.SubTo(row, z, row)
			s := math.Sqrt(5) * floats.Norm(row, 2)
			floats.Scale(-5./3*(1+s)*math.Exp(-s), row)
		}
		return slopes
	})
}

// Derivative is one of Operator.
func (m *Multiplier) Derivative(ctx context.Context, input grid.Batch, workers int) (feature.Derivative, error) {
	value, err := m.own(ctx, m, input, workers)
	adjoint := make([]complex128, len(m.factors))
	for k, c := range m.factors {
		adjoint[k] = conjugate(c)
	}
	multiply := func(factors []complex128) feature.Linear {
		return func() func(dst, f []float64) {
			plan := fourier.NewFFT(m.points - 1)
			return func(dst, f []float64) { multiplied(dst, f, plan, factors) }
		}
	}
	return feature.Derivative{Value: value, In: input, Forward: multiply(m.factors), Backward: multiply(adjoint)}, err
}
