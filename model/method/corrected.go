// This file contains random features of an input and of its prediction by another operator, which correct the
// prediction.

package method

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"rfm/config"
	"rfm/solver/grid"
)

// Corrected is an operator whose predictions are corrected, once or several times: F_0 = First,
//
//	F_s(a) = v + sum_j alpha_sj * phi_sj(a, v),  v = F_(s-1)(a),
//	phi(a, v) = c v',  c ubar  or  div(c grad v'),  c = cos(s a' + t v' + b).
//
// If an operator L(a) maps outputs to a right-hand side f, the residual r of a prediction v solves L(a) r = f - L(a) v.
// That right-hand side is local in a and v, mostly products such as a v or the divergence of a grad v; ubar, the mean
// output, stands for f. a' and v' are smoothed by Gaussians of random widths; s, t and b are random numbers. alpha are
// functions and * is the convolution with functions continued beyond the boundary: inputs as even functions, outputs as
// odd ones (Odd) if they vanish there, else as even ones. So the inverse of a constant coefficient operator can be
// among them. In waves, sines or cosines, each has coefficients of its own. With several channels a feature sees one of
// the input and one of the prediction, and multiplies one of the prediction, in turn; alpha has as many channels as
// outputs.
type Corrected struct {
	place
	First Operator
	CorrectedParameters
	ubar  []float64 // in units, like v
	steps []*correction
	waves [2]continued // of inputs, of outputs
	field []*mat.Dense // ubar on the inner grid, of each channel
	mean  axes         // map to the mean output
	left  grid.Batch   // leave-one-out residuals of the training outputs; none if it was read from a file
}

// CorrectedParameters are the parameters of a Corrected in model files.
type CorrectedParameters struct {
	Basis  string  `json:"basis"`         // basis of the coefficients: sines, cosines, fourier or points
	Log    bool    `json:"log,omitempty"` // a is the logarithm of the input
	Shift  float64 `json:"shift"`         // mean over the training inputs
	Input  float64 `json:"input"`         // standard deviation over the training inputs, the unit of a
	Output float64 `json:"output"`        // root mean square of the training outputs, the unit of v
	Steps  int     `json:"steps"`         // number of corrections
	Count  int     `json:"count"`         // features of each correction
	Modes  [2]int  `json:"modes"`         // number of basis functions along both axes
}

// correction holds the features of one step.
type correction struct {
	parameters   *mat.Dense // a row for each feature: widths of a' and of v', as frequencies, s, t, b
	coefficients *mat.Dense // in units; numbersOf rows for each feature, a column for each function of the basis
	a, v         []axes     // a' and v' of the functions on their own grid
	routes       [][]route  // terms of each feature
}

// route is one term of a feature: from maps v to the factor of cos(...), or is mean for the mean output, or nil for 1;
// to maps the product to coefficients in the basis.
type route struct {
	from *axes
	to   axes
}

// prepare computes the fields that are not stored.
func (c *Corrected) prepare() *Corrected {
	of := c.Basis
	if of == inSines { // inputs do not vanish on the boundary
		of = inCosines
	}
	c.waves = [2]continued{newContinued(c.domain, c.points, c.Modes, of), newContinued(c.domain, c.points, c.Modes,
		c.Basis)}
	whole := func(l basisLine) *mat.Dense { return l.smoothed(l.values, math.Inf(1)) }
	for d, size := 0, len(c.ubar)/c.out; d < c.out; d++ {
		c.field = append(c.field, axes{whole(c.waves[1][0]), whole(c.waves[1][1])}.of(c.matrix(c.ubar[d*size:(d+1)*size])))
	}
	for _, s := range c.steps {
		c.ready(s)
	}
	return c
}

// ready computes the fields of a step that are not stored.
func (c *Corrected) ready(s *correction) {
	in, out := c.waves[0], c.waves[1]
	value := func(w continued, axis int, width float64) *mat.Dense { return w[axis].smoothed(w[axis].values, width) }
	plain := axes{out[0].inner, out[1].inner}
	kinds := kindsOf(c.domain, c.Basis)
	s.v = make([]axes, c.Count) // stays in place: routes point to it
	for j := range c.Count {
		p := s.parameters.RawRowView(j)
		s.a = append(s.a, axes{value(in, 0, p[0]), value(in, 1, p[0])})
		s.v[j] = axes{value(out, 0, p[1]), value(out, 1, p[1])}
		slope := func(axis int) *mat.Dense { return out[axis].smoothed(out[axis].slopes, p[1]) }
		var all []route
		switch kinds[j%len(kinds)] {
		case ofPrediction:
			all = []route{{&s.v[j], plain}}
		case ofMean:
			all = []route{{&c.mean, plain}}
		case alone, ofInput:
			all = []route{{nil, plain}}
		default:
			across, down := axes{out[0].inner, out[1].innerDue}, axes{out[0].innerDue, out[1].inner}
			all = []route{{&axes{s.v[j].down, slope(1)}, across}}
			if c.domain.Dims == 1 {
				break
			}
			all = append(all, route{&axes{slope(0), s.v[j].across}, down})
			if mixed := j / len(kinds) / c.out % 3; c.out > 1 && mixed > 0 { // by the other axis, as in elasticity
				all[0].to, all[1].to = down, across
				all = all[mixed-1 : mixed]
			}
		}
		s.routes = append(s.routes, all)
	}
}

