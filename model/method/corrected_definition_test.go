package method

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"rfm/model/modes"
)

// of applies a map to one field.
func of(x modes.Map, f mat.Matrix) *mat.Dense {
	half, whole := mat.DenseCopyOf(f), new(mat.Dense)
	if x[0] != nil {
		half = new(mat.Dense)
		half.Mul(dense(x[0]).T(), f)
	}
	whole.Mul(half, dense(x[1]))
	return whole
}

// onGrid returns the values of a function on its own grid as a matrix.
func (c *Corrected) onGrid(f []float64) *mat.Dense {
	rows, columns := c.Domain().Axes(c.Points)
	return mat.NewDense(rows, columns, f)
}

// units returns an input in the units of the features.
func (c *Corrected) units(input []float64) *mat.Dense {
	a := c.onGrid(slices.Clone(input))
	a.Apply(func(_, _ int, v float64) float64 {
		if c.Log {
			v = math.Log(v)
		}
		return (v - c.Shift) / c.Input
	}, a)
	return a
}

// feature returns the coefficients of feature j by its definition.
func (c *Corrected) feature(s *correction, j int, a, v *mat.Dense) *mat.Dense {
	f, sum, out := s.features[j], mat.NewDense(c.Modes[0], c.Modes[1], nil), c.waves[1]
	smooth := func(side int, f *mat.Dense, width float64, axis int) *mat.Dense {
		w := c.waves[side]
		waves, to := of(w.both(mapAnalysis), f), w.both(mapValues)
		waves.Apply(func(p, q int, v float64) float64 {
			return v * math.Exp(-(math.Pow(w[0].frequencies[p], 2)+math.Pow(w[1].frequencies[q], 2))/(2*width*width))
		}, waves)
		if axis >= 0 {
			to[axis] = w[axis].maps[mapSlopes]
		}
		return of(to, waves)
	}
	width := s.parameters.RawRowView(j)
	argument, own := smooth(0, a, width[0], -1), smooth(1, v, width[1], -1)
	for _, t := range s.terms {
		if !slices.Contains(t.features, j) {
			continue
		}
		product, to := mat.DenseCopyOf(own), out.both(mapInner)
		switch t.kind {
		case ofMean:
			product = of(out.both(mapValues), of(out.both(mapAnalysis), c.onGrid(c.MeanOutput)))
		case alone:
			product.Apply(func(int, int, float64) float64 { return 1 }, product)
		case ofFlux:
			product = smooth(1, v, width[1], t.slope)
			to[t.due] = out[t.due].maps[mapDue]
		}
		product.Apply(func(i, j int, v float64) float64 {
			return v * math.Cos(f.numbers[0]*argument.At(i, j)+f.numbers[1]*own.At(i, j)+f.numbers[2])
		}, product)
		sum.Add(sum, of(to, product))
	}
	return sum
}

// corrected adds a step to a prediction, in its unit, by its definition.
func (c *Corrected) corrected(s *correction, a, v *mat.Dense) {
	sum := mat.NewDense(c.Modes[0], c.Modes[1], nil)
	for j := range c.Count {
		waves, own := c.feature(s, j, a, v), mat.DenseCopyOf(sum)
		own.Apply(func(q, p int, _ float64) float64 {
			at := q*c.Modes[1] + p
			value := waves.At(q, p) * s.coefficients.At(c.numbersOf()*j, at)
			if c.Basis == inFourier && at > 0 {
				value += waves.At(0, partner(at)) * s.coefficients.At(2*j+1, at)
			}
			return value
		}, own)
		sum.Add(sum, own)
	}
	v.Add(v, of(c.waves[1].both(mapSynthesis), sum))
}
