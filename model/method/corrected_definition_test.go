// This file contains corrections of one prediction at a time, by their definition.

package method

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// term is a part of a feature, with the factor of cos(...).
type term struct {
	route
	z *mat.Dense
}

// terms returns the terms of feature j, and the argument of the cosine.
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
		case &c.mean:
			all = append(all, term{t, c.field[0]})
		case nil:
			one := mat.DenseCopyOf(smooth)
			one.Apply(func(int, int, float64) float64 { return 1 }, one)
			all = append(all, term{t, one})
		case &s.v[j]:
			all = append(all, term{t, smooth})
		default:
			all = append(all, term{t, t.from.of(v)})
		}
	}
	return argument, all
}

// times returns the values of f at the values of x, times those of y.
func times(x, y *mat.Dense, f func(float64) float64) *mat.Dense {
	product := mat.DenseCopyOf(y)
	product.Apply(func(i, j int, v float64) float64 { return v * f(x.At(i, j)) }, product)
	return product
}

// feature returns the coefficients of feature j in waves, as block computes for many predictions.
func (c *Corrected) feature(s *correction, j int, a, v *mat.Dense) *mat.Dense {
	kinds := kindsOf(c.domain, c.Basis)
	if kinds[j%len(kinds)] == ofInput {
		number, coefficients := mat.NewDense(c.Modes[0], c.Modes[1], nil), mat.Dense{}
		coefficients.Mul(a, c.waves[0][1].analysis.T())
		_, waves := coefficients.Dims()
		number.Apply(func(int, int, float64) float64 {
			if k := j / len(kinds); c.domain.Dims == 1 && k < waves {
				return coefficients.At(0, k)
			}
			return 0
		}, number)
		return number
	}
	argument, parts := c.terms(s, j, a, v)
	sum := mat.NewDense(c.Modes[0], c.Modes[1], nil)
	for _, t := range parts {
		sum.Add(sum, t.to.of(times(argument, t.z, math.Cos)))
	}
	return sum
}

// weighed multiplies coefficients in the basis by the coefficients of feature j.
func (c *Corrected) weighed(s *correction, waves *mat.Dense, j int) *mat.Dense {
	var product mat.Dense
	rows, columns := waves.Dims()
	product.MulElem(waves, mat.NewDense(rows, columns, s.coefficients.RawRowView(c.numbersOf()*j)))
	for k := 1; k < columns && c.Basis == inFourier; k++ {
		other, _ := partner(k)
		product.Set(0, k, product.At(0, k)+s.coefficients.At(2*j+1, k)*waves.At(0, other))
	}
	return &product
}

// correct adds a step to a prediction, in its unit, as block does for many.
func (c *Corrected) correct(s *correction, a, v *mat.Dense) {
	sum := mat.NewDense(c.Modes[0], c.Modes[1], nil)
	for j := range c.Count {
		sum.Add(sum, c.weighed(s, c.feature(s, j, a, v), j))
	}
	v.Add(v, c.synthesis().of(sum))
}
