package local

import (
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"rfm/config"
	"rfm/model/learn/operator"
	"rfm/model/trained/codec"
	"rfm/solver/base/parallel"
	"rfm/solver/dataset"
	"rfm/solver/num/linalg"
	"rfm/solver/space/grid"
)

// Pointwise is the sum of a law of the value at the point and the point, of integrals of such laws, one for each value of
// an output, and of a function:
//
//	F(a)(x) = r(a(x), x) + integral of g_x(a(y), y) dy + Constant(x)
//
// (a Nemytskii operator and an Urysohn operator). Both have random features sin(w . (a(x), x, 1)), r those of Layer, whose
// coefficients are numbers, g_x others, whose coefficients are functions. They are learned together: a layer that is
// learned alone takes integrals for a part of the law where values tell something about them, and what it takes wrongly
// no operator on top of it can learn.
type Pointwise struct {
	operator.Base
	Parameters
	Layer
	IntegralWeights      *mat.Dense     `json:"integral_weights" shape:"seen integrals"` // a row for each coordinate
	IntegralCoefficients *linalg.Panels `json:"integral_coefficients" shape:"integrals outputs"`
	Constant             []float64      `json:"constant" shape:"outputs"`
	view                 *View
}

// Parameters are the hyperparameters of a Pointwise with the least leave-one-out error.
type Parameters struct {
	Law      Spread  `json:"law"`
	Integral Spread  `json:"integral"`
	Ratio    float64 `json:"ratio"` // of the variances of law and integrals before training
	Ridge    float64 `json:"ridge"` // relative to the variance of integrals
}

// Spread holds the lengths on which a law varies: along values in deviations of each channel, and along axes, the first of
// which has the length one.
type Spread struct {
	Value float64 `json:"value"`
	Place float64 `json:"place"`
}

// ofPoint is what the laws see: values at the point itself, and the point.
var ofPoint = sight{placed: true, alone: true}

// Predict implements Operator.
func (p *Pointwise) Predict(ctx context.Context, inputs grid.Batch, workers int, progress func(added int)) (
	grid.Batch, error) {
	return p.Apply(inputs, progress, func(inputs grid.Batch, progress func(added int)) (grid.Batch, error) {
		outputs, err := p.integrals(ctx, inputs, workers)
		if err != nil {
			return outputs, err
		}
		all := dataset.First(inputs.Count)
		err = p.Add(ctx, p.view, outputs, inputs, all, workers, progress)
		return outputs, err
	})
}

// integrals returns Constant and the integrals of inputs. It returns ctx.Err() if ctx is done.
func (p *Pointwise) integrals(ctx context.Context, inputs grid.Batch, workers int) (grid.Batch, error) {
	outputs := grid.NewBatch(p.OutputDomain(), inputs.Points, inputs.Count)
	phi, err := integralsOf(ctx, p.view, p.IntegralWeights, inputs, workers)
	if err != nil {
		return outputs, err
	}
	sums := linalg.NewRectangle(inputs.Count, len(p.Constant))
	err = sums.AddProduct(ctx, linalg.TransposeOf(phi.General()), p.IntegralCoefficients, phi.General().Cols, workers)
	if err != nil {
		return outputs, err
	}
	for i := range inputs.Count {
		floats.AddTo(outputs.At(i), p.Constant, sums.Row(i))
	}
	return outputs, nil
}

// integralsOf returns the integrals of features of inputs: a row for each input, a column for each column of weights. It
// returns ctx.Err() if ctx is done.
func integralsOf(ctx context.Context, v *View, weights *mat.Dense, inputs grid.Batch, workers int) (
	*linalg.Rectangle, error) {
	w := linalg.PanelsOf(weights.RawMatrix())
	quadrature := v.quadrature()
	sums := linalg.NewRectangle(inputs.Count, w.Cols())
	blocks := slices.Collect(slices.Chunk(dataset.First(inputs.Count), functionsTogether))
	err := parallel.For(ctx, workers, len(blocks), func(_, block int) error {
		return v.each(ctx, inputs, blocks[block], func(i int, z *linalg.Panels) error {
			sum := sums.Row(i)
			return features(ctx, z, w, func(first int, phi *linalg.Rectangle) error {
				for x := range phi.General().Rows {
					floats.AddScaled(sum, quadrature[first+x], phi.Row(x))
				}
				return nil
			})
		})
	})
	return sums, err
}

// quadrature returns the weights of the mean over the distinct points.
func (v *View) quadrature() []float64 {
	if v.domain.Periodic {
		return slices.Repeat([]float64{1 / float64(v.Points())}, v.Points())
	}
	return v.domain.Weights(v.points)
}

func (*Pointwise) Name() string { return config.Layers }

func (p *Pointwise) String() string {
	_, integrals := p.IntegralWeights.Dims()
	return fmt.Sprintf("a law of each point of %d features, plus integrals of laws of %d",
		len(p.Coefficients)/p.OutChannels(), integrals)
}

// Restored computes the view.
func (p *Pointwise) Restored() error {
	d := p.Domain()
	seen, all := p.Weights.Dims()
	want := sizeOf(d, p.InChannels(), ofPoint)
	if seen != want || all%p.OutChannels() != 0 {
		return codec.Bad("has laws of %d coordinates and %d features, want %d coordinates", seen, all, want)
	}
	p.view = newView(d, p.Points, p.InChannels(), ofPoint)
	return nil
}
