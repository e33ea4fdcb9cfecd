// This file is random features of an input and of what another operator predicts for it, which correct the prediction.

package method

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"rfm/config"
	"rfm/solver/grid"
	"rfm/solver/parallel"
)

// Corrected is an operator whose predictions are corrected, once or several times: F_0 = First,
//
//	F_s(a) = v + sum_j alpha_sj * phi_sj(a, v),  v = F_(s-1)(a),
//	phi(a, v) = c v',  c ubar  or  div(c grad v'),  c = cos(s a' + t v' + b).
//
// If an operator L(a) takes outputs to a right-hand side f, what a prediction misses solves L(a) r = f - L(a) v, whose
// right-hand side is local in a and v, mostly products such as a v or the divergence of a grad v; ubar, the mean
// output, stands for f. a' and v' are smoothed by Gaussians of random widths; s, t and b are random numbers. alpha are
// functions and * the convolution with the functions continued beyond the boundary: inputs are even there, outputs odd
// (Odd), as those are that vanish on it, or even. So a constant coefficient operator's inverse can be among them, and
// in waves, sines or cosines, each has coefficients of its own.
type Corrected struct {
	place
	First Operator
	CorrectedParameters
	ubar  []float64 // in units, as v
	steps []*correction
	waves [2]continued // of inputs, of outputs
	field *mat.Dense
	mean  axes // stands for the map to the mean output
}

// CorrectedParameters are what model files say in numbers.
type CorrectedParameters struct {
	Basis  string  `json:"basis"`         // of coefficients: sines, cosines, fourier or points
	Log    bool    `json:"log,omitempty"` // a is the logarithm of the input
	Shift  float64 `json:"shift"`         // mean over the training inputs
	Input  float64 `json:"input"`         // and deviation, in which a is measured
	Output float64 `json:"output"`        // root mean square of the training outputs, in which v is measured
	Steps  int     `json:"steps"`         // corrections
	Count  int     `json:"count"`         // features of each
	Modes  [2]int  `json:"modes"`         // functions of the basis along both axes
}

// correction is the features of one step.
type correction struct {
	parameters   *mat.Dense // a row for each feature: widths of a' and of v', as frequencies, s, t, b
	coefficients *mat.Dense // in units; numbersOf rows for each feature, a column for each function of the basis
	a, v         []axes     // a' and v' of the functions on their own grid
	down, across []axes     // derivatives of v' along both axes
	routes       [][]route  // of each feature
}

// route is one of the terms of a feature: the map from v to what cos(...) multiplies, the place of a Corrected's mean if
// that is the mean output, nil if it is 1, and the one from the product to coefficients in the basis.
type route struct {
	from *axes
	to   axes
}

// prepare derives what is not stored.
func (c *Corrected) prepare() *Corrected {
	of := c.Basis
	if of == inSines { // inputs do not vanish on the boundary
		of = inCosines
	}
	c.waves = [2]continued{newContinued(c.domain, c.points, c.Modes, of), newContinued(c.domain, c.points, c.Modes,
		c.Basis)}
	whole := func(l basisLine) *mat.Dense { return l.smoothed(l.values, math.Inf(1)) }
	c.field = axes{whole(c.waves[1][0]), whole(c.waves[1][1])}.of(c.matrix(c.ubar))
	for _, s := range c.steps {
		c.ready(s)
	}
	return c
}

