// This file is corrections of one prediction at a time, as they are defined, and their derivative.

package method

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"rfm/model/feature"
	"rfm/solver/grid"
)

// term is a part of a feature with what cos(...) multiplies.
type term struct {
	route
	z *mat.Dense
}

// terms are those of feature j; it also returns the argument of the cosine.
func (c *Corrected) terms(s *correction, j int, a, v *mat.Dense) (argument *mat.Dense, all []term) {
	p := s.parameters.RawRowView(j)
	argument = s.a[j].of(a)
	smooth := s.v[j].of(v)
	rows, columns := argument.Dims()
	for i := range rows {
		to, from := argument.RawRowView(i), smooth.RawRowView(i)
		for x := range columns {
			to[x] = p[2]*to[x] + p[3]*from[x] + p[4]
		}
	}
	for _, t := range s.routes[j] {
		switch t.from {
		case nil:
			all = append(all, term{t, c.field})
		case &s.v[j]:
			all = append(all, term{t, smooth})
		default:
			all = append(all, term{t, t.from.of(v)})
		}
	}
	return argument, all
}

// times is the values of f at the values of x, times those of y.
func times(x, y *mat.Dense, f func(float64) float64) *mat.Dense {
	product := mat.DenseCopyOf(y)
	product.Apply(func(i, j int, v float64) float64 { return v * f(x.At(i, j)) }, product)
	return product
}

// feature is the coefficients of feature j in waves: what block does for many.
func (c *Corrected) feature(s *correction, j int, a, v *mat.Dense) *mat.Dense {
	argument, parts := c.terms(s, j, a, v)
	sum := mat.NewDense(c.Modes[0], c.Modes[1], nil)
	for _, t := range parts {
		sum.Add(sum, t.to.of(times(argument, t.z, math.Cos)))
	}
	return sum
}

// weighed multiplies coefficients of waves by those of feature j.
func (s *correction) weighed(waves *mat.Dense, j int) *mat.Dense {
	var product mat.Dense
	rows, columns := waves.Dims()
	product.MulElem(waves, mat.NewDense(rows, columns, s.coefficients.RawRowView(j)))
	return &product
}

// correct adds a step to a prediction, in its unit: what block does for many.
func (c *Corrected) correct(s *correction, a, v *mat.Dense) {
	sum := mat.NewDense(c.Modes[0], c.Modes[1], nil)
	for j := range c.Count {
		sum.Add(sum, s.weighed(c.feature(s, j, a, v), j))
	}
	v.Add(v, c.synthesis().of(sum))
}

// Derivative is one of Operator: that of First, and through every step those with respect to a and to v.
func (c *Corrected) Derivative(ctx context.Context, input grid.Batch, workers int) (feature.Derivative, error) {
	first, err := c.First.Derivative(ctx, input, workers)
	if err != nil {
		return first, err
	}
	value, err := c.own(ctx, c, input, workers)
	if err != nil {
		return first, err
	}
	a, v, predictions := c.seen(input.At(0)), c.matrix(append([]float64(nil), first.Value.At(0)...)), []*mat.Dense(nil)
	v.Scale(1/c.Output, v)
	for _, s := range c.steps {
		predictions = append(predictions, mat.DenseCopyOf(v))
		c.correct(s, a, v)
	}
	slope := func(x int) float64 { // of what features see
		if c.Log {
			return 1 / (input.At(0)[x] * c.Input)
		}
		return 1 / c.Input
	}
	minusSin := func(x float64) float64 { return -math.Sin(x) }
	forward := func() func(dst, f []float64) {
		before := first.Forward()
		return func(dst, f []float64) {
			before(dst, f)
			dv, da := c.matrix(dst), mat.DenseCopyOf(c.matrix(f))
			dv.Scale(1/c.Output, dv)
			for x := range f {
				da.RawMatrix().Data[x] *= slope(x)
			}
			for at, s := range c.steps {
				sum := mat.NewDense(c.Modes[0], c.Modes[1], nil)
				for j := range c.Count {
					argument, parts := c.terms(s, j, a, predictions[at])
					p, turned, smooth := s.parameters.RawRowView(j), s.a[j].of(da), s.v[j].of(dv)
					turned.Scale(p[2], turned)
					smooth.Scale(p[3], smooth)
					turned.Add(turned, smooth)
					for _, t := range parts {
						change := times(argument, t.z, minusSin)
						change.MulElem(change, turned)
						if t.from != nil {
							change.Add(change, times(argument, t.from.of(dv), math.Cos))
						}
						sum.Add(sum, s.weighed(t.to.of(change), j))
					}
				}
				dv.Add(dv, c.synthesis().of(sum))
			}
			dv.Scale(c.Output, dv)
		}
	}
	weights := value.Domain.Weights(value.Points)
	backward := func() func(dst, w []float64) {
		before := first.Backward()
		return func(dst, w []float64) {
			g := floats.MulTo(make([]float64, len(w)), w, weights) // adjoints of matrices, until the end
			dv, da := c.matrix(g), c.matrix(make([]float64, len(w)))
			dv.Scale(c.Output, dv)
			for at := len(c.steps) - 1; at >= 0; at-- {
				s, waves, added := c.steps[at], c.synthesis().adjoint(dv), c.matrix(make([]float64, len(w)))
				for j := range c.Count {
					argument, parts := c.terms(s, j, a, predictions[at])
					p, turned := s.parameters.RawRowView(j), mat.NewDense(c.Modes[0], c.Modes[1], nil)
					for _, t := range parts {
						back := t.to.adjoint(s.weighed(waves, j))
						change := times(argument, t.z, minusSin)
						change.MulElem(change, back)
						turned.Add(turned, change)
						if t.from != nil {
							added.Add(added, t.from.adjoint(times(argument, back, math.Cos)))
						}
					}
					var ofInput, ofPrediction mat.Dense
					ofInput.Scale(p[2], s.a[j].adjoint(turned))
					ofPrediction.Scale(p[3], s.v[j].adjoint(turned))
					da.Add(da, &ofInput)
					added.Add(added, &ofPrediction)
				}
				dv.Add(dv, added)
			}
			dv.Scale(1/c.Output, dv)
			before(dst, floats.DivTo(g, g, weights))
			for x, v := range da.RawMatrix().Data {
				dst[x] += slope(x) * v / weights[x]
			}
		}
	}
	return feature.Derivative{Value: value, In: input, Forward: forward, Backward: backward}, nil
}