// The kinds of features:
const (
	ofPrediction = iota // c v'
	ofMean              // c ubar
	ofFlux              // div(c grad v')
	alone               // c
	ofInput             // a coefficient of the input in waves, the same number at each point
)

// kindsOf returns the kinds of features in the order in which they alternate.
func kindsOf(domain grid.Domain, basis string) []int {
	switch {
	case basis == inPoints: // a law at each point, and a law of the whole input
		return []int{alone, ofPrediction, alone, ofInput}
	case domain.Dims == 1:
		return []int{ofPrediction, alone, ofFlux, ofPrediction, ofMean, ofFlux}
	}
	return []int{ofPrediction, ofMean, ofFlux}
}

// numbersOf returns the count of numbers of a feature for each basis function. The second number exchanges the sine and
// the cosine of a frequency, as a general convolution does.
func (c *Corrected) numbersOf() int {
	if c.Basis == inFourier {
		return 2
	}
	return 1
}

// partner returns the sine for a cosine and the cosine for a sine; ok is false for the constant.
func partner(k int) (other int, ok bool) { return k - 1 + 2*(k%2), k > 0 }

// matrix returns the values of a function on its own grid as a matrix.
func (c *Corrected) matrix(f []float64) *mat.Dense {
	rows, columns := c.domain.Axes(c.points)
	return mat.NewDense(rows, columns, f)
}

// analysis maps functions to coefficients in the waves of outputs, synthesis maps such coefficients to functions, both
// on the operator's grid.
func (c *Corrected) analysis() axes { return axes{c.waves[1][0].target, c.waves[1][1].target} }
func (c *Corrected) synthesis() axes {
	return axes{mat.DenseCopyOf(c.waves[1][0].own.T()), mat.DenseCopyOf(c.waves[1][1].own.T())}
}

// seen returns an input in the units of the features.
func (c *Corrected) seen(input []float64) []float64 {
	a := make([]float64, len(input))
	for x, v := range input {
		if c.Log {
			v = math.Log(v)
		}
		a[x] = (v - c.Shift) / c.Input
	}
	return a
}

// Predict implements Operator.
func (c *Corrected) Predict(ctx context.Context, inputs grid.Batch, workers int, progress func(added int)) (grid.Batch,
	error) {
	return c.apply(ctx, inputs, progress, func(inputs grid.Batch, progress func(added int)) (grid.Batch, error) {
		outputs, err := c.First.Predict(ctx, inputs, workers, nil)
		if err != nil {
			return grid.Batch{}, err
		}
		least, most := c.blockInputs()
		return outputs, inBlocks(ctx, inputs.Count, workers, least, most, func(first, count, _ int) error {
			b, few := c.newBlock(count), outputs.Range(first, count)
			b.load(inputs.Range(first, count), few)
			for _, s := range c.steps {
				b.correct(s)
			}
			for i := range count {
				for d := range c.out {
					b.prediction(i, d, few.Of(i, d))
				}
			}
			progress(count)
			return nil
		})
	})
}

// Name implements Operator.
func (*Corrected) Name() string { return config.Corrected }

// String implements Operator.
func (c *Corrected) String() string {
	return fmt.Sprintf("%v, %d times corrected by %d random features of inputs and predictions", c.First, len(c.steps),
		c.Count)
}

// Cost implements Operator.
func (c *Corrected) Cost(points int) float64 {
	rows, columns := c.domain.Axes(c.points)
	one := 2 * float64(rows+columns) * float64(c.Modes[0]*c.Modes[1])
	return c.First.Cost(points) + float64(len(c.steps)*c.Count)*6*one
}

// Bytes implements Operator.
func (c *Corrected) Bytes(points int) float64 { return c.First.Bytes(points) }

// numbers is the count of random numbers that define a feature.
const numbers = 5