// ready derives what is not stored of a step.
func (c *Corrected) ready(s *correction) {
	in, out := c.waves[0], c.waves[1]
	for j := range c.Count {
		p := s.parameters.RawRowView(j)
		value := func(w continued, axis int, width float64) *mat.Dense { return w[axis].smoothed(w[axis].values, width) }
		slope := func(axis int) *mat.Dense { return out[axis].smoothed(out[axis].slopes, p[1]) }
		s.a = append(s.a, axes{value(in, 0, p[0]), value(in, 1, p[0])})
		v := axes{value(out, 0, p[1]), value(out, 1, p[1])}
		s.v, s.down, s.across = append(s.v, v), append(s.down, axes{slope(0), v.across}),
			append(s.across, axes{v.down, slope(1)})
	}
	plain := axes{out[0].inner, out[1].inner}
	kinds := kindsOf(c.domain, c.Basis)
	for j := range c.Count { // as s.v and the others have their places now
		var all []route
		switch kinds[j%len(kinds)] {
		case ofPrediction:
			all = []route{{&s.v[j], plain}}
		case ofMean:
			all = []route{{&c.mean, plain}}
		case alone, ofInput:
			all = []route{{nil, plain}}
		default:
			all = []route{{&s.across[j], axes{out[0].inner, out[1].innerDue}}}
			if c.domain.Dims == 2 {
				all = append(all, route{&s.down[j], axes{out[0].innerDue, out[1].inner}})
			}
		}
		s.routes = append(s.routes, all)
	}
}

// The kinds of features.
const (
	ofPrediction = iota // c v'
	ofMean              // c ubar
	ofFlux              // div(c grad v')
	alone               // c
	ofInput             // a coefficient of the input in waves, the same number at each point
)

// kindsOf are the kinds that take turns.
func kindsOf(domain grid.Domain, basis string) []int {
	switch {
	case basis == inPoints: // a law at each point, and one of the whole input
		return []int{alone, ofPrediction, alone, ofInput}
	case domain.Dims == 1:
		return []int{ofPrediction, alone, ofFlux, ofPrediction, ofMean, ofFlux}
	}
	return []int{ofPrediction, ofMean, ofFlux}
}

// numbersOf is how many numbers a feature has for each function of the basis: with the second one, sines and cosines
// of a frequency change places, as in every convolution.
func (c *Corrected) numbersOf() int {
	if c.Basis == inFourier {
		return 2
	}
	return 1
}

// partner is the function of the basis that changes places with one: the sine of a cosine. There is none for the
// constant.
func partner(k int) (other int, ok bool) { return k - 1 + 2*(k%2), k > 0 }

// matrix is the values of a function on its own grid.
func (c *Corrected) matrix(f []float64) *mat.Dense {
	rows, columns := c.domain.Axes(c.points)
	return mat.NewDense(rows, columns, f)
}

// analysis gives coefficients of functions in the waves of outputs, synthesis functions with such coefficients, both on
// the own grid.
func (c *Corrected) analysis() axes { return axes{c.waves[1][0].target, c.waves[1][1].target} }
func (c *Corrected) synthesis() axes {
	return axes{mat.DenseCopyOf(c.waves[1][0].own.T()), mat.DenseCopyOf(c.waves[1][1].own.T())}
}

// seen is inputs as features see them, predictions in their unit.
func (c *Corrected) seen(input []float64) *mat.Dense {
	a := make([]float64, len(input))
	for x, v := range input {
		if c.Log {
			v = math.Log(v)
		}
		a[x] = (v - c.Shift) / c.Input
	}
	return c.matrix(a)
}

// Predict implements Operator.
func (c *Corrected) Predict(ctx context.Context, inputs grid.Batch, workers int, progress func(added int)) (grid.Batch,
	error) {
	return c.apply(ctx, inputs, progress, func(inputs grid.Batch, progress func(added int)) (grid.Batch, error) {
		outputs, err := c.First.Predict(ctx, inputs, workers, nil)
		if err != nil {
			return grid.Batch{}, err
		}
		blocks := (inputs.Count + blockInputs - 1) / blockInputs
		return outputs, parallel.With(ctx, workers, blocks, c.newBlock, func(b *block, at int) error {
			few := outputs.Range(at*blockInputs, min(blockInputs, inputs.Count-at*blockInputs))
			b.load(few.Count, func(i int) []float64 { return inputs.At(at*blockInputs + i) }, few.At)
			for _, s := range c.steps {
				b.correct(s)
			}
			for i := range few.Count {
				b.prediction(i, few.At(i))
			}
			progress(few.Count)
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

// numbers is how many a feature is drawn by.
const numbers = 5
