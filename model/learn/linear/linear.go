// Package linear learns linear operators by ridge regression: affine maps of principal components, and Fourier
// multipliers of periodic functions.
package linear

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"rfm/config"
	"rfm/model/learn/expansion"
	"rfm/model/learn/operator"
	"rfm/model/learn/ridge"
	"rfm/model/trained/codec"
	"rfm/solver/dataset"
	"rfm/solver/num/linalg"
	"rfm/solver/space/grid"
)

// Method learns an Affine or a Multiplier.
var Method = operator.Method{
	Name:       config.Linear,
	Title:      "linear",
	Most:       math.MaxInt32,
	Reference:  true,
	Scattered:  true,
	Logarithms: true,
	Accepts: func(in, out grid.Domain, symmetry string) bool {
		return operator.Still(in, out, symmetry) || onTorus(in, out)
	},
	Bytes: func(pairs dataset.Pairs, _ operator.Options) float64 {
		const number = 8 // bytes
		outputs := float64(pairs.Count()) * float64(pairs.Outputs.Values())
		return 6 * number * outputs
	},
	Fit: func(ctx context.Context, pairs dataset.Pairs, o operator.Options) (operator.Result, error) {
		return operator.From(linearBest(ctx, pairs, o))
	},
}

// onTorus reports whether inputs and outputs are periodic functions of one variable and channel, which multipliers map.
func onTorus(in, out grid.Domain) bool { return in == grid.Torus && out == grid.Torus }

// linearBest fits linear operators to the pairs and returns the one with the smallest leave-one-out error: for periodic
// functions the Fourier multiplier u_k = c_k a_k, a *Multiplier, and for all functions the affine map from the
// principal components of the inputs to the outputs, an *Affine. Both are ridge regressions; the same error chooses the
// ridge. Errors are those of Method.Train.
func linearBest(ctx context.Context, pairs dataset.Pairs, o operator.Options) (operator.Operator, error) {
	sizes, err := operator.Checked(pairs)
	if err != nil {
		return nil, err
	}
	torus := onTorus(pairs.Inputs.Domain, pairs.Outputs.Domain)
	if torus && config.Commutes(o.Symmetry) {
		return fitMultiplier(ctx, pairs, sizes, o)
	}
	best, err := affine(ctx, pairs, sizes, o.Workers)
	if err != nil {
		return nil, err
	}
	if !torus || o.Symmetry == config.NoSymmetry {
		return operator.Averaged(best, o.Symmetry), nil
	}
	multiplier, err := fitMultiplier(ctx, pairs, sizes, o)
	if err != nil {
		return nil, err
	}
	return operator.Least([]operator.Operator{multiplier, best}), nil
}

// linearRidge returns the ridge of a linear operator, relative to the largest variance, with the least score. The error
// is score's, or a *fault.Numerical if no score is finite.
func linearRidge(score func(lambda float64) (float64, error)) (lambda, least float64, err error) {
	all := []float64{1e-12, 1e-10, 1e-8, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1}
	found, err := ridge.Lambda(1e-6, all, score)
	if err != nil {
		return 0, 0, err
	}
	if !found.Solved() {
		return 0, 0, operator.Unsolved("linear operator", "no ridge from 1e-12 to 0.1 gives")
	}
	return found.Best, found.Score, nil
}

// Affine is an affine operator on the principal components of the inputs.
type Affine struct {
	expansion.Expansion
	Ridge float64 `json:"ridge"` // relative to the variance of the first principal component of the inputs
}

func (*Affine) Name() string { return Method.Name }

func (a *Affine) String() string {
	return fmt.Sprintf("affine operator of %d principal components, ridge %g", a.Components.Cols(), a.Ridge)
}

// affine fits u = ubar + sum_k b_k z_k, z_k the coefficient of the input in principal component k, with the ridge that
// has the smallest leave-one-out error: a regression of u - ubar on z and on a constant so large that no ridge shrinks
// its coefficient, which leaves ubar unknown where pairs are left out. sizes are the L2 norms of the outputs.
func affine(ctx context.Context, pairs dataset.Pairs, sizes []float64, workers int) (*Affine, error) {
	const large = 1e6 // in standard deviations of the first component
	n := pairs.Count()
	u := pairs.Outputs
	size := u.Values()
	inputs, err := expansion.NewPrincipal(ctx, pairs.Inputs, workers)
	if err != nil {
		return nil, err
	}
	coefficients, err := inputs.Coefficients(ctx, pairs.Inputs, workers)
	if err != nil {
		return nil, err
	}
	mean := u.Mean()
	variance := inputs.Variances[0]
	z := mat.DenseCopyOf(coefficients.T()).RawMatrix().Data // components x pairs, row-major
	constant := slices.Repeat([]float64{large * math.Sqrt(variance)}, n)
	z = append(z, constant...)
	fit := ridge.NewFeatures(z, u.Plus(-1, mean).Data, size)
	groups := ridge.Labelled(pairs.Groups, n)
	solve := func(lambda float64) (coefficients []float64, residuals grid.Batch, err error) {
		s, err := fit.Solve(ctx, lambda*float64(n)*variance, groups)
		if err != nil {
			return nil, grid.Batch{}, err
		}
		return s.Coefficients, grid.BatchOf(u.Domain, u.Points, s.Residuals), nil
	}
	lambda, score, err := linearRidge(func(lambda float64) (float64, error) {
		_, residuals, err := solve(lambda)
		if err != nil {
			return 0, err
		}
		return operator.MeanRelative(residuals, sizes), nil
	})
	if err != nil {
		return nil, err
	}
	b, residuals, err := solve(lambda)
	if err != nil {
		return nil, err
	}
	modes := len(inputs.Variances)
	ofComponents := mat.NewDense(modes, size, b[:modes*size]) // that of the constant is 0, because u - mean has the mean 0
	ones := slices.Repeat([]float64{1}, modes)
	a := &Affine{Ridge: lambda}
	a.Base = operator.BaseOf(pairs)
	a.Error = score
	a.Left = residuals
	a.Projection = inputs.Projection(ones)
	a.Constant = mean
	a.Coefficients = linalg.PanelsOf(ofComponents.RawMatrix())
	return a, a.Restored()
}

// Restored computes the fields that are not stored.
func (a *Affine) Restored() error {
	terms := a.Coefficients.Rows()
	modes := a.Components.Cols()
	if terms != modes {
		return codec.Bad("has %d coefficients for %d components", terms, modes)
	}
	a.Offset = a.Constant
	a.Sources = [][]int{nil} // the identity alone
	a.Terms = func(_ context.Context, z *linalg.Panels, _, first, _, _ int) (*linalg.Panels, error) {
		return z.From(first), nil
	}
	return nil
}
