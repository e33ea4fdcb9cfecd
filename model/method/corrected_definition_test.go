// This file contains corrections of one prediction at a time, by their definition.

package method

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// of applies a map to one field.
func (x separable) of(f mat.Matrix) *mat.Dense {
	if x.across.packed == nil {
		return mat.DenseCopyOf(f)
	}
	var half, whole mat.Dense
	half.Mul(x.down.matrix(), f)
	whole.Mul(&half, x.across.matrix().T())
	return &whole
}

func (a along) matrix() *mat.Dense {
	m := mat.NewDense(a.to, a.from, nil)
	m.Apply(func(q, x int, _ float64) float64 { return a.packed[4*(x/4*a.to+q)+x%4] }, m)
	return m
}

// onGrid returns the values of a function on its own grid as a matrix.
func (c *Corrected) onGrid(f []float64) *mat.Dense {
	rows, columns := c.domain.Axes(c.points)
	return mat.NewDense(rows, columns, f)
}

// feature returns the coefficients of feature j, as block computes for many predictions.
func (c *Corrected) feature(s *correction, j int, a, v *mat.Dense) *mat.Dense {
	f, sum := s.features[j], mat.NewDense(c.Modes[0], c.Modes[1], nil)
	smooth := f.v.of(v)
	times := func(z *mat.Dense, to separable) {
		product, argument := mat.DenseCopyOf(z), f.a.of(a)
		product.Apply(func(i, j int, v float64) float64 {
			return v * math.Cos(f.numbers[0]*argument.At(i, j)+f.numbers[1]*smooth.At(i, j)+f.numbers[2])
		}, product)
		sum.Add(sum, to.of(product))
	}
	switch f.kind {
	case ofPrediction:
		times(smooth, c.to)
	case ofMean:
		times(c.mean.of(c.onGrid(c.ubar)), c.to)
	case alone:
		one := mat.DenseCopyOf(smooth)
		one.Apply(func(int, int, float64) float64 { return 1 }, one)
		times(one, c.to)
	case ofFlux:
		for _, t := range f.flux {
			times(t.from.of(v), t.to)
		}
	case ofInput:
		var coefficients mat.Dense
		coefficients.Mul(a, c.waves[0][1].analysis.T())
		if _, waves := coefficients.Dims(); c.domain.Dims == 1 && f.wave < waves {
			sum.Apply(func(int, int, float64) float64 { return coefficients.At(0, f.wave) }, sum)
		}
	}
	return sum
}

// correct adds a step to a prediction, in its unit, as block does for many.
func (c *Corrected) correct(s *correction, a, v *mat.Dense) {
	sum := mat.NewDense(c.Modes[0], c.Modes[1], nil)
	for j := range c.Count {
		waves, own := c.feature(s, j, a, v), mat.DenseCopyOf(sum)
		own.Apply(func(q, p int, _ float64) float64 {
			at := q*c.Modes[1] + p
			value := waves.At(q, p) * s.coefficients.At(c.numbersOf()*j, at)
			if other, ok := partner(at); ok && c.Basis == inFourier {
				value += waves.At(0, other) * s.coefficients.At(2*j+1, at)
			}
			return value
		}, own)
		sum.Add(sum, own)
	}
	v.Add(v, c.synthesis.of(sum))
}
